//! `huntsman cluster`: the state of the cluster of the store, and a check of all its runs.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use runtime::config::{Config, StoreEngine};
use serde_json::json;
use store::engines::nats::{ClusterStatus, StreamStatus};

use crate::composition;
use crate::failure::{Failure, exit_code};
use crate::output::Output;

#[derive(Debug, Args)]
#[command(after_help = "Example: HUNTSMAN_STORE=nats://127.0.0.1:4222 huntsman cluster status")]
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
        for session in &status.sessions {
            output.text(&format!(
                "{:<7} {} pid {}, version {}, {} runs",
                session.role, session.host, session.pid, session.program, session.holds
            ))?;
        }
        for stream in &status.streams {
            output.text(&line(stream, is_alone))?;
        }
    }
    output.done()?;
    Ok(exit_code(healthy))
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
