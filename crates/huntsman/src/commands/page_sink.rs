//! What `huntsman crawl` and `huntsman batch` share: how pages are read, where their results go, and following the run.

mod file_names;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use futures_util::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};
use runtime::Service;
use serde_json::{Value, json};
use wire::scrape::{OutputFormat, ScrapeEvent, ScrapeResponse, StepDetail};
use wire::site::PageOptions;
use wire::{Audience, RunId, Stamped};

use super::scrape::shown;
use crate::failure::{Failure, exit_code};
use crate::output::json_line;
use crate::page_flags::PageFlags;
use crate::profile_args::ProfileArgs;
use crate::{argument, foreground};
use file_names::file_of;

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

/// Flags about reading and writing.
#[derive(Debug, Args)]
pub(super) struct SiteFlags {
    /// What to look for, in words.
    #[arg(long, value_name = "TEXT")]
    instructions: Option<String>,

    /// JSON Schema of an item.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// Columns of a row.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    columns: Vec<String>,

    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    pages: PageFlags,

    /// How results are written, each as its page is finished.
    #[arg(long, default_value = "jsonl")]
    format: SiteFormat,

    /// Write the results to a file; with the format markdown, to a folder that mirrors the site.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// The run's events as JSON lines instead of the results.
    #[arg(long)]
    events: bool,

    /// No progress on stderr.
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SiteFormat {
    /// One result a line.
    Jsonl,
    /// One Markdown file a page; needs `-o FOLDER`.
    Markdown,
    /// One line a page.
    Csv,
}

impl SiteFlags {
    /// How pages are read; `addresses` are those of the command line.
    pub(super) fn options<'a>(
        &self,
        addresses: impl Iterator<Item = &'a str>,
    ) -> Result<PageOptions, Failure> {
        if self.format == SiteFormat::Markdown && self.output.is_none() && !self.events {
            return Err(Failure::usage(
                "--format markdown writes a file for each page; name a folder with -o",
            ));
        }
        let schema = self
            .schema
            .as_ref()
            .map(|path| argument::json("--schema", &format!("@{}", path.display())));
        Ok(PageOptions {
            instructions: self.instructions.clone().unwrap_or_default(),
            output_format: match self.format {
                SiteFormat::Markdown => OutputFormat::Markdown,
                SiteFormat::Jsonl | SiteFormat::Csv => OutputFormat::Json,
            },
            mode: None,
            schema: schema.transpose()?,
            columns: Some(self.columns.clone()).filter(|columns| !columns.is_empty()),
            profile: self.profile.choice(),
            fetch: self.pages.options(addresses)?,
        })
    }

    fn sink(&self) -> Result<PageSink, Failure> {
        let writer = |path: Option<&Path>| -> Result<Box<dyn Write>, Failure> {
            Ok(match path {
                Some(path) => {
                    let file = fs::File::create(path);
                    Box::new(BufWriter::new(
                        file.with_context(|| format!("cannot write {}", path.display()))?,
                    ))
                }
                None => Box::new(io::stdout()),
            })
        };
        let path = self.output.as_deref();
        Ok(match (self.format, path) {
            _ if self.events => PageSink::Events(writer(path)?),
            (SiteFormat::Markdown, Some(folder)) => PageSink::Markdown(folder.to_owned()),
            (SiteFormat::Markdown | SiteFormat::Jsonl, _) => PageSink::Lines(writer(path)?),
            (SiteFormat::Csv, _) => {
                let mut writer = writer(path)?;
                let defaults = || COLUMNS.iter().map(|column| (*column).to_owned()).collect();
                let columns = Some(self.columns.clone())
                    .filter(|it| !it.is_empty())
                    .unwrap_or_else(defaults);
                writer.write_all(tools::table::line(&columns).as_bytes())?;
                PageSink::Table(writer, columns)
            }
        })
    }

    /// Follows a run to its end. With `in_order`, results are written in the order of their places.
    pub(super) async fn listen(
        &self,
        service: &Service,
        id: &RunId,
        in_order: bool,
    ) -> Result<ExitCode, Failure> {
        let mut sink = self.sink()?;
        let bar = self.bar();
        let mut waiting: BTreeMap<u64, Value> = BTreeMap::new();
        let mut next = 0;
        let mut response = None;
        let mut events = foreground::events(service, id, 0, Audience::Public).await?;
        while let Some(entry) = events.next().await {
            let entry = entry?;
            if let PageSink::Events(writer) = &mut sink {
                writer.write_all(format!("{}\n", entry.data.trim_end()).as_bytes())?;
                writer.flush()?;
            }
            match Stamped::from_entry(&entry).ok().map(|stamped| stamped.event) {
                Some(ScrapeEvent::UrlStart(start)) => {
                    bar.set_length(u64::from(start.total));
                    bar.set_message(start.url);
                }
                Some(ScrapeEvent::UrlComplete(_)) => bar.inc(1),
                Some(ScrapeEvent::Step { data: step }) => {
                    let StepDetail::PageDone {
                        result: Some(result), ..
                    } = step.detail
                    else {
                        continue;
                    };
                    if !in_order {
                        sink.put(&result)?;
                        continue;
                    }
                    waiting.insert(result["index"].as_u64().unwrap_or_default(), result);
                    while let Some(result) = waiting.remove(&next) {
                        sink.put(&result)?;
                        next += 1;
                    }
                }
                Some(ScrapeEvent::Complete { data }) => response = Some(data),
                _ => {}
            }
        }
        for result in waiting.values() {
            sink.put(result)?;
        }
        bar.finish_and_clear();
        let response = response.context("the run ended without a result; see `huntsman runs list`")?;
        Ok(self.report(&response))
    }

    /// Says on stderr how the run went.
    fn report(&self, response: &ScrapeResponse) -> ExitCode {
        if let Some(summary) = &response.crawl {
            for note in &summary.notes {
                eprintln!("huntsman: {note}");
            }
            if !self.quiet {
                let stopped = summary.stopped_by.as_deref();
                let stopped = stopped
                    .map(|by| format!("; stopped by the limit of {by}"))
                    .unwrap_or_default();
                eprintln!(
                    "huntsman: {} page(s) read, {} failed, {} duplicate(s), {} outside, {} forbidden by robots.txt{stopped}",
                    summary.read, summary.failed, summary.duplicates, summary.outside, summary.forbidden
                );
            }
        }
        for error in &response.errors {
            eprintln!("huntsman: {} ({})", error.message, error.code);
        }
        exit_code(response.errors.is_empty())
    }

    fn bar(&self) -> ProgressBar {
        let shown = !self.quiet && io::stderr().is_terminal();
        let bar = foreground::bar(Some(0), shown);
        if let Ok(style) = ProgressStyle::with_template("{pos} of {len} known pages  {wide_msg}") {
            bar.set_style(style);
        }
        bar
    }
}

/// Where results go.
enum PageSink {
    Events(Box<dyn Write>),
    Lines(Box<dyn Write>),
    Table(Box<dyn Write>, Vec<String>),
    /// The folder.
    Markdown(PathBuf),
}

impl PageSink {
    /// Writes a result; it is out when this returned.
    fn put(&mut self, result: &Value) -> Result<(), Failure> {
        match self {
            Self::Events(_) => {}
            Self::Lines(writer) => {
                writer.write_all(json_line(&shown(result))?.as_bytes())?;
                writer.flush()?;
            }
            Self::Table(writer, columns) => {
                let cells: Vec<String> = columns.iter().map(|column| cell(result, column)).collect();
                writer.write_all(tools::table::line(&cells).as_bytes())?;
                writer.flush()?;
            }
            Self::Markdown(folder) => write_page(folder, result)?,
        }
        Ok(())
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
    let written = fs::create_dir_all(parent).and_then(|()| fs::write(&path, text));
    Ok(written.with_context(|| format!("cannot write {}", path.display()))?)
}
