//! `huntsman research`: answers a question with a cited report.

use std::collections::HashSet;
use std::fs;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use futures_util::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};
use runtime::config::Config;
use store::engines::sqlite::ProcessRole;
use url::Url;
use wire::research::{ResearchComplete, ResearchError, ResearchEvent, ResearchMode};
use wire::run::{JobRequest, RunSpec};
use wire::tabstack::ResearchRequest;
use wire::{Audience, RunId, Stamped, Vocabulary as _};

use crate::composition::{self, Application};
use crate::failure::Failure;
use crate::foreground;
use crate::output::Output;
use crate::page_flags::PageFlags;
use crate::profile_args::ProfileArgs;

/// Longest question, in characters.
const LONGEST: usize = 10_000;

#[derive(Debug, Args)]
#[command(
    after_help = "Example: huntsman research \"How tall is the Eiffel Tower?\" --mode fast -o report.md"
)]
pub(crate) struct Research {
    /// The question. Pages that it names are read first.
    #[arg(value_name = "QUESTION")]
    question: String,

    /// How thoroughly.
    // Takes the place of the setting `mode`, which is about items.
    #[arg(
        long = "mode",
        id = "research_mode",
        default_value = "fast",
        value_name = "MODE"
    )]
    #[arg(value_parser = PossibleValuesParser::new(ResearchMode::spellings()).try_map(|mode| mode.parse::<ResearchMode>()))]
    mode: ResearchMode,

    /// A page to read first; may be given several times.
    #[arg(long = "source", value_name = "URL")]
    sources: Vec<String>,

    #[command(flatten)]
    profile: ProfileArgs,

    /// Longest time for one page, in seconds (1 to 600).
    #[arg(long, value_name = "SECONDS")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=600))]
    fetch_timeout: Option<u32>,

    #[command(flatten)]
    pages: PageFlags,

    /// The run's events as JSON lines instead of the report.
    #[arg(long)]
    events: bool,

    /// The report with its metadata as one JSON object.
    #[arg(long, conflicts_with = "events")]
    json: bool,

    /// Write the report to a file.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// No progress on stderr.
    #[arg(short, long)]
    quiet: bool,
}

impl Research {
    /// Runs it to its end.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let request = self.request()?;
        composition::log(config, true)?;
        let application = composition::build(config, ProcessRole::Guest, typed_hosts(&request))?;
        let job = JobRequest::Research(request);
        application.workers.check(&job).map_err(Failure::usage)?;
        let spec = RunSpec {
            detached: true,
            ..RunSpec::new(job)
        };
        foreground::run(&application, &spec, async |id| {
            self.listen(&application, id).await
        })
    }

    fn request(&self) -> Result<ResearchRequest, Failure> {
        let length = self.question.chars().count();
        if self.question.trim().is_empty() {
            return Err(Failure::usage("the question is empty"));
        }
        if length > LONGEST {
            let text = format!("the question has {length} characters; at most {LONGEST} are read");
            return Err(Failure::usage(text));
        }
        for source in &self.sources {
            let usable = Url::parse(source).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
            if !usable {
                let text =
                    format!("--source: {source:?} is no address; give one such as https://example.org/page");
                return Err(Failure::usage(text));
            }
        }
        Ok(ResearchRequest {
            mode: self.mode,
            fetch_timeout: self.fetch_timeout,
            fetch: self.pages.options(self.sources.iter().map(String::as_str))?,
            sources: self.sources.clone(),
            profile: self.profile.choice(),
            ..ResearchRequest::new(&self.question)
        })
    }

    async fn listen(&self, application: &Application, id: &RunId) -> Result<ExitCode, Failure> {
        let mut output = Output::new();
        let bar = self.bar();
        let mut events = foreground::events(&application.service, id, 0, Audience::Public).await?;
        let mut end = None;
        while let Some(entry) = events.next().await {
            let entry = entry?;
            if self.events {
                let data: serde_json::Value = serde_json::from_str(&entry.data).unwrap_or_default();
                output.json_line(&serde_json::json!({"event": entry.name, "data": data}))?;
                output.flush()?;
            }
            let Ok(Stamped { event, .. }) = Stamped::<ResearchEvent>::from_entry(&entry) else {
                continue;
            };
            if let Some(message) = message(&entry.data) {
                bar.set_message(message);
            }
            match event {
                ResearchEvent::Complete(complete) => end = Some(Ok(complete)),
                ResearchEvent::Error(error) => end = Some(Err(error)),
                _ => {}
            }
        }
        bar.finish_and_clear();
        match end.context("the run ended without a report; see `huntsman runs list`")? {
            Ok(complete) => self.print(&complete, output),
            Err(error) => {
                output.done()?;
                Ok(report(&error))
            }
        }
    }

    fn print(&self, complete: &ResearchComplete, mut output: Output) -> Result<ExitCode, Failure> {
        let text = if self.json {
            let shown = serde_json::json!({"report": complete.report, "metadata": complete.metadata});
            serde_json::to_string_pretty(&shown).context("cannot write the report")? + "\n"
        } else {
            complete.report.clone()
        };
        match &self.output {
            Some(path) => {
                fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
            }
            None if !self.events => output.text(&text)?,
            None => {}
        }
        output.done()?;
        if !self.quiet && std::io::stderr().is_terminal() {
            eprintln!("huntsman: {}", complete.message);
        }
        Ok(ExitCode::SUCCESS)
    }

    fn bar(&self) -> ProgressBar {
        let shown = !self.quiet && std::io::stderr().is_terminal();
        let bar = foreground::bar(None, shown);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed}  {wide_msg}") {
            bar.set_style(style);
        }
        if shown {
            bar.enable_steady_tick(std::time::Duration::from_millis(200));
        }
        bar
    }
}

/// The message of an event.
fn message(data: &str) -> Option<String> {
    let data: serde_json::Value = serde_json::from_str(data).ok()?;
    data["message"].as_str().map(str::to_owned)
}

fn report(error: &ResearchError) -> ExitCode {
    eprintln!("huntsman: {} ({})", error.error.message, error.error.name);
    ExitCode::FAILURE
}

/// Hosts of the addresses on the command line, which the run may reach even when they are not public.
fn typed_hosts(request: &ResearchRequest) -> Vec<String> {
    let words = request
        .query
        .split_whitespace()
        .filter(|word| word.contains("://"));
    let typed = request.sources.iter().map(String::as_str).chain(words);
    let host = |word: &str| {
        let from = word.find("http").and_then(|at| word.get(at..))?;
        Url::parse(from).ok()?.host_str().map(str::to_owned)
    };
    let hosts: HashSet<String> = typed.filter_map(host).collect();
    hosts.into_iter().collect()
}
