//! The page of one run: timeline, result, request and raw events; and what one does to a run there.

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Redirect, Response};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, StatusCode};
use minijinja::{Value, context};
use serde_json::Value as Json;
use wire::input::{FieldValue, FormAnswer};
use wire::run::{RunDetail, RunKind};
use wire::{Audience, Code, LogEntry, RequestId, sse};

use super::form_body::FormBody;
use super::markup;
use super::overview::{RowFilter, RunOverview};
use super::page;
use super::replay;
use super::result_table::{ResultTable, TableOrder};
use super::runs_page::{RunRow, waits_for_a_person};
use super::timeline::indented;
use super::visitor::Visitor;
use crate::app::AppState;
use crate::auth::Caller;
use crate::event_stream::{self, Opening};
use crate::query::{QueryParams, RunPath, number};
use crate::response::ApiError;
use crate::run_name::RunName;

/// Events of a log that are counted; a longer one is told to be cut.
const MAX_COUNTED: u64 = 50_000;
/// Events read at once.
const BATCH: usize = 500;
/// Events on one page of raw events.
const RAW_PAGE: usize = 100;

/// `GET /console/runs/{id}`.
pub(super) async fn show(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    run: Result<RunPath, ApiError>,
    params: QueryParams,
) -> Response {
    let page = async {
        let RunPath(run) = run?;
        let detail = state.app.service.run(caller.sees(), &run.id).await?;
        let view = params.get("view", "timeline, browser, result, request or raw", |it| {
            ["timeline", "browser", "result", "request", "raw"]
                .into_iter()
                .find(|known| *known == it)
        })?;
        let view = view.unwrap_or("timeline");
        let shown = match view {
            "browser" => replay::view(&state, &caller, &run, &detail, &params).await?,
            "result" => result_view(&detail, &params)?,
            "request" => {
                context! { request => indented(&detail.request), kind => detail.summary.kind.as_str() }
            }
            "raw" => raw_view(&state, &caller, &run, &params).await?,
            _ => timeline_view(&state, &caller, &run, &detail, &params).await?,
        };
        let (preview, has_rows) = result_preview(&detail).unzip();
        let row = RunRow {
            id: run.shown().to_string(),
            // The timeline has the question itself.
            asks: view != "timeline" && waits_for_a_person(&state, &caller, &detail.summary).await?,
            ..RunRow::of(&detail)
        };
        let is_late = params
            .get("late", "yes", |it| (it == "yes").then_some(()))?
            .is_some();
        let with = context! { run => page::value(row), view, preview, has_rows, is_late, ..shown };
        Ok(page::render(&visitor, StatusCode::OK, "run.html", with))
    };
    page.await
        .unwrap_or_else(|error: ApiError| page::refusal(&visitor, error))
}

async fn timeline_view(
    state: &AppState,
    caller: &Caller,
    run: &RunName,
    detail: &RunDetail,
    params: &QueryParams,
) -> Result<Value, ApiError> {
    let action = params.get("action", "an action", |it| Some(it.to_owned()))?;
    let only = params.get("only", "failed", |it| (it == "failed").then_some(()))?;
    let around = params.get("seq", "the number of an event", number)?;
    let filter = RowFilter {
        action: action.clone(),
        only_open_or_failed: only.is_some(),
        around,
    };
    let family = detail.summary.kind.family();
    let mut overview = RunOverview::new(filter, detail.summary.created_at.as_millisecond());
    let allowed = state.settings.audience;
    let (mut after, mut is_expired) = (0, false);
    while after < MAX_COUNTED {
        let read = state
            .app
            .service
            .log(caller.sees(), &run.id, after, BATCH, Audience::Internal)
            .await;
        let batch = match read {
            Err(error) if error.code == Code::EventsExpired => {
                is_expired = true;
                break;
            }
            read => read?,
        };
        after = batch.read_to;
        for entry in &batch.entries {
            if entry.audience <= allowed {
                overview.add(family, entry);
            }
            overview.add_cost(entry);
        }
        if batch.is_end {
            break;
        }
    }
    let answered = params.get("answered", "the id of a question", |it| Some(it.to_owned()))?;
    let is_answered = |asked: &Json| answered.is_some() && asked["requestId"].as_str() == answered.as_deref();
    let asks = overview.question().filter(|_| !detail.summary.status.is_final());
    let is_sent = asks.is_some_and(|(_, asked)| is_answered(asked));
    let question = asks
        .filter(|_| !is_sent)
        .map(|(at, asked)| question_context(state, *at, asked));
    Ok(context! {
        overview => page::value(overview.page()), question, is_sent, is_expired, is_cut => after >= MAX_COUNTED,
        action => action.unwrap_or_default(), only_failed => only.is_some(), around => around.unwrap_or_default(),
        read_to => after,
    })
}

/// A question as its form shows it.
fn question_context(state: &AppState, at: i64, asked: &Json) -> Value {
    let time = i64::try_from(state.settings.answer_time.as_millis()).unwrap_or(i64::MAX);
    let deadline = at.saturating_add(time);
    let left = (deadline - jiff::Timestamp::now().as_millisecond()).max(0) / 1000;
    context! { asked => page::value(asked), deadline, left }
}

/// The first words of a result, for the head of the timeline, and whether it has rows.
fn result_preview(detail: &RunDetail) -> Option<(String, bool)> {
    let result = detail.result.as_ref()?;
    let text = match detail.summary.kind {
        RunKind::Crawl | RunKind::Batch => {
            let read = result["crawl"]["read"].as_u64().unwrap_or_default();
            let told = format!("{} {}", page::grouped(read), page::text("run", "pages_read"));
            return Some((told, false));
        }
        RunKind::Scrape | RunKind::Plan => {
            let table = ResultTable::of(result);
            if table.rows.is_empty()
                && let [only] = ResultTable::items(result).as_slice()
                && let Some(facts) = only.facts()
            {
                return Some((super::timeline::one_line(&facts, 400), false));
            }
            let pages = result["extracted_data"]
                .as_object()
                .map_or(0, serde_json::Map::len);
            let counted = |count: usize, one: &str, many: &str| {
                format!(
                    "{count} {}",
                    page::text("run", if count == 1 { one } else { many })
                )
            };
            let rows = counted(table.rows.len(), "row", "rows");
            let told = format!("{rows}, {}", counted(pages, "page", "pages"));
            return Some((told, !table.rows.is_empty()));
        }
        RunKind::Automate => result["finalAnswer"].as_str()?,
        RunKind::Research => result["report"].as_str()?,
    };
    Some((super::timeline::one_line(text, 400), false))
}

fn result_view(detail: &RunDetail, params: &QueryParams) -> Result<Value, ApiError> {
    let column = params.get("sort", "a column", |it| Some(it.to_owned()))?;
    let descends = params.get("dir", "asc or desc", |it| {
        matches!(it, "asc" | "desc").then_some(it == "desc")
    })?;
    let empty = Json::Null;
    let result = detail.result.as_ref().unwrap_or(&empty);
    let mut with = context! { result => indented(result), kind => detail.summary.kind.as_str() };
    match detail.summary.kind {
        RunKind::Scrape | RunKind::Plan | RunKind::Crawl | RunKind::Batch => {
            let mut table = ResultTable::of(result);
            let order = column.map(|column| TableOrder {
                column,
                descends: descends.unwrap_or(false),
            });
            table.sort(order.as_ref());
            let shown = table.page();
            with = context! { table => page::value(shown), items => page::value(ResultTable::items(result)),
            order => order.map(|it| context! { column => it.column, descends => it.descends }), ..with };
        }
        RunKind::Automate => with = context! { answer => result["finalAnswer"].as_str(), ..with },
        RunKind::Research => {
            let blocks = markup::blocks(result["report"].as_str().unwrap_or_default());
            with =
                context! { blocks => page::value(blocks), meta => page::value(&result["metadata"]), ..with };
        }
    }
    Ok(with)
}

async fn raw_view(
    state: &AppState,
    caller: &Caller,
    run: &RunName,
    params: &QueryParams,
) -> Result<Value, ApiError> {
    let wanted = params.get("seq", "the number of an event", number)?.unwrap_or(0);
    let after = params
        .get("after", "the number of an event", number)?
        .unwrap_or(wanted.saturating_sub(5));
    let batch = state
        .app
        .service
        .log(caller.sees(), &run.id, after, RAW_PAGE, state.settings.audience)
        .await?;
    let event = |entry: &LogEntry| {
        let data: Json = serde_json::from_str(&entry.data).unwrap_or_default();
        context! { seq => entry.seq, name => entry.name.as_str(), at => entry.at.as_millisecond(), data => run.show(format!("{data:#}")) }
    };
    let events: Vec<Value> = batch.entries.iter().map(event).collect();
    let next = (!batch.is_end).then_some(batch.read_to);
    let earlier = (after > 0).then(|| after.saturating_sub(RAW_PAGE as u64));
    Ok(context! { events, next, earlier, wanted })
}

/// `GET /console/runs/{id}/rows`: the rows that come, as server-sent events.
pub(super) async fn follow(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
    params: QueryParams,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let asked = params.get("after", "the number of an event, or 0", number)?;
    let seen = headers.get("last-event-id").and_then(|it| it.to_str().ok());
    let after = seen.and_then(sse::last_event_id).or(asked).unwrap_or(0);
    let place = state.stream_place(&caller)?;
    let service = &state.app.service;
    let family = service.run(caller.sees(), &run.id).await?.summary.kind.family();
    let entries = service
        .events(caller.sees(), &run.id, after, state.settings.audience)
        .await?;
    let rows = state.row_frames.of(&run.id, family);
    let frame = move |entry: &LogEntry| rows.frame(entry);
    Ok(event_stream::stream(
        &state,
        run,
        entries,
        frame,
        None,
        place,
        Opening::Retry,
    ))
}

/// `GET /console/runs/{id}/table.csv`.
pub(super) async fn csv(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    RunPath(run): RunPath,
) -> Result<Response, ApiError> {
    let detail = state.app.service.run(caller.sees(), &run.id).await?;
    let table = ResultTable::of(detail.result.as_ref().unwrap_or(&Json::Null));
    let mut response = Response::new(table.csv().into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    let name = format!("attachment; filename=\"{}.csv\"", run.shown());
    if let Ok(name) = HeaderValue::from_str(&name) {
        headers.insert(CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

/// `POST /console/runs/{id}/cancel`.
pub(super) async fn cancel(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    RunPath(run): RunPath,
    _form: FormBody,
) -> Response {
    match state.app.service.cancel(caller.sees(), &run.id).await {
        Ok(_) => Redirect::to(&format!("/console/runs/{}", run.shown())).into_response(),
        Err(error) => page::refusal(&visitor, error.into()),
    }
}

/// `POST /console/runs/{id}/answer`: the values of a question's form, or that there are none.
pub(super) async fn answer(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    RunPath(run): RunPath,
    form: FormBody,
) -> Response {
    let sent: Result<Response, ApiError> = async {
        let unknown = || ApiError::new(Code::NotFound, "no run has asked a question of this id");
        let question = RequestId::parse(form.get("question").unwrap_or_default()).map_err(|_| unknown())?;
        let answer = match form.get("decline") {
            Some(_) => FormAnswer::Cancelled,
            None => FormAnswer::Fields(form.fields().filter_map(field).collect()),
        };
        state
            .app
            .service
            .answer(caller.sees(), &question, &answer)
            .await?;
        Ok(Redirect::to(&format!("/console/runs/{}?answered={question}", run.shown())).into_response())
    }
    .await;
    match sent {
        Ok(response) => response,
        // Answered by somebody else, out of time, or the run has ended; its page says which.
        Err(error) if error.code() == Code::NotFound => {
            Redirect::to(&format!("/console/runs/{}?late=yes", run.shown())).into_response()
        }
        Err(error) => page::refusal(&visitor, error),
    }
}

/// A value of a question's form; its name is the field's ref behind a prefix. What is left empty is not given.
fn field((name, value): (&str, &str)) -> Option<FieldValue> {
    let ref_ = name.strip_prefix("field:")?.to_owned();
    (!value.is_empty()).then(|| FieldValue {
        ref_,
        value: value.to_owned(),
    })
}

/// `GET /console/questions/{id}`: leads to the run that asks.
pub(super) async fn question(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Response {
    let question = RequestId::parse(&id).ok();
    match question.and_then(|it| state.app.service.run_that_asked(&it)) {
        Some(run) => Redirect::to(&format!("/console/runs/{run}#question")).into_response(),
        None => page::refusal(
            &visitor,
            ApiError::new(Code::NotFound, "no run has asked a question of this id"),
        ),
    }
}
