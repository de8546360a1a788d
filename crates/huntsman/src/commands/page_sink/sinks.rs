//! `PageSink`: where the results of a crawl or a batch go, each as its page is finished.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use agents::scrape::csv_table::CsvDoubt;
use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::{Value, json};

use super::archive::Archive;
use super::database::PageDatabase;
use super::file_names::FileNames;
use super::row_table::{RowTable, TableShape};
use crate::commands::scrape::shown;
use crate::failure::Failure;
use crate::output::{ResultFile, json_line};

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SiteFormat {
    /// One result a line.
    Jsonl,
    /// One Markdown file a page; needs `-o FOLDER`.
    Markdown,
    /// The rows of list pages and tables, else one line a page.
    Csv,
    /// An SQLite database with a table `pages`; needs `-o FILE`.
    Sqlite,
    /// A WARC 1.1 archive of the HTML of each page, packed with gzip where the name ends in `.gz`.
    Warc,
}

impl SiteFormat {
    /// The format that the name of a file says, else JSON lines.
    pub(super) fn of_file(file: Option<&Path>) -> Self {
        let name = file.and_then(Path::file_name).unwrap_or_default();
        let name = name.to_string_lossy().to_ascii_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        match () {
            () if ends(&[".csv"]) => Self::Csv,
            () if ends(&[".sqlite", ".sqlite3", ".db"]) => Self::Sqlite,
            () if ends(&[".warc", ".warc.gz"]) => Self::Warc,
            () => Self::Jsonl,
        }
    }
}

impl SiteFormat {
    /// The ending of a file whose name says a format that is none of these.
    pub(super) fn other_ending(file: &Path) -> Option<String> {
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        let is_other = match ending.as_str() {
            "txt" | "html" | "htm" | "md" | "markdown" | "xlsx" | "xml" | "tsv" | "zip" | "parquet" => true,
            "gz" => Self::of_file(Some(file)) != Self::Warc,
            _ => false,
        };
        is_other.then_some(ending)
    }
}

/// Where results go.
pub(super) enum PageSink {
    /// Events of the run instead of results.
    Events(Box<dyn Write>),
    /// JSON lines.
    Lines(Box<dyn Write>),
    /// CSV.
    Table(Box<RowTable>),
    /// A folder of Markdown files.
    Markdown(PathBuf, FileNames),
    /// An SQLite database.
    Database(PageDatabase),
    /// A WARC file.
    Archive(Archive),
}

impl PageSink {
    /// Opens what the flags of a command name: results in a format, or with `events` the events of the run, to a file or
    /// folder, or to stdout without one.
    ///
    /// # Errors
    /// When the file or folder cannot be written.
    pub(super) fn open(
        format: SiteFormat,
        path: Option<&Path>,
        table: TableShape,
        events: bool,
    ) -> Result<Self, Failure> {
        Ok(match (format, path) {
            _ if events => Self::Events(writer(path)?),
            (SiteFormat::Markdown, Some(folder)) => Self::Markdown(folder.to_owned(), FileNames::default()),
            (SiteFormat::Sqlite, Some(file)) => Self::Database(PageDatabase::create(file)?),
            (SiteFormat::Warc, _) => {
                let is_packed = path.is_some_and(|path| path.extension().is_some_and(|end| end == "gz"));
                Self::Archive(Archive::new(writer(path)?, is_packed))
            }
            (SiteFormat::Markdown | SiteFormat::Sqlite | SiteFormat::Jsonl, _) => Self::Lines(writer(path)?),
            (SiteFormat::Csv, _) => Self::Table(Box::new(RowTable::new(writer(path)?, table))),
        })
    }

    /// Takes an event of the run, as its log has it.
    pub(super) fn event(&mut self, data: &str) -> Result<(), Failure> {
        if let Self::Events(writer) = self {
            writer.write_all(format!("{}\n", data.trim_end()).as_bytes())?;
            writer.flush()?;
        }
        Ok(())
    }

    /// Writes a result; it is out when this returned.
    pub(super) fn put(&mut self, result: &Value) -> Result<(), Failure> {
        match self {
            Self::Events(_) => {}
            Self::Lines(writer) => {
                writer.write_all(json_line(&shown(result))?.as_bytes())?;
                writer.flush()?;
            }
            Self::Table(table) => table.put(result)?,
            Self::Markdown(folder, names) => write_page(folder, names, result)?,
            Self::Database(database) => database.put(result)?,
            Self::Archive(archive) => archive.put(result)?,
        }
        Ok(())
    }

    /// Ends the output, and returns what is doubtful about its rows.
    pub(super) fn end(self) -> Result<Option<CsvDoubt>, Failure> {
        match self {
            Self::Events(mut writer) | Self::Lines(mut writer) => writer.flush()?,
            Self::Table(table) => return table.end(),
            Self::Markdown(..) | Self::Archive(_) => {}
            Self::Database(database) => database.end()?,
        }
        Ok(None)
    }
}

/// A file; stdout without one, or for `-`.
fn writer(path: Option<&Path>) -> Result<Box<dyn Write>, Failure> {
    Ok(match path {
        Some(path) if path != Path::new("-") => Box::new(RecordFile {
            file: ResultFile::open(path)?,
            record: Vec::new(),
            whole: 0,
        }),
        Some(_) | None => Box::new(io::stdout()),
    })
}

/// A file of whole records: each is written by `flush`, the first in place of what the file held, and one that does not fit on
/// the disk is taken back.
struct RecordFile {
    file: ResultFile,
    record: Vec<u8>,
    /// Bytes of the records that were written.
    whole: u64,
}

impl Write for RecordFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.record.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.record);
        match written {
            Ok(()) => self.whole += self.record.len() as u64,
            Err(_) => self.file.cut(self.whole),
        }
        self.record.clear();
        written
    }
}

/// Writes the Markdown of a page, headed by its address and title.
fn write_page(folder: &Path, names: &mut FileNames, result: &Value) -> Result<(), Failure> {
    let (Some(url), Some(content)) = (result["url"].as_str(), result["content"].as_str()) else {
        return Ok(());
    };
    let path = folder.join(names.file_of(url));
    let parent = path.parent().unwrap_or(folder);
    let head = json!({"url": url, "title": result["item"]["title"]});
    // YAML takes JSON's strings as they are.
    let text = format!(
        "---\nurl: {}\ntitle: {}\n---\n\n{}\n",
        head["url"],
        head["title"],
        content.trim_end()
    );
    let written = fs::create_dir_all(parent).and_then(|()| {
        // No part of a page is left.
        fs::write(&path, text).inspect_err(|_| drop(fs::remove_file(&path)))
    });
    Ok(written.with_context(|| format!("cannot write {}", path.display()))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_keeps_what_it_holds_until_a_page_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let page = json!({"url": "https://a.example/", "status": "ok", "formats": {"html": "<p>b"}});
        for (format, events) in [
            (SiteFormat::Jsonl, false),
            (SiteFormat::Csv, false),
            (SiteFormat::Warc, false),
            (SiteFormat::Jsonl, true),
        ] {
            let path = folder.path().join("out");
            fs::write(&path, "old ".repeat(1_000)).unwrap();
            let open = || {
                let table = TableShape {
                    columns: Vec::new(),
                    schema: None,
                };
                PageSink::open(format, Some(&path), table, events).unwrap_or_else(|_| panic!("it is opened"))
            };
            // The command is interrupted, or cannot begin.
            drop(open());
            assert_eq!(fs::read_to_string(&path).unwrap().len(), 4_000, "{format:?}");
            let mut sink = open();
            assert!(sink.event("{}").and_then(|()| sink.put(&page)).is_ok());
            assert!(sink.end().is_ok());
            let written = fs::read_to_string(&path).unwrap();
            assert!(
                !written.is_empty() && !written.contains("old"),
                "{format:?}: {written}"
            );
        }
    }
}
