//! The table of endpoints, from which both the router and the OpenAPI document are made.

mod automate;
mod extract;
mod health;
mod research;
mod runs;
mod scrape;
mod tools;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::MethodRouter;
use http::header::X_CONTENT_TYPE_OPTIONS;
use http::{HeaderValue, StatusCode};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::app::AppState;
use crate::{auth, host_origin_guard, request_log, response};

/// One endpoint.
pub(crate) struct Route {
    /// `get`, `post` or `delete`.
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    /// What it does, in one sentence.
    pub(crate) summary: &'static str,
    /// Name of its body's schema.
    pub(crate) takes: Option<&'static str>,
    pub(crate) responds: ResponseKind,
    /// Query parameters, with what each means.
    pub(crate) query: &'static [(&'static str, &'static str)],
    pub(crate) handler: MethodRouter<AppState>,
}

/// The response of an endpoint when it succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResponseKind {
    /// JSON, of a named schema where there is one.
    Json(StatusCode, Option<&'static str>),
    /// Events of a named schema.
    Events(&'static str),
    /// Plain text.
    Text,
}

impl Route {
    fn new(
        method: &'static str,
        path: &'static str,
        summary: &'static str,
        handler: MethodRouter<AppState>,
    ) -> Self {
        Self {
            method,
            path,
            summary,
            takes: None,
            responds: ResponseKind::Json(StatusCode::OK, None),
            query: &[],
            handler,
        }
    }

    fn takes(mut self, schema: &'static str) -> Self {
        self.takes = Some(schema);
        self
    }

    fn responds(mut self, responds: ResponseKind) -> Self {
        self.responds = responds;
        self
    }

    fn query(mut self, query: &'static [(&'static str, &'static str)]) -> Self {
        self.query = query;
        self
    }
}

/// Every endpoint there is.
pub(crate) fn all() -> Vec<Route> {
    let families = [
        health::routes(),
        scrape::routes(),
        automate::routes(),
        extract::routes(),
        research::routes(),
        tools::routes(),
        runs::routes(),
    ];
    families.into_iter().flatten().collect()
}

/// The router, with everything that every request passes.
pub(crate) fn router(state: &AppState) -> Router {
    let routes = all().into_iter().fold(Router::new(), |router, route| {
        // A path is one path, however it ends.
        match route.path {
            "/api/scrape" => router.route("/api/scrape/", route.handler.clone()),
            _ => router,
        }
        .route(route.path, route.handler)
    });
    let no_sniffing = HeaderValue::from_static("nosniff");
    routes
        .fallback(response::no_such_path)
        .method_not_allowed_fallback(response::no_such_method)
        .layer(from_fn_with_state(state.clone(), auth::check))
        .layer(from_fn_with_state(state.clone(), host_origin_guard::check))
        .layer(CatchPanicLayer::custom(response::broken))
        .layer(SetResponseHeaderLayer::if_not_present(
            X_CONTENT_TYPE_OPTIONS,
            no_sniffing,
        ))
        .layer(from_fn(request_log::watch))
        .with_state(state.clone())
}
