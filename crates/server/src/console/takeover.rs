//! Taking over the browser of a run by plain forms: pause, act, hand back.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use minijinja::{Value, context};
use serde_json::{Map, Value as Json, json};
use wire::run::RunDetail;
use wire::takeover::{PersonAct, ResumeRequest, TakeoverStatus};
use wire::tenancy::Scope;

use super::form_body::FormBody;
use super::page;
use super::visitor::Visitor;
use crate::app::AppState;
use crate::auth::Caller;
use crate::query::RunPath;
use crate::response::ApiError;
use crate::routes::runs;
use crate::run_name::RunName;

/// Keys that a form offers.
const KEYS: [&str; 15] = [
    "Enter",
    "Tab",
    "Shift+Tab",
    "Escape",
    "Space",
    "Backspace",
    "Delete",
    "ArrowDown",
    "ArrowUp",
    "ArrowLeft",
    "ArrowRight",
    "PageDown",
    "PageUp",
    "Home",
    "End",
];

/// What the browser view of a run shows of its takeover; nothing where the visitor cannot take it over here.
pub(super) fn view(state: &AppState, caller: &Caller, run: &RunName, detail: &RunDetail) -> Option<Value> {
    let may_act = caller.missing(&[Scope::Automate]).is_none();
    if detail.summary.status.is_final() || !may_act {
        return None;
    }
    let takeover = state.app.workers.takeover_state(&run.id)?;
    let status = match takeover.status {
        TakeoverStatus::Running => "running",
        TakeoverStatus::Pausing => "pausing",
        TakeoverStatus::Paused => "paused",
    };
    let deadline = takeover.paused_until.map(jiff::Timestamp::as_millisecond);
    let left = deadline.map(|at| (at - jiff::Timestamp::now().as_millisecond()).max(0) / 1000);
    Some(context! {
        status, deadline, left, keys => KEYS, page => page::value(&takeover.page),
    })
}

/// `POST /console/runs/{id}/pause`.
pub(super) async fn pause(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    RunPath(run): RunPath,
    _form: FormBody,
) -> Response {
    let paused = runs::take_over(&state, &caller, &run).await;
    answer(&visitor, &run, paused.map(|_| ()))
}

/// `POST /console/runs/{id}/act`.
pub(super) async fn act(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    RunPath(run): RunPath,
    form: FormBody,
) -> Response {
    let acted = async {
        let body = json!(fields(&form)).to_string();
        let act = PersonAct::parse(body.as_bytes())?;
        state.app.workers.act(caller.sees(), &run.id, act).await?;
        Ok::<_, ApiError>(())
    };
    answer(&visitor, &run, acted.await)
}

/// `POST /console/runs/{id}/resume`.
pub(super) async fn resume(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    RunPath(run): RunPath,
    form: FormBody,
) -> Response {
    let resumed = async {
        let body = json!({"note": form.get("note")}).to_string();
        let ResumeRequest { note } = ResumeRequest::parse(body.as_bytes())?;
        state.app.workers.resume(caller.sees(), &run.id, note).await?;
        Ok::<_, ApiError>(())
    };
    answer(&visitor, &run, resumed.await)
}

/// Back to the view of the browser, or why nothing was done.
fn answer(visitor: &Visitor, run: &RunName, done: Result<(), ApiError>) -> Response {
    match done {
        Ok(()) => {
            Redirect::to(&format!("/console/runs/{}?view=browser#live-view", run.shown())).into_response()
        }
        Err(error) => page::refusal(visitor, error),
    }
}

/// The fields of an act, as the API takes them. What is left empty is not given; a place is that of an image button.
fn fields(form: &FormBody) -> Map<String, Json> {
    let given = form.fields().filter(|(_, value)| !value.is_empty());
    let read = |(name, value): (&str, &str)| {
        let whole = || {
            value
                .parse::<u32>()
                .map_or_else(|_| json!(value), |number| json!(number))
        };
        match name {
            "at.x" => ("x".to_owned(), whole()),
            "at.y" => ("y".to_owned(), whole()),
            "pixels" => (name.to_owned(), whole()),
            "accept" => (name.to_owned(), json!(value == "true")),
            _ => (name.to_owned(), json!(value)),
        }
    };
    given.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_says_what_the_api_takes() {
        let read = |form: FormBody| PersonAct::parse(json!(fields(&form)).to_string().as_bytes());
        let place = read([("action", "click"), ("at.x", "12"), ("at.y", "0")].into());
        let (ref_, x, y) = (None, Some(12), Some(0));
        assert_eq!(place.unwrap(), PersonAct::Click { ref_, x, y });
        let typed = read([("action", "type"), ("ref", ""), ("text", "12")].into());
        let (ref_, text) = (None, "12".to_owned());
        assert_eq!(typed.unwrap(), PersonAct::Type { ref_, text });
        let answered = read([("action", "dialog"), ("accept", "false")].into());
        assert_eq!(answered.unwrap(), PersonAct::Dialog { accept: false });
        assert!(read([("action", "click"), ("at.x", "-1"), ("at.y", "0")].into()).is_err());
    }
}
