//! `ConnectionActivity`: which requests of a connection are open, and whether its client takes their answers.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

/// Requests that a client may drop before they are answered. A connection that drops more, and more than it lets finish,
/// is a reset flood.
const MAX_ABANDONED: u64 = 100;
/// Most bytes of an answer that are given out at once. The next ones are asked for when these have gone out, which a slow client
/// takes long for: so many bytes are to be taken within the time after which an answer is taken for stalled.
const MAX_FRAME: usize = 64 * 1024;

/// What happens on one connection.
pub(crate) struct ConnectionActivity(Mutex<ActivityState>);

struct ActivityState {
    /// Requests whose answers have not gone out yet.
    open: usize,
    /// When the last answer had gone out.
    idle_since: Instant,
    /// Since when bytes of an answer wait for the client, by the request's number.
    waiting: HashMap<u64, Instant>,
    begun: u64,
    abandoned: u64,
}

impl ConnectionActivity {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(ActivityState {
            open: 0,
            idle_since: Instant::now(),
            waiting: HashMap::new(),
            begun: 0,
            abandoned: 0,
        })))
    }

    fn state(&self) -> MutexGuard<'_, ActivityState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request.
    pub(crate) fn begin(self: &Arc<Self>) -> OpenRequest {
        let mut state = self.state();
        state.open += 1;
        state.begun += 1;
        OpenRequest {
            number: state.begun,
            is_answered: false,
            activity: Arc::clone(self),
        }
    }

    /// Whether any request came.
    pub(crate) fn has_begun(&self) -> bool {
        self.state().begun > 0
    }

    /// Whether no request has been open for longer than `limit`.
    pub(crate) fn is_idle_for(&self, limit: Duration) -> bool {
        let state = self.state();
        state.open == 0 && state.idle_since.elapsed() > limit
    }

    /// Whether bytes of some answer have waited for longer than `limit`. A client of HTTP/2 can hold an answer back
    /// without the connection noticing.
    pub(crate) fn is_stalled_for(&self, limit: Duration) -> bool {
        self.state().waiting.values().any(|since| since.elapsed() > limit)
    }

    /// Whether the client begins requests only to drop them.
    pub(crate) fn is_reset_flood(&self) -> bool {
        let state = self.state();
        state.abandoned > MAX_ABANDONED && state.abandoned * 2 > state.begun
    }
}

/// A request, open until its answer has gone out or its client has dropped it.
pub(crate) struct OpenRequest {
    number: u64,
    is_answered: bool,
    activity: Arc<ConnectionActivity>,
}

impl OpenRequest {
    /// The answer's body, watched until its end.
    pub(crate) fn answered(mut self, body: Body) -> WatchedBody {
        self.is_answered = true;
        WatchedBody {
            body,
            left: Bytes::new(),
            request: self,
        }
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let mut state = self.activity.state();
        state.waiting.remove(&self.number);
        state.open = state.open.saturating_sub(1);
        state.abandoned += u64::from(!self.is_answered);
        if state.open == 0 {
            state.idle_since = Instant::now();
        }
    }
}

/// A body that notes when its bytes are given out, and when the next ones are asked for.
pub(crate) struct WatchedBody {
    body: Body,
    /// What of the last frame has not been given out.
    left: Bytes,
    request: OpenRequest,
}

impl http_body::Body for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let number = self.request.number;
        self.request.activity.state().waiting.remove(&number);
        if self.left.is_empty() {
            match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.left = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                other => return other,
            }
        }
        let most = self.left.len().min(MAX_FRAME);
        let given = self.left.split_to(most);
        self.request
            .activity
            .state()
            .waiting
            .insert(number, Instant::now());
        Poll::Ready(Some(Ok(Frame::data(given))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (left, of_body) = (self.left.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        if let Some(upper) = of_body.upper() {
            hint.set_upper(upper + left);
        }
        hint.set_lower(of_body.lower() + left);
        hint
    }
}

#[cfg(test)]
mod tests {
    use http_body::Body as _;
    use http_body_util::BodyExt as _;

    use super::*;

    #[tokio::test]
    async fn a_body_waits_from_its_first_bytes_until_the_next_are_asked_for() {
        let activity = ConnectionActivity::new();
        let chunks = futures_util::stream::iter(["a", "b"].map(Ok::<_, std::io::Error>));
        let mut body = activity.begin().answered(Body::from_stream(chunks));
        assert!(!activity.is_stalled_for(Duration::ZERO), "nothing was given out");
        body.frame().await.unwrap().unwrap();
        assert!(activity.is_stalled_for(Duration::ZERO));
        assert!(!activity.is_idle_for(Duration::ZERO));
        body.frame().await.unwrap().unwrap();
        assert!(body.frame().await.is_none());
        assert!(!activity.is_stalled_for(Duration::ZERO));
        drop(body);
        assert!(activity.is_idle_for(Duration::ZERO));
    }

    #[tokio::test]
    async fn a_large_answer_is_given_out_in_parts_that_a_slow_client_takes_in_time() {
        let text: Vec<u8> = (0..=u8::MAX).cycle().take(MAX_FRAME * 2 + 5).collect();
        let mut body = ConnectionActivity::new()
            .begin()
            .answered(Body::from(text.clone()));
        let (mut parts, mut whole) = (Vec::new(), Vec::new());
        while let Some(frame) = body.frame().await {
            let part = frame.unwrap().into_data().unwrap();
            parts.push(part.len());
            whole.extend_from_slice(&part);
            let left = (text.len() - whole.len()) as u64;
            assert_eq!(body.size_hint().exact(), Some(left));
        }
        assert_eq!(parts, [MAX_FRAME, MAX_FRAME, 5]);
        assert!(whole == text && body.is_end_stream());
    }

    #[test]
    fn requests_that_are_dropped_unanswered_are_a_flood_unless_most_are_answered() {
        let activity = ConnectionActivity::new();
        let abandon = |count: u64| (0..count).for_each(|_| drop(activity.begin()));
        abandon(MAX_ABANDONED);
        assert!(!activity.is_reset_flood());
        abandon(1);
        assert!(activity.is_reset_flood());
        (0..=MAX_ABANDONED).for_each(|_| drop(activity.begin().answered(Body::empty())));
        assert!(!activity.is_reset_flood());
    }
}
