//! Runs in the foreground: started by a command and followed to their end, or cancelled by a signal or a closed pipe.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use futures_util::{Stream, StreamExt as _};
use indicatif::{ProgressBar, ProgressDrawTarget};
use runtime::Service;
use tokio::signal::unix::{Signal, SignalKind, signal};
use wire::run::{JobRequest, RunSpec};
use wire::{Audience, LogEntry, RunId};

use crate::composition::{self, Application};
use crate::failure::Failure;

/// How long a cancelled run may take to write its last event.
const ENDING: Duration = Duration::from_secs(10);
/// How often its end is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// Starts the run, lets `listen` follow its events, and closes the workers. The run is cancelled when a signal ends the
/// command, and when what `listen` prints can no longer be written: nobody else waits for it.
pub(crate) fn run(
    application: &Application,
    spec: &RunSpec,
    listen: impl AsyncFnOnce(&RunId) -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    composition::runtime()?.block_on(async {
        let mut signals = Signals::listen()?;
        let has_pages = matches!(spec.job, JobRequest::Crawl(_) | JobRequest::Batch(_));
        let id = application.workers.begin(spec).await?;
        let outcome = tokio::select! {
            outcome = listen(&id) => outcome,
            code = signals.next() => {
                stop(&application.service, &id).await;
                application.workers.close().await;
                note!("{}", interrupted(&id, has_pages));
                return Ok(ExitCode::from(code));
            }
            reason = application.workers.left() => {
                application.workers.close().await;
                let output = if has_pages { " -o FILE" } else { "" };
                let text =
                    format!("the run was left in the middle: {reason}; go on with `huntsman runs resume {id}{output}`");
                return Err(Failure::from(anyhow::Error::msg(text)));
            }
        };
        if outcome.is_err() {
            stop(&application.service, &id).await;
        }
        application.workers.close().await;
        if has_pages && matches!(outcome, Err(Failure::Work(_))) {
            note!("the run is kept as {id}; `huntsman runs resume {id} -o FILE` writes all its pages");
        }
        outcome
    })
}

/// What is said where a signal ends a command; pages of a run can be written from its events.
pub(crate) fn interrupted(id: &RunId, has_pages: bool) -> String {
    let pages = if has_pages {
        format!("; `huntsman runs resume {id} -o FILE` writes all its pages")
    } else {
        String::new()
    };
    format!("interrupted; the run is kept as {id}{pages}")
}

/// Cancels a run and waits until its last event is in its log.
async fn stop(service: &Service, id: &RunId) {
    if let Err(error) = service.cancel(None, id).await {
        note!("the run {id} could not be cancelled: {error}");
        return;
    }
    let ended = async {
        while let Ok(run) = service.run_summary(None, id).await {
            if run.status.is_final() {
                return;
            }
            tokio::time::sleep(LOOK).await;
        }
    };
    // The mark stays: whoever takes the run up ends it.
    let _ = tokio::time::timeout(ENDING, ended).await;
}

/// The signals that end a command.
pub(crate) struct Signals {
    interrupted: Signal,
    terminated: Signal,
    hung_up: Signal,
}

impl Signals {
    pub(crate) fn listen() -> Result<Self, Failure> {
        let listen = |kind| signal(kind).context("signals cannot be handled");
        Ok(Self {
            interrupted: listen(SignalKind::interrupt())?,
            terminated: listen(SignalKind::terminate())?,
            hung_up: listen(SignalKind::hangup())?,
        })
    }

    /// Waits for the next one; gives the exit code that shells use for it.
    pub(crate) async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupted.recv() => 130,
            _ = self.terminated.recv() => 143,
            _ = self.hung_up.recv() => 129,
        }
    }
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
