//! `huntsman plan`: checks, runs and makes plans of tools.

use std::fs;
use std::io::Read as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use futures_util::StreamExt as _;
use runtime::config::Config;
use serde_json::Value;
use store::engines::memory::InMemoryStore;
use store::engines::sqlite::ProcessRole;
use wire::profile::ProfileChoice;
use wire::run::{JobRequest, PlanRequest, RunSpec};
use wire::scrape::ScrapeEvent;
use wire::{Audience, FetchOptions, Stamped};

use crate::composition::{self, Application, Pace};
use crate::failure::{Failure, exit_code};
use crate::flag_names::with_flags;
use crate::output::Output;
use crate::page_flags::PageFlags;
use crate::profile_args::ProfileArgs;
use crate::{address, foreground};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman plan make 'find all products under 150zł' > plan.json\n  huntsman plan run plan.json --url https://shop.example"
)]
pub(crate) struct Plan {
    #[command(subcommand)]
    action: PlanAction,
}

#[derive(Debug, Subcommand)]
enum PlanAction {
    /// Say everything that is wrong with a plan; nothing runs. Exit code 1 when anything is.
    Check {
        /// A file, or - for stdin.
        file: String,
        /// The verdict as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Run a plan.
    Run {
        /// A file, or - for stdin.
        file: String,
        /// The page it begins on.
        #[arg(long)]
        url: Option<String>,
        /// The run's events as JSON lines instead of the result.
        #[arg(long)]
        events: bool,
        #[command(flatten)]
        profile: ProfileArgs,
        #[command(flatten)]
        pages: Box<PageFlags>,
    },
    /// Make a plan from an instruction, with the model that is configured or by the tools' triggers.
    Make {
        /// What is wanted.
        instruction: String,
        /// The page it is wanted from.
        #[arg(long)]
        url: Option<String>,
        /// What the words were understood to say, instead of the plan.
        #[arg(long)]
        facts: bool,
    },
}

impl Plan {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        match self.action {
            PlanAction::Check { file, json } => check(config, &file, json),
            PlanAction::Run {
                file,
                url,
                events,
                profile,
                pages,
            } => {
                let request = PlanRequest {
                    plan: plan(&file)?,
                    fetch: pages.options(url.as_deref().into_iter())?,
                    url: url.as_deref().map(address::with_scheme),
                    profile: profile.choice(),
                };
                let typed = request.url.as_deref().and_then(address::host);
                let needs_folder = request.profile.profile.is_some();
                let typed = typed.into_iter().collect();
                let application = composition::for_run(config, typed, Pace::default(), needs_folder)?;
                let job = JobRequest::Plan(request);
                let checked = application.workers.check(&job);
                checked.map_err(|refused| Failure::usage(with_flags(&refused.to_string())))?;
                let spec = RunSpec {
                    detached: true,
                    ..RunSpec::new(job)
                };
                foreground::run(&application, &spec, async |id| {
                    listen(&application, id, events).await
                })
            }
            PlanAction::Make {
                instruction,
                url,
                facts,
            } => {
                let application =
                    composition::with_store(config, InMemoryStore::open(), ProcessRole::Guest, Vec::new())?;
                let tools = application.workers.tools();
                let mut output = Output::new();
                if facts {
                    output.json(&tools.facts(&instruction))?;
                } else {
                    let url = url.as_deref().map(address::with_scheme);
                    let made = composition::runtime()?.block_on(tools.make(&instruction, url.as_deref()));
                    output.json(&made?)?;
                }
                output.done()?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

/// The text of a file or of stdin, at most as long as a plan may be.
fn text(file: &str) -> Result<String, Failure> {
    let read = || -> std::io::Result<String> {
        let mut text = String::new();
        let most = 16 << 20;
        if file == "-" {
            std::io::stdin().take(most).read_to_string(&mut text)?;
        } else {
            fs::File::open(file)?.take(most).read_to_string(&mut text)?;
        }
        Ok(text)
    };
    read().map_err(|error| Failure::usage(format!("cannot read {file}: {error}")))
}

/// A plan that can at least be read.
fn plan(file: &str) -> Result<Value, Failure> {
    let plan = plans::ToolPlan::read(&text(file)?).map_err(Failure::usage)?;
    Ok(plan.source)
}

fn check(config: &Config, file: &str, json: bool) -> Result<ExitCode, Failure> {
    let application = composition::with_store(config, InMemoryStore::open(), ProcessRole::Guest, Vec::new())?;
    let verdict = match plans::ToolPlan::read(&text(file)?) {
        Ok(plan) => application.workers.tools().check(&PlanRequest {
            plan: plan.source,
            url: None,
            profile: ProfileChoice::default(),
            fetch: FetchOptions::default(),
        }),
        Err(issues) => serde_json::json!({"ok": false, "code": issues.code(), "issues": issues.0}),
    };
    let good = verdict["ok"] == true;
    let mut output = Output::new();
    if json {
        output.json(&verdict)?;
    } else if good {
        for note in verdict["notes"].as_array().into_iter().flatten() {
            output.text(&format!(
                "note {}: {}",
                note["path"].as_str().unwrap_or_default(),
                note["message"].as_str().unwrap_or_default()
            ))?;
        }
        output.text("the plan can run")?;
    } else {
        for issue in verdict["issues"].as_array().into_iter().flatten() {
            let part = |key: &str| issue[key].as_str().unwrap_or_default().to_owned();
            output.text(&format!(
                "{} [{}] {}",
                part("path"),
                part("code"),
                part("message")
            ))?;
        }
    }
    output.done()?;
    Ok(exit_code(good))
}

async fn listen(application: &Application, id: &wire::RunId, events: bool) -> Result<ExitCode, Failure> {
    let mut output = Output::new();
    let mut entries = foreground::events(&application.service, id, 0, Audience::Debug).await?;
    let mut response = None;
    while let Some(entry) = entries.next().await {
        let entry = entry?;
        if events {
            output.text(&entry.data)?;
            output.flush()?;
        }
        if let Ok(Stamped {
            event: ScrapeEvent::Complete { data },
            ..
        }) = Stamped::from_entry(&entry)
        {
            response = Some(data);
        }
    }
    let response = response.context("the run ended without a result; see `huntsman runs list`")?;
    if !events && let Some(result) = response.extracted_data.values().next() {
        output.json(&super::scrape::shown(result))?;
    }
    output.done()?;
    for error in &response.errors {
        note!("{} ({})", error.message, error.code);
    }
    Ok(exit_code(response.errors.is_empty()))
}
