//! PrintFormat: how the results of a scrape are printed, and what each format asks of a page.

use std::ffi::OsStr;
use std::path::Path;

use clap::ValueEnum;
use serde_json::Value;
use wire::scrape::PageFormat;

/// How results are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum PrintFormat {
    /// One object for one page, an array for several.
    #[default]
    Json,
    /// One result a line, as each is finished.
    Jsonl,
    /// Main content as Markdown.
    Markdown,
    /// The rows of a list page or a table, else one line per item.
    Csv,
    /// Main content as text.
    Text,
    /// The page's HTML.
    Html,
    /// All links, absolute.
    Links,
    /// All data tables.
    Tables,
    /// Repeated records, and the rows of the best list.
    Records,
}

impl PrintFormat {
    /// The format that the name of a file says, else JSON.
    pub(super) fn of_file(file: Option<&Path>) -> Self {
        let ending = file.and_then(Path::extension).and_then(OsStr::to_str);
        match ending.unwrap_or_default().to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Self::Jsonl,
            "md" | "markdown" => Self::Markdown,
            "csv" => Self::Csv,
            "txt" => Self::Text,
            "html" | "htm" => Self::Html,
            _ => Self::Json,
        }
    }

    /// The forms of a page that are asked for, beside or in place of its item.
    pub(super) fn page_formats(self) -> Vec<PageFormat> {
        match self {
            Self::Json | Self::Jsonl | Self::Markdown | Self::Csv | Self::Text => Vec::new(),
            Self::Html => vec![PageFormat::Html],
            Self::Links => vec![PageFormat::Links],
            Self::Tables => vec![PageFormat::Tables],
            Self::Records => vec![PageFormat::Records],
        }
    }
}

/// A page's result without its place in the list, which the order of the output tells already.
pub(in crate::commands) fn shown(result: &Value) -> Value {
    let mut result = result.clone();
    if let Value::Object(fields) = &mut result {
        fields.shift_remove("index");
    }
    result
}
