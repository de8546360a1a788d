//! Fetched files that the sandbox reads as pages: PDF documents, office documents, books.

use std::sync::Arc;

use page::Page;
use sandbox::{Sandbox, document, pdf};

use super::{Fetched, FetchedBody};
use crate::browser::PageWarning;
use crate::error::Error;

/// A file as a page.
#[derive(Debug, Clone)]
pub struct FilePage {
    /// Its content.
    pub page: Arc<Page>,
    /// Its title; empty where it has none.
    pub title: String,
    /// Whether its end is missing.
    pub cut: bool,
}

/// Reads a fetched file in the sandbox; none where the address led to no such file, or to an error of the site.
///
/// # Errors
/// When the file is damaged, protected, or needs more than a file may.
pub async fn read_file(sandbox: &Sandbox, fetched: &Fetched) -> Result<Option<FilePage>, Error> {
    let url = &fetched.visit.url;
    let is_served = fetched
        .visit
        .status
        .is_none_or(|status| (200..300).contains(&status));
    let read = match &fetched.body {
        FetchedBody::Pdf(bytes) => match pdf::read(sandbox, bytes.clone()).await {
            Ok(document) => Ok(FilePage {
                page: sandbox::unblocked(async { Arc::new(document.page(url)) }).await,
                title: document.title.clone(),
                cut: document.cut,
            }),
            Err(error) => Err(error),
        },
        FetchedBody::Document(_) if fetched.visit.warnings.contains(&PageWarning::Truncated) => Err(
            sandbox::Error::Failed("the document is larger than what is loaded of a page".to_owned()),
        ),
        FetchedBody::Document(bytes) => match document::read(sandbox, bytes.clone()).await {
            Ok(document) => {
                let page = sandbox::unblocked(async { document.page(url) }).await;
                Ok(FilePage {
                    title: super::page_quality::title(&page),
                    page: Arc::new(page),
                    cut: document.cut,
                })
            }
            Err(error) => Err(error),
        },
        FetchedBody::Page(_)
        | FetchedBody::Xml(_)
        | FetchedBody::Text(_)
        | FetchedBody::Json(_)
        | FetchedBody::Binary(_)
        | FetchedBody::Empty => return Ok(None),
    };
    match read {
        Ok(page) => Ok(Some(page)),
        Err(_) if !is_served => Ok(None),
        Err(error) => Err(Error::File(error)),
    }
}
