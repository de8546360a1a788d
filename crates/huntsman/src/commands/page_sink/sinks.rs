//! `PageSink`: where the results of a crawl or a batch go, each as its page is finished.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueEnum;
use serde_json::{Value, json};

use super::archive::Archive;
use super::database::PageDatabase;
use super::file_names::file_of;
use crate::commands::scrape::shown;
use crate::failure::Failure;
use crate::output::json_line;

/// Columns of a table when the command names none.
const COLUMNS: [&str; 10] = [
    "url",
    "status",
    "page_type",
    "title",
    "price",
    "currency",
    "author",
    "date_published",
    "description",
    "error",
];

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SiteFormat {
    /// One result a line.
    Jsonl,
    /// One Markdown file a page; needs `-o FOLDER`.
    Markdown,
    /// One line a page.
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

/// Where results go.
pub(super) enum PageSink {
    /// Events of the run instead of results.
    Events(Box<dyn Write>),
    /// JSON lines.
    Lines(Box<dyn Write>),
    /// CSV, with the columns.
    Table(Box<dyn Write>, Vec<String>),
    /// A folder of Markdown files.
    Markdown(PathBuf),
    /// An SQLite database.
    Database(PageDatabase),
    /// A WARC file.
    Archive(Archive),
}

impl PageSink {
    /// Opens what the flags of a command name: results in a format, or with `events` the events of the run, to a file or
    /// folder, or to stdout without one. A table has the columns named, or usual ones.
    ///
    /// # Errors
    /// When the file or folder cannot be written.
    pub(super) fn open(
        format: SiteFormat,
        path: Option<&Path>,
        columns: &[String],
        events: bool,
    ) -> Result<Self, Failure> {
        Ok(match (format, path) {
            _ if events => Self::Events(writer(path)?),
            (SiteFormat::Markdown, Some(folder)) => Self::Markdown(folder.to_owned()),
            (SiteFormat::Sqlite, Some(file)) => Self::Database(PageDatabase::create(file)?),
            (SiteFormat::Warc, _) => {
                let is_packed = path.is_some_and(|path| path.extension().is_some_and(|end| end == "gz"));
                Self::Archive(Archive::begin(writer(path)?, is_packed)?)
            }
            (SiteFormat::Markdown | SiteFormat::Sqlite | SiteFormat::Jsonl, _) => Self::Lines(writer(path)?),
            (SiteFormat::Csv, _) => {
                let mut writer = writer(path)?;
                let columns = if columns.is_empty() {
                    COLUMNS.map(str::to_owned).to_vec()
                } else {
                    columns.to_vec()
                };
                writer.write_all(tools::lists::table::line(&columns).as_bytes())?;
                Self::Table(writer, columns)
            }
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
            Self::Table(writer, columns) => {
                let cells: Vec<String> = columns.iter().map(|column| cell(result, column)).collect();
                writer.write_all(tools::lists::table::line(&cells).as_bytes())?;
                writer.flush()?;
            }
            Self::Markdown(folder) => write_page(folder, result)?,
            Self::Database(database) => database.put(result)?,
            Self::Archive(archive) => archive.put(result)?,
        }
        Ok(())
    }

    /// Ends the output.
    pub(super) fn end(self) -> Result<(), Failure> {
        match self {
            Self::Events(mut writer) | Self::Lines(mut writer) | Self::Table(mut writer, _) => {
                Ok(writer.flush()?)
            }
            Self::Markdown(_) | Self::Archive(_) => Ok(()),
            Self::Database(database) => database.end(),
        }
    }
}

/// A file; stdout without one, or for `-`.
fn writer(path: Option<&Path>) -> Result<Box<dyn Write>, Failure> {
    Ok(match path {
        Some(path) if path != Path::new("-") => {
            let file = fs::File::create(path).map_err(|error| {
                Failure::usage(format!("--output: {} cannot be written: {error}", path.display()))
            })?;
            Box::new(RecordFile {
                file,
                record: Vec::new(),
                whole: 0,
            })
        }
        Some(_) | None => Box::new(io::stdout()),
    })
}

/// A file of whole records: each is written by `flush`, and one that does not fit on the disk is taken back.
struct RecordFile {
    file: fs::File,
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
        if written.is_ok() {
            self.whole += self.record.len() as u64;
        } else if self.file.metadata().is_ok_and(|file| file.is_file()) {
            // The error that is told is that of the record.
            let _ = self.file.set_len(self.whole);
        }
        self.record.clear();
        written
    }
}

/// A field of a result or of its item, as text.
fn cell(result: &Value, column: &str) -> String {
    let of_result = match column {
        "url" | "status" | "depth" | "duplicate_of" | "similar_to" => &result[column],
        "error" => &result["error"]["message"],
        _ => &result["item"][column],
    };
    match of_result {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Writes the Markdown of a page, headed by its address and title.
fn write_page(folder: &Path, result: &Value) -> Result<(), Failure> {
    let (Some(url), Some(content)) = (result["url"].as_str(), result["content"].as_str()) else {
        return Ok(());
    };
    let path = folder.join(file_of(url));
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
