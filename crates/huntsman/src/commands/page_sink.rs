//! What `huntsman crawl` and `huntsman batch` share: how pages are read, where their results go, and following the run.

mod archive;
mod database;
mod file_names;
mod sinks;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use futures_util::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};
use runtime::Service;
use serde_json::Value;
use wire::scrape::{OutputFormat, PageFormat, ScrapeEvent, ScrapeResponse, StepDetail};
use wire::site::PageOptions;
use wire::{Audience, RunId, Stamped};

use crate::failure::{Failure, exit_code};
use crate::output::report_pages;
use crate::page_flags::PageFlags;
use crate::profile_args::ProfileArgs;
use crate::{argument, foreground};
use sinks::{PageSink, SiteFormat};

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
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = argument::column)]
    columns: Vec<String>,

    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    pages: PageFlags,

    /// How results are written, each as its page is finished [default: as the name of -o ends, else jsonl].
    #[arg(long, ignore_case = true)]
    format: Option<SiteFormat>,

    /// File of the results; of markdown a folder that mirrors the site.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// The run's events as JSON lines instead of the results.
    #[arg(long)]
    events: bool,

    /// No progress on stderr.
    #[arg(short, long)]
    quiet: bool,
}

/// Where the results of a run go, opened.
pub(super) struct SiteOutput(PageSink);

impl SiteFlags {
    fn format(&self) -> SiteFormat {
        self.format
            .unwrap_or_else(|| SiteFormat::of_file(self.output.as_deref()))
    }

    /// Whether the run uses what only the data folder has: a profile.
    pub(super) fn needs_folder(&self) -> bool {
        self.profile.choice().profile.is_some()
    }

    /// How pages are read; `addresses` are those of the command line.
    pub(super) fn options<'a>(
        &self,
        addresses: impl Iterator<Item = &'a str>,
    ) -> Result<PageOptions, Failure> {
        let missing = match self.format() {
            SiteFormat::Markdown => {
                Some("--format markdown writes a file for each page; name a folder with -o")
            }
            SiteFormat::Sqlite => Some("--format sqlite writes a database; name its file with -o"),
            SiteFormat::Jsonl | SiteFormat::Csv | SiteFormat::Warc => None,
        };
        if let Some(advice) = missing.filter(|_| self.output.is_none() && !self.events) {
            return Err(Failure::usage(advice));
        }
        let schema = self
            .schema
            .as_ref()
            .map(|path| argument::json("--schema", &format!("@{}", path.display())));
        Ok(PageOptions {
            instructions: self.instructions.clone().unwrap_or_default(),
            output_format: match self.format() {
                SiteFormat::Markdown | SiteFormat::Sqlite => OutputFormat::Markdown,
                SiteFormat::Jsonl | SiteFormat::Csv | SiteFormat::Warc => OutputFormat::Json,
            },
            mode: None,
            schema: schema.transpose()?,
            columns: Some(self.columns.clone()).filter(|columns| !columns.is_empty()),
            formats: match self.format() {
                SiteFormat::Warc => vec![PageFormat::Html],
                _ => Vec::new(),
            },
            profile: self.profile.choice(),
            fetch: self.pages.options(addresses)?,
        })
    }

    /// Opens where the results go.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn site_output(&self) -> Result<SiteOutput, Failure> {
        let sink = PageSink::open(self.format(), self.output.as_deref(), &self.columns, self.events)?;
        Ok(SiteOutput(sink))
    }

    /// Follows a run to its end. With `in_order`, results are written in the order of their places.
    pub(super) async fn listen(
        &self,
        service: &Service,
        id: &RunId,
        SiteOutput(mut sink): SiteOutput,
        in_order: bool,
    ) -> Result<ExitCode, Failure> {
        let bar = self.bar();
        let mut waiting: BTreeMap<u64, Value> = BTreeMap::new();
        let mut next = 0;
        let mut response = None;
        let mut events = foreground::events(service, id, 0, Audience::Public).await?;
        while let Some(entry) = events.next().await {
            let entry = entry?;
            sink.event(&entry.data)?;
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
        sink.end()?;
        bar.finish_and_clear();
        let response = response.context("the run ended without a result; see `huntsman runs list`")?;
        Ok(self.report(&response))
    }

    /// Says on stderr how the run went.
    fn report(&self, response: &ScrapeResponse) -> ExitCode {
        if let Some(summary) = &response.crawl {
            for note in &summary.notes {
                note!("{note}");
            }
            if !self.quiet {
                let stopped = summary.stopped_by.as_deref();
                let stopped = stopped
                    .map(|by| format!("; stopped by the limit of {by}"))
                    .unwrap_or_default();
                note!(
                    "{} page(s) read, {} failed, {} duplicate(s), {} outside, {} forbidden by robots.txt{stopped}",
                    summary.read,
                    summary.failed,
                    summary.duplicates,
                    summary.outside,
                    summary.forbidden
                );
            }
        }
        report_pages(&response.errors);
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
