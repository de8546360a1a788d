//! `JsonBody`: a request's whole body, JSON by its content type, bounded in size and time.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use wire::Code;

use crate::app::AppState;
use crate::paced_body::{MIN_BYTES_PER_SECOND, PaceError, PacedBody};
use crate::response::ApiError;

/// The whole body of a request that sends JSON.
pub(crate) struct JsonBody(pub(crate) Bytes);

impl FromRequest<AppState> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, ApiError> {
        check_label(request.headers())?;
        collect(request, state).await.map(Self)
    }
}

/// The whole body of a request, bounded in size and time.
///
/// # Errors
/// When it is too large, too slow or breaks off.
pub(crate) async fn collect(request: Request, state: &AppState) -> Result<Bytes, ApiError> {
    let most = state.settings.body_bytes;
    let too_large = || {
        ApiError::new(
            Code::BodyTooLarge,
            format!("the body is larger than {most} bytes"),
        )
    };
    let announced = announced(request.headers());
    let mut body = request.into_body();
    if announced.is_some_and(|it| it > most as u64) {
        discard(&mut body).await;
        return Err(too_large());
    }
    let paced = PacedBody::new(&mut body, state.settings.body_start);
    let reading = Limited::new(paced, most).collect();
    match tokio::time::timeout(state.settings.body_time, reading).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            discard(&mut body).await;
            Err(too_large())
        }
        Ok(Err(error)) if matches!(error.downcast_ref(), Some(PaceError::TooSlow)) => {
            let text = format!("the body arrives more slowly than {MIN_BYTES_PER_SECOND} bytes in a second");
            Err(ApiError::new(Code::RequestTimeout, text))
        }
        Ok(Err(_)) => Err(ApiError::new(
            Code::InvalidRequest,
            "the body broke off before its end",
        )),
        Err(_) => {
            let seconds = state.settings.body_time.as_secs();
            let text = format!("the body did not arrive within {seconds} s");
            Err(ApiError::new(Code::RequestTimeout, text))
        }
    }
}

/// Most bytes of a body that is too large that are read and thrown away.
const DISCARDED_BYTES: usize = 16 * 1024 * 1024;
/// Longest time for that.
const DISCARD_TIME: Duration = Duration::from_secs(5);

/// Reads on for a while. A connection that is closed while its client sends is reset, and the client may never see the
/// answer.
async fn discard(body: &mut Body) {
    let reading = async {
        let mut left = DISCARDED_BYTES;
        while let Some(Ok(frame)) = body.frame().await {
            let length = frame.data_ref().map_or(0, Bytes::len);
            left = left.saturating_sub(length.max(1));
            if left == 0 {
                return;
            }
        }
    };
    // Whether the rest came in time makes no difference to the answer.
    let _ = tokio::time::timeout(DISCARD_TIME, reading).await;
}

fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// A body without a label is read as JSON; one that says it is something else, or is packed, is refused.
fn check_label(headers: &HeaderMap) -> Result<(), ApiError> {
    let refuse = |text: &str| Err(ApiError::new(Code::UnsupportedMediaType, text));
    if headers.get(CONTENT_ENCODING).is_some_and(|it| it != "identity") {
        return refuse("compressed bodies are not read; send the JSON as it is");
    }
    let Some(label) = headers.get(CONTENT_TYPE) else {
        return Ok(());
    };
    let label = label.to_str().unwrap_or_default();
    let kind = label
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let is_json = kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"));
    if is_json {
        return Ok(());
    }
    refuse("the body has to be JSON; send it with 'Content-Type: application/json'")
}
