//! The rest of a request's body that no handler has read: dropped where it is short, so that its connection can be used for
//! the next request, and else the answer says that the connection ends. A client that is not told sends the next request to a
//! connection that is being closed.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, Version};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt as _;

/// Most bytes that are read only to be dropped: longer than any request but one with files or pages in it.
const MAX_BYTES: u64 = 64 << 10;
/// How long the rest of a body may take to come. A client that sends a body in a packet of its own has sent it long before.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is left of a body.
type Rest = Arc<Mutex<Option<Body>>>;

/// A body that is kept when its handler drops it before its end.
struct ReturnedBody {
    body: Body,
    is_at_end: bool,
    rest: Rest,
}

impl http_body::Body for ReturnedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        // Nothing more comes after an error either.
        self.is_at_end = matches!(frame, Poll::Ready(None | Some(Err(_))));
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for ReturnedBody {
    fn drop(&mut self) {
        if !self.is_at_end && !self.body.is_end_stream() {
            let body = std::mem::take(&mut self.body);
            *self.rest.lock().unwrap_or_else(PoisonError::into_inner) = Some(body);
        }
    }
}

/// Answers a request, and reads what its handler has left of its body. In HTTP/2 a stream ends without its connection.
pub(crate) async fn drop_rest(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() || request.version() >= Version::HTTP_2 {
        return next.run(request).await;
    }
    // Reading would ask such a client for the body that it has not sent yet.
    let waits_to_be_asked = request.headers().contains_key(EXPECT);
    let rest = Rest::default();
    let request = request.map(|body| {
        Body::new(ReturnedBody {
            body,
            is_at_end: false,
            rest: Arc::clone(&rest),
        })
    });
    let mut response = next.run(request).await;
    let left = rest.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(body) = left
        && (waits_to_be_asked || !comes_to_an_end(body).await)
    {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    response
}

/// Reads a body to its end, where that is near.
async fn comes_to_an_end(mut body: Body) -> bool {
    if body.size_hint().lower() > MAX_BYTES {
        return false;
    }
    let read = async {
        let mut bytes = 0;
        while let Some(frame) = body.frame().await {
            let Ok(frame) = frame else { return false };
            bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
            if bytes > MAX_BYTES {
                return false;
            }
        }
        true
    };
    tokio::time::timeout(PATIENCE, read).await.unwrap_or(false)
}
