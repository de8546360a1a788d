//! `huntsman runs`: lists, shows, follows and cancels runs in the store.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use futures_util::StreamExt as _;
use runtime::Service;
use runtime::config::Config;
use serde_json::Value;
use store::engines::sqlite::ProcessRole;
use wire::run::RunStatus;
use wire::{Audience, RunId};

use crate::failure::Failure;
use crate::output::Output;
use crate::{composition, foreground};

#[derive(Debug, Args)]
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
}

fn run_id(text: &str) -> Result<RunId, String> {
    RunId::parse(text).map_err(|error| error.to_string())
}

fn status(text: &str) -> Result<RunStatus, String> {
    RunStatus::parse(text).ok_or_else(|| "one of queued, running, completed, failed, cancelled".to_owned())
}

impl Runs {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, true)?;
        let application = composition::build(config, ProcessRole::Guest, Vec::new())?;
        composition::runtime()?.block_on(self.look(&application.service))
    }

    async fn look(self, service: &Service) -> Result<ExitCode, Failure> {
        let mut output = Output::new();
        match self.action {
            RunsAction::List { limit, status, json } => {
                let list = service.list(None, status, None, limit).await?;
                if json {
                    output.json(&list)?;
                } else {
                    for run in &list.runs {
                        let when = run.created_at.strftime("%Y-%m-%d %H:%M:%S");
                        let line = format!(
                            "{}  {:<9} {:<9} {when}  {} events",
                            run.id,
                            run.kind.as_str(),
                            run.status.as_str(),
                            run.last_seq
                        );
                        output.text(&line)?;
                    }
                }
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
        }
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
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
