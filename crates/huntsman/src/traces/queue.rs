//! The queue of finished spans, and the thread that sends them in batches.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use opentelemetry::Context;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{Span, SpanData, SpanExporter, SpanProcessor};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio_util::sync::CancellationToken;

use super::spans;

/// Most spans that wait.
const QUEUE: usize = 4_096;
/// Most spans of one request.
const BATCH: usize = 512;
/// How long the first span of a batch waits for others.
const GATHER: Duration = Duration::from_millis(500);
/// How long the end of the process waits for the last spans.
const LAST: Duration = Duration::from_secs(2);

/// Spans that were dropped, by reason.
const DROPPED: &str = "huntsman_trace_spans_dropped_total";
/// Spans that a collector has taken.
const SENT: &str = "huntsman_trace_spans_sent_total";

/// Takes finished spans, never waits, and drops what finds no room. Clones are the same queue.
#[derive(Debug, Clone)]
pub(super) struct SpanQueue {
    spans: Sender<SpanData>,
    ending: CancellationToken,
    /// Says that the thread has ended, by being closed.
    ended: Arc<Mutex<mpsc::Receiver<()>>>,
}

impl SpanQueue {
    /// Starts the thread that sends.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(super) fn start(exporter: impl SpanExporter + 'static) -> anyhow::Result<Self> {
        let (spans, waiting) = channel(QUEUE);
        let (end, ended) = mpsc::channel();
        let ending = CancellationToken::new();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("no runtime can be started")?;
        let closing = ending.clone();
        let send = move || {
            let _end: mpsc::Sender<()> = end;
            runtime.block_on(send_batches(exporter, waiting, closing));
        };
        let thread = std::thread::Builder::new().name("traces".to_owned());
        thread.spawn(send).context("no thread can be started")?;
        Ok(Self {
            spans,
            ending,
            ended: Arc::new(Mutex::new(ended)),
        })
    }

    /// Sends what waits, for at most [`LAST`].
    pub(super) fn finish(&self) {
        self.ending.cancel();
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.recv_timeout(LAST) == Err(RecvTimeoutError::Timeout) {
            tracing::warn!("the last spans could not be sent to the collector of traces in time");
        }
    }
}

impl SpanProcessor for SpanQueue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        let Some(span) = spans::exported(span) else { return };
        if self.spans.try_send(span).is_err() {
            metrics::counter!(DROPPED, "reason" => "queue_full").increment(1);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

/// Sends spans until the queue is told to end, then what waits. A collector that fails is asked again with the next batch.
async fn send_batches(exporter: impl SpanExporter, mut spans: Receiver<SpanData>, ending: CancellationToken) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut failed = false;
    loop {
        let first = tokio::select! {
            biased;
            first = spans.recv() => first,
            () = ending.cancelled() => None,
        };
        let Some(first) = first else { break };
        batch.push(first);
        let gathering = async {
            while batch.len() < BATCH {
                match spans.recv().await {
                    Some(span) => batch.push(span),
                    None => return,
                }
            }
        };
        tokio::select! {
            () = gathering => {}
            () = ending.cancelled() => {}
            () = tokio::time::sleep(GATHER) => {}
        }
        while batch.len() < BATCH
            && let Ok(span) = spans.try_recv()
        {
            batch.push(span);
        }
        let count = u64::try_from(batch.len()).unwrap_or(u64::MAX);
        let sent = exporter.export(std::mem::take(&mut batch)).await;
        report(sent, count, &mut failed);
    }
}

/// Counts a batch, and logs the first failure after a success.
fn report(sent: OTelSdkResult, count: u64, failed: &mut bool) {
    match sent {
        Ok(()) => {
            metrics::counter!(SENT).increment(count);
            *failed = false;
        }
        Err(error) => {
            metrics::counter!(DROPPED, "reason" => "not_taken").increment(count);
            if !std::mem::replace(failed, true) {
                tracing::warn!(%error, "the collector of traces does not take spans; they are dropped until it does");
            }
        }
    }
}
