//! `huntsman pdf-worker`: reads one PDF document in a process with limits on time and memory; started by the program itself.

use std::io::{Read as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Args;
use pdf_extract::{Document, Object, PlainTextOutput, output_doc_page};
use sandbox::pdf::WorkerLine;

use crate::failure::{Failure, exit_code};

/// Largest document, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// Most memory of the process, in bytes.
const MAX_MEMORY: u64 = 1024 * 1024 * 1024;
/// Most processor time, in seconds.
const MAX_SECONDS: u64 = 20;
/// Most pages that are read.
const MAX_PAGES: usize = 500;
/// Stack of the thread that reads: such documents are nested.
const STACK: usize = 64 * 1024 * 1024;

#[derive(Debug, Args)]
pub(crate) struct PdfWorker {}

impl PdfWorker {
    /// Reads a document from stdin and writes its text page by page.
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        // Where a limit cannot be set, the parent's clock still holds.
        let _ = rlimit::setrlimit(rlimit::Resource::AS, MAX_MEMORY, MAX_MEMORY);
        let _ = rlimit::setrlimit(rlimit::Resource::CPU, MAX_SECONDS, MAX_SECONDS);
        let mut bytes = Vec::new();
        std::io::stdin().take(MAX_BYTES).read_to_end(&mut bytes)?;
        // The PDF crate panics on broken documents.
        std::panic::set_hook(Box::new(|_| {}));
        let reading = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || read(&bytes));
        let read = reading.map_err(anyhow::Error::from)?.join().unwrap_or(false);
        Ok(exit_code(read))
    }
}

fn read(bytes: &[u8]) -> bool {
    let document = catch_unwind(|| Document::load_mem(bytes).ok()).ok().flatten();
    let Some(mut document) = document else {
        return false;
    };
    if document.is_encrypted() && document.decrypt("").is_err() {
        return false;
    }
    let pages: Vec<u32> = document.get_pages().into_keys().take(MAX_PAGES).collect();
    let title = catch_unwind(AssertUnwindSafe(|| title(&document))).ok().flatten();
    let first = WorkerLine::Document {
        title: title.unwrap_or_default(),
        pages: pages.len(),
    };
    pages.into_iter().fold(write_line(&first), |good, page| {
        let text = catch_unwind(AssertUnwindSafe(|| text(&document, page)))
            .ok()
            .flatten();
        good && write_line(&WorkerLine::Page(text.unwrap_or_default()))
    })
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

/// Writes a line at once; false when the reader is gone.
fn write_line(line: &WorkerLine) -> bool {
    let Ok(text) = serde_json::to_string(line) else {
        return false;
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).is_ok()
}
