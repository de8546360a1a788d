//! `huntsman mcp`: the MCP server on stdin and stdout, and the lines that clients need to find it.

mod client_config;

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use runtime::config::{Config, Origin, SETTINGS};
use store::engines::sqlite::ProcessRole;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::composition;
use crate::failure::Failure;
use crate::output::Output;
use client_config::McpClient;

/// How long a person is given to answer a question of a run, unless the setting says otherwise: they sit at a chat, not
/// at the run.
const ANSWER: Duration = Duration::from_secs(900);

#[derive(Debug, Args)]
#[command(after_help = "Example: huntsman mcp config claude-code")]
pub(crate) struct Mcp {
    #[command(subcommand)]
    action: Option<McpAction>,
}

#[derive(Debug, Subcommand)]
enum McpAction {
    /// Print what to paste into a client.
    Config {
        /// The client.
        client: McpClient,
        /// The `/mcp` address of a running server, instead of a process of the client's own.
        #[arg(long, value_name = "URL")]
        url: Option<Url>,
    },
}

impl Mcp {
    /// Serves until the client closes stdin, or prints the configuration.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        if let Some(McpAction::Config { client, url }) = self.action {
            let program = std::env::current_exe().map_err(anyhow::Error::from)?;
            let mut output = Output::new();
            output.text(&client.config(&program.to_string_lossy(), url.as_ref()))?;
            output.done()?;
            return Ok(ExitCode::SUCCESS);
        }
        composition::log(config, true)?;
        let runtime = composition::runtime()?;
        let code = runtime.block_on(serve(config));
        // A read of stdin that waits for its client cannot be cancelled, and must not hold the process.
        runtime.shutdown_background();
        code
    }
}

async fn serve(config: &Config) -> Result<ExitCode, Failure> {
    let application = composition::build(config, ProcessRole::Guest, Vec::new())?;
    let setting = SETTINGS.iter().find(|setting| setting.name == "answer_seconds");
    if setting.is_some_and(|setting| matches!(config.origins.origin(setting), Origin::Default)) {
        application.workers.answers_within(ANSWER);
    }
    application.workers.start(config.workers.max(1));
    let shutdown = CancellationToken::new();
    tokio::spawn(close_at_signal(shutdown.clone()));
    let served = server::serve_stdio(
        application.service,
        application.workers,
        config.audience,
        shutdown,
    )
    .await;
    served.map_err(|why| Failure::Work(anyhow::anyhow!("the client does not speak MCP: {why}")))?;
    Ok(ExitCode::SUCCESS)
}

/// Closes the server at the first signal.
async fn close_at_signal(shutdown: CancellationToken) {
    let Ok(mut terminated) = signal(SignalKind::terminate()) else {
        return;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated.recv() => {}
    }
    shutdown.cancel();
}
