//! Tracing spans of navigations, snapshots and actions: sizes, times and hosts, never content.

use std::time::Instant;

use tracing::field::Empty;
use tracing::{Instrument as _, Span, debug_span};
use url::Url;

use crate::action::Action;
use crate::browser::{ActionEffect, Visit};
use crate::error::Error;
use crate::snapshot::Snapshot;

/// Whole milliseconds since `began`.
pub(crate) fn millis_since(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Runs work in a span that gets its duration and the code of its error; `record` adds what a success tells.
async fn traced<T>(
    span: Span,
    work: impl Future<Output = Result<T, Error>>,
    record: impl FnOnce(&Span, &T),
) -> Result<T, Error> {
    let began = Instant::now();
    let result = work.instrument(span.clone()).await;
    span.record("millis", millis_since(began));
    match &result {
        Ok(value) => record(&span, value),
        Err(error) => {
            span.record("error", error.code());
        }
    }
    result
}

/// Traces a navigation. `url` is where it is asked to go; none for a step in the history.
pub(crate) async fn navigation(
    engine: &'static str,
    url: Option<&Url>,
    work: impl Future<Output = Result<Visit, Error>>,
) -> Result<Visit, Error> {
    let host = url.and_then(Url::host_str);
    let span = debug_span!(
        "navigation",
        engine,
        host,
        millis = Empty,
        status = Empty,
        error = Empty
    );
    traced(span, work, |span, visit: &Visit| {
        span.record("status", visit.status);
    })
    .await
}

/// Traces the taking of a snapshot.
pub(crate) async fn snapshot(
    engine: &'static str,
    work: impl Future<Output = Result<Snapshot, Error>>,
) -> Result<Snapshot, Error> {
    let span = debug_span!(
        "snapshot",
        engine,
        millis = Empty,
        elements = Empty,
        bytes = Empty,
        error = Empty
    );
    traced(span, work, |span, snapshot: &Snapshot| {
        let texts = snapshot.nodes.iter();
        let bytes: usize = texts
            .map(|node| node.name.len() + node.value.as_ref().map_or(0, String::len))
            .sum();
        span.record("elements", snapshot.nodes.len());
        span.record("bytes", bytes);
    })
    .await
}

/// Traces an action.
pub(crate) async fn action(
    engine: &'static str,
    action: &Action,
    work: impl Future<Output = Result<ActionEffect, Error>>,
) -> Result<ActionEffect, Error> {
    let kind = action.kind();
    let span = debug_span!(
        "action",
        engine,
        kind,
        millis = Empty,
        navigated = Empty,
        error = Empty
    );
    traced(span, work, |span, outcome: &ActionEffect| {
        span.record("navigated", outcome.visit.is_some());
    })
    .await
}
