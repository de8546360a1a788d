//! What `huntsman crawl` and `huntsman batch` share: how pages are read, where their results go, and following the run.

mod archive;
mod database;
mod ended_output;
mod file_names;
mod row_table;
mod sinks;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use agents::scrape::csv_table::CsvDoubt;
use anyhow::Context as _;
use clap::Args;
use futures_util::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};
use runtime::Service;
use serde_json::Value;
use wire::scrape::{OutputFormat, PageFormat, ScrapeEvent, ScrapeResponse, StepDetail};
use wire::site::PageOptions;
use wire::{Audience, RunId, Stamped};

use super::scrape::{doubt_text, doubts_of_page};
use crate::failure::{Failure, exit_code};
use crate::output::{MAX_ADDRESS, one_line, report_pages};
use crate::page_flags::PageFlags;
use crate::profile_args::ProfileArgs;
use crate::{argument, foreground};
pub(super) use ended_output::EndedOutput;
use row_table::TableShape;
use sinks::{PageSink, SiteFormat};

/// Most notes about pages on stderr.
const MAX_ISSUES: usize = 20;

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
        let strange = self.output.as_deref().and_then(SiteFormat::other_ending);
        if let Some(ending) = strange.filter(|_| self.format.is_none() && !self.events) {
            return Err(Failure::usage(format!(
                "-o: no format of a crawl or a batch is written as .{ending}; --format names one, and so do .jsonl, .csv, .db \
                 and .warc"
            )));
        }
        Ok(PageOptions {
            instructions: self.instructions.clone().unwrap_or_default(),
            output_format: match self.format() {
                SiteFormat::Markdown | SiteFormat::Sqlite => OutputFormat::Markdown,
                SiteFormat::Csv => OutputFormat::Csv,
                SiteFormat::Jsonl | SiteFormat::Warc => OutputFormat::Json,
            },
            mode: None,
            schema: self.schema()?,
            columns: Some(self.columns.clone()).filter(|columns| !columns.is_empty()),
            formats: match self.format() {
                SiteFormat::Warc => vec![PageFormat::Html],
                _ => Vec::new(),
            },
            profile: self.profile.choice(),
            fetch: self.pages.options(addresses)?,
        })
    }

    /// The schema of an item, read from its file.
    fn schema(&self) -> Result<Option<Value>, Failure> {
        let schema = self.schema.as_ref();
        let schema = schema.map(|path| argument::json("--schema", &format!("@{}", path.display())));
        schema.transpose()
    }

    /// Opens where the results go.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn site_output(&self) -> Result<SiteOutput, Failure> {
        let table = TableShape {
            columns: self.columns.clone(),
            schema: self.schema()?,
        };
        let sink = PageSink::open(self.format(), self.output.as_deref(), table, self.events)?;
        Ok(SiteOutput(sink))
    }

    /// Follows a run to its end. With `in_order`, results are written in the order of their places.
    pub(super) async fn listen(
        &self,
        service: &Service,
        id: &RunId,
        SiteOutput(sink): SiteOutput,
        in_order: bool,
    ) -> Result<ExitCode, Failure> {
        let bar = self.bar();
        let (response, doubt) = write_results(service, id, sink, in_order, &bar).await?;
        bar.finish_and_clear();
        let code = self.report(&response);
        if let Some(doubt) = &doubt {
            note!("{}", doubt_text(doubt, self.schema.is_some()));
        }
        let is_answered = !matches!(doubt, Some(CsvDoubt::NoColumn { .. }));
        Ok(if is_answered { code } else { exit_code(false) })
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

/// Follows a run from its first event to its end and writes the results of its pages. Returns the response that ends the run,
/// and what is doubtful about rows.
async fn write_results(
    service: &Service,
    id: &RunId,
    mut sink: PageSink,
    in_order: bool,
    bar: &ProgressBar,
) -> Result<(Box<ScrapeResponse>, Option<CsvDoubt>), Failure> {
    let mut waiting: BTreeMap<u64, Value> = BTreeMap::new();
    let (mut next, mut response, mut issues) = (0, None, 0);
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
                tell_issues(&result, &mut issues);
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
    let doubt = sink.end()?;
    if issues > MAX_ISSUES {
        note!(
            "{} more such notes about pages are in the run: huntsman runs events {id}",
            issues - MAX_ISSUES
        );
    }
    let response = response.context("the run ended without a result; see `huntsman runs list`")?;
    Ok((response, doubt))
}

/// Says on stderr what is doubtful about a page, for the first ones.
fn tell_issues(result: &Value, told: &mut usize) {
    let url = result["url"].as_str().unwrap_or_default();
    for issue in doubts_of_page(result) {
        if *told < MAX_ISSUES {
            note!("{}: {issue}", one_line(url, MAX_ADDRESS));
        }
        *told += 1;
    }
}
