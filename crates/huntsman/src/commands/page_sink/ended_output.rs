//! `EndedOutput`: the results of a crawl or a batch that has ended, written to a file or folder.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use runtime::Service;
use serde_json::Value;
use wire::RunId;
use wire::run::RunKind;

use super::row_table::TableShape;
use super::sinks::{PageSink, SiteFormat};
use super::write_results;
use crate::commands::scrape::doubt_text;
use crate::failure::Failure;

/// Endings of files of JSON lines.
const OF_LINES: [&str; 3] = ["jsonl", "ndjson", "json"];

/// Where the results of a run go, in a format that the run has all of.
pub(in crate::commands) struct EndedOutput {
    path: PathBuf,
    format: SiteFormat,
    columns: Vec<String>,
    schema: Option<Value>,
    /// Whether results are written in the order of their places.
    in_order: bool,
}

impl EndedOutput {
    /// The output of a run to a path, in the format that its name says.
    ///
    /// # Errors
    /// Where the run has no pages, the name says no format, or the run did not keep what the format has.
    pub(in crate::commands) fn of(kind: RunKind, request: &Value, path: &Path) -> Result<Self, Failure> {
        if !matches!(kind, RunKind::Crawl | RunKind::Batch) {
            return Err(Failure::usage(
                "-o writes the pages of a crawl or a batch, and this run is neither",
            ));
        }
        if path == Path::new("-") {
            return Err(Failure::usage(
                "-o: name a file or folder, since the run itself is printed on stdout",
            ));
        }
        let columns = request["columns"].as_array();
        let columns = columns.into_iter().flatten().filter_map(Value::as_str);
        Ok(Self {
            path: path.to_owned(),
            format: format(request, path)?,
            columns: columns.map(str::to_owned).collect(),
            schema: Some(request["schema"].clone()).filter(Value::is_object),
            in_order: kind == RunKind::Batch,
        })
    }

    /// Writes the results.
    pub(in crate::commands) async fn write(self, service: &Service, id: &RunId) -> Result<(), Failure> {
        let has_schema = self.schema.is_some();
        let table = TableShape {
            columns: self.columns,
            schema: self.schema,
        };
        let sink = PageSink::open(self.format, Some(&self.path), table, false)?;
        let (_, doubt) = write_results(service, id, sink, self.in_order, &ProgressBar::hidden()).await?;
        if let Some(doubt) = &doubt {
            note!("{}", doubt_text(doubt, has_schema));
        }
        Ok(())
    }
}

/// The format that a name says, where a run of this request kept all that the format has.
fn format(request: &Value, path: &Path) -> Result<SiteFormat, Failure> {
    if let Some(ending) = SiteFormat::other_ending(path) {
        return Err(Failure::usage(format!(
            "-o: no format of a crawl or a batch is written as .{ending}; .jsonl, .csv, .db and .warc are, and a folder of a run \
             in Markdown"
        )));
    }
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    let is_lines = ending.is_some_and(|ending| OF_LINES.contains(&ending.as_str()));
    let is_markdown = request["output_format"] == "markdown";
    let has_rows = request["output_format"] == "csv" || request["schema"].is_object();
    let formats = request["formats"].as_array();
    let has_html = formats.is_some_and(|formats| formats.iter().any(|format| format == "html"));
    let format = SiteFormat::of_file(Some(path));
    let missing = match format {
        SiteFormat::Jsonl if is_markdown && !is_lines => return Ok(SiteFormat::Markdown),
        SiteFormat::Csv if !has_rows => {
            "the rows of lists and tables; one begun with --format csv keeps them"
        }
        SiteFormat::Sqlite if !is_markdown => {
            "the text of its pages; one begun with --format sqlite keeps it"
        }
        SiteFormat::Warc if !has_html => "the HTML of its pages; one begun with --format warc keeps it",
        SiteFormat::Jsonl
        | SiteFormat::Markdown
        | SiteFormat::Csv
        | SiteFormat::Sqlite
        | SiteFormat::Warc => {
            return Ok(format);
        }
    };
    let name = path.display();
    Err(Failure::usage(format!(
        "-o {name}: this run did not keep {missing}. -o FILE.jsonl writes what there is"
    )))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_formats_that_the_run_has_all_of_are_written() {
        let of = |request: Value, path: &str| {
            let output = EndedOutput::of(RunKind::Crawl, &request, Path::new(path));
            output
                .map(|output| output.format)
                .map_err(|failure| failure.text())
        };
        let (lines, rows) = (json!({"output_format": "json"}), json!({"output_format": "csv"}));
        let text = json!({"output_format": "markdown"});
        let html = json!({"output_format": "json", "formats": ["html"]});
        for (request, path, format) in [
            (&lines, "a.jsonl", SiteFormat::Jsonl),
            (&rows, "a.csv", SiteFormat::Csv),
            (&text, "a.db", SiteFormat::Sqlite),
            (&text, "docs", SiteFormat::Markdown),
            (&text, "docs.v2", SiteFormat::Markdown),
            (&text, "a.jsonl", SiteFormat::Jsonl),
            (&html, "a.warc.gz", SiteFormat::Warc),
        ] {
            assert_eq!(of(request.clone(), path), Ok(format), "{path}");
        }
        for (request, path, told) in [
            (&lines, "a.csv", "--format csv"),
            (&text, "a.csv", "--format csv"),
            (&rows, "a.db", "--format sqlite"),
            (&lines, "a.warc", "--format warc"),
            (&lines, "a.xlsx", ".xlsx"),
            (&rows, "-", "name a file"),
        ] {
            let refused = of(request.clone(), path).unwrap_err();
            assert!(refused.contains(told), "{path}: {refused}");
        }
        assert!(EndedOutput::of(RunKind::Scrape, &lines, Path::new("a.jsonl")).is_err());
    }
}
