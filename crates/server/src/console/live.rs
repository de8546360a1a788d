//! The live view of a run's browser: pictures as the parts of one answer, of which a browser shows the newest.
//!
//! The boundary follows each picture at once, since a part is shown when the next one begins. Pictures are no events and are
//! stored nowhere (docs/adr/0033-frames-are-no-events.md).

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use bytes::{BufMut as _, Bytes, BytesMut};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderName, HeaderValue};
use runtime::worker::{BrowserWatcher, Shown};
use tokio_util::sync::CancellationToken;
use wire::Code;

use crate::app::AppState;
use crate::auth::Caller;
use crate::holder_limit::Held;
use crate::metrics::OpenStream;
use crate::query::RunPath;
use crate::response::ApiError;

/// What stands between two pictures.
const BOUNDARY: &str = "--huntsman-frame\r\n";
/// The media type of the answer, which names the boundary.
const MEDIA_TYPE: &str = "multipart/x-mixed-replace; boundary=huntsman-frame";
/// A grey picture: there is nothing yet, or nothing that may be seen.
const BLANK: &[u8] = include_bytes!("assets/blank.png");

/// `GET /console/runs/{id}/live`.
pub(super) async fn stream(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
) -> Result<Response, ApiError> {
    let watcher = state.app.workers.watch_browser(caller.sees(), &run.id).await?;
    let Some(watcher) = watcher else {
        let text = "this server does not work on the run in a browser: it waits, it has ended, or another process works on it";
        return Err(ApiError::new(Code::NotFound, text));
    };
    let feed = LiveStream {
        watcher,
        silence: state.settings.heartbeat,
        ended: state.ended.clone(),
        shown: None,
        is_over: false,
        _place: state.stream_place(&caller)?,
        _open: OpenStream::new(),
    };
    let parts = futures_util::stream::unfold(feed, |mut feed| async move {
        let part = feed.next().await?;
        Some((Ok::<_, std::io::Error>(part), feed))
    });
    let mut response = Response::new(Body::from_stream(parts));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    let unbuffered = HeaderName::from_static("x-accel-buffering");
    headers.insert(unbuffered, HeaderValue::from_static("no"));
    Ok(run.mark(response))
}

struct LiveStream {
    watcher: BrowserWatcher,
    /// After this long without a picture the last one is sent again, so that a client that is gone is noticed.
    silence: std::time::Duration,
    ended: CancellationToken,
    /// The part that was sent last.
    shown: Option<Bytes>,
    is_over: bool,
    _place: Option<Held<String>>,
    _open: OpenStream,
}

impl LiveStream {
    /// The next part; none after the end.
    async fn next(&mut self) -> Option<Bytes> {
        if self.is_over {
            return None;
        }
        let is_first = self.shown.is_none();
        let shown = tokio::select! {
            shown = tokio::time::timeout(self.silence, self.watcher.next()) => shown.ok(),
            () = self.ended.cancelled() => Some(Shown::Ended),
        };
        let part = match shown {
            None => self.shown.clone()?,
            Some(Shown::Ended) => {
                self.is_over = true;
                return self
                    .shown
                    .take()
                    .map(|_| Bytes::from_static(b"\r\n"))
                    .or_else(|| {
                        // An answer without any picture would be shown as a broken one.
                        Some(part("image/png", BLANK, true))
                    });
            }
            Some(Shown::Frame(jpeg)) => part("image/jpeg", &jpeg, is_first),
            Some(Shown::Nothing | Shown::Withheld) => part("image/png", BLANK, is_first),
        };
        self.shown = Some(match is_first {
            true => part.slice(BOUNDARY.len()..),
            false => part.clone(),
        });
        Some(part)
    }
}

/// A picture and the boundary after it, after the first boundary where it is the first one.
fn part(media_type: &str, picture: &[u8], is_first: bool) -> Bytes {
    let head = format!(
        "Content-Type: {media_type}\r\nContent-Length: {}\r\n\r\n",
        picture.len()
    );
    let mut part = BytesMut::with_capacity(picture.len() + head.len() + 2 * BOUNDARY.len() + 2);
    if is_first {
        part.put_slice(BOUNDARY.as_bytes());
    }
    part.put_slice(head.as_bytes());
    part.put_slice(picture);
    part.put_slice(b"\r\n");
    part.put_slice(BOUNDARY.as_bytes());
    part.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_follows_each_picture() {
        assert_eq!(
            part("image/jpeg", b"x", true),
            "--huntsman-frame\r\nContent-Type: image/jpeg\r\nContent-Length: 1\r\n\r\nx\r\n--huntsman-frame\r\n"
        );
        assert_eq!(
            part("image/png", b"xy", false),
            "Content-Type: image/png\r\nContent-Length: 2\r\n\r\nxy\r\n--huntsman-frame\r\n"
        );
        assert_eq!(BLANK.get(..4), Some(&b"\x89PNG"[..]));
    }
}
