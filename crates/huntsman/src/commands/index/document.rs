//! A page as a document of the local index.

use extract::rules::title;
use page::Page;
use page::meta::Metadata;
use store::index::IndexedPage;

/// The document of a page; none without text.
pub(super) fn document(url: String, origin: &str, page: &Page) -> Option<IndexedPage> {
    let text = agents::research::page_text(page);
    if text.trim().is_empty() {
        return None;
    }
    let title = title::title(page, &Metadata::read(page)).map(|title| title.value);
    Some(IndexedPage {
        url,
        origin: origin.to_owned(),
        title: title.unwrap_or_default(),
        text,
    })
}
