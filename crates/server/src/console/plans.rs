//! The page of plans: write one, have it checked, run it.

use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use http::{HeaderMap, StatusCode};
use minijinja::context;
use serde_json::Value as Json;
use wire::RunId;
use wire::run::{JobRequest, PlanRequest};
use wire::tenancy::Scope;

use super::form_body::FormBody;
use super::page;
use super::visitor::Visitor;
use crate::app::AppState;
use crate::auth::Caller;
use crate::query::QueryParams;
use crate::response::ApiError;
use crate::run_name::RunName;
use crate::submit;

/// What the page begins with.
const EXAMPLE: &str = "{\n  \"plan\": [\n    {\"tool\": \"extraction.products_generic\", \"params\": {\"max_results\": 5}}\n  ]\n}";

/// The page's form and what came of it.
#[derive(Default)]
struct PlanForm {
    plan: String,
    url: String,
    words: String,
    /// The answer of a check.
    checked: Option<Json>,
    fault: Option<String>,
}

fn render(visitor: &Visitor, form: PlanForm) -> Response {
    let status = if form.fault.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    let checked = form.checked.map(page::value);
    let with =
        context! { plan => form.plan, url => form.url, words => form.words, checked, fault => form.fault };
    page::render(visitor, status, "plans.html", with)
}

/// `GET /console/plans`: an example, or with `from` the plan of a run.
pub(super) async fn show(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    params: QueryParams,
) -> Response {
    let page = async {
        let from = params.get("from", "a run", |it| RunId::parse(it).ok())?;
        let Some(run) = from else {
            return Ok(render(
                &visitor,
                PlanForm {
                    plan: EXAMPLE.into(),
                    ..PlanForm::default()
                },
            ));
        };
        let run = RunName::named(&caller, run);
        let asked = state.app.service.run(caller.sees(), &run.id).await?.request;
        let url = asked["url"].as_str().unwrap_or_default().to_owned();
        Ok(render(
            &visitor,
            PlanForm {
                plan: format!("{:#}", asked["plan"]),
                url,
                ..PlanForm::default()
            },
        ))
    };
    page.await
        .unwrap_or_else(|error: ApiError| page::refusal(&visitor, error))
}

/// The plan of a form as a request.
fn request(form: &PlanForm) -> Result<PlanRequest, String> {
    let plan: Json =
        serde_json::from_str(&form.plan).map_err(|error| format!("the plan is no JSON: {error}"))?;
    let plan = match plan {
        Json::Array(steps) => serde_json::json!({ "plan": steps }),
        plan => plan,
    };
    let mut body = serde_json::json!({ "plan": plan });
    if !form.url.is_empty() {
        body["url"] = form.url.as_str().into();
    }
    PlanRequest::parse(body.to_string().as_bytes()).map_err(|error| ApiError::from(error).parts().1)
}

/// `POST /console/plans`: checks a plan, runs it, or makes one from words, by the button that was pressed.
pub(super) async fn act(
    State(state): State<AppState>,
    Extension(caller): Extension<Caller>,
    visitor: Visitor,
    headers: HeaderMap,
    form: FormBody,
) -> Response {
    let text = |name: &str| form.get(name).unwrap_or_default().trim().to_owned();
    let mut shown = PlanForm {
        plan: text("plan"),
        url: text("url"),
        words: text("words"),
        ..PlanForm::default()
    };
    let done = match text("do").as_str() {
        "run" => match run(&state, &caller, &headers, &shown).await {
            Ok(run) => return Redirect::to(&format!("/console/runs/{}", run.shown())).into_response(),
            Err(fault) => Err(fault),
        },
        "make" => make(&state, &caller, &mut shown).await,
        _ => check(&state, &caller, &mut shown).await,
    };
    shown.fault = done.err();
    render(&visitor, shown)
}

async fn run(
    state: &AppState,
    caller: &Caller,
    headers: &HeaderMap,
    form: &PlanForm,
) -> Result<RunName, String> {
    let job = JobRequest::Plan(request(form)?);
    let run = submit::submit(state, caller, headers, job).await;
    run.map_err(|error| error.parts().1)
}

async fn check(state: &AppState, caller: &Caller, form: &mut PlanForm) -> Result<(), String> {
    let request = request(form)?;
    let tools = state.app.workers.tools_for(&caller.name()).await;
    form.checked = Some(tools.map_err(|error| error.message)?.check(&request));
    Ok(())
}

/// Makes a plan from words. A model that is asked for it is on the caller's account.
async fn make(state: &AppState, caller: &Caller, form: &mut PlanForm) -> Result<(), String> {
    caller.require(&[Scope::Tools]).map_err(|error| error.parts().1)?;
    let url = Some(form.url.as_str()).filter(|it| !it.is_empty());
    let made = async {
        let meter = submit::metered(&state.tenants, caller, "plan").await?;
        let tools = state.app.workers.tools_for(&caller.name()).await?;
        tools.entering(meter.ledger()).make(&form.words, url).await
    };
    let made = made.await.map_err(|error| error.message)?;
    let plan = made.get("plan").filter(|it| it.is_object()).unwrap_or(&made);
    form.plan = format!("{plan:#}");
    match request(form) {
        Ok(_) => check(state, caller, form).await,
        Err(_) => Ok(()),
    }
}
