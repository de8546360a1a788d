//! Prometheus metrics of the server: requests, streams, connections and submitted runs.

use std::sync::OnceLock;
use std::time::Duration;

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

const REQUESTS: &str = "huntsman_http_requests_total";
const SECONDS: &str = "huntsman_http_request_seconds";
const STREAMS: &str = "huntsman_event_streams";
const CONNECTIONS: &str = "huntsman_connections";
const REFUSED: &str = "huntsman_connections_refused_total";
const WRONG_KEYS: &str = "huntsman_wrong_keys_total";
const RUNS: &str = "huntsman_runs_submitted_total";

/// Upper bounds of the time a request takes, in seconds.
const BOUNDS: &[f64] = &[0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0, 60.0];

/// The numbers of this process; none when somebody else counts in it.
pub(crate) fn handle() -> Option<&'static PrometheusHandle> {
    static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    HANDLE.get_or_init(install).as_ref()
}

fn install() -> Option<PrometheusHandle> {
    let builder = PrometheusBuilder::new().set_buckets(BOUNDS);
    let handle = builder.and_then(PrometheusBuilder::install_recorder);
    if let Err(error) = &handle {
        tracing::warn!(%error, "nothing is counted");
    }
    describe_counter!(REQUESTS, "Requests by method, path and status.");
    describe_histogram!(SECONDS, "Time until a request's answer begins, by path.");
    describe_gauge!(STREAMS, "Event streams that are open.");
    describe_gauge!(CONNECTIONS, "Connections that are open.");
    describe_counter!(REFUSED, "Connections refused because their address has too many.");
    describe_counter!(WRONG_KEYS, "Requests with a wrong API key.");
    describe_counter!(RUNS, "Runs submitted, by kind.");
    runtime::metrics::describe();
    handle.ok()
}

/// Counts a request.
pub(crate) fn request(method: &str, path: &str, status: u16, took: Duration) {
    let (method, path) = (method.to_owned(), path.to_owned());
    counter!(REQUESTS, "method" => method, "path" => path.clone(), "status" => status.to_string())
        .increment(1);
    histogram!(SECONDS, "path" => path).record(took.as_secs_f64());
}

/// Counts a run.
pub(crate) fn run(kind: &'static str) {
    counter!(RUNS, "kind" => kind).increment(1);
}

/// Counts a wrong key.
pub(crate) fn wrong_key() {
    counter!(WRONG_KEYS).increment(1);
}

/// Counts a connection that is refused.
pub(crate) fn refused_connection() {
    counter!(REFUSED).increment(1);
}

/// An open event stream, counted while it lives.
pub(crate) struct OpenStream(());

impl OpenStream {
    pub(crate) fn new() -> Self {
        gauge!(STREAMS).increment(1.0);
        Self(())
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        gauge!(STREAMS).decrement(1.0);
    }
}

/// An open connection, counted while it lives.
pub(crate) struct OpenConnection(());

impl OpenConnection {
    pub(crate) fn new() -> Self {
        gauge!(CONNECTIONS).increment(1.0);
        Self(())
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        gauge!(CONNECTIONS).decrement(1.0);
    }
}
