//! Server-sent event streams: entries of a log, framed as they come, with heartbeats during silence.
//!
//! A stream holds one batch of the log and one chunk of frames, however slowly it is read.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{FutureExt as _, Stream, StreamExt as _};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue};
use runtime::ServiceError;
use runtime::service::attachment::Attachment;
use tokio::time::{Instant, Interval};
use tokio_util::sync::CancellationToken;
use wire::LogEntry;
use wire::sse::HEARTBEAT;

use crate::app::AppState;
use crate::event_connection::OwnConnection;
use crate::holder_limit::Held;
use crate::metrics::OpenStream;
use crate::run_name::RunName;

/// Frames that are there already go out together, up to this many bytes.
const CHUNK: usize = 16 * 1024;

/// How long a client of a numbered stream waits before it comes back, in ms.
const RETRY_MS: std::ops::Range<u64> = 1000..5000;

/// Said when the server goes down while the run goes on elsewhere.
const FAREWELL: &str =
    ": the server is shutting down; the run goes on and can be followed from the last event on\n\n";

/// What goes out before the first event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Opening {
    /// A comment.
    Comment,
    /// A comment, and how long the client waits before it comes back: another time for each client, so that a server that
    /// was started again is not asked by all at once. Only for streams whose clients know `retry:`; see [`wire::sse`].
    Retry,
}

impl Opening {
    fn bytes(self) -> Bytes {
        match self {
            Self::Comment => Bytes::from_static(HEARTBEAT.as_bytes()),
            Self::Retry => {
                let wait = fastrand::u64(RETRY_MS);
                format!("{}\nretry: {wait}\n\n", HEARTBEAT.trim_end()).into()
            }
        }
    }
}

/// The stream of a run's entries, which holds `place` to its end. While `attached` is given, the run does not outlive the
/// stream.
pub(crate) fn stream(
    state: &AppState,
    run: RunName,
    entries: impl Stream<Item = Result<Arc<LogEntry>, ServiceError>> + Send + 'static,
    frame: impl Fn(&LogEntry) -> String + Send + 'static,
    attached: Option<Attachment>,
    place: Option<Held<String>>,
    opening: Opening,
) -> Response {
    let feed = EventStream {
        run: run.clone(),
        entries: Box::pin(entries),
        frame: Box::new(frame),
        beat: beat(state.settings.heartbeat),
        ended: state.ended.clone(),
        opening: Some(opening.bytes()),
        over: false,
        _attached: attached,
        _place: place,
        _open: OpenStream::new(),
    };
    let chunks = futures_util::stream::unfold(feed, |mut feed| async move {
        let chunk = feed.next().await?;
        Some((chunk, feed))
    });
    let mut response = Response::new(Body::from_stream(chunks));
    response.extensions_mut().insert(OwnConnection);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform"));
    let unbuffered = HeaderName::from_static("x-accel-buffering");
    headers.insert(unbuffered, HeaderValue::from_static("no"));
    run.mark(response)
}

/// Ticks after every silence of this length.
fn beat(silence: Duration) -> Interval {
    let silence = silence.max(Duration::from_millis(1));
    let mut beat = tokio::time::interval_at(Instant::now() + silence, silence);
    beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    beat
}

struct EventStream {
    run: RunName,
    entries: Pin<Box<dyn Stream<Item = Result<Arc<LogEntry>, ServiceError>> + Send>>,
    frame: Box<dyn Fn(&LogEntry) -> String + Send>,
    beat: Interval,
    ended: CancellationToken,
    opening: Option<Bytes>,
    over: bool,
    _attached: Option<Attachment>,
    _place: Option<Held<String>>,
    _open: OpenStream,
}

impl EventStream {
    /// The next chunk of the stream; none after the end.
    async fn next(&mut self) -> Option<io::Result<Bytes>> {
        if self.over {
            return None;
        }
        // The head of the answer leaves with its first bytes, so these go out at once.
        if let Some(opening) = self.opening.take() {
            return Some(Ok(opening));
        }
        let heartbeat = Some(Ok(Bytes::from_static(HEARTBEAT.as_bytes())));
        tokio::select! {
            biased;
            _ = self.beat.tick() => heartbeat,
            entry = self.entries.next() => self.frames(entry?),
            () = self.ended.cancelled() => {
                self.over = true;
                Some(Ok(Bytes::from_static(FAREWELL.as_bytes())))
            }
        }
    }

    /// The frame of an entry and of those that are there already behind it.
    fn frames(&mut self, first: Result<Arc<LogEntry>, ServiceError>) -> Option<io::Result<Bytes>> {
        let mut chunk = String::new();
        let mut next = Some(first);
        while let Some(entry) = next {
            match entry {
                Ok(entry) => {
                    chunk.push_str(&self.run.show((self.frame)(&entry)));
                    self.over = entry.terminal;
                }
                Err(error) => {
                    // The client must not take this for the end of the run, so the connection breaks off.
                    tracing::error!(run = %self.run.id, %error, "an event stream broke off");
                    self.over = true;
                    return Some(Err(io::Error::other("the events cannot be read")));
                }
            }
            let full = self.over || chunk.len() >= CHUNK;
            // What is not there yet, and the end, are met again at the next call.
            next = if full {
                None
            } else {
                self.entries.next().now_or_never().flatten()
            };
        }
        self.beat.reset();
        Some(Ok(chunk.into()))
    }
}
