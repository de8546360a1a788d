//! A run that a command begins and sees through to its end, unless the person at the terminal interrupts it.

use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget};
use wire::RunId;
use wire::run::RunSpec;

use crate::failure::Failure;
use crate::house::{self, House};

/// Begins the run, has `listen` follow its events, and lets the house close behind it.
pub(crate) fn run(
    house: &House,
    spec: &RunSpec,
    listen: impl AsyncFnOnce(&RunId) -> Result<ExitCode, Failure>,
) -> Result<ExitCode, Failure> {
    house::runtime()?.block_on(async {
        let id = house.workers.begin(spec).await.map_err(Failure::of_refused)?;
        let outcome = tokio::select! {
            outcome = listen(&id) => outcome,
            _ = tokio::signal::ctrl_c() => {
                house.service.cancel(None, &id).await.map_err(Failure::of_refused)?;
                // What the run still has to say belongs in its log.
                house.workers.close().await;
                eprintln!("huntsman: interrupted; the run is kept as {id}");
                return Ok(ExitCode::from(130));
            }
        };
        house.workers.close().await;
        outcome
    })
}

/// A progress bar on stderr, or a hidden one where nobody looks.
pub(crate) fn bar(length: Option<u64>, shown: bool) -> ProgressBar {
    let target = if shown {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    ProgressBar::with_draw_target(length, target)
}
