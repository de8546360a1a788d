//! The child's side of reading a PDF document.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::{Document, ObjectId, output_doc_page};

use super::flatten::flatten;
use super::glyphs::Glyphs;
use super::{PdfBlock, PdfPart, layout, properties};
use crate::error::Error;
use crate::protocol::encode;

/// Most pages that are read.
const MAX_PAGES: usize = 500;

/// Reads a document and hands over its parts, until `send` says that nobody reads them.
pub(crate) fn execute(bytes: &[u8], send: &mut dyn FnMut(&[u8]) -> bool) -> Result<Vec<u8>, Error> {
    let unreadable = || {
        Error::Failed("the PDF document cannot be read; it may be damaged, locked or made of images".into())
    };
    // The PDF crate panics on broken documents.
    let document = catch_unwind(|| Document::load_mem(bytes).ok()).ok().flatten();
    let mut document = document.ok_or_else(unreadable)?;
    if document.is_encrypted() && document.decrypt("").is_err() {
        return Err(unreadable());
    }
    let all = document.get_pages();
    let count = all.len();
    let pages: Vec<(u32, ObjectId)> = all.into_iter().take(MAX_PAGES).collect();
    let properties = catch_unwind(AssertUnwindSafe(|| properties::read(&document)));
    let first = PdfPart::Document {
        properties: properties.unwrap_or_default(),
        pages: count,
    };
    let mut is_read = send(&encode(&first)?);
    for (number, id) in pages {
        if !is_read {
            break;
        }
        let blocks = catch_unwind(AssertUnwindSafe(|| blocks(&mut document, number, id)));
        is_read = send(&encode(&PdfPart::Page(
            blocks.ok().flatten().unwrap_or_default(),
        ))?);
    }
    Ok(Vec::new())
}

/// The text of a page; none where it cannot be read.
fn blocks(document: &mut Document, number: u32, id: ObjectId) -> Option<Vec<PdfBlock>> {
    flatten(document, id)?;
    let mut glyphs = Glyphs::default();
    output_doc_page(document, &mut glyphs, number).ok()?;
    Some(glyphs.pieces().into_iter().flat_map(layout::blocks).collect())
}
