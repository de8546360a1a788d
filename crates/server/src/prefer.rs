//! `Prefer: respond-async` (RFC 7240): the client does not wait for the end, so the run must not wait for the client.

use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue};

const ASYNC: &str = "respond-async";

/// Whether the request asks for a run that goes on without its client.
pub(crate) fn asks_for_async(headers: &HeaderMap) -> bool {
    let values = headers.get_all("prefer").iter().filter_map(|it| it.to_str().ok());
    values.flat_map(|it| it.split(',')).any(|it| {
        it.split(';')
            .next()
            .is_some_and(|it| it.trim().eq_ignore_ascii_case(ASYNC))
    })
}

/// Tells the client that its wish was heard.
pub(crate) fn applied(response: &mut Response) {
    let name = HeaderName::from_static("preference-applied");
    response
        .headers_mut()
        .insert(name, HeaderValue::from_static(ASYNC));
}
