//! Starting a run: a form for each kind of request, made from its JSON Schema, and the same request as code.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, StatusCode};
use minijinja::context;
use serde_json::{Value as Json, json};
use wire::RunId;
use wire::run::{JobRequest, RunKind};
use wire::scrape::ScrapeRequest;
use wire::site::{BatchRequest, CrawlRequest};
use wire::tabstack::{AutomateRequest, ResearchRequest};

use super::form_body::FormBody;
use super::page;
use super::schema_form::{self, SchemaField};
use super::snippets::{self, Snippets};
use super::visitor::Visitor;
use crate::app::AppState;
use crate::auth::Caller;
use crate::query::QueryParams;
use crate::response::{ApiError, json_response, written};
use crate::run_name::RunName;
use crate::submit;

/// A kind of run that has a form.
struct FormKind {
    kind: RunKind,
    schema: &'static str,
    path: &'static str,
    /// Fields that are always in view.
    main: &'static [&'static str],
}

const KINDS: &[FormKind] = &[
    FormKind {
        kind: RunKind::Scrape,
        schema: "scrape-request",
        path: "/api/scrape/stream",
        main: &["assets", "instructions", "columns", "screenshot"],
    },
    FormKind {
        kind: RunKind::Automate,
        schema: "automate-request",
        path: "/v1/automate",
        main: &["task", "url", "data", "interactive"],
    },
    FormKind {
        kind: RunKind::Research,
        schema: "research-request",
        path: "/v1/research",
        main: &["query", "mode", "sources"],
    },
    FormKind {
        kind: RunKind::Crawl,
        schema: "crawl-request",
        path: "/v1/crawl",
        main: &["url", "limit", "depth", "include", "exclude"],
    },
    FormKind {
        kind: RunKind::Batch,
        schema: "batch-request",
        path: "/v1/batch",
        main: &["urls", "retries"],
    },
];

/// The form of a kind; that of a scrape where there is none.
fn form_kind(name: Option<&str>) -> &'static FormKind {
    let named = KINDS.iter().find(|it| name == Some(it.kind.as_str()));
    named.or(KINDS.first()).unwrap_or(&FALLBACK)
}

static FALLBACK: FormKind = FormKind {
    kind: RunKind::Scrape,
    schema: "scrape-request",
    path: "/api/scrape/stream",
    main: &[],
};

impl FormKind {
    fn fields(&self) -> Vec<SchemaField> {
        let schemas = wire::schema::all();
        let schema = schemas.into_iter().find(|(name, _)| *name == self.schema);
        let mut fields = schema_form::fields(&schema.map(|it| it.1).unwrap_or_default());
        let place = |field: &SchemaField| {
            self.main
                .iter()
                .position(|it| *it == field.name)
                .unwrap_or(usize::MAX)
        };
        fields.sort_by_key(place);
        fields
    }

    fn parse(&self, body: &Json) -> Result<JobRequest, ApiError> {
        let body = body.to_string();
        Ok(match self.kind {
            RunKind::Automate => JobRequest::Automate(AutomateRequest::parse(body.as_bytes())?),
            RunKind::Research => JobRequest::Research(ResearchRequest::parse(body.as_bytes())?),
            RunKind::Crawl => JobRequest::Crawl(CrawlRequest::parse(body.as_bytes())?),
            RunKind::Batch => JobRequest::Batch(BatchRequest::parse(body.as_bytes())?),
            RunKind::Scrape | RunKind::Plan => JobRequest::Scrape(ScrapeRequest::parse(body.as_bytes())?),
        })
    }
}

/// What was wrong with a form.
#[derive(Debug, Clone, Default, serde::Serialize)]
struct FormFault {
    /// The field, where it is one.
    field: String,
    text: String,
}

/// A request as its form holds it, or what is wrong.
fn request(fields: &[SchemaField]) -> Result<Json, FormFault> {
    schema_form::value(fields)
        .map(Json::Object)
        .map_err(|error| FormFault {
            field: error.name,
            text: error.text,
        })
}

fn fault(error: ApiError, fields: &[SchemaField]) -> FormFault {
    let (_, text) = error.parts();
    let named = fields.iter().find(|it| {
        let rest = text.strip_prefix(it.name.as_str());
        rest.is_some_and(|rest| rest.starts_with([':', '[', '.']))
    });
    FormFault {
        field: named.map(|it| it.name.clone()).unwrap_or_default(),
        text,
    }
}

fn render(
    state: &AppState,
    visitor: &Visitor,
    headers: &HeaderMap,
    kind: &FormKind,
    fields: &[SchemaField],
    fault: Option<FormFault>,
    is_copy: bool,
) -> Response {
    let code = request(fields)
        .ok()
        .map(|body| code_of(state, headers, kind, &body));
    let (main, more): (Vec<&SchemaField>, Vec<&SchemaField>) = fields
        .iter()
        .partition(|it| kind.main.contains(&it.name.as_str()));
    let status = if fault.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    let has_more = more
        .iter()
        .any(|it| !it.value.is_empty() && it.value != it.default);
    let with = context! {
        kind => kind.kind.as_str(), kinds => KINDS.iter().map(|it| it.kind.as_str()).collect::<Vec<_>>(),
        main => page::value(main), more => page::value(more), has_more, is_copy,
        fault => fault.map(page::value), code => code.map(page::value),
    };
    page::render(visitor, status, "new.html", with)
}

fn code_of(state: &AppState, headers: &HeaderMap, kind: &FormKind, body: &Json) -> Snippets {
    let text = |name| {
        headers
            .get(name)
            .and_then(|it: &http::HeaderValue| it.to_str().ok())
    };
    let origin = text(ORIGIN)
        .filter(|it| it.starts_with("http"))
        .map(str::to_owned);
    let base = origin.unwrap_or_else(|| format!("http://{}", text(HOST).unwrap_or("127.0.0.1:8787")));
    let needs_key = !state.settings.api_keys.is_empty() || state.sessions.key(headers).is_some();
    snippets::of(&base, kind.path, body, needs_key)
}

/// `GET /console/new`: an empty form, or with `from` the request of a run.
pub(super) async fn show(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    headers: HeaderMap,
    params: QueryParams,
) -> Response {
    let page = async {
        let from = params.get("from", "a run", |it| RunId::parse(it).ok())?;
        let named = params.get("kind", "scrape, automate, research, crawl or batch", |it| {
            Some(it.to_owned())
        })?;
        let mut kind = form_kind(named.as_deref());
        let mut fields = kind.fields();
        let is_copy = from.is_some();
        if let Some(run) = from {
            let run = RunName::named(&caller, run);
            let detail = state.app.service.run(caller.sees(), &run.id).await?;
            if detail.summary.kind == RunKind::Plan {
                return Ok(Redirect::to(&format!("/console/plans?from={}", run.shown())).into_response());
            }
            kind = form_kind(Some(detail.summary.kind.as_str()));
            fields = kind.fields();
            let mut asked = detail.request;
            // The id is taken by the run itself.
            if let Some(map) = asked.as_object_mut() {
                map.remove("session_id");
            }
            schema_form::fill(&mut fields, &asked);
        }
        Ok(render(&state, &visitor, &headers, kind, &fields, None, is_copy))
    };
    page.await
        .unwrap_or_else(|error: ApiError| page::refusal(&visitor, error))
}

/// `POST /console/new`: starts the run and shows it.
pub(super) async fn start(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    headers: HeaderMap,
    form: FormBody,
) -> Response {
    let kind = form_kind(form.get("kind"));
    let mut fields = kind.fields();
    schema_form::fill_from_form(&mut fields, &form);
    let started = async {
        let body = request(&fields)?;
        let refused = |error| fault(error, &fields);
        let job = kind.parse(&body).map_err(refused)?;
        // Who starts a run here watches it from a page, which may be closed.
        submit::submit(&state, &caller, &headers, job)
            .await
            .map_err(refused)
    };
    match started.await {
        Ok(run) => Redirect::to(&format!("/console/runs/{}", run.shown())).into_response(),
        Err(fault) => render(&state, &visitor, &headers, kind, &fields, Some(fault), false),
    }
}

/// `POST /console/new/code`: the form as code, or what is wrong with it, for the page's script.
pub(super) async fn code(
    State(state): State<AppState>,
    headers: HeaderMap,
    form: FormBody,
) -> Result<Response, ApiError> {
    let kind = form_kind(form.get("kind"));
    let mut fields = kind.fields();
    schema_form::fill_from_form(&mut fields, &form);
    let body = request(&fields);
    let checked = body.and_then(|body| match kind.parse(&body) {
        Ok(_) => Ok(body),
        Err(error) => Err(fault(error, &fields)),
    });
    let answer = match checked {
        Ok(body) => json!({"code": written(&code_of(&state, &headers, kind, &body))?}),
        Err(fault) => json!({"fault": fault}),
    };
    Ok(json_response(StatusCode::OK, &answer))
}
