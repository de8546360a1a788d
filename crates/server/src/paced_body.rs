//! `PacedBody`: a request's body that has to arrive at a minimum speed.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep};

/// Slowest average speed of a body, in bytes for a second.
pub(crate) const MIN_BYTES_PER_SECOND: u64 = 1024;

/// Why a body broke off.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PaceError {
    /// It came more slowly than [`MIN_BYTES_PER_SECOND`] on average.
    #[error("the body arrives too slowly")]
    TooSlow,
    /// The connection failed.
    #[error(transparent)]
    Broken(#[from] axum::Error),
}

/// A body that fails when it has fewer bytes than its age allows. Its first bytes have a start-up time of their own.
pub(crate) struct PacedBody<'b> {
    body: &'b mut Body,
    deadline: Pin<Box<Sleep>>,
}

impl<'b> PacedBody<'b> {
    /// The body, whose first bytes may take `start_up`.
    pub(crate) fn new(body: &'b mut Body, start_up: Duration) -> Self {
        let deadline = Box::pin(tokio::time::sleep(start_up));
        Self { body, deadline }
    }

    fn extend(&mut self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let earned = Duration::from_millis(bytes.saturating_mul(1000) / MIN_BYTES_PER_SECOND);
        let deadline = self.deadline.deadline();
        let extended = deadline.checked_add(earned).unwrap_or_else(Instant::now);
        self.deadline.as_mut().reset(extended);
    }
}

impl http_body::Body for PacedBody<'_> {
    type Data = Bytes;
    type Error = PaceError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, PaceError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            if let Some(Ok(frame)) = &frame {
                self.extend(frame.data_ref().map_or(0, Bytes::len));
            }
            return Poll::Ready(frame.map(|it| it.map_err(PaceError::from)));
        }
        ready!(self.deadline.as_mut().poll(context));
        Poll::Ready(Some(Err(PaceError::TooSlow)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt as _, stream};
    use http_body_util::BodyExt as _;

    use super::*;

    /// How many of `count` chunks arrive that come one second after the other.
    async fn arrived(chunk: usize, count: usize) -> Result<usize, PaceError> {
        let chunks = stream::iter(0..count).then(move |_| async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok::<_, std::io::Error>(vec![b' '; chunk])
        });
        let mut stream = Body::from_stream(Box::pin(chunks));
        let body = PacedBody::new(&mut stream, Duration::from_secs(5));
        Ok(body.collect().await?.to_bytes().len() / chunk)
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_at_the_minimum_speed_arrives_and_a_slower_one_does_not() {
        assert_eq!(arrived(1024, 60).await.unwrap(), 60);
        assert_eq!(arrived(1, 4).await.unwrap(), 4, "a short body is never slow");
        assert!(matches!(arrived(1, 60).await, Err(PaceError::TooSlow)));
        assert!(matches!(arrived(700, 60).await, Err(PaceError::TooSlow)));
    }
}
