//! `huntsman scrape`: fetches pages and prints their data.

use std::collections::HashSet;
use std::fs;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use futures_util::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};
use runtime::Service;
use runtime::config::Config;
use serde_json::Value;
use store::engines::sqlite::ProcessRole;
use wire::run::{JobRequest, RunSpec};
use wire::scrape::{OutputFormat, ScrapeEvent, ScrapeRequest, ScrapeResponse, StepDetail};
use wire::{Audience, LogEntry, RunId, Stamped};

use crate::failure::{Failure, exit_code};
use crate::output::Output;
use crate::page_flags::PageFlags;
use crate::profile_args::ProfileArgs;
use crate::{address, argument, composition, foreground};

/// Most addresses of one command.
const MOST_URLS: usize = 10_000;

#[derive(Debug, Args)]
#[command(after_help = "Example: huntsman scrape https://example.org --format markdown")]
pub(crate) struct Scrape {
    /// The pages.
    #[arg(required = true, value_name = "URL")]
    urls: Vec<String>,

    /// What to look for, in words.
    #[arg(long, value_name = "TEXT")]
    instructions: Option<String>,

    /// JSON Schema of an item.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// Columns of a row.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    columns: Vec<String>,

    /// How the result is printed.
    #[arg(long, default_value = "json")]
    format: PrintFormat,

    /// Keep a picture of each page, named by the item's `screenshot_path` in the data folder; needs the engine chromium.
    #[arg(long)]
    screenshot: bool,

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PrintFormat {
    /// One object for one page, an array for several.
    Json,
    /// One result a line, as each is finished.
    Jsonl,
    /// Main content as Markdown.
    Markdown,
    /// One line per item.
    Csv,
    /// Main content as text.
    Text,
}

impl Scrape {
    /// Runs it to its end.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        if self.urls.len() > MOST_URLS {
            let text = format!(
                "{} addresses are more than the {MOST_URLS} of one command; split the list",
                self.urls.len()
            );
            return Err(Failure::usage(text));
        }
        composition::log(config, true)?;
        let spec = RunSpec {
            detached: true,
            ..RunSpec::new(JobRequest::Scrape(self.request()?))
        };
        let application = composition::build(config, ProcessRole::Guest, self.typed_hosts())?;
        foreground::run(&application, &spec, async |id| {
            self.listen(&application.service, id).await
        })
    }

    fn request(&self) -> Result<ScrapeRequest, Failure> {
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
                PrintFormat::Json | PrintFormat::Jsonl => OutputFormat::Json,
                PrintFormat::Markdown => OutputFormat::Markdown,
                PrintFormat::Csv => OutputFormat::Csv,
                PrintFormat::Text => OutputFormat::Text,
            },
            columns: Some(self.columns.clone()).filter(|columns| !columns.is_empty()),
            schema: schema.transpose()?,
            screenshot: self.screenshot,
            profile: self.profile.choice(),
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

    async fn listen(&self, service: &Service, id: &RunId) -> Result<ExitCode, Failure> {
        let mut output = Output::new();
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
        if !self.events && self.format != PrintFormat::Jsonl {
            self.print(&response, output)?;
        } else {
            output.done()?;
        }
        for (url, result) in &response.extracted_data {
            for issue in open_issues(result) {
                eprintln!("huntsman: {url}: {issue}");
            }
        }
        for error in &response.errors {
            let page = error
                .url
                .as_deref()
                .map(|url| format!("{url}: "))
                .unwrap_or_default();
            eprintln!("huntsman: {page}{} ({})", error.message, error.code);
        }
        Ok(exit_code(response.errors.is_empty()))
    }

    fn print(&self, response: &ScrapeResponse, mut output: Output) -> Result<(), Failure> {
        let text = if self.format == PrintFormat::Json {
            let results: Vec<Value> = self
                .urls
                .iter()
                .filter_map(|url| response.extracted_data.get(url))
                .map(shown)
                .collect();
            let value = if self.urls.len() == 1 {
                results.into_iter().next().unwrap_or_default()
            } else {
                results.into()
            };
            serde_json::to_string_pretty(&value).context("cannot write the result")?
        } else {
            response.output.clone()
        };
        match &self.output {
            Some(path) => {
                fs::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))?;
            }
            None => output.text(&text)?,
        }
        Ok(output.done()?)
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
    let one = ScrapeRequest {
        assets: request.assets.first().cloned().into_iter().collect(),
        ..request.clone()
    };
    let body = serde_json::to_vec(&one).context("cannot write the request")?;
    ScrapeRequest::parse(&body).map_err(|refusal| {
        let flag = refusal.field.as_deref().unwrap_or("request");
        let name = flag.split(['[', '.']).next().unwrap_or(flag);
        match name {
            "assets" => Failure::usage(format!("{}: {}", request.assets.join(" "), refusal.message)),
            _ => Failure::usage(format!("--{name}: {}", refusal.message)),
        }
    })?;
    Ok(())
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

/// A page's result without its place in the list, which the order of the output tells already.
pub(super) fn shown(result: &Value) -> Value {
    let mut result = result.clone();
    if let Value::Object(fields) = &mut result {
        fields.shift_remove("index");
    }
    result
}
