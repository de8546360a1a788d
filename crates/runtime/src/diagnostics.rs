//! Spans and times of store writes.

use std::time::{Duration, Instant};

use tracing::{Instrument as _, Span, debug_span, field};
use wire::RunId;

use crate::metrics;

/// Whole milliseconds of a duration.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
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
