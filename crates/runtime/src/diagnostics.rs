//! Spans of runs and of store writes.

use std::time::{Duration, Instant};

use agents::services::Ledger;
use store::Store;
use store::jobs::JobSummary;
use store::owners::UsageAmounts;
use tracing::{Instrument as _, Span, debug_span, field};
use wire::RunId;
use wire::run::{RunStatus, RunUsage};

use crate::tenants::usage::metered;
use crate::{metrics, trace_parent};

/// Whole milliseconds of a duration.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The span of a run, as a part of the trace that `spec`, the run's specification as JSON, continues.
pub(crate) fn run_span(job: &JobSummary, spec: Option<&str>) -> Span {
    let (kind, family) = (job.kind.as_str(), job.kind.family().as_str());
    let span = debug_span!(
        "run",
        run = %job.id,
        kind,
        family,
        attempt = job.attempt,
        status = field::Empty,
        input_tokens = field::Empty,
        output_tokens = field::Empty,
        micro_dollars = field::Empty,
        error = field::Empty
    );
    let continued = || serde_json::from_str::<ContinuedTrace>(spec?).ok()?.trace_parent;
    if !span.is_disabled()
        && let Some(parent) = continued()
    {
        trace_parent::join(&span, &parent);
    }
    span
}

/// The part of a specification that names the trace.
#[derive(serde::Deserialize)]
struct ContinuedTrace {
    #[serde(default)]
    trace_parent: Option<String>,
}

/// Completes the span of a run that has ended with how it stands and what its models cost.
pub(crate) async fn record_end(span: &Span, store: &Store, run: &RunId, ledger: &Ledger) {
    if span.is_disabled() {
        return;
    }
    if let Ok(Some(job)) = store.jobs.summary(run).await {
        span.record("status", job.status.as_str());
        if job.status == RunStatus::Failed {
            span.record("error", "RUN_FAILED");
        }
    }
    let used = metered(&RunUsage::default(), ledger);
    let sum = |amount: fn(&UsageAmounts) -> u64| used.iter().map(|it| amount(&it.amounts)).sum::<u64>();
    span.record("input_tokens", sum(|it| it.input_tokens))
        .record("output_tokens", sum(|it| it.output_tokens))
        .record("micro_dollars", sum(|it| it.micro_dollars));
}

/// Does a write within a span that carries the run, the number of entries, their size in bytes, and the time taken.
pub(crate) async fn store_write<T>(
    operation: &'static str,
    run: &RunId,
    entries: u64,
    bytes: usize,
    write: impl Future<Output = Result<T, store::Error>>,
) -> Result<T, store::Error> {
    let span = debug_span!("store_write", operation, %run, entries, bytes, ms = field::Empty);
    timed(operation, span, write).await
}

/// Does an operation on a lease (`claim`, `renew`, `release`) within a span.
pub(crate) async fn lease_write<T>(
    operation: &'static str,
    run: Option<&RunId>,
    write: impl Future<Output = Result<T, store::Error>>,
) -> Result<T, store::Error> {
    let span = debug_span!(
        "lease",
        operation,
        run = run.map(field::display),
        ms = field::Empty
    );
    timed(operation, span, write).await
}

async fn timed<T>(
    operation: &'static str,
    span: Span,
    write: impl Future<Output = Result<T, store::Error>>,
) -> Result<T, store::Error> {
    let began = Instant::now();
    let outcome = write.instrument(span.clone()).await;
    span.record("ms", millis(began.elapsed()));
    if let Err(error) = &outcome {
        span.in_scope(|| tracing::debug!(%error, "the store refused or failed"));
    }
    metrics::store_write(operation, began.elapsed());
    outcome
}
