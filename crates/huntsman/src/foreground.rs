//! Runs in the foreground: started by a command and followed to their end, or cancelled by Ctrl+C.

use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget};
use wire::RunId;
use wire::run::RunSpec;

use crate::composition::{self, Application};
use crate::failure::Failure;

/// Starts the run, lets `listen` follow its events, and closes the workers.
pub(crate) fn run(
    application: &Application,
    spec: &RunSpec,
    listen: impl AsyncFnOnce(&RunId) -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    composition::runtime()?.block_on(async {
        let id = application
            .workers
            .begin(spec)
            .await
            .map_err(Failure::from_refusal)?;
        let outcome = tokio::select! {
            outcome = listen(&id) => outcome,
            _ = tokio::signal::ctrl_c() => {
                application.service.cancel(None, &id).await.map_err(Failure::from_refusal)?;
                // The last events of the run belong in its log.
                application.workers.close().await;
                eprintln!("huntsman: interrupted; the run is kept as {id}");
                return Ok(ExitCode::from(130));
            }
        };
        application.workers.close().await;
        outcome
    })
}

/// A progress bar on stderr, or a hidden one.
pub(crate) fn bar(length: Option<u64>, shown: bool) -> ProgressBar {
    let target = if shown {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    ProgressBar::with_draw_target(length, target)
}
