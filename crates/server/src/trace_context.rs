//! The trace context of a request: its `traceparent` header (W3C Trace Context, level 1).

use http::HeaderMap;
use runtime::trace_parent;

/// The header, when it is a valid one.
pub(crate) fn of(headers: &HeaderMap) -> Option<String> {
    trace_parent::parse(headers.get("traceparent")?.to_str().ok()?)
}

/// What a run of this request continues: the span of the request where traces are exported, else what the request names.
pub(crate) fn of_run(headers: &HeaderMap) -> Option<String> {
    trace_parent::current().or_else(|| of(headers))
}
