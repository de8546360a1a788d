//! Runs in the foreground: started by a command and followed to their end, or cancelled by Ctrl+C.

use std::process::ExitCode;
use std::sync::Arc;

use futures_util::{Stream, StreamExt as _};
use indicatif::{ProgressBar, ProgressDrawTarget};
use runtime::Service;
use wire::run::RunSpec;
use wire::{Audience, LogEntry, RunId};

use crate::composition::{self, Application};
use crate::failure::Failure;

/// Starts the run, lets `listen` follow its events, and closes the workers.
pub(crate) fn run(
    application: &Application,
    spec: &RunSpec,
    listen: impl AsyncFnOnce(&RunId) -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    composition::runtime()?.block_on(async {
        let id = application.workers.begin(spec).await?;
        let outcome = tokio::select! {
            outcome = listen(&id) => outcome,
            _ = tokio::signal::ctrl_c() => {
                application.service.cancel(None, &id).await?;
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

/// The events of a run that `audience` may see, from the one after number `after`.
pub(crate) async fn events(
    service: &Service,
    id: &RunId,
    after: u64,
    audience: Audience,
) -> Result<impl Stream<Item = Result<Arc<LogEntry>, Failure>> + Unpin, Failure> {
    let events = service.events(None, id, after, audience).await?;
    Ok(Box::pin(events.map(|entry| Ok(entry?))))
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
