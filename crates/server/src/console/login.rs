//! The login, which trades a key for a session, and the choice of colours.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::ORIGIN;
use http::{HeaderMap, StatusCode};
use minijinja::context;
use runtime::config::Secret;
use wire::Code;

use super::form_body::FormBody;
use super::page;
use super::visitor::{THEME, Visitor, return_path, theme};
use crate::app::AppState;
use crate::auth::Peer;
use crate::authentication;
use crate::query::QueryParams;
use crate::response::ApiError;
use crate::sessions::{COOKIES, with_cookie};

/// `GET /console/login`.
pub(super) async fn show(visitor: Visitor, params: QueryParams) -> Result<Response, Response> {
    let next = params.get("next", "a path", |it| Some(it.to_owned()));
    let next = next.map_err(|error| page::refusal(&visitor, error))?;
    Ok(login_form(
        &visitor,
        StatusCode::OK,
        &return_path(next.as_deref()),
        false,
    ))
}

fn login_form(visitor: &Visitor, status: StatusCode, next: &str, is_wrong: bool) -> Response {
    page::render(visitor, status, "login.html", context! { next, is_wrong })
}

/// `POST /console/login`: trades a key for a session.
pub(super) async fn log_in(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    peer: Option<Extension<Peer>>,
    form: FormBody,
) -> Response {
    let next = return_path(form.get("next"));
    let key = form.get("key").unwrap_or_default().trim().to_owned();
    let peer = peer.map(|Extension(peer)| peer);
    if let Err(refused) = authentication::identify(&state, Some(&key), peer.as_ref()).await {
        return match refused.code() {
            Code::Unauthorized => login_form(&visitor, StatusCode::UNAUTHORIZED, &next, true),
            _ => page::refusal(&visitor, refused),
        };
    }
    let begun = key
        .parse::<Secret>()
        .ok()
        .and_then(|key| state.sessions.begin(key).ok());
    let Some(id) = begun else {
        return page::refusal(
            &visitor,
            ApiError::new(Code::Internal, "no session could be begun"),
        );
    };
    let is_https = headers
        .get(ORIGIN)
        .is_some_and(|it| it.as_bytes().starts_with(b"https://"));
    let cookie = match is_https {
        true => format!("{}={id}; Path=/; HttpOnly; SameSite=Strict; Secure", COOKIES[0]),
        false => format!("{}={id}; Path=/; HttpOnly; SameSite=Strict", COOKIES[1]),
    };
    with_cookie(Redirect::to(&next).into_response(), &cookie)
}

/// `POST /console/logout`.
pub(super) async fn log_out(State(state): State<AppState>, headers: HeaderMap, _form: FormBody) -> Response {
    state.sessions.end(&headers);
    let gone = format!("{}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0", COOKIES[1]);
    with_cookie(Redirect::to("/console/login").into_response(), &gone)
}

/// `POST /console/theme`: keeps the colours for this browser.
pub(super) async fn set_theme(form: FormBody) -> Response {
    let cookie = format!(
        "{THEME}={}; Path=/console; SameSite=Strict; Max-Age=31536000",
        theme(form.get("theme"))
    );
    let back = Redirect::to(&return_path(form.get("next"))).into_response();
    with_cookie(back, &cookie)
}
