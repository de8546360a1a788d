//! What keeps the console apart from other sites: headers of its pages, and the check that a request comes from them.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, ORIGIN, REFERER, REFERRER_POLICY, X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use url::{Url, form_urlencoded};

/// Nothing but our own files; no inline code, no frames, and no string ever becomes markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// Adds the headers that every page and file of the console has.
pub(super) async fn protect(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    add_headers(&mut response);
    response
}

/// The same for a response that no handler of the console gave.
pub(super) fn add_headers(response: &mut Response) {
    let headers = response.headers_mut();
    let fixed = [
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "same-origin"),
        (X_FRAME_OPTIONS, "DENY"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// Whether a person waits for the answer, in a browser.
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT).and_then(|it| it.to_str().ok());
    accepted.is_some_and(|it| it.contains("text/html"))
}

/// Whether a path is one of the console's.
pub(super) fn is_console(path: &str) -> bool {
    path == "/" || path == "/console" || path.starts_with("/console/")
}

/// Whether a path tells nothing about anybody's runs, so that it needs no session.
pub(crate) fn is_public(path: &str) -> bool {
    matches!(path, "/" | "/console/login" | "/console/theme") || path.starts_with("/console/assets/")
}

/// Where a visitor without a session goes: to the login, and from there back to the page. Who sent a form after the session
/// had ended comes back to the page of the form.
pub(crate) fn login_page(request: &Request) -> Option<Response> {
    if !is_console(request.uri().path()) {
        return None;
    }
    let wanted = match *request.method() {
        Method::GET => request.uri().path_and_query()?.as_str().to_owned(),
        Method::POST if is_same_origin(request.headers()) && wants_page(request.headers()) => {
            let page = request.headers().get(REFERER)?.to_str().ok()?;
            let page = Url::parse(page).ok()?;
            page.query().map_or_else(
                || page.path().to_owned(),
                |query| format!("{}?{query}", page.path()),
            )
        }
        _ => return None,
    };
    let next: String = form_urlencoded::byte_serialize(wanted.as_bytes()).collect();
    Some(Redirect::to(&format!("/console/login?next={next}")).into_response())
}

/// Whether a request that shows a session's cookie comes from a page of ours. Reading is guarded by the cookie itself, which
/// is `SameSite=Strict`; whatever changes something has to say where it comes from.
pub(crate) fn may_use_session(method: &Method, headers: &HeaderMap) -> bool {
    matches!(*method, Method::GET | Method::HEAD) || is_same_origin(headers)
}

/// Whether a browser says that a page of this origin, or the user, sent the request: by `Sec-Fetch-Site`, and by `Origin`
/// where a browser does not send that (over plain HTTP from another machine).
pub(super) fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|it| it.to_str().ok());
    match text(HeaderName::from_static("sec-fetch-site")) {
        Some(site) => matches!(site, "same-origin" | "none"),
        None => {
            let origin = text(ORIGIN).and_then(|it| Url::parse(it).ok());
            let ours = |origin: &Url| Url::parse(&format!("{}://{}/", origin.scheme(), text(HOST)?)).ok();
            origin.is_some_and(|origin| ours(&origin).is_some_and(|ours| ours.origin() == origin.origin()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        pairs.collect()
    }

    #[test]
    fn only_our_own_pages_change_anything() {
        let ours = [
            headers(&[("sec-fetch-site", "same-origin")]),
            headers(&[("sec-fetch-site", "none")]),
            headers(&[("host", "hunt.lan:80"), ("origin", "http://hunt.lan")]),
        ];
        let others = [
            headers(&[]),
            headers(&[("sec-fetch-site", "same-site")]),
            headers(&[
                ("sec-fetch-site", "cross-site"),
                ("host", "a.example"),
                ("origin", "http://a.example"),
            ]),
            headers(&[("host", "a.example"), ("origin", "null")]),
            headers(&[("host", "a.example"), ("origin", "http://b.example")]),
            headers(&[("host", "a.example:1"), ("origin", "http://a.example:2")]),
        ];
        assert!(ours.iter().all(|it| may_use_session(&Method::POST, it)));
        assert!(!others.iter().any(|it| may_use_session(&Method::DELETE, it)));
        assert!(others.iter().all(|it| may_use_session(&Method::GET, it)));
    }
}
