//! Reads folders and files into the local index, on as many threads as there are cores.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use flate2::read::GzDecoder;
use page::Page;
use page::charset::decode;
use sandbox::Sandbox;
use store::index::{Index, IndexedPage};
use tokio::runtime::Runtime;
use url::Url;

use super::document::document;
use crate::composition;
use crate::failure::Failure;

/// Largest file that is read, in bytes.
const LARGEST: u64 = 32 * 1024 * 1024;
/// Deepest folder that is looked into.
const DEEPEST: usize = 32;
/// Pages written in one transaction.
const BATCH: usize = 64;

/// Reads PDF documents in child processes.
struct DocumentReader {
    runtime: Runtime,
    sandbox: Option<Sandbox>,
}

/// Reads a file, or every file below a folder that can be read; how many were, and how many were left out.
pub(super) fn add(index: &Index, path: &Path) -> Result<(usize, usize), Failure> {
    let root =
        fs::canonicalize(path).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    let origin = root.display().to_string();
    let (files, others) = files(&root);
    index
        .remove(&origin)
        .context("the local index cannot be written")?;
    let documents = DocumentReader {
        runtime: composition::runtime()?,
        sandbox: Sandbox::of_this_program(),
    };
    let next = AtomicUsize::new(0);
    let (read, skipped) = (AtomicUsize::new(0), AtomicUsize::new(others));
    let failure: Mutex<Option<store::Error>> = Mutex::new(None);
    let work = || {
        let mut batch: Vec<IndexedPage> = Vec::new();
        loop {
            let file = files.get(next.fetch_add(1, Ordering::Relaxed));
            match file.map(|file| self::read(file, &origin, &documents)) {
                Some(Some(document)) => batch.push(document),
                Some(None) => {
                    skipped.fetch_add(1, Ordering::Relaxed);
                }
                None => {}
            }
            if batch.len() >= BATCH || (file.is_none() && !batch.is_empty()) {
                match index.put(&batch) {
                    Ok(()) => read.fetch_add(batch.len(), Ordering::Relaxed),
                    Err(error) => {
                        failure
                            .lock()
                            .unwrap_or_else(std::sync::PoisonError::into_inner)
                            .replace(error);
                        return;
                    }
                };
                batch.clear();
            }
            if file.is_none() {
                return;
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            // Pages may be nested deeply, and reading them takes stack.
            let builder = std::thread::Builder::new().stack_size(8 * 1024 * 1024);
            if builder.spawn_scoped(scope, work).is_err() {
                work();
            }
        }
    });
    if let Some(error) = failure
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
    {
        return Err(Failure::Work(error.into()));
    }
    Ok((read.into_inner(), skipped.into_inner()))
}

/// The files below a path that may hold a text, in order of their names, and how many others there are.
fn files(root: &Path) -> (Vec<PathBuf>, usize) {
    let (mut found, mut others) = (Vec::new(), 0);
    let mut open = vec![(root.to_owned(), 0)];
    while let Some((path, depth)) = open.pop() {
        let Ok(about) = fs::symlink_metadata(&path) else {
            continue;
        };
        if about.is_dir() && depth < DEEPEST {
            let inside = fs::read_dir(&path).into_iter().flatten().flatten();
            open.extend(inside.map(|entry| (entry.path(), depth + 1)));
        } else if about.is_file() {
            match about.len() <= LARGEST && (path == *root || kind(&path).is_some()) {
                true => found.push(path),
                false => others += 1,
            }
        }
    }
    found.sort();
    (found, others)
}

/// The kind of a file, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Html,
    Text,
    /// Values or a tree of them, as text.
    Data,
    Pdf,
    Document,
}

fn kind(path: &Path) -> Option<FileKind> {
    let plain = match is_packed(path) {
        true => path.with_extension(""),
        false => path.to_owned(),
    };
    match plain.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "html" | "htm" | "xhtml" | "mhtml" => Some(FileKind::Html),
        "txt" | "md" | "markdown" | "rst" | "text" => Some(FileKind::Text),
        "csv" | "tsv" | "json" | "jsonl" | "ndjson" | "xml" => Some(FileKind::Data),
        "pdf" => Some(FileKind::Pdf),
        "docx" | "xlsx" | "pptx" | "odt" | "ods" | "odp" | "epub" => Some(FileKind::Document),
        _ => None,
    }
}

fn is_packed(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// The bytes of a file, unpacked where it is packed.
fn content(path: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(path).ok()?;
    if !is_packed(path) {
        return Some(bytes);
    }
    let mut plain = Vec::new();
    let mut unpacking = GzDecoder::new(bytes.as_slice()).take(LARGEST);
    unpacking.read_to_end(&mut plain).ok()?;
    Some(plain)
}

fn read(path: &Path, origin: &str, documents: &DocumentReader) -> Option<IndexedPage> {
    let url = Url::from_file_path(path).ok()?;
    let bytes = content(path)?;
    let kind = kind(path).unwrap_or_else(|| match () {
        () if bytes.starts_with(b"%PDF") => FileKind::Pdf,
        () if sandbox::document::is_document(&bytes) => FileKind::Document,
        () => FileKind::Html,
    });
    let text = match kind {
        FileKind::Html => {
            let page = Page::new(decode(&bytes, None).text, Some(url.clone()));
            return document(url.into(), origin, &page);
        }
        FileKind::Text | FileKind::Data => decode(&bytes, None).text,
        FileKind::Document => {
            let reading = sandbox::document::read(documents.sandbox.as_ref()?, bytes.into());
            let page = documents.runtime.block_on(reading).ok()?.page(&url);
            return document(url.into(), origin, &page);
        }
        FileKind::Pdf => {
            let reading = sandbox::pdf::read(documents.sandbox.as_ref()?, bytes.into());
            let found = documents.runtime.block_on(reading).ok()?;
            return Some(IndexedPage {
                url: url.into(),
                origin: origin.to_owned(),
                title: found.title.clone(),
                text: found.text(),
            });
        }
    };
    let first = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    // The first line of data says what its columns are, or nothing.
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let title = match kind {
        FileKind::Data => name.as_ref(),
        _ => first.trim_start_matches(['#', ' ']),
    };
    let title = title.chars().take(200).collect();
    Some(IndexedPage {
        url: url.into(),
        origin: origin.to_owned(),
        title,
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_a_folder_are_read_and_files_of_other_kinds_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("source");
        fs::create_dir(&source).unwrap();
        for (name, text) in [
            ("lamps.csv", "name,price\nLumeo,12\n"),
            ("d.json", "{\"name\": \"Brask\"}"),
            ("a.md", "# Notes\nabout Quern"),
            ("p.png", "no text"),
        ] {
            fs::write(source.join(name), text).unwrap();
        }
        let index = Index::open(folder.path()).unwrap();
        assert_eq!(add(&index, &source).unwrap_or_default(), (3, 1));
        let titles = |word: &str| -> Vec<String> {
            let found = index.search(word, 9).unwrap();
            found.into_iter().map(|page| page.title).collect()
        };
        assert_eq!(titles("Lumeo"), ["lamps.csv"]);
        assert_eq!(titles("Brask"), ["d.json"]);
        assert_eq!(titles("Quern"), ["Notes"]);
    }
}
