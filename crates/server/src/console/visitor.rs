//! `Visitor`: what every page knows of who looks at it.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use serde::Serialize;
use wire::tenancy::Scope;

use crate::app::AppState;
use crate::auth::Caller;
use crate::sessions::cookie;

/// The cookie of the colours that the visitor chose.
pub(super) const THEME: &str = "huntsman_theme";

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
    /// Whether the key may see runs; whether it may administer.
    reads: bool,
    administers: bool,
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}

impl Visitor {
    /// Who sent a request.
    pub(super) fn of(parts: &Parts) -> Self {
        let path = parts.uri.path();
        let caller = parts.extensions.get::<Caller>();
        let may = |scope| caller.is_some_and(|caller| caller.missing(&[scope]).is_none());
        Self {
            reads: may(Scope::Read),
            administers: may(Scope::Admin),
            theme: theme(cookie(&parts.headers, THEME)),
            here: parts
                .uri
                .path_and_query()
                .map_or("/console", |it| it.as_str())
                .to_owned(),
            section: path.split('/').nth(2).unwrap_or_default().to_owned(),
            has_session: caller.is_some_and(|caller| caller.identity().is_some()),
        }
    }
}

/// The colours that a cookie or a form names.
pub(super) fn theme(chosen: Option<&str>) -> &'static str {
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
