//! The console: pages for people under `/console`, over the same service as the API.
//!
//! Pages are HTML from templates that escape every value, and work without scripts. One script adds what changes while one
//! looks; it writes text by `textContent` alone. The content security policy allows nothing else.

mod assets;
mod audit_page;
mod chart;
mod crawl_page;
mod form_body;
mod live;
mod login;
mod markup;
mod monitors_page;
mod new_run;
mod overview;
mod page;
mod plans;
mod profiles_page;
mod refusal;
mod replay;
mod result_table;
mod row_frames;
mod run_page;
mod runs_page;
mod schema_form;
mod security;
mod shortfalls;
mod snippets;
mod takeover;
mod tenants_page;
mod timeline;
mod tools_page;
mod usage_page;
mod visitor;

use axum::middleware::from_fn;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};

use wire::tenancy::Scope;

use crate::app::AppState;
use crate::auth::Caller;
use crate::response::ApiError;

pub(crate) use refusal::refusal_page;
pub(crate) use row_frames::RowFrames;
pub(crate) use security::{is_public, login_page, may_use_session};

/// The pages and what they send.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/", get(root))
        .route("/console", get(home))
        .route("/console/", get(home))
        .route("/console/login", get(login::show).post(login::log_in))
        .route("/console/logout", post(login::log_out))
        .route("/console/theme", post(login::set_theme))
        .route("/console/assets/{name}", get(assets::serve))
        .route("/console/runs", get(runs_page::show))
        .route("/console/runs/{id}", get(run_page::show))
        .route("/console/runs/{id}/rows", get(run_page::follow))
        .route("/console/runs/{id}/live", get(live::stream))
        .route("/console/runs/{id}/table.csv", get(run_page::csv))
        .route("/console/runs/{id}/cancel", post(run_page::cancel))
        .route("/console/runs/{id}/answer", post(run_page::answer))
        .route("/console/runs/{id}/pause", post(takeover::pause))
        .route("/console/runs/{id}/act", post(takeover::act))
        .route("/console/runs/{id}/resume", post(takeover::resume))
        .route("/console/questions/{id}", get(run_page::question))
        .route("/console/new", get(new_run::show).post(new_run::start))
        .route("/console/new/code", post(new_run::code))
        .route("/console/tools", get(tools_page::list))
        .route(
            "/console/tools/{name}",
            get(tools_page::show).post(tools_page::run),
        )
        .route("/console/plans", get(plans::show).post(plans::act))
        .route("/console/crawls", get(crawl_page::list))
        .route("/console/crawls/{id}", get(crawl_page::show))
        .route("/console/crawls/{id}/counts", get(crawl_page::counts))
        .route(
            "/console/monitors",
            get(monitors_page::list).post(monitors_page::create),
        )
        .route(
            "/console/monitors/{id}",
            get(monitors_page::show).post(monitors_page::act),
        )
        .route(
            "/console/profiles",
            get(profiles_page::list).post(profiles_page::create),
        )
        .route("/console/profiles/{name}/delete", post(profiles_page::delete))
        .route("/console/usage", get(usage_page::show))
        .route(
            "/console/tenants",
            get(tenants_page::list).post(tenants_page::create),
        )
        .route(
            "/console/tenants/{name}",
            get(tenants_page::show).post(tenants_page::change),
        )
        .route("/console/tenants/{name}/delete", post(tenants_page::delete))
        .route("/console/audit", get(audit_page::show))
        .route("/console/audit.jsonl", get(audit_page::export))
        .route("/console/tenants/{name}/keys", post(tenants_page::create_key))
        .route(
            "/console/tenants/{name}/keys/{id}",
            post(tenants_page::change_key),
        )
        .route("/console/{*rest}", get(nothing))
        .layer(from_fn(security::protect))
}

/// A browser that asks for the server itself is led to the console; a program is told where the API is.
async fn root(headers: http::HeaderMap) -> Response {
    let accepts = headers.get(http::header::ACCEPT).and_then(|it| it.to_str().ok());
    match accepts.is_some_and(|it| it.contains("text/html")) {
        true => Redirect::to("/console").into_response(),
        false => crate::response::no_such_path().await.into_response(),
    }
}

/// The first page: runs, or tenants for a key that may do nothing but administer.
async fn home(Extension(caller): Extension<Caller>) -> Redirect {
    let administers_only =
        caller.missing(&[Scope::Read]).is_some() && caller.missing(&[Scope::Admin]).is_none();
    Redirect::to(if administers_only {
        "/console/tenants"
    } else {
        "/console/runs"
    })
}

async fn nothing(visitor: visitor::Visitor) -> Response {
    let error = ApiError::new(wire::Code::NotFound, "there is no such page");
    page::refusal(&visitor, error)
}
