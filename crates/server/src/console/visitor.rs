//! `Visitor`: what every page knows of who looks at it.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::request::Parts;
use serde::Serialize;

use super::form_body::FormBody;
use super::sessions::{cookie, with_cookie};
use crate::app::AppState;

/// The cookie of the colours that the visitor chose.
const THEME: &str = "huntsman_theme";

/// Who looks, and at what.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Visitor {
    /// `light`, `dark`, or `auto` for what the system says.
    theme: &'static str,
    /// The page, with its query.
    here: String,
    /// Which part of the console the page belongs to.
    section: String,
    /// Whether keys are in use, so that one can log out.
    has_session: bool,
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let path = parts.uri.path();
        Ok(Self {
            theme: theme(cookie(&parts.headers, THEME)),
            here: parts
                .uri
                .path_and_query()
                .map_or("/console", |it| it.as_str())
                .to_owned(),
            section: path.split('/').nth(2).unwrap_or_default().to_owned(),
            has_session: !state.settings.api_keys.is_empty() && path != "/console/login",
        })
    }
}

fn theme(chosen: Option<&str>) -> &'static str {
    match chosen {
        Some("light") => "light",
        Some("dark") => "dark",
        _ => "auto",
    }
}

/// A path of the console to go back to; the start where there is none.
pub(super) fn return_path(wanted: Option<&str>) -> String {
    let is_ours = |path: &&str| {
        (*path == "/console" || path.starts_with("/console/"))
            && !path.contains('\\')
            && path.bytes().all(|it| it.is_ascii_graphic())
            && !path.starts_with("/console/login")
    };
    wanted.filter(is_ours).unwrap_or("/console").to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_only_returns_to_pages_of_the_console() {
        assert_eq!(
            return_path(Some("/console/runs?kind=scrape")),
            "/console/runs?kind=scrape"
        );
        let others = [
            "//evil.example",
            "https://evil.example",
            "/console\\evil",
            "/consoleevil",
            "/console/a b",
            "/v1/runs",
            "",
        ];
        for other in others {
            assert_eq!(return_path(Some(other)), "/console", "{other}");
        }
    }
}
