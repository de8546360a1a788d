//! `huntsman serve`: the HTTP interface, with workers of its own.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use runtime::config::Config;
use server::Settings;
use store::engines::sqlite::Role;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::failure::Failure;
use crate::house;

#[derive(Debug, Args)]
#[command(after_help = "Example: huntsman serve --listen 127.0.0.1:8787")]
pub(crate) struct Serve {}

impl Serve {
    /// Serves until it is interrupted.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        house::log(config, false)?;
        server::raise_file_limit();
        house::runtime()?.block_on(serve(config))
    }
}

async fn serve(config: &Config) -> Result<ExitCode, Failure> {
    let house = house::build(config, Role::Server, Vec::new())?;
    let listener = TcpListener::bind(config.listen).await.map_err(|error| {
        Failure::usage(format!(
            "HUNTSMAN_LISTEN: cannot listen on {}: {error}",
            config.listen
        ))
    })?;
    if config.workers > 0 {
        house.workers.start(config.workers);
    }
    let shutdown = CancellationToken::new();
    tokio::spawn(watch_signals(shutdown.clone()));
    let doors = server::House {
        service: house.service,
        workers: house.workers,
    };
    server::serve(listener, doors, Settings::of(config), shutdown)
        .await
        .context("the server failed")?;
    Ok(ExitCode::SUCCESS)
}

/// Closes the server at the first signal, and ends the process at the second.
async fn watch_signals(shutdown: CancellationToken) {
    let Ok(mut terminated) = signal(SignalKind::terminate()) else {
        return;
    };
    loop {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated.recv() => {}
        }
        if shutdown.is_cancelled() {
            std::process::exit(130);
        }
        shutdown.cancel();
    }
}
