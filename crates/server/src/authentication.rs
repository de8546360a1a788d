//! The middleware that identifies callers, counts their requests, slows wrong keys down and checks scopes. A page of the
//! console shows its session instead of a key.

use std::net::IpAddr;
use std::time::Instant;

use axum::Extension;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::HeaderValue;
use http::header::AUTHORIZATION;
use runtime::config::Secret;
use runtime::tenants::access_tokens::{AccessTokens, TokenRefusal};
use runtime::tenants::{RateState, key_text};
use wire::Code;
use wire::tenancy::Scope;

use crate::app::AppState;
use crate::auth::{Caller, Peer};
use crate::metrics;
use crate::response::{ApiError, show_rate};
use crate::{access_tokens, console, scopes};

/// Paths that tell nothing about anybody's runs, so that a probe needs no key.
const PUBLIC_PATHS: &[&str] = &["/healthz", "/readyz", "/openapi.json"];

/// What a request shows to come in.
enum ShownKey {
    /// The value of `authorization`, and where the key begins in it.
    Header(HeaderValue, usize),
    /// The key of a session of the console.
    Session(Secret),
}

impl ShownKey {
    /// The key of a header; none where it has another scheme or no key. The copy of the value shares its bytes.
    fn of_header(value: &HeaderValue) -> Option<Self> {
        let (scheme, rest) = value.as_bytes().split_at_checked(BEARER.len())?;
        let key = rest.trim_ascii_start();
        let shown = scheme.eq_ignore_ascii_case(BEARER) && key.is_ascii() && !key.is_empty();
        shown.then(|| Self::Header(value.clone(), BEARER.len() + rest.len() - key.len()))
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Header(value, start) => {
                str::from_utf8(value.as_bytes().get(*start..)?.trim_ascii_end()).ok()
            }
            Self::Session(key) => Some(key.reveal()),
        }
    }
}

/// The scheme of keys, with the space behind it.
const BEARER: &[u8] = b"Bearer ";

/// Lets through who may come in, counts the request, and tells the handlers who it is.
pub(crate) async fn check(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_public = PUBLIC_PATHS.contains(&path)
        || access_tokens::METADATA_PATHS.contains(&path)
        || (state.settings.console && console::is_public(path));
    let caller = match is_public {
        true => Ok(Caller::nobody()),
        false => {
            let key = key_of(&state, &request);
            let key = key.as_ref().and_then(ShownKey::text);
            let peer = request.extensions().get::<Peer>().cloned();
            match access_tokens::for_path(&state, path) {
                Some(tokens) => identify_by_token(&state, tokens, key, peer.as_ref()).await,
                None => identify(&state, key, peer.as_ref()).await,
            }
        }
    };
    let caller = match caller {
        Ok(caller) => caller,
        Err(refused) => {
            if let Some(tokens) = access_tokens::for_path(&state, path) {
                let shown = request.headers().get(AUTHORIZATION);
                let has_key = shown.and_then(ShownKey::of_header).is_some();
                return access_tokens::refusal(tokens, has_key, refused);
            }
            let may_log_in = state.settings.console && refused.code() == Code::Unauthorized;
            let login = may_log_in.then(|| console::login_page(&request)).flatten();
            return login.unwrap_or_else(|| refused.into_response());
        }
    };
    let needed = match is_public {
        true => &[],
        false => scopes::needed_by_console(request.method(), request.uri().path()),
    };
    if let Err(refused) = caller.require(needed) {
        request.extensions_mut().insert(caller);
        return refusal(&state, request, refused);
    }
    let rate = caller
        .identity()
        .and_then(|identity| state.tenants.take_request(&identity.tenant));
    request.extensions_mut().insert(caller);
    let mut response = match rate.and_then(over) {
        Some(refused) => refusal(&state, request, refused),
        None => next.run(request).await,
    };
    if let Some(rate) = rate {
        show_rate(&mut response, &rate);
    }
    response
}

/// A refusal, as a page where a person looks at the console.
fn refusal(state: &AppState, request: Request, refused: ApiError) -> Response {
    let page = match state.settings.console {
        true => console::refusal_page(request, refused),
        false => Err(refused),
    };
    page.unwrap_or_else(IntoResponse::into_response)
}

/// The key that a request shows, or that of the session of a page of the console.
fn key_of(state: &AppState, request: &Request) -> Option<ShownKey> {
    let headers = request.headers();
    let shown = headers.get(AUTHORIZATION).and_then(ShownKey::of_header);
    let may_use_session = shown.is_none() && console::may_use_session(request.method(), headers);
    let session = || state.sessions.key(headers).map(ShownKey::Session);
    shown.or_else(|| may_use_session.then(session).flatten())
}

fn over(rate: RateState) -> Option<ApiError> {
    let wait = rate.retry_after?;
    let text = format!(
        "this tenant may send {} requests a minute, and has sent them",
        rate.limit
    );
    Some(ApiError::new(Code::RateLimited, text).again_after(wait))
}

/// Who sends a request.
///
/// # Errors
/// When the key is missing or wrong, or the address has presented too many wrong ones. A made key is checked even then,
/// since it cannot be guessed, so that guesses do not lock others out behind the same proxy.
pub(crate) async fn identify(
    state: &AppState,
    key: Option<&str>,
    peer: Option<&Peer>,
) -> Result<Caller, ApiError> {
    if let Some(key) = key.filter(|key| key_text::looks_like_one(key)) {
        let known = peer.and_then(|peer| peer.known_key(&state.tenants, key));
        if known.is_some() {
            return Ok(Caller::new(known));
        }
        if let Some(checked) = state.tenants.authenticate(key).await? {
            let identity = checked.identity().clone();
            if let Some(peer) = peer {
                peer.remember_key(checked);
            }
            return Ok(Caller::new(Some(identity)));
        }
    }
    let (address, now) = (peer.map(Peer::address), Instant::now());
    let wait = address.and_then(|address| state.guesses.wait(address, now));
    let has_issuer = state.app.tokens.is_some();
    if has_issuer || !state.keys.is_empty() || state.tenants.have_keys().await? {
        if wait.is_none()
            && let Some(caller) = state.keys.caller(key)
        {
            return Ok(caller);
        }
    } else {
        return Ok(Caller::new(None));
    }
    if key.is_some()
        && let Some(refused) = count_guess(state, address, now)
    {
        return Err(refused);
    }
    let text = "a valid API key is needed; send it as 'Authorization: Bearer KEY'";
    Err(ApiError::new(Code::Unauthorized, text))
}

/// Who shows a token, or a key.
///
/// # Errors
/// When it opens nothing. What the issuer has not signed counts as a wrong key.
async fn identify_by_token(
    state: &AppState,
    tokens: &AccessTokens,
    shown: Option<&str>,
    peer: Option<&Peer>,
) -> Result<Caller, ApiError> {
    let Some(token) = shown.filter(|shown| AccessTokens::looks_like_one(shown)) else {
        return identify(state, shown, peer).await;
    };
    let refused = match tokens.identify(&state.tenants, token).await {
        Ok(identity) => return Ok(Caller::new(Some(identity))),
        Err(refused) => refused,
    };
    let slowed = match refused {
        TokenRefusal::Forged => count_guess(state, peer.map(Peer::address), Instant::now()),
        TokenRefusal::Invalid(_) | TokenRefusal::Unavailable(_) => None,
    };
    let code = match refused {
        TokenRefusal::Unavailable(_) => Code::StoreUnavailable,
        TokenRefusal::Forged | TokenRefusal::Invalid(_) => Code::Unauthorized,
    };
    Err(slowed.unwrap_or_else(|| ApiError::new(code, refused.to_string())))
}

/// Counts a wrong key of an address; the refusal of one that has presented too many.
fn count_guess(state: &AppState, address: Option<IpAddr>, now: Instant) -> Option<ApiError> {
    metrics::wrong_key();
    let wait = address.and_then(|address| state.guesses.wait(address, now));
    if let Some(wait) = wait {
        let text = "too many wrong keys came from this address; wait before the next one";
        return Some(ApiError::new(Code::RateLimited, text).again_after(wait));
    }
    if let Some(address) = address {
        state.guesses.count(address, now);
    }
    None
}

/// Refuses a request whose caller lacks the scopes of its route.
pub(crate) async fn require(
    State(any_of): State<&'static [Scope]>,
    Extension(caller): Extension<Caller>,
    request: Request,
    next: Next,
) -> Response {
    match caller.require(any_of) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}
