//! `huntsman cluster`: the state of the cluster of the store, a check of all its runs, and moves into it and out of it.

mod export_file;
mod transfer;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use runtime::config::{Config, Secret, StoreEngine};
use serde_json::json;
use store::engines::nats::{ClusterStatus, Nats, StreamStatus};
use store::engines::sqlite::{ProcessRole, Sqlite};
use store::jobs::{JobQuery, WorkerCapabilities};

use crate::composition;
use crate::failure::{Failure, exit_code};
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  HUNTSMAN_STORE=nats://127.0.0.1:4222 huntsman cluster status\n  HUNTSMAN_STORE=nats://127.0.0.1:4222 huntsman cluster verify"
)]
pub(crate) struct Cluster {
    #[command(subcommand)]
    action: ClusterAction,
}

#[derive(Debug, Subcommand)]
enum ClusterAction {
    /// Streams with their leaders and replicas, processes, and how many runs wait and run. Exit code 1 when a stream has no
    /// leader or a replica is behind.
    Status {
        /// One JSON object instead of lines.
        #[arg(long)]
        json: bool,
    },
    /// Copy the runs of the data folder's database that have ended to the cluster, with their events and results. The server
    /// of the folder has to be stopped. A migration that was cut off is begun again.
    Migrate,
    /// Write the runs that have ended, with their events, results and files, and the records, shares and usage, as lines of
    /// JSON. Values of the vault stay encrypted. Exit code 1 when it is not whole; then there is no file.
    Export {
        /// The file; `-` is stdout.
        file: PathBuf,
    },
    /// Store what is in a file of `cluster export` and not here. What is here stays as it is, so that an import that was cut
    /// off is begun again.
    Import {
        /// The file; `-` is stdin.
        file: PathBuf,
    },
    /// Read every run and check it: events dense, one last event, everything stored there. Exit code 1 when something is
    /// wrong.
    Verify {
        /// One JSON object instead of lines.
        #[arg(long)]
        json: bool,
    },
}

impl Cluster {
    /// Runs the command.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let StoreEngine::Nats(servers) = &config.store else {
            return Err(Failure::usage(
                "huntsman cluster looks at NATS servers: set HUNTSMAN_STORE=nats://host:port,...",
            ));
        };
        composition::log(config, true)?;
        let failed = |error: store::Error| Failure::Work(anyhow::Error::new(error));
        composition::runtime()?.block_on(async {
            let cluster = composition::connect(config, servers, "command")?;
            match self.action {
                ClusterAction::Status { json } => show(&cluster.status().await.map_err(failed)?, json),
                ClusterAction::Migrate => migrate(config, &cluster).await,
                ClusterAction::Export { file } => transfer::export(&cluster, &file).await,
                ClusterAction::Import { file } => transfer::import(&cluster, &file).await,
                ClusterAction::Verify { json } => {
                    let verified = cluster.verify().await.map_err(failed)?;
                    let mut output = Output::new();
                    if json {
                        output.json(&verified)?;
                    } else {
                        for fault in &verified.faults {
                            output.text(fault)?;
                        }
                        let counts = format!(
                            "{} runs, {} events, {} faults",
                            verified.runs,
                            verified.events,
                            verified.faults.len()
                        );
                        output.text(&counts)?;
                    }
                    output.done()?;
                    Ok(exit_code(verified.faults.is_empty()))
                }
            }
        })
    }
}

/// Copies what has ended, oldest first; what has not makes it refuse before anything is copied.
async fn migrate(config: &Config, cluster: &Nats) -> Result<ExitCode, Failure> {
    let failed = |error: store::Error| Failure::Work(anyhow::Error::new(error));
    let keys: Vec<&str> = config.secret_key.iter().map(Secret::reveal).collect();
    // As the server of the folder: it is not running then, and does not start meanwhile.
    let local = Sqlite::open(&config.data_folder(), ProcessRole::Server, &keys).map_err(Failure::usage)?;
    let mut runs = Vec::new();
    let mut before = None;
    loop {
        let query = JobQuery {
            owner: None,
            status: None,
            before: before.take(),
            limit: 500,
        };
        let page = local.jobs.list(query).await.map_err(failed)?;
        let Some(last) = page.last() else { break };
        before = Some(last.id.clone());
        runs.extend(page);
    }
    let open = runs.iter().filter(|run| !run.status.is_final()).count();
    if open > 0 {
        return Err(Failure::usage(format!(
            "{open} runs in the data folder have not ended: let `huntsman serve` with HUNTSMAN_STORE=sqlite end them, or \
             cancel them with `huntsman runs cancel ID`"
        )));
    }
    let (mut copied, mut events) = (0_usize, 0_usize);
    for (number, run) in runs.iter().rev().enumerate() {
        let Some(job) = local.jobs.get(&run.id).await.map_err(failed)? else {
            continue;
        };
        let mut log = Vec::new();
        let mut after = job.summary.expired_seq;
        loop {
            let batch = local.log.read(&run.id, after, 500).await.map_err(failed)?;
            let Some(last) = batch.last() else { break };
            after = last.seq;
            log.extend(batch);
        }
        if cluster.import(number, &job, &log).await.map_err(failed)? {
            (copied, events) = (copied + 1, events + log.len());
        }
    }
    let mut output = Output::new();
    let known = runs.len() - copied;
    output.text(&format!(
        "{copied} runs with {events} events copied, {known} were there already"
    ))?;
    output.done()?;
    Ok(ExitCode::SUCCESS)
}

fn is_healthy(stream: &StreamStatus, is_alone: bool) -> bool {
    (is_alone || stream.leader.is_some()) && stream.replicas.iter().all(|(_, current, _)| *current)
}

fn show(status: &ClusterStatus, as_json: bool) -> Result<ExitCode, Failure> {
    // A server alone names no leader.
    let is_alone = status
        .streams
        .iter()
        .all(|stream| stream.leader.is_none() && stream.replicas.is_empty());
    let healthy = status.streams.iter().all(|stream| is_healthy(stream, is_alone));
    let mut output = Output::new();
    if as_json {
        let mut value = json!(status);
        value["healthy"] = healthy.into();
        output.json(&value)?;
    } else {
        output.text(&format!("NATS {}", status.server))?;
        output.text(&format!(
            "runs    {} queued, {} running",
            status.queued, status.running
        ))?;
        if status.stranded > 0 {
            output.text(&format!(
                "WAITING {} runs need Chromium, and no worker has it: start one that does, or cancel them",
                status.stranded
            ))?;
        }
        for session in &status.sessions {
            output.text(&format!(
                "{:<7} {} pid {}, version {}, {} runs{}",
                session.role,
                session.host,
                session.pid,
                session.program,
                session.holds,
                capabilities(session.has)
            ))?;
        }
        for stream in &status.streams {
            output.text(&line(stream, is_alone))?;
        }
    }
    output.done()?;
    Ok(exit_code(healthy))
}

fn capabilities(has: Option<WorkerCapabilities>) -> String {
    match has {
        Some(has) if has.chromium => format!(", Chromium ({} browsers)", has.browsers),
        Some(_) => ", no Chromium".to_owned(),
        None => String::new(),
    }
}

fn line(stream: &StreamStatus, is_alone: bool) -> String {
    let leader = match &stream.leader {
        Some(leader) => format!("leader {leader}"),
        None if is_alone => "one copy".to_owned(),
        None => "NO LEADER".to_owned(),
    };
    let replicas = stream.replicas.iter().map(|(name, current, lag)| {
        if *current {
            format!(", {name}")
        } else {
            format!(", {name} BEHIND by {lag}")
        }
    });
    format!(
        "stream  {:<12} {} messages, {} kB, {leader}{}",
        stream.name,
        stream.messages,
        stream.bytes / 1000,
        replicas.collect::<String>()
    )
}
