//! Office documents and books (DOCX, XLSX, PPTX, ODT, ODS, ODP, EPUB), converted to HTML.
//!
//! All of them are ZIP archives of XML files. A small archive can unpack to gigabytes, and a small file can describe a
//! table of billions of cells: the child that converts bounds entries, bytes, elements, cells and the HTML that it returns.

mod archive;
mod convert;
mod docx;
mod docx_styles;
mod docx_symbols;
mod epub;
pub(crate) mod html;
mod odf;
mod opc;
mod pptx;
pub(crate) mod properties;
mod xlsx;
mod xlsx_cells;
mod xlsx_money;
mod xml;

use std::time::Duration;

use bytes::Bytes;
use page::Page;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::error::Error;
use crate::pool::Sandbox;
use crate::protocol::{TaskKind, decode};

pub(crate) use convert::execute;

/// Longest time for one document.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Bytes at the end of an archive that are searched for names: its directory stands there.
const DIRECTORY_BYTES: usize = 256 << 10;
/// Bytes at the start of an archive that are searched for names: those of the first entries.
const FIRST_ENTRIES_BYTES: usize = 4 << 10;

/// A document as HTML.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvertedDocument {
    /// The whole HTML document, with title, author and dates in its head.
    pub html: String,
    /// Whether the end is missing, since the HTML became too long.
    pub cut: bool,
}

impl ConvertedDocument {
    /// The document as a page at its address.
    pub fn page(&self, url: &Url) -> Page {
        Page::new(self.html.clone(), Some(url.clone()))
    }
}

/// Whether bytes are an archive whose entries have the names of those of a document. Whether the document can be read,
/// [`read`] finds out.
pub fn is_document(bytes: &[u8]) -> bool {
    if !bytes.starts_with(b"PK\x03\x04") {
        return false;
    }
    let first = bytes.get(..FIRST_ENTRIES_BYTES).unwrap_or(bytes);
    let last = bytes.get(bytes.len().saturating_sub(DIRECTORY_BYTES)..);
    let names = |name: &[u8]| {
        let holds = |part: &[u8]| part.windows(name.len()).any(|window| window == name);
        holds(first) || last.is_some_and(holds)
    };
    let is_book = names(b"META-INF/container.xml");
    let is_open_document = || names(b"content.xml") && names(b"META-INF/manifest.xml");
    names(b"[Content_Types].xml") || is_book || is_open_document()
}

/// Converts a document. Dropping the future ends the work.
///
/// # Errors
/// When the work cannot be started, takes too long or needs too much, and when the document is damaged, protected by a
/// password or of an unknown kind.
pub async fn read(sandbox: &Sandbox, bytes: Bytes) -> Result<ConvertedDocument, Error> {
    let answer = sandbox.run(TaskKind::Document, bytes, TIMEOUT, |_| {}).await?;
    decode(&answer)
}
