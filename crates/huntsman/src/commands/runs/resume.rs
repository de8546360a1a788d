//! `huntsman runs resume`: goes on with a run whose process has died, or follows it where another process does it.

use std::path::Path;
use std::process::ExitCode;

use futures_util::StreamExt as _;
use wire::run::{RunKind, RunStatus};
use wire::{Audience, RunId};

use crate::commands::page_sink::EndedOutput;
use crate::composition::Application;
use crate::failure::{Failure, exit_code};
use crate::foreground::{self, Signals};
use crate::output::Output;

/// Works on the run until it has ended, unless another process does, and prints it as `runs show` does. The results of all
/// pages of a crawl or a batch go to the file, where one is named. A run that is given
/// up here by a signal goes on elsewhere or at the next resume.
pub(super) async fn resume(
    application: &Application,
    id: Option<RunId>,
    file: Option<&Path>,
    quiet: bool,
    mut output: Output,
) -> Result<ExitCode, Failure> {
    let service = &application.service;
    let id = match id {
        Some(id) => id,
        None => newest_open(application).await?,
    };
    let run = service.run(None, &id).await?;
    let summary = run.summary;
    let is_of_pages = matches!(summary.kind, RunKind::Crawl | RunKind::Batch);
    // What cannot be written is told before the run goes on.
    let pages = file.map(|file| EndedOutput::of(summary.kind, &run.request, file));
    let pages = pages.transpose()?;
    if !summary.status.is_final() {
        if !quiet {
            note!(
                "going on with {id}; where its process has just died, its lease has to run out first (30 s). Hosts that are not \
                 public have to be named again with --allow-hosts"
            );
        }
        let mut signals = Signals::listen()?;
        application.workers.start(1);
        let mut events = foreground::events(service, &id, summary.last_seq, Audience::Debug).await?;
        let ended = async {
            while let Some(entry) = events.next().await {
                entry?;
            }
            Ok::<_, Failure>(())
        };
        let stopped = tokio::select! {
            ended = ended => { ended?; None }
            code = signals.next() => Some(code),
        };
        application.workers.close().await;
        if let Some(code) = stopped {
            note!("{}", foreground::interrupted(&id, is_of_pages));
            return Ok(ExitCode::from(code));
        }
    }
    let detail = service.run(None, &id).await?;
    match pages {
        Some(pages) => pages.write(service, &id).await?,
        None if is_of_pages && !quiet => {
            note!(
                "the pages of the run are in its events; `huntsman runs resume {id} -o FILE` writes them all"
            );
        }
        None => {}
    }
    let errors = detail
        .result
        .as_ref()
        .and_then(|result| result["errors"].as_array());
    let is_whole = errors.is_none_or(Vec::is_empty);
    output.json(&detail)?;
    output.done()?;
    Ok(exit_code(
        detail.summary.status == RunStatus::Completed && is_whole,
    ))
}

/// The newest run that has not ended.
async fn newest_open(application: &Application) -> Result<RunId, Failure> {
    let mut open = Vec::new();
    for status in [RunStatus::Running, RunStatus::Queued] {
        open.extend(application.service.list(None, Some(status), None, 1).await?.runs);
    }
    let newest = open.into_iter().max_by_key(|run| run.created_at);
    newest.map(|run| run.id).ok_or_else(Failure::no_run)
}
