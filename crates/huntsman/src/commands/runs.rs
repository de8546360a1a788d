//! `huntsman runs`: lists, shows, follows and cancels runs in the store.

mod prune;
mod resume;
mod table;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use futures_util::StreamExt as _;
use runtime::Service;
use runtime::config::Config;
use serde_json::Value;
use store::engines::sqlite::ProcessRole;
use wire::run::RunStatus;
use wire::{Audience, RunId};

use crate::composition::Application;
use crate::failure::{Failure, exit_code};
use crate::output::Output;
use crate::{composition, foreground};
use prune::Prune;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman runs list --status failed\n  huntsman runs prune --older-than 30"
)]
pub(crate) struct Runs {
    #[command(subcommand)]
    action: RunsAction,
}

#[derive(Debug, Subcommand)]
enum RunsAction {
    /// The newest runs.
    List {
        /// How many.
        #[arg(long, default_value_t = 20)]
        limit: usize,
        /// Only those that are queued, running, completed, failed or cancelled.
        #[arg(long, value_parser = status)]
        status: Option<RunStatus>,
        /// One JSON object instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// The newest run: what was asked and what came of it.
    Last,
    /// One run: what was asked and what came of it.
    Show {
        /// Its id.
        #[arg(value_parser = run_id)]
        id: RunId,
    },
    /// The events of a run, one JSON object a line.
    Events {
        /// Its id.
        #[arg(value_parser = run_id)]
        id: RunId,
        /// Only those after this number.
        #[arg(long, default_value_t = 0, value_name = "SEQ")]
        after: u64,
        /// Go on until the run has ended.
        #[arg(long)]
        follow: bool,
    },
    /// Cancel a run.
    Cancel {
        /// Its id.
        #[arg(value_parser = run_id)]
        id: RunId,
    },
    /// Go on with a run whose process has died, or follow it, and print what came of it. Exit code 1 when it failed.
    Resume {
        /// Its id; the newest run that has not ended when absent.
        #[arg(value_parser = run_id)]
        id: Option<RunId>,
        /// Write the results of all pages of a crawl or a batch here, in the format that the name says.
        #[arg(short, long, value_name = "PATH")]
        output: Option<PathBuf>,
        /// No notes on stderr.
        #[arg(short, long)]
        quiet: bool,
    },
    /// Delete runs that have ended, with their events and files.
    Delete {
        /// Their ids.
        #[arg(value_parser = run_id, required = true)]
        id: Vec<RunId>,
    },
    /// Delete old runs that have ended, with their events and files.
    Prune(Prune),
}

fn run_id(text: &str) -> Result<RunId, String> {
    RunId::parse(text).map_err(|error| format!("{error}; `huntsman runs list` shows the ids"))
}

fn status(text: &str) -> Result<RunStatus, String> {
    RunStatus::parse(text).ok_or_else(|| "one of queued, running, completed, failed, cancelled".to_owned())
}

impl Runs {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        let application = composition::build(config, ProcessRole::Guest, Vec::new())?;
        let outcome = composition::runtime()?.block_on(self.look(&application));
        outcome.map_err(|failure| match failure {
            Failure::Work(error) if is_unknown(&error) => Failure::no_run(),
            other => other,
        })
    }

    async fn look(self, application: &Application) -> Result<ExitCode, Failure> {
        let service = &application.service;
        let mut output = Output::new();
        match self.action {
            RunsAction::List { limit, status, json } => {
                let list = service.list(None, status, None, limit).await?;
                match json {
                    true => output.json(&table::json(service, &list).await?)?,
                    false => table::print(service, &list, &mut output).await?,
                }
            }
            RunsAction::Last => {
                let list = service.list(None, None, None, 1).await?;
                let newest = list.runs.first().ok_or_else(Failure::no_run)?;
                output.json(&service.run(None, &newest.id).await?)?;
            }
            RunsAction::Show { id } => output.json(&service.run(None, &id).await?)?,
            RunsAction::Events { id, after, follow } => {
                events(service, &id, after, follow, &mut output).await?
            }
            RunsAction::Cancel { id } => {
                let noted = service.cancel(None, &id).await?;
                output.text(if noted {
                    "cancelled"
                } else {
                    "the run had ended already"
                })?;
            }
            RunsAction::Resume {
                id,
                output: file,
                quiet,
            } => return resume::resume(application, id, file.as_deref(), quiet, output).await,
            RunsAction::Delete { id } => {
                let mut deleted = true;
                for id in &id {
                    deleted &= prune::delete(application, id).await?;
                }
                return Ok(exit_code(deleted));
            }
            RunsAction::Prune(prune) => prune.run(application, &mut output).await?,
        }
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}

fn is_unknown(error: &anyhow::Error) -> bool {
    let refused = error.downcast_ref::<runtime::ServiceError>();
    refused.is_some_and(|refused| refused.code == wire::Code::NotFound)
}

async fn events(
    service: &Service,
    id: &RunId,
    after: u64,
    follow: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let last = service.run(None, id).await?.summary.last_seq;
    if !follow && after >= last {
        return Ok(());
    }
    let mut events = foreground::events(service, id, after, Audience::Debug).await?;
    while let Some(entry) = events.next().await {
        let entry = entry?;
        let data: Value = serde_json::from_str(&entry.data).unwrap_or_default();
        output.json_line(&serde_json::json!({"seq": entry.seq, "event": entry.name, "data": data}))?;
        output.flush()?;
        if !follow && entry.seq >= last {
            break;
        }
    }
    Ok(())
}
