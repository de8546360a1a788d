//! Authentication of requests: by API key, or by the session of a page of the console.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use runtime::config::Secret;
use wire::Code;

use crate::app::AppState;
use crate::auth::Caller;
use crate::console;
use crate::response::ApiError;

/// Paths that tell nothing about anybody's runs, so that a probe needs no key.
const PUBLIC_PATHS: &[&str] = &["/healthz", "/readyz", "/openapi.json"];

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, key) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

/// Lets through who may come in, and tells the handlers who it is. A page of the console shows its session instead of a key.
pub(crate) async fn check(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let caller = if PUBLIC_PATHS.contains(&path) || (state.settings.console && console::is_public(path)) {
        Some(Caller::nobody())
    } else if let Some(key) = bearer(request.headers()) {
        state.keys.caller(Some(key))
    } else {
        let session = state.sessions.key(request.headers());
        let key = session.filter(|_| console::may_use_session(request.method(), request.headers()));
        state.keys.caller(key.as_ref().map(Secret::reveal))
    };
    match caller {
        Some(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        None => {
            let login = state
                .settings
                .console
                .then(|| console::login_page(&request))
                .flatten();
            let text = "a valid API key is needed; send it as 'Authorization: Bearer KEY'";
            login.unwrap_or_else(|| ApiError::new(Code::Unauthorized, text).into_response())
        }
    }
}
