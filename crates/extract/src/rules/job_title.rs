//! The title of a job page that carries no label.

use super::element_source::element_source;
use super::labelled_fields;
use super::visible_page::VisiblePage;
use crate::item::Item;

/// What a job page shows where no label stands: the title is its heading, the salary may stand alone.
pub fn put_job_title(item: &mut Item, view: &VisiblePage<'_>) {
    for detail in labelled_fields::read(view, &["job_title"]) {
        if let Some(found) = labelled_fields::first(&detail) {
            item.put("job_title", found.value, found.source);
        }
    }
    if let Some(heading) = &view.heading {
        let source = element_source(view.dom().node(heading.node));
        item.put("job_title", heading.text.clone(), source);
    }
    if let (Some(title), Some(source)) = (
        item.text("job_title").map(str::to_owned),
        item.source("job_title").cloned(),
    ) {
        item.put("title", title, source);
    }
}
