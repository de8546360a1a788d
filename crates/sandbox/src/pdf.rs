//! Text extraction from PDF documents.
//!
//! Parsers of PDF crash, loop and exhaust memory on broken documents. The pages read before that happens are kept.

mod extract;

use std::time::Duration;

use bytes::Bytes;
use page::Page;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::error::Error;
use crate::pool::Sandbox;
use crate::protocol::{TaskKind, decode};

pub(crate) use extract::execute;

/// Longest time for one document.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Most bytes of text of one document.
const MAX_TEXT_BYTES: usize = 4 * 1024 * 1024;

/// A part of a result: first the document, then its pages in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Part {
    Document {
        title: String,
        pages: usize,
    },
    /// The text of the next page; empty where it could not be read.
    Page(String),
}

/// The text of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PdfDocument {
    /// Its title, where it has one.
    pub title: String,
    /// The text of each page, in paragraphs.
    pub pages: Vec<String>,
    /// Whether pages are missing: reading them broke or took too long, or the text became too long.
    pub cut: bool,
}

/// Reads the text of a document. Dropping the future ends the work.
///
/// # Errors
/// When the work cannot be started, or finds no text.
pub async fn read(sandbox: &Sandbox, bytes: Bytes) -> Result<PdfDocument, Error> {
    let mut reading = Reading::default();
    let finished = sandbox
        .run(TaskKind::Pdf, bytes, TIMEOUT, |part| reading.add(&part))
        .await;
    let mut document = reading.document;
    document.cut = reading.expected != Some(document.pages.len());
    let has_text = document.pages.iter().any(|page| !page.trim().is_empty());
    match (has_text, finished) {
        (true, _) => Ok(document),
        (false, Ok(_) | Err(Error::Crashed)) => Err(Error::Failed(
            "the PDF document cannot be read; it may be damaged, locked or made of images".into(),
        )),
        (false, Err(error)) => Err(error),
    }
}

/// A document whose pages arrive.
#[derive(Default)]
struct Reading {
    document: PdfDocument,
    expected: Option<usize>,
    bytes: usize,
}

impl Reading {
    fn add(&mut self, part: &[u8]) {
        self.bytes += part.len();
        match decode(part) {
            Ok(Part::Document { title, pages }) => {
                self.document.title = title;
                self.expected = Some(pages);
            }
            Ok(Part::Page(text)) if self.bytes <= MAX_TEXT_BYTES => {
                self.document.pages.push(paragraphs(&text))
            }
            Ok(Part::Page(_)) | Err(_) => {}
        }
    }
}
/// Joins the lines of a page to paragraphs, and words that were hyphenated at a line end.
fn paragraphs(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            continue;
        }
        let is_hyphenated = out.ends_with('-') && line.starts_with(char::is_lowercase);
        if is_hyphenated {
            out.pop();
        } else if !out.is_empty() && !out.ends_with('\n') {
            out.push(' ');
        }
        out.push_str(line);
    }
    out.trim().to_owned()
}

impl PdfDocument {
    /// The whole text.
    pub fn text(&self) -> String {
        self.pages.join("\n")
    }

    /// The document as an HTML page.
    pub fn page(&self, url: &Url) -> Page {
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let title = escape(&self.title);
        let body: String = self
            .pages
            .iter()
            .flat_map(|page| page.lines())
            .map(|line| format!("<p>{}</p>\n", escape(line)))
            .collect();
        let head = if title.is_empty() {
            String::new()
        } else {
            format!("<h1>{title}</h1>\n")
        };
        let html = format!(
            "<!doctype html><html><head><title>{title}</title></head><body><article>{head}{body}</article></body></html>"
        );
        Page::new(html, Some(url.clone()))
    }
}
