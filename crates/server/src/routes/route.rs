//! `Route`: one endpoint of the table, with what the OpenAPI document says of it.

use axum::routing::MethodRouter;
use http::StatusCode;

use crate::app::AppState;

/// One endpoint.
pub(crate) struct Route {
    /// `get`, `post`, `put` or `delete`.
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    /// What it does, in one sentence.
    pub(crate) summary: &'static str,
    /// Name of its body's schema.
    pub(crate) takes: Option<&'static str>,
    pub(crate) responds: ResponseKind,
    /// Query parameters, with what each means.
    pub(crate) query: &'static [(&'static str, &'static str)],
    /// Whether a run begins, which the headers `idempotency-key` and `prefer` shape.
    pub(crate) starts_run: bool,
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
    /// The bytes of a file.
    Bytes,
}

impl Route {
    pub(super) fn new(
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
            starts_run: false,
            handler,
        }
    }

    pub(super) fn takes(mut self, schema: &'static str) -> Self {
        self.takes = Some(schema);
        self
    }

    pub(super) fn responds(mut self, responds: ResponseKind) -> Self {
        self.responds = responds;
        self
    }

    pub(super) fn starts_run(mut self) -> Self {
        self.starts_run = true;
        self
    }

    pub(super) fn query(mut self, query: &'static [(&'static str, &'static str)]) -> Self {
        self.query = query;
        self
    }
}
