//! Text extraction from PDF documents.
//!
//! Parsers of PDF crash, loop and exhaust memory on broken documents. The pages read before that happens are kept.

mod extract;
mod flatten;
mod fonts;
mod glyphs;
mod layout;
mod paragraphs;
mod properties;
mod script;
mod words;

use std::time::Duration;

use bytes::Bytes;
use page::Page;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::document::html::escape;
use crate::document::properties::Properties;
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
enum PdfPart {
    Document {
        #[serde(flatten)]
        properties: Properties,
        pages: usize,
    },
    /// The blocks of the next page; none where it could not be read.
    Page(Vec<PdfBlock>),
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum PdfBlock {
    Paragraph(String),
    /// The cells of each row; empty ones are kept.
    Table(Vec<Vec<String>>),
}

/// The text of a document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PdfDocument {
    /// Its title, where it has one.
    pub title: String,
    /// The text of each page, in paragraphs. The cells of a row of a table are separated by tabs.
    pub pages: Vec<String>,
    /// Whether pages are missing: reading them broke or took too long, or the text became too long.
    pub cut: bool,
    properties: Properties,
    /// The pages as HTML.
    body: String,
}

/// Reads the text of a document. Dropping the future ends the work.
///
/// # Errors
/// When the work cannot be started, or finds no text.
pub async fn read(sandbox: &Sandbox, bytes: Bytes) -> Result<PdfDocument, Error> {
    let mut reading = PdfReading::default();
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
struct PdfReading {
    document: PdfDocument,
    expected: Option<usize>,
    bytes: usize,
}

impl PdfReading {
    fn add(&mut self, part: &[u8]) {
        self.bytes += part.len();
        match decode(part) {
            Ok(PdfPart::Document { properties, pages }) => {
                self.document.title.clone_from(&properties.title);
                self.document.properties = properties;
                self.expected = Some(pages);
            }
            Ok(PdfPart::Page(blocks)) if self.bytes <= MAX_TEXT_BYTES => {
                let texts: Vec<String> = blocks.iter().map(PdfBlock::text).collect();
                self.document.pages.push(texts.join("\n"));
                self.document.body.extend(blocks.iter().map(PdfBlock::html));
            }
            Ok(PdfPart::Page(_)) | Err(_) => {}
        }
    }
}

impl PdfBlock {
    fn text(&self) -> String {
        match self {
            PdfBlock::Paragraph(text) => text.clone(),
            PdfBlock::Table(rows) => {
                let rows: Vec<String> = rows.iter().map(|row| row.join("\t")).collect();
                rows.join("\n")
            }
        }
    }

    fn html(&self) -> String {
        match self {
            PdfBlock::Paragraph(text) => format!("<p>{}</p>\n", escape(text)),
            PdfBlock::Table(rows) => {
                let mut html = String::from("<table>\n");
                for (index, row) in rows.iter().enumerate() {
                    let tag = if index == 0 && has_header(rows) {
                        "th"
                    } else {
                        "td"
                    };
                    let cells = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
                    html.push_str(&format!("<tr>{}</tr>\n", cells.collect::<String>()));
                }
                html.push_str("</table>\n");
                html
            }
        }
    }
}

/// Whether the first row names the columns: words in all of its cells, and numbers below.
fn has_header(rows: &[Vec<String>]) -> bool {
    let has_digit = |cell: &String| cell.contains(|c: char| c.is_ascii_digit());
    let Some((first, rest)) = rows.split_first() else {
        return false;
    };
    let is_named = first.iter().all(|cell| !cell.is_empty() && !has_digit(cell));
    is_named && rest.iter().flatten().any(has_digit)
}

impl PdfDocument {
    /// The whole text.
    pub fn text(&self) -> String {
        self.pages.join("\n")
    }

    /// The document as an HTML page.
    pub fn page(&self, url: &Url) -> Page {
        Page::new(self.properties.document(&self.body), Some(url.clone()))
    }
}
