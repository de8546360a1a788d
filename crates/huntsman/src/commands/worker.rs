//! `huntsman worker`: does runs of a cluster, without an HTTP interface.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use runtime::config::{Config, StoreEngine};
use store::engines::sqlite::ProcessRole;
use tokio::signal::unix::{SignalKind, signal};

use crate::composition;
use crate::failure::Failure;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  HUNTSMAN_STORE=nats://10.0.0.1,10.0.0.2 huntsman worker\n  HUNTSMAN_STORE=nats://10.0.0.1,10.0.0.2 huntsman worker --workers 16"
)]
pub(crate) struct Worker {}

impl Worker {
    /// Works until SIGINT or SIGTERM. Then it takes no further runs, gives those that it has some time to end, and hands the
    /// rest back to the queue. A second signal ends the process at once.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let StoreEngine::Nats(servers) = &config.store else {
            let text = "huntsman worker does runs of a cluster: set HUNTSMAN_STORE=nats://host:port,...; \
                        with another store, `huntsman serve` has its own workers";
            return Err(Failure::usage(text));
        };
        if config.workers == 0 {
            return Err(Failure::usage(
                "HUNTSMAN_WORKERS is 0, and a worker has nothing else to do",
            ));
        }
        composition::log(config, false)?;
        let limits = config.tenant_limits().map_err(Failure::usage)?;
        composition::runtime()?.block_on(async {
            let store = composition::connect(config, servers, "worker")?.store();
            let application = composition::with_store(config, store, ProcessRole::Guest, Vec::new())?;
            server::raise_file_limit();
            application.workers.start(config.workers);
            application.workers.deliver();
            application.workers.watch(limits);
            // Programs that start the worker read from here that it works.
            note!("working on {} runs at once", config.workers);
            if !application.workers.leave_to_others(config.browsers).chromium {
                note!("there is no Chromium here: runs that need it are left to other workers");
            }
            stopped().await?;
            tracing::info!(seconds = config.drain_seconds, "no further runs are taken");
            let drain = application
                .workers
                .drain(Duration::from_secs(config.drain_seconds));
            tokio::select! {
                left = drain => {
                    tracing::info!(left, "runs that have not ended go back to the queue");
                    application.workers.close().await;
                    Ok(ExitCode::SUCCESS)
                }
                again = stopped() => again.map(|()| ExitCode::from(130)),
            }
        })
    }
}

/// Waits for a signal to end.
async fn stopped() -> Result<(), Failure> {
    let mut terminated = signal(SignalKind::terminate()).context("signals cannot be read")?;
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated.recv() => {}
    }
    Ok(())
}
