//! `huntsman serve`: the HTTP server, with its own workers unless `--workers 0`.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use runtime::config::{Config, Switch};
use store::engines::sqlite::ProcessRole;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::composition;
use crate::failure::Failure;
use crate::token_issuer;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  huntsman serve\n  huntsman serve --listen 127.0.0.1:9000 --workers 4")]
pub(crate) struct Serve {}

impl Serve {
    /// Serves until SIGINT or SIGTERM.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        composition::log(config, false)?;
        composition::runtime()?.block_on(serve(config))
    }
}

async fn serve(config: &Config) -> Result<ExitCode, Failure> {
    let listener = TcpListener::bind(config.listen).await.map_err(|error| {
        Failure::usage(format!(
            "HUNTSMAN_LISTEN: cannot listen on {}: {error}; name another address with --listen, or end what listens there",
            config.listen
        ))
    })?;
    let address = listener.local_addr().context("the listener has no address")?;
    let application = composition::build(
        &Config {
            listen: address,
            ..config.clone()
        },
        ProcessRole::Server,
        Vec::new(),
    )?;
    server::raise_file_limit();
    if config.workers > 0 {
        application.workers.start(config.workers);
    }
    application.workers.deliver();
    let limits = config.tenant_limits().map_err(Failure::usage)?;
    application.workers.watch(limits);
    application.workers.keep_tidy(composition::retention(config));
    let shutdown = CancellationToken::new();
    tokio::spawn(close_at_signal(shutdown.clone()));
    // Programs that start the server with port 0 read from here where it listens.
    note!("listening on http://{address}");
    if config.console == Switch::On {
        note!("console at http://{address}/console");
    }
    let server_state = server::App {
        service: application.service,
        workers: application.workers,
        tokens: token_issuer::access_tokens(config)?,
    };
    server::serve(
        listener,
        server_state,
        server::ServerSettings::of(config),
        shutdown,
    )
    .await
    .context("the server broke")?;
    Ok(ExitCode::SUCCESS)
}

/// Closes the server at the first signal, and ends the process at the second.
async fn close_at_signal(shutdown: CancellationToken) {
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
