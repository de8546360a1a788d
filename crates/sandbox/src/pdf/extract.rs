//! The child's side of reading a PDF document.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::{Document, Object, PlainTextOutput, output_doc_page};

use super::Part;
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
    let pages: Vec<u32> = document.get_pages().into_keys().take(MAX_PAGES).collect();
    let title = catch_unwind(AssertUnwindSafe(|| title(&document))).ok().flatten();
    let first = Part::Document {
        title: title.unwrap_or_default(),
        pages: pages.len(),
    };
    let mut is_read = send(&encode(&first)?);
    for page in pages {
        if !is_read {
            break;
        }
        let text = catch_unwind(AssertUnwindSafe(|| text(&document, page)));
        is_read = send(&encode(&Part::Page(text.ok().flatten().unwrap_or_default()))?);
    }
    Ok(Vec::new())
}
fn text(document: &Document, page: u32) -> Option<String> {
    let mut text = String::new();
    let mut output = PlainTextOutput::new(&mut text);
    output_doc_page(document, &mut output, page).ok()?;
    Some(text)
}

fn title(document: &Document) -> Option<String> {
    let info = document.trailer.get(b"Info").ok()?;
    let info = match info {
        Object::Reference(id) => document.get_object(*id).ok()?,
        other => other,
    };
    let title = info.as_dict().ok()?.get(b"Title").ok()?.as_str().ok()?;
    let text = match title {
        [0xfe, 0xff, rest @ ..] => {
            let units: Vec<u16> = rest
                .chunks_exact(2)
                .map(|pair| u16::from(pair[0]) << 8 | u16::from(pair[1]))
                .collect();
            String::from_utf16_lossy(&units)
        }
        plain => plain.iter().map(|byte| char::from(*byte)).collect(),
    };
    Some(text.trim().to_owned()).filter(|title| !title.is_empty())
}
