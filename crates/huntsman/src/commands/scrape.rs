//! `huntsman scrape`: fetches pages and prints their data.

mod print_format;
mod rendering;

use std::collections::HashSet;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use agents::scrape::csv_table::CsvDoubt;
use anyhow::Context as _;
use clap::Args;
use futures_util::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};
use runtime::Service;
use runtime::config::Config;
use serde_json::Value;
use wire::run::{JobRequest, RunSpec};
use wire::scrape::{ExtractionMode, OutputFormat, ScrapeEvent, ScrapeRequest, ScrapeResponse, StepDetail};
use wire::{Audience, LogEntry, RunId, Stamped};

use crate::composition::Pace;
use crate::failure::{Failure, exit_code};
use crate::output::{Output, one_line, report_pages};
use crate::page_flags::PageFlags;
use crate::profile_args::ProfileArgs;
use crate::{address, address_list, argument, composition, foreground};
use print_format::PrintFormat;
pub(super) use print_format::shown;
use rendering::Rendering;
pub(super) use rendering::doubt_text;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman scrape https://example.org --format markdown\n  huntsman scrape --input addresses.txt --format csv -o rows.csv"
)]
pub(crate) struct Scrape {
    /// The pages; - reads them from stdin, one on each line.
    #[arg(required_unless_present = "input", value_name = "URL")]
    urls: Vec<String>,

    /// File of addresses, one on each line; - for stdin.
    #[arg(short, long, value_name = "FILE")]
    input: Vec<String>,

    /// What to look for, in words.
    #[arg(long, value_name = "TEXT")]
    instructions: Option<String>,

    /// JSON Schema of an item.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// Columns of a row.
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = argument::column)]
    columns: Vec<String>,

    /// How the result is printed [default: as the name of -o ends, else json].
    #[arg(long = "format", value_name = "FORMAT", ignore_case = true)]
    asked_format: Option<PrintFormat>,

    #[arg(skip)]
    format: PrintFormat,

    /// Begin Markdown and text with address, title, author, date.
    #[arg(long)]
    front_matter: bool,

    /// Keep a picture of each page: `screenshot_path`; in Chromium.
    #[arg(long)]
    screenshot: bool,

    /// Pages read at once (1 to 64).
    #[arg(long, value_name = "COUNT", default_value_t = 8, value_parser = concurrency)]
    concurrency: u8,

    /// Least time between two pages of one host (0 to 3600).
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = delay)]
    delay: f64,

    /// Use what earlier scrapes learned about the sites, and keep what this one learns (`huntsman memory`).
    #[arg(long)]
    memory: bool,

    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    pages: PageFlags,

    /// The run's events as JSON lines instead of the result.
    #[arg(long)]
    events: bool,

    /// Write the result to a file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// No progress on stderr.
    #[arg(short, long)]
    quiet: bool,
}

/// Reads the value of `--concurrency`.
fn concurrency(text: &str) -> Result<u8, String> {
    let count = text.parse::<u8>().ok().filter(|count| (1..=64).contains(count));
    count.ok_or_else(|| "takes a whole number from 1 to 64".to_owned())
}

/// Reads the value of `--delay`.
fn delay(text: &str) -> Result<f64, String> {
    let seconds = text
        .parse::<f64>()
        .ok()
        .filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "takes a number of seconds from 0 to 3600".to_owned())
}

impl Scrape {
    /// Runs it to its end.
    pub(crate) fn run(mut self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        self.format = match self.asked_format {
            Some(format) => format,
            None => PrintFormat::of_file(self.output.as_deref()),
        };
        self.check_format(config.mode != ExtractionMode::RuleBased)?;
        self.urls = address_list::read(&self.urls, &self.input)?;
        let request = self.request()?;
        let schema = request.schema.clone();
        let spec = RunSpec {
            detached: true,
            ..RunSpec::new(JobRequest::Scrape(request))
        };
        // A path that cannot be written is told before anything is fetched.
        let output = Output::to(self.output.as_deref())?;
        let pace = Pace {
            pages_at_once: usize::from(self.concurrency),
            page_delay: Duration::from_secs_f64(self.delay),
        };
        let needs_folder = self.screenshot || self.profile.choice().profile.is_some();
        let application = composition::for_run(config, self.typed_hosts(), pace, needs_folder)?;
        foreground::run(&application, &spec, async |id| {
            self.listen(&application.service, id, schema.as_ref(), output)
                .await
        })
    }

    /// Refuses flags that the format gives no effect.
    fn check_format(&self, is_by_model: bool) -> Result<(), Failure> {
        use PrintFormat::{Csv, Html, Json, Jsonl, Links, Markdown, Records, Tables, Text};
        if self.front_matter && !matches!(self.format, Markdown | Text) {
            return Err(Failure::usage(
                "--front-matter goes with --format markdown or --format text",
            ));
        }
        let has_rows = match self.format {
            Csv => true,
            // A model reads the fields that the columns name, and the rows that instructions ask for have them.
            Json | Jsonl | Markdown | Text => is_by_model || self.instructions.is_some(),
            Html | Links | Tables | Records => false,
        };
        if !(self.columns.is_empty() || has_rows || self.events) {
            return Err(Failure::usage(
                "--columns goes with --format csv; the fields of an item are named by --schema",
            ));
        }
        if self.schema.is_some() && !matches!(self.format, Json | Jsonl | Csv) && !self.events {
            return Err(Failure::usage("--schema goes with --format json, jsonl or csv"));
        }
        if self.instructions.is_some() && matches!(self.format, Html | Links | Tables | Records) {
            return Err(Failure::usage(
                "--instructions goes with --format json, jsonl, csv, markdown or text; the other formats give what the page \
                 has",
            ));
        }
        Ok(())
    }

    fn request(&self) -> Result<ScrapeRequest, Failure> {
        if self
            .instructions
            .as_ref()
            .is_some_and(|text| text.trim().is_empty())
        {
            return Err(Failure::usage(
                "--instructions: must not be blank; leave the flag out to have the page read as it is",
            ));
        }
        let instructions = self
            .instructions
            .clone()
            .unwrap_or_else(|| "read the page".to_owned());
        let schema = self
            .schema
            .as_ref()
            .map(|path| argument::json("--schema", &format!("@{}", path.display())));
        let request = ScrapeRequest {
            output_format: match self.format {
                PrintFormat::Markdown => OutputFormat::Markdown,
                PrintFormat::Csv => OutputFormat::Csv,
                PrintFormat::Text => OutputFormat::Text,
                _ => OutputFormat::Json,
            },
            formats: self.format.page_formats(),
            columns: Some(self.columns.clone()).filter(|columns| !columns.is_empty()),
            schema: schema.transpose()?,
            screenshot: self.screenshot,
            profile: self.profile.choice(),
            enable_memory: self.memory.then_some(true),
            fetch: self.pages.options(self.urls.iter().map(String::as_str))?,
            ..ScrapeRequest::new(self.urls.clone(), instructions)
        };
        check(&request)?;
        Ok(request)
    }

    /// Hosts on the command line, which the run may reach even when they are not public.
    fn typed_hosts(&self) -> Vec<String> {
        let hosts: HashSet<String> = self.urls.iter().filter_map(|url| address::host(url)).collect();
        hosts.into_iter().collect()
    }

    async fn listen(
        &self,
        service: &Service,
        id: &RunId,
        schema: Option<&Value>,
        mut output: Output,
    ) -> Result<ExitCode, Failure> {
        let bar = self.bar();
        let mut events = foreground::events(service, id, 0, Audience::Debug).await?;
        let mut response = None;
        while let Some(entry) = events.next().await {
            let entry = entry?;
            if self.events {
                output.text(&entry.data)?;
                output.flush()?;
            }
            match event(&entry) {
                Some(ScrapeEvent::UrlStart(start)) => bar.set_message(start.url),
                Some(ScrapeEvent::UrlComplete(_)) => bar.inc(1),
                Some(ScrapeEvent::Step { data: step })
                    if self.format == PrintFormat::Jsonl && !self.events =>
                {
                    if let StepDetail::PageDone {
                        result: Some(result), ..
                    } = &step.detail
                    {
                        output.json_line(&shown(result))?;
                        output.flush()?;
                    }
                }
                Some(ScrapeEvent::Complete { data }) => response = Some(data),
                _ => {}
            }
        }
        bar.finish_and_clear();
        let response = response.context("the run ended without a result; see `huntsman runs list`")?;
        let mut doubt = None;
        if !self.events && self.format != PrintFormat::Jsonl {
            doubt = self.print(&response, schema, &mut output)?;
        }
        output.done()?;
        for (url, result) in &response.extracted_data {
            for issue in doubts_of_page(result) {
                note!("{url}: {issue}");
            }
        }
        if let Some(doubt) = &doubt {
            note!("{}", doubt_text(doubt, schema.is_some()));
        }
        report_pages(&response.errors);
        let is_answered = !matches!(doubt, Some(CsvDoubt::NoColumn { .. }));
        Ok(exit_code(response.errors.is_empty() && is_answered))
    }

    fn print(
        &self,
        response: &ScrapeResponse,
        schema: Option<&Value>,
        output: &mut Output,
    ) -> Result<Option<CsvDoubt>, Failure> {
        let rendering = Rendering {
            format: self.format,
            columns: &self.columns,
            schema,
            front_matter: self.front_matter,
            is_single: self.urls.len() == 1,
        };
        rendering.print(response, output)
    }

    fn bar(&self) -> ProgressBar {
        let shown = !self.quiet && std::io::stderr().is_terminal();
        let bar = foreground::bar(Some(self.urls.len() as u64), shown);
        if let Ok(style) = ProgressStyle::with_template("{pos}/{len} pages  {wide_msg}") {
            bar.set_style(style);
        }
        bar
    }
}

/// The limits that hold for a request over HTTP hold for a command too; only the list of pages may be longer.
fn check(request: &ScrapeRequest) -> Result<(), Failure> {
    let asset = request.assets.first().cloned().unwrap_or_default();
    let one = ScrapeRequest {
        assets: vec![asset.clone()],
        ..request.clone()
    };
    let body = serde_json::to_vec(&one).context("cannot write the request")?;
    ScrapeRequest::parse(&body).map_err(|refusal| {
        let flag = refusal.field.as_deref().unwrap_or("request");
        let name = flag.split(['[', '.']).next().unwrap_or(flag);
        match name {
            "assets" => Failure::usage(format!("{}: {}", one_line(&asset, 300), refusal.message)),
            _ => Failure::usage(format!("--{name}: {}", refusal.message)),
        }
    })?;
    Ok(())
}

/// What is doubtful about the result of a page.
pub(super) fn doubts_of_page(result: &Value) -> impl Iterator<Item = &str> {
    warnings(result).chain(open_issues(result))
}

/// What is doubtful about the reading of a page, such as that it needs its scripts.
fn warnings(result: &Value) -> impl Iterator<Item = &str> {
    let warnings = result["warnings"].as_array();
    warnings.into_iter().flatten().filter_map(Value::as_str)
}

/// What the verdict on a page's plan has to say, unless the plan passed.
fn open_issues(result: &Value) -> impl Iterator<Item = &str> {
    let verdict = &result["plan"]["verdict"];
    let issues = verdict["issues"]
        .as_array()
        .filter(|_| verdict["status"] != "passed");
    issues.into_iter().flatten().filter_map(Value::as_str)
}

fn event(entry: &LogEntry) -> Option<ScrapeEvent> {
    Stamped::from_entry(entry).ok().map(|stamped| stamped.event)
}
