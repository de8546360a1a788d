//! Reads folders and files into the local index, on as many threads as there are cores.

use std::collections::HashSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

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

/// Reads a file, or every file below a folder that can be read; how many were, and how many files and folders were left out. What
/// was read before goes when the rest is there, but for what is in folders that cannot be listed now.
pub(super) fn add(index: &Index, path: &Path) -> Result<(usize, usize), Failure> {
    let root =
        fs::canonicalize(path).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    let origin = root.display().to_string();
    let FolderFiles {
        files,
        others,
        unlisted,
    } = files(&root);
    for (folder, error) in &unlisted {
        note!(
            "{}: {error}; what was read of it before is kept",
            folder.display()
        );
    }
    let documents = DocumentReader {
        runtime: composition::runtime()?,
        sandbox: Sandbox::of_this_program(),
    };
    let next = AtomicUsize::new(0);
    let (read, skipped) = (AtomicUsize::new(0), AtomicUsize::new(others + unlisted.len()));
    let kept: Mutex<HashSet<String>> = Mutex::default();
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
                    Ok(()) => {
                        read.fetch_add(batch.len(), Ordering::Relaxed);
                        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                        kept.extend(batch.drain(..).map(|page| page.url));
                    }
                    Err(error) => {
                        let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                        failure.replace(error);
                        return;
                    }
                }
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
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(Failure::Work(error.into()));
    }
    let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
    let folders: Vec<String> = unlisted
        .iter()
        .filter_map(|(folder, _)| Some(Url::from_directory_path(folder).ok()?.into()))
        .collect();
    let is_kept = |url: &str| kept.contains(url) || folders.iter().any(|folder| url.starts_with(folder));
    index
        .remove_others(&origin, is_kept)
        .context("the local index cannot be written")?;
    Ok((read.into_inner(), skipped.into_inner()))
}

/// What is below a path.
#[derive(Default)]
struct FolderFiles {
    /// The files that may hold a text, in order of their names.
    files: Vec<PathBuf>,
    /// How many other files there are.
    others: usize,
    /// Folders that cannot be listed, as a whole or in part.
    unlisted: Vec<(PathBuf, std::io::Error)>,
}

fn files(root: &Path) -> FolderFiles {
    let mut found = FolderFiles::default();
    let mut open = vec![(root.to_owned(), 0)];
    while let Some((path, depth)) = open.pop() {
        let Ok(about) = fs::symlink_metadata(&path) else {
            continue;
        };
        if about.is_dir() && depth < DEEPEST {
            let listed = fs::read_dir(&path).and_then(|inside| {
                let inside = inside.map(|entry| Ok((entry?.path(), depth + 1)));
                inside.collect::<std::io::Result<Vec<_>>>()
            });
            match listed {
                Ok(inside) => open.extend(inside),
                Err(error) => found.unlisted.push((path, error)),
            }
        } else if about.is_file() {
            match about.len() <= LARGEST && (path == *root || kind(&path).is_some()) {
                true => found.files.push(path),
                false => found.others += 1,
            }
        }
    }
    found.files.sort();
    found
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

/// The bytes of a file, unpacked where it is packed. None where they are more than [`LARGEST`].
fn content(path: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(path).ok()?;
    if !is_packed(path) {
        return Some(bytes);
    }
    let mut plain = Vec::new();
    let mut unpacking = GzDecoder::new(bytes.as_slice()).take(LARGEST + 1);
    unpacking.read_to_end(&mut plain).ok()?;
    (plain.len() as u64 <= LARGEST).then_some(plain)
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
    #[test]
    fn what_was_read_before_goes_when_the_rest_is_there_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("source");
        fs::create_dir(&source).unwrap();
        let index = Index::open(folder.path()).unwrap();
        for (name, text) in [("a.md", "about Quern"), ("b.md", "about Brask")] {
            fs::write(source.join(name), text).unwrap();
        }
        assert_eq!(add(&index, &source).unwrap_or_default(), (2, 0));
        let count = |word: &str| index.search(word, 9).unwrap().len();
        // The disk takes no page more.
        let disk = rusqlite::Connection::open(folder.path().join("index.db")).unwrap();
        let full = "CREATE TRIGGER full BEFORE INSERT ON pages BEGIN SELECT RAISE(ABORT, 'full'); END";
        disk.execute_batch(full).unwrap();
        fs::remove_file(source.join("b.md")).unwrap();
        assert!(add(&index, &source).is_err());
        assert_eq!((count("Quern"), count("Brask")), (1, 1));
        disk.execute_batch("DROP TRIGGER full").unwrap();
        assert_eq!(add(&index, &source).unwrap_or_default(), (1, 0));
        assert_eq!((count("Quern"), count("Brask")), (1, 0));
    }

    #[test]
    fn a_file_that_unpacks_to_too_much_is_left_out_and_not_cut() {
        use std::io::Write as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.txt.gz");
        let mut packing = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packing
            .write_all(&vec![b' '; usize::try_from(LARGEST).unwrap() + 1])
            .unwrap();
        fs::write(&path, packing.finish().unwrap()).unwrap();
        assert_eq!(content(&path), None);
    }
}
