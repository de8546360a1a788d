//! One page on which tools work before it is read: opened in a tab, acted on by a plan, read.

use std::sync::Arc;

use browser::{Profile, Visit};
use extract::llm_extraction::ToolFinding;
use plans::triggers::InstructionFacts;
use plans::{PlanReport, PlanStepStatus, VerdictStatus};
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use tools::{Grant, ToolContext};
use url::Url;
use wire::scrape::{RegistryCall, ScrapeError, ScrapeRequest, ScrapeStep, StepDetail, call_message};

use super::load::{load_error, login_error, login_warning};
use super::page_reading::{self, PageServices};
use super::page_result::PageResult;
use super::plan_choice::{self, ChosenPlan};
use super::plan_steps::PlanStepEmitter;
use super::step_emitter::StepEmitter;
use super::{rows, rule_reading, screenshot};
use crate::cancel::Cancelled;
use crate::run_error::RunError;
use crate::services::AgentServices;
use crate::tooling::{self, plugins};

/// Works on a page with the tools that its instructions ask for, and reads it.
///
/// # Errors
/// When the run is over, or the page could not be opened.
pub(super) async fn read(
    with: PageServices<'_>,
    steps: &mut StepEmitter<'_>,
    request: &ScrapeRequest,
    address: &Url,
) -> Result<PageResult, RunError> {
    let services = with.services;
    let (mut context, profile) = context(with, request, address);
    let visit = open(steps, services, &mut context, profile, address).await?;
    let login = check_login(services, address, &visit, &mut context).await;
    if let Some(error) = login.or_else(|| load_error(&visit, &steps.url)) {
        return Ok(PageResult::failed(steps.index, &steps.url, error));
    }
    let instead = match context.page().await {
        Ok(page) if services.session.profile.is_none() => login_warning(services, address, &visit, &page),
        _ => None,
    };
    let mut result = work(with, steps, request, context, &visit).await?;
    result.warnings.splice(0..0, instead);
    Ok(result)
}

/// Works on a page that is loaded already with the tools that need no tab, and reads it.
///
/// # Errors
/// When the run is over.
pub(crate) async fn read_loaded(
    with: PageServices<'_>,
    steps: &mut StepEmitter<'_>,
    request: &ScrapeRequest,
    visit: &Visit,
    page: Arc<::page::Page>,
) -> Result<PageResult, RunError> {
    let (context, _) = context(with, request, &visit.url);
    work(with, steps, request, context.with_page(page), visit).await
}

/// What the tools of a page work with, and how their tabs behave.
fn context(with: PageServices<'_>, request: &ScrapeRequest, address: &Url) -> (ToolContext, Profile) {
    let services = with.services;
    // Pages that the tools find are not pages that a person named.
    let profile = profile(with, net::RobotsMode::Obey);
    let grant = Grant {
        tools: plugins::for_request(&request.enable_plugins, &request.selected_agents, &services.tools),
        ..Grant::reading([address])
    };
    let context = tooling::context(services, profile.clone(), with.meter, grant);
    (context, profile)
}

/// Chooses the tools, runs them, and reads the page as they left it.
async fn work(
    with: PageServices<'_>,
    steps: &mut StepEmitter<'_>,
    request: &ScrapeRequest,
    mut context: ToolContext,
    visit: &Visit,
) -> Result<PageResult, RunError> {
    let services = with.services;
    parse(steps, &mut context).await?;
    let choice = plan_choice::choose(request, services, Some(&visit.url), &mut context, with.meter);
    let (facts, chosen) = with.run.until_cancelled(choice).await?;
    let mut result = PageResult {
        index: steps.index,
        url: steps.url.clone(),
        warnings: page_reading::warnings(visit).collect(),
        ..PageResult::default()
    };
    let mut report = None;
    match chosen {
        Ok(chosen) => report = Some(execute(steps, services, chosen, &mut context).await?),
        Err(Some(reason)) => result.warnings.push(format!(
            "the model gave no plan that can run, and no tool's trigger matches; the page was read without tools ({reason})"
        )),
        Err(None) => {}
    }
    match &mut report {
        Some(report) => {
            let columns = rows::columns(request, &facts);
            if let Some(answer) = &mut report.answer {
                tools::rows::columns::add_columns(answer, &columns, &context);
            }
            let answer = report.answer.clone().unwrap_or_default();
            for column in rows::missing_columns(&answer, &columns) {
                report.verdict.add_missing_column(&column);
            }
            if let Some(place) = unread_part(&facts, &answer, &mut context).await {
                let rows = answer.as_array().map_or(0, Vec::len);
                match facts.wants_more_pages(rows) {
                    true => report.verdict.add_unread_part(&place),
                    false => result.warnings.push(plans::unread_part(&place)),
                }
            }
            add_report(&mut result, report, &columns, facts.count);
        }
        None => {
            result.plan = plan_choice::verdict_without_plan(&facts, request, services, with.model.is_some())
        }
    }
    let mut result = read_after_tools(with, steps, request, &mut context, result, report.as_ref()).await?;
    if report.is_none() && with.model.is_none() {
        rows::of_item(&mut result, request, &facts);
    }
    if let Some(mut tab) = context.take_tab() {
        tab.close().await;
    }
    Ok(result)
}

/// Where a list goes on of which one page was read, when what fits may stand on others.
async fn unread_part(facts: &InstructionFacts, answer: &Value, context: &mut ToolContext) -> Option<String> {
    let rows = answer.as_array()?.len();
    if !facts.may_have_more(rows) {
        return None;
    }
    match context.pages().await.ok()?.as_slice() {
        [_] => tools::lists::onward(context).await,
        _ => None,
    }
}

/// Why the page that was opened shows that the login of the run's profile has expired.
pub(super) async fn check_login(
    services: &AgentServices,
    requested: &Url,
    visit: &Visit,
    context: &mut ToolContext,
) -> Option<ScrapeError> {
    services.session.profile.as_ref()?;
    let page = context.page().await.ok()?;
    login_error(services, requested, visit, &page)
}

/// Reads the page as the tools left it. What the plan gave stands; a shape that was asked for comes before it.
async fn read_after_tools(
    with: PageServices<'_>,
    steps: &mut StepEmitter<'_>,
    request: &ScrapeRequest,
    context: &mut ToolContext,
    mut result: PageResult,
    report: Option<&PlanReport>,
) -> Result<PageResult, RunError> {
    let page = match with.run.until_cancelled(context.page()).await? {
        Ok(page) => page,
        Err(error) => {
            let code = tooling::code(error.code());
            result.error = Some(ScrapeError::new(
                code,
                error.to_string(),
                Some(result.url.clone()),
            ));
            return Ok(result);
        }
    };
    // Taken of the page that is read, before reading it gives the page time to change.
    let picture = match (screenshot::is_wanted(request), context.tab().await) {
        (true, Ok(tab)) => Some(with.run.until_cancelled(screenshot::take(tab)).await?),
        _ => None,
    };
    let mut read = page_reading::extract(with, steps, request, Arc::clone(&page), findings(report)).await?;
    if let (Some(schema), Some(rows), None) = (&request.schema, &result.rows, with.model) {
        rule_reading::fill_from_rows(&page, &mut read, schema, rows);
    }
    // What the tools chose stands before all that the page has, unless the request gives the shape of its result.
    let rows = match request.schema {
        Some(_) => read.rows.or(result.rows),
        None => result.rows.or(read.rows),
    };
    let mut result = PageResult {
        rows,
        answer: result.answer,
        plan: result.plan,
        warnings: result.warnings.into_iter().chain(read.warnings).collect(),
        ..read
    };
    if let Some(picture) = picture {
        screenshot::save(picture, with.services.screenshots.as_deref(), &mut result).await;
    }
    if result.rows.is_some() {
        result.content = None;
    }
    Ok(result)
}

/// Adds what a plan gave: rows where its answer is a list, else the answer, and how the plan went.
pub(super) fn add_report(
    result: &mut PageResult,
    report: &PlanReport,
    columns: &[String],
    most: Option<usize>,
) {
    let answer = report.answer.as_ref();
    result.rows = answer
        .and_then(|answer| rows::rows(answer, columns, most))
        .map(Value::Array);
    result.answer = report.answer.clone().filter(|_| result.rows.is_none());
    result.plan = Some(summary(report));
}

/// How tabs of a page behave.
pub(super) fn profile(with: PageServices<'_>, robots: net::RobotsMode) -> Profile {
    with.services
        .profile(with.run.cancel_signal().token().clone(), robots)
}

/// Opens the page in a tab that the tools go on with. A page that a person named is opened even where robots.txt keeps
/// crawlers out; then the tools find no further ones.
pub(super) async fn open(
    steps: &mut StepEmitter<'_>,
    services: &AgentServices,
    context: &mut ToolContext,
    profile: Profile,
    address: &Url,
) -> Result<Visit, RunError> {
    let navigation = async {
        let began = Instant::now();
        let mut tab = services.browser.open(profile.clone()).await?;
        let (mut visit, mut tab) = match tab.goto(address).await {
            Err(browser::Error::Net(net::Error::RobotsDisallowed)) if !services.pages.obeys_robots() => {
                let plain = Profile {
                    robots: net::RobotsMode::Ignore,
                    ..profile
                };
                let mut tab = services.browser.open(plain).await?;
                (tab.goto(address).await?, tab)
            }
            visit => (visit?, tab),
        };
        services
            .pages
            .settle_content(&mut *tab, &mut visit, began)
            .await?;
        Ok((visit, tab))
    };
    let (visit, tab) = steps.navigate(services.browser.name(), navigation).await?;
    context.give_tab(tab);
    // A redirect that the person's own address made is a part of what was asked for.
    context.grant.admit(&visit.url);
    Ok(visit)
}

/// Parses the page, told as a call of the registry: the form of the stream that names and describes the tool.
pub(super) async fn parse(steps: &mut StepEmitter<'_>, context: &mut ToolContext) -> Result<(), Cancelled> {
    let call = |result: Option<Value>| RegistryCall {
        tool_name: "html.parse".into(),
        tool_description: "Reads the page into a tree of elements.".into(),
        parameters: Map::new(),
        result: result.and_then(|result| result.as_object().cloned()),
    };
    let id = format!("call-{}-0", steps.index);
    let running = StepDetail::RegistryCall(call(None));
    steps
        .emit(ScrapeStep::running(running, call_message("html.parse", &Map::new(), None)).of_call(id.clone()))
        .await?;
    let started = Instant::now();
    let step = match steps.run.until_cancelled(context.page()).await? {
        Ok(page) => {
            let elements = page.dom().nodes().filter(|node| node.is_element()).count();
            let done = call(Some(json!({"elements": elements, "bytes": page.html().len()})));
            let message = call_message("html.parse", &Map::new(), done.result.as_ref());
            ScrapeStep::completed(StepDetail::RegistryCall(done), message)
        }
        Err(error) => ScrapeStep::failed(StepDetail::RegistryCall(call(None)), error.to_string()),
    };
    steps.emit(step.of_call(id).took(started.elapsed())).await
}

/// Emits the decision, runs the plan and emits the verdict.
pub(super) async fn execute(
    steps: &mut StepEmitter<'_>,
    services: &AgentServices,
    mut chosen: ChosenPlan,
    context: &mut ToolContext,
) -> Result<PlanReport, Cancelled> {
    if let Some(reason) = &chosen.model_error {
        recover(
            steps,
            reason.clone(),
            "the model gave no plan; the triggers made one",
        )
        .await?;
    }
    let (run, index) = (steps.run.clone(), steps.index);
    let (start, mut calls) = (context.url(), 0);
    loop {
        let tool_calls = chosen.calls();
        let message = format!("Agent selected {} runtime tools", tool_calls.len());
        steps
            .emit(ScrapeStep::completed(
                StepDetail::Decision { tool_calls },
                message,
            ))
            .await?;
        let mut plan_steps = PlanStepEmitter::new(steps, index, calls);
        let report = run
            .until_cancelled(plans::execute(
                &chosen.checked,
                &services.tools,
                context,
                &mut plan_steps,
            ))
            .await?;
        calls = plan_steps.calls()?;
        let failed = report.verdict.status == VerdictStatus::Failed
            || report.answer.as_ref().is_none_or(rows::is_empty_answer);
        match chosen.take_alternative() {
            Some(alternative) if failed => {
                let reasons = report.reasons.iter().chain(&report.verdict.issues);
                let mut reasons = reasons.cloned().collect::<Vec<_>>().join("; ");
                if reasons.is_empty() {
                    "it found nothing".clone_into(&mut reasons);
                }
                recover(steps, reasons, "the model's plan failed; the triggers made one").await?;
                if let Some(start) = start
                    .as_ref()
                    .filter(|start| context.url().as_ref() != Some(*start))
                {
                    // Where it cannot be opened again, the tools say so.
                    let _ = run.until_cancelled(context.goto(start)).await?;
                }
                chosen = alternative;
            }
            _ => return Ok(report),
        }
    }
}

/// Emits that the plan of the triggers replaces that of the model.
async fn recover(steps: &mut StepEmitter<'_>, reason: String, text: &str) -> Result<(), Cancelled> {
    let attempt = "the triggers of the tools".into();
    steps
        .emit(ScrapeStep::completed(
            StepDetail::Recover { reason, attempt },
            text,
        ))
        .await
}

/// What the tools found, for the model that reads the page.
fn findings(report: Option<&PlanReport>) -> Vec<ToolFinding> {
    let steps = report.into_iter().flat_map(|report| &report.steps);
    steps
        .filter_map(|step| {
            let result = match step.status {
                PlanStepStatus::Completed => Ok(step.data.clone().unwrap_or_default()),
                PlanStepStatus::Failed => Err(step.error.clone().unwrap_or_default()),
                PlanStepStatus::Skipped => return None,
            };
            Some(ToolFinding {
                tool: step.tool.clone(),
                parameters: step.parameters.clone(),
                result,
            })
        })
        .collect()
}

/// The plan of a result: its steps and its verdict.
pub(super) fn summary(report: &PlanReport) -> Value {
    let steps: Vec<Value> = report
        .steps
        .iter()
        .map(|step| {
            let mut summary =
                json!({"id": step.id, "tool": step.tool, "status": step.status, "duration_ms": step.duration_ms});
            if let (Some(error), Some(summary)) = (&step.error, summary.as_object_mut()) {
                summary.insert("error".into(), error.clone().into());
            }
            summary
        })
        .collect();
    json!({"steps": steps, "used_fallback": report.used_fallback, "reasons": report.reasons, "verdict": report.verdict})
}
