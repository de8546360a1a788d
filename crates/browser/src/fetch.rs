//! Fetched addresses, read as the kind of content they are.

mod content_kind;
mod documents;
mod feeds;
mod files;
mod frames;
mod html_text;
pub(crate) mod page_quality;
pub(crate) mod script_need;
mod separated_values;

use std::sync::Arc;

use bytes::Bytes;
use net::{Client, Request, Response};
use page::Page;
use page::charset::decode;
use url::Url;

use crate::browser::{PageWarning, Visit};
use crate::error::Error;
use content_kind::ContentKind;
use documents::TextFormat;
pub use files::{FilePage, read_file};

/// A fetched address.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// The address that answered, its status, title and warnings.
    pub visit: Visit,
    /// Its content.
    pub body: FetchedBody,
    /// The media type, in lower case and without parameters, by header and content.
    pub media_type: String,
    /// The URLs that redirected, in order.
    pub hops: Vec<Url>,
    /// Whether it came from the cache.
    pub from_cache: bool,
}

/// The content of an address.
#[derive(Debug, Clone)]
pub enum FetchedBody {
    /// HTML, parsed.
    Page(Arc<Page>),
    /// XML of any kind (feeds, site maps), as text.
    Xml(String),
    /// Plain text.
    Text(String),
    /// JSON, as text that may or may not be correct.
    Json(String),
    /// A PDF document.
    Pdf(Bytes),
    /// An office document or a book.
    Document(Bytes),
    /// Anything else.
    Binary(Bytes),
    /// Nothing at all.
    Empty,
}

impl Fetched {
    /// The content as a page. Markdown, separated values, feeds and site maps have the structure that they describe;
    /// other text is shown as browsers show it, preformatted; files are not shown ([`read_file`] reads some).
    pub fn page(&self) -> Arc<Page> {
        let url = &self.visit.url;
        let html = match &self.body {
            FetchedBody::Page(page) => return page.clone(),
            FetchedBody::Text(text) => documents::text(text, TextFormat::of(&self.media_type, url.path())),
            FetchedBody::Xml(text) => documents::xml(text),
            FetchedBody::Json(text) => documents::preformatted(text),
            FetchedBody::Pdf(_) | FetchedBody::Document(_) | FetchedBody::Binary(_) | FetchedBody::Empty => {
                String::new()
            }
        };
        Arc::new(Page::new(html, Some(url.clone())))
    }

    /// The same as [`Self::page`]. What takes long is made while the thread's other tasks are handed on.
    pub async fn unblocked_page(&self) -> Arc<Page> {
        let size = match &self.body {
            FetchedBody::Text(text) | FetchedBody::Xml(text) | FetchedBody::Json(text) => text.len(),
            FetchedBody::Page(_)
            | FetchedBody::Pdf(_)
            | FetchedBody::Document(_)
            | FetchedBody::Binary(_)
            | FetchedBody::Empty => 0,
        };
        match size < SMALL_BYTES {
            true => self.page(),
            false => sandbox::unblocked(async { self.page() }).await,
        }
    }
}

/// A page of a source that may be large.
pub(crate) async fn parsed(html: String, url: Option<Url>) -> Arc<Page> {
    match html.len() < SMALL_BYTES {
        true => Arc::new(Page::new(html, url)),
        false => sandbox::unblocked(async { Arc::new(Page::new(html, url)) }).await,
    }
}

/// Bodies from this size on are read on a thread of their own, and only when there is room for what becomes of them.
const LARGE_BYTES: usize = 1 << 20;
/// Bodies of fewer bytes are read where they arrive: that takes less than handing the other tasks of the thread on.
const SMALL_BYTES: usize = 32 << 10;
/// What a large page takes until it has been read, as a multiple of its bytes: text, tree and renderings. Measured with
/// paragraphs of 16 MB.
const PAGE_WEIGHT: usize = 5;

/// Fetches and reads an address. A large page holds its memory until it is dropped or released; to be released before
/// the next fetch.
pub async fn fetch(client: &Client, request: Request) -> Result<Fetched, Error> {
    let (cancel, waits) = (request.cancel.clone(), request.own_waits.clone());
    let response = client.fetch(request).await?;
    let size = response.body.len();
    if size < SMALL_BYTES {
        return Ok(read(response));
    }
    if size < LARGE_BYTES {
        return Ok(sandbox::unblocked(async { read(response) }).await);
    }
    let room = client.reading_room(size * PAGE_WEIGHT, &cancel, &waits).await?;
    let reading = tokio::task::spawn_blocking(move || read(response));
    let fetched = reading.await.map_err(|_| Error::Crashed("reading it failed"))?;
    if let FetchedBody::Page(page) = &fetched.body {
        page.hold(room);
    }
    Ok(fetched)
}

/// Reads a response by its content type and, where that is absent, vague or wrong, by its first bytes.
pub fn read(response: Response) -> Fetched {
    let content_type = response.header("content-type");
    let kind = content_kind::detect(content_type, &response.body);
    let mut undecoded = 0;
    let mut text = |bytes: &[u8]| {
        let decoded = decode(bytes, content_type);
        undecoded = decoded.undecoded;
        decoded.text
    };
    let body = match kind {
        _ if response.body.is_empty() => FetchedBody::Empty,
        ContentKind::Html => FetchedBody::Page(Arc::new(Page::new(
            content_kind::marked_as_xml(text(&response.body), content_type),
            Some(response.url.clone()),
        ))),
        ContentKind::Xml => FetchedBody::Xml(text(&response.body)),
        ContentKind::Json => FetchedBody::Json(text(&response.body)),
        ContentKind::Text => FetchedBody::Text(text(&response.body)),
        ContentKind::Pdf => FetchedBody::Pdf(response.body.clone()),
        ContentKind::Document => FetchedBody::Document(response.body.clone()),
        ContentKind::Binary => FetchedBody::Binary(response.body.clone()),
    };
    let mut warnings = Vec::new();
    let mut title = String::new();
    match &body {
        FetchedBody::Page(page) => {
            title = page_quality::title(page);
            warnings.extend(page_quality::warnings(
                page,
                &title,
                &page_quality::ResponseFacts::of(&response),
            ));
            let unread = frames::unread(page);
            if !unread.is_empty() {
                warnings.push(PageWarning::UnreadFrames(unread));
            }
        }
        FetchedBody::Empty => warnings.push(PageWarning::Empty),
        FetchedBody::Pdf(_) | FetchedBody::Document(_) | FetchedBody::Binary(_) => {
            warnings.push(PageWarning::NotAPage);
        }
        FetchedBody::Xml(_) | FetchedBody::Text(_) | FetchedBody::Json(_) => {}
    }
    if response.truncated {
        warnings.push(PageWarning::Truncated);
    }
    // A page that was cut may end within a sign.
    if undecoded > usize::from(response.truncated) {
        warnings.push(PageWarning::Undecoded);
    }
    Fetched {
        media_type: content_kind::media_type(content_type, kind),
        visit: Visit {
            url: response.url,
            status: Some(response.status.as_u16()),
            title,
            warnings,
        },
        body,
        hops: response.hops,
        from_cache: response.from_cache,
    }
}

#[cfg(test)]
mod tests;
