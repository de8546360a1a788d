//! `ApiError`: one response shape for every failure; and JSON responses.

use std::any::Any;
use std::io::Write as _;
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderName, HeaderValue, StatusCode};
use runtime::ServiceError;
use runtime::tenants::RateState;
use serde_json::{Value, json};
use wire::Code;
use wire::scrape::RunFile;
use wire::strict::RequestRefusal;

/// Which error, for programs.
pub(crate) const ERROR_CODE: HeaderName = HeaderName::from_static("x-error-code");
/// Whether a client's library may send the request again by itself.
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");
/// Which run an answer is about.
pub(crate) const RUN_ID: HeaderName = HeaderName::from_static("x-run-id");

/// Which fields of the body had no effect.
const IGNORED_FIELDS: HeaderName = HeaderName::from_static("x-ignored-fields");
/// Most fields that are named there.
const MOST_IGNORED: usize = 20;

/// How many requests a tenant may send, and in which time.
const RATE_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
/// How many of them are left, and when all will be.
const RATE: HeaderName = HeaderName::from_static("ratelimit");
/// Bytes that the longest of both values needs.
const RATE_BYTES: usize = 64;

/// When to come again, where nobody knows better.
const DEFAULT_RETRY: Duration = Duration::from_secs(5);

/// A request that is not done. Its answer's body is `{"error": text}` and nothing else.
#[derive(Debug)]
pub(crate) struct ApiError {
    code: Code,
    text: String,
    retry_after: Option<Duration>,
}

impl ApiError {
    /// The code.
    pub(crate) fn code(&self) -> Code {
        self.code
    }

    pub(crate) fn new(code: Code, text: impl Into<String>) -> Self {
        Self {
            code,
            text: text.into(),
            retry_after: None,
        }
    }

    /// The code and the text, for a page.
    pub(crate) fn parts(self) -> (Code, String) {
        (self.code, self.text)
    }

    /// The same refusal, with the time until the next try.
    pub(crate) fn again_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Libraries repeat 408, 409, 429 and every 5xx by themselves. Where that cannot help, or where the first try may
    /// have begun something, they are told not to.
    fn must_not_repeat(&self) -> bool {
        let repeated = matches!(self.code.status(), 408 | 409 | 429 | 500..);
        let begun = matches!(self.code, Code::Internal | Code::TaskExecutionFailed);
        // A refusal that says when to ask again is one that passes.
        let passes = self.code.retryable() || self.retry_after.is_some();
        repeated && (begun || !passes)
    }
}

impl From<ServiceError> for ApiError {
    fn from(refused: ServiceError) -> Self {
        Self {
            code: refused.code,
            text: refused.message,
            retry_after: refused.retry_after,
        }
    }
}

impl From<RequestRefusal> for ApiError {
    fn from(refusal: RequestRefusal) -> Self {
        Self::new(refusal.code, refusal.text())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = json_response(status, &json!({"error": self.text}));
        let headers = response.headers_mut();
        headers.insert(ERROR_CODE, HeaderValue::from_static(self.code.as_str()));
        if matches!(status.as_u16(), 429 | 503) || self.retry_after.is_some() {
            let wait = self.retry_after.unwrap_or(DEFAULT_RETRY);
            let wait = (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1);
            headers.insert(RETRY_AFTER, wait.into());
        }
        if self.must_not_repeat() {
            headers.insert(SHOULD_RETRY, HeaderValue::from_static("false"));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// Names the fields of the body that are not known, where the contract lets clients send such.
pub(crate) fn show_ignored(response: &mut Response, ignored: &[String]) {
    if ignored.is_empty() {
        return;
    }
    let printable = |name: &String| -> String {
        let sign = |sign: char| match sign {
            ' '..='~' if sign != ',' => sign,
            _ => '?',
        };
        name.chars().map(sign).collect()
    };
    let names: Vec<String> = ignored.iter().take(MOST_IGNORED).map(printable).collect();
    if let Ok(value) = HeaderValue::from_str(&names.join(", ")) {
        response.headers_mut().insert(IGNORED_FIELDS, value);
    }
}

/// Tells the client how it stands with its requests, by the headers of draft-ietf-httpapi-ratelimit-headers-11.
pub(crate) fn show_rate(response: &mut Response, rate: &RateState) {
    let reset = rate.reset.as_secs() + u64::from(rate.reset.subsec_nanos() > 0);
    let policy = rate_value(b"\"requests\";q=", rate.limit, b";w=", 60);
    let state = rate_value(b"\"requests\";r=", rate.remaining, b";t=", reset);
    for (name, value) in [(RATE_POLICY, policy), (RATE, state)] {
        if let Some(value) = value {
            response.headers_mut().insert(name, value);
        }
    }
}

/// A header's value of two numbers, written on the stack first: every answer of a tenant carries two of them, and each needs
/// one allocation of the right size and none of the work of [`std::fmt`].
fn rate_value(first: &[u8], number: u64, second: &[u8], seconds: u64) -> Option<HeaderValue> {
    let (mut number_text, mut seconds_text) = (itoa::Buffer::new(), itoa::Buffer::new());
    let parts = [
        first,
        number_text.format(number).as_bytes(),
        second,
        seconds_text.format(seconds).as_bytes(),
    ];
    let mut written = [0; RATE_BYTES];
    let mut rest = written.as_mut_slice();
    for part in parts {
        rest.write_all(part).ok()?;
    }
    let unused = rest.len();
    HeaderValue::from_bytes(written.get(..RATE_BYTES - unused)?).ok()
}

/// An answer with a JSON body.
pub(crate) fn json_response(status: StatusCode, body: &Value) -> Response {
    json_text(status, body.to_string())
}

/// An answer with this JSON text.
pub(crate) fn json_text(status: StatusCode, body: String) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

/// A file as an answer. A type that is none of a picture is not told, so that no browser runs it.
pub(crate) fn file_response(file: &RunFile, bytes: Vec<u8>) -> Response {
    let media_type = match file.media_type.as_str() {
        "image/png" => "image/png",
        "image/jpeg" => "image/jpeg",
        _ => "application/octet-stream",
    };
    let mut response = Response::new(bytes.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// A value as an answer's body.
pub(crate) fn written(value: &impl serde::Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(value).map_err(|error| ApiError::new(Code::Internal, error.to_string()))
}

/// The answer to a path that does not exist.
pub(crate) async fn no_such_path() -> ApiError {
    ApiError::new(
        Code::NotFound,
        "there is nothing at this path; GET /openapi.json lists what there is",
    )
}

/// The answer to a method that a path does not have; the router adds `allow`.
pub(crate) async fn no_such_method() -> ApiError {
    ApiError::new(
        Code::MethodNotAllowed,
        "this path does not take this method; the 'allow' header names those it takes",
    )
}

/// The answer of a handler that panicked. What it said stays in the operator's log.
pub(crate) fn broken(panic: Box<dyn Any + Send>) -> Response {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = text.unwrap_or("without words"), "a handler broke");
    ApiError::new(
        Code::Internal,
        "the server met an unexpected fault; its log says more",
    )
    .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_becomes_an_answer_that_says_whether_to_come_again() {
        for code in Code::ALL {
            let answer = ApiError::new(*code, "so").into_response();
            assert_eq!(answer.status().as_u16(), code.status(), "{code}");
            assert_eq!(answer.headers()[ERROR_CODE], code.as_str());
            let waits = matches!(code.status(), 429 | 503);
            assert_eq!(answer.headers().contains_key(RETRY_AFTER), waits, "{code}");
            let harmless = code.status() < 500 && !matches!(code.status(), 408 | 409 | 429);
            let forbidden = answer.headers().contains_key(SHOULD_RETRY);
            assert!(!(harmless && forbidden), "{code}");
            assert!(harmless || code.retryable() || forbidden, "{code}");
        }
    }
}
