//! One page whose tools are chosen: opened, worked on by a plan, read, told.

use browser::{Profile, Visit};
use extract::asking::Seen;
use plans::{self, Report, Standing, StepStatus};
use serde_json::{Map, Value, json};
use tokio::time::Instant;
use tools::{Grant, ToolContext};
use url::Url;
use wire::Code;
use wire::scrape::{RegistryCall, ScrapeError, ScrapeRequest, Step, StepDetail, call_message};

use super::decide::{self, Chosen};
use super::observe::Observer;
use super::page::{self, PageResult, Teller, refused};
use super::{picture, rows};
use crate::asking::Asker;
use crate::cancel::Cancelled;
use crate::services::AgentServices;
use crate::tooling::{self, plugins};

/// What there is to do on a page beside reading it.
#[derive(Clone)]
pub(crate) enum Task {
    /// A plan is to be made from the instructions, if they ask for any tool.
    Choose,
    /// This plan.
    Run(Box<plans::CheckedPlan>),
}

/// Whether the instructions of a request may ask for tools at all.
pub(super) fn is_wanted(request: &ScrapeRequest, services: &AgentServices) -> bool {
    decide::is_wanted(request, services)
}

/// Works on a page and reads it. Without an address the tools work on nothing but their parameters.
///
/// # Errors
/// When the run is over.
pub(super) async fn visit(
    teller: &mut Teller<'_>,
    request: &ScrapeRequest,
    services: &AgentServices,
    (asker, meter): (Option<&Asker>, &llm::Meter),
    address: Option<&Url>,
    task: &Task,
) -> Result<PageResult, Cancelled> {
    let (index, name) = (teller.index, teller.url.clone());
    let cancel = teller.run.cancel_signal().token().clone();
    let given = matches!(task, Task::Run(_));
    // Pages that the tools find are not pages that a person named.
    let robots = if given {
        net::RobotsMode::Ignore
    } else {
        net::RobotsMode::Obey
    };
    let profile = Profile {
        granted: services.granted.clone(),
        cancel,
        robots,
        ..Profile::default()
    };
    let grant = if given {
        Grant::default()
    } else {
        grant(request, services, address)
    };
    let mut context = tooling::context(services, profile.clone(), meter, grant);
    let mut visit = None;
    if let Some(address) = address {
        match open(teller, services, &mut context, profile, address).await? {
            Ok(opened) => visit = Some(opened),
            Err(failed) => return Ok(failed),
        }
    }
    if let Some(visit) = &visit
        && let Some(error) = refused(visit, &name)
    {
        return Ok(PageResult::failed(index, &name, error));
    }
    if visit.is_some() {
        parse(teller, &mut context, index).await?;
    }
    let chosen = match task {
        Task::Run(plan) => Ok(Chosen::given((**plan).clone())),
        Task::Choose => {
            let place = visit.as_ref().map(|visit| &visit.url).or(address);
            teller
                .run
                .until_cancelled(decide::choose(request, services, place, &mut context, meter))
                .await?
        }
    };
    let mut result = PageResult {
        index,
        url: name.clone(),
        ..PageResult::default()
    };
    if let Some(visit) = &visit {
        result.warnings = visit
            .warnings
            .iter()
            .map(|warning| warning.text().to_owned())
            .collect();
    }
    let mut report = None;
    match chosen {
        Ok(chosen) => report = Some(work(teller, services, index, chosen, &mut context).await?),
        Err(Some(trouble)) => result.warnings.push(format!(
            "the model gave no plan that can run, and no tool's trigger matches; the page was read without tools ({trouble})"
        )),
        Err(None) => {}
    }
    let facts = plans::make::shape(&request.instructions, address);
    if let Some(report) = &report {
        let columns = rows::columns(request, &facts);
        result.rows = report
            .answer
            .as_ref()
            .and_then(|answer| rows::rows(answer, &columns, facts.count))
            .map(Value::Array);
        result.answer = report.answer.clone().filter(|_| result.rows.is_none());
        result.plan = Some(brief(report));
    }
    if given
        && report
            .as_ref()
            .is_some_and(|report| report.verdict.status == Standing::Failed)
    {
        let reasons = report
            .iter()
            .flat_map(|it| it.reasons.iter().chain(&it.verdict.issues))
            .cloned();
        let text = reasons.collect::<Vec<_>>().join("; ");
        result.error = Some(ScrapeError::new(Code::ToolFailed, text, Some(name)));
        return Ok(result);
    }
    if address.is_some() && !given {
        match teller.run.until_cancelled(context.page()).await? {
            Ok(page) => {
                // Taken of the page that is read, before reading it gives the page time to change.
                let picture = match (request.screenshot, context.tab().await) {
                    (true, Ok(tab)) => Some(teller.run.until_cancelled(picture::take(tab)).await?),
                    _ => None,
                };
                let read =
                    page::reading(teller, request, services, asker, page, seen(report.as_ref())).await?;
                result = PageResult {
                    // What the plan gave stands; a shape that was asked for comes before it.
                    rows: read.rows.or(result.rows),
                    answer: result.answer,
                    plan: result.plan,
                    warnings: result.warnings.into_iter().chain(read.warnings).collect(),
                    ..read
                };
                if let Some(picture) = picture {
                    picture::keep(picture, services.screenshots.as_deref(), &mut result).await;
                }
                if result.rows.is_some() {
                    result.content = None;
                }
            }
            Err(error) => {
                result.error = Some(ScrapeError::new(
                    tooling::code(error.code()),
                    error.to_string(),
                    Some(name),
                ));
            }
        }
    }
    if let Some(mut tab) = context.take_tab() {
        tab.close().await;
    }
    Ok(result)
}

/// To look and to leaf through the sites of the request, with the tools that its plugins stand for.
fn grant(request: &ScrapeRequest, services: &AgentServices, address: Option<&Url>) -> Grant {
    Grant {
        tools: plugins::allowed(&request.enable_plugins, &services.tools),
        ..Grant::reading(address)
    }
}

/// Opens the page in a tab that the tools go on with. A page that a person named is opened even where robots.txt keeps
/// crawlers out; then the tools find no further ones.
async fn open(
    teller: &mut Teller<'_>,
    services: &AgentServices,
    context: &mut ToolContext,
    profile: Profile,
    address: &Url,
) -> Result<Result<Visit, PageResult>, Cancelled> {
    let going = async {
        let mut tab = services.browser.open(profile.clone()).await?;
        match tab.goto(address).await {
            Err(browser::Error::Net(net::Error::RobotsDisallowed)) => {
                let plain = Profile {
                    robots: net::RobotsMode::Ignore,
                    ..profile
                };
                let mut tab = services.browser.open(plain).await?;
                let visit = tab.goto(address).await?;
                Ok((visit, tab))
            }
            visit => visit.map(|visit| (visit, tab)),
        }
    };
    Ok(teller
        .opening(services.browser.name(), going)
        .await?
        .map(|(visit, tab)| {
            context.give_tab(tab);
            // A redirect that the person's own address made is a part of what was asked for.
            context.grant.admit(&visit.url);
            visit
        }))
}

/// Takes the page in, as a call of the house itself: the pattern of the stream that names and describes the tool.
async fn parse(teller: &mut Teller<'_>, context: &mut ToolContext, index: usize) -> Result<(), Cancelled> {
    let call = |result: Option<Value>| RegistryCall {
        tool_name: "html.parse".into(),
        tool_description: "Reads the page into a tree of elements.".into(),
        parameters: Map::new(),
        result: result.and_then(|result| result.as_object().cloned()),
    };
    let id = format!("call-{index}-0");
    let running = StepDetail::RegistryCall(call(None));
    teller
        .say(Step::running(running, call_message("html.parse", &Map::new(), None)).of_call(id.clone()))
        .await?;
    let began = Instant::now();
    let step = match teller.run.until_cancelled(context.page()).await? {
        Ok(page) => {
            let elements = page.dom().nodes().filter(|node| node.is_element()).count();
            let done = call(Some(json!({"elements": elements, "bytes": page.html().len()})));
            let message = call_message("html.parse", &Map::new(), done.result.as_ref());
            Step::completed(StepDetail::RegistryCall(done), message)
        }
        Err(error) => Step::failed(StepDetail::RegistryCall(call(None)), error.to_string()),
    };
    teller.say(step.of_call(id).took(began.elapsed())).await
}

/// Tells the decision, runs the plan, tells the verdict.
async fn work(
    teller: &mut Teller<'_>,
    services: &AgentServices,
    index: usize,
    mut chosen: Chosen,
    context: &mut ToolContext,
) -> Result<Report, Cancelled> {
    if let Some(trouble) = &chosen.trouble {
        recover(
            teller,
            trouble.clone(),
            "the model gave no plan; the triggers made one",
        )
        .await?;
    }
    let run = teller.run.clone();
    let (start, mut calls) = (context.url(), 0);
    loop {
        let tool_calls = chosen.calls();
        let message = format!("Agent selected {} runtime tools", tool_calls.len());
        teller
            .say(Step::completed(StepDetail::Decision { tool_calls }, message))
            .await?;
        let mut observer = Observer::new(teller, index, calls);
        let report = run
            .until_cancelled(plans::execute(
                &chosen.checked,
                &services.tools,
                context,
                &mut observer,
            ))
            .await?;
        calls = observer.calls()?;
        let vain = report.verdict.status == Standing::Failed
            || report.answer.as_ref().is_none_or(rows::holds_nothing);
        match chosen.second() {
            Some(second) if vain => {
                let reasons = report.reasons.iter().chain(&report.verdict.issues);
                let mut reasons = reasons.cloned().collect::<Vec<_>>().join("; ");
                if reasons.is_empty() {
                    "it found nothing".clone_into(&mut reasons);
                }
                recover(teller, reasons, "the model's plan failed; the triggers made one").await?;
                if let Some(start) = start.as_ref().filter(|it| context.url().as_ref() != Some(*it)) {
                    // Where it cannot be opened again, the tools say so.
                    let _ = run.until_cancelled(context.goto(start)).await?;
                }
                chosen = second;
            }
            _ => return Ok(report),
        }
    }
}

/// Tells that the triggers take over from the model.
async fn recover(teller: &mut Teller<'_>, reason: String, text: &str) -> Result<(), Cancelled> {
    let attempt = "the triggers of the tools".into();
    teller
        .say(Step::completed(StepDetail::Recover { reason, attempt }, text))
        .await
}

/// What the tools found, for the model that reads the page.
fn seen(report: Option<&Report>) -> Vec<Seen> {
    let steps = report.into_iter().flat_map(|it| &it.steps);
    steps
        .filter_map(|step| {
            let result = match step.status {
                StepStatus::Completed => Ok(step.data.clone().unwrap_or_default()),
                StepStatus::Failed => Err(step.error.clone().unwrap_or_default()),
                StepStatus::Skipped => return None,
            };
            Some(Seen {
                tool: step.tool.clone(),
                parameters: step.parameters.clone(),
                result,
            })
        })
        .collect()
}

/// What a reader of the result should know of the plan.
fn brief(report: &Report) -> Value {
    let steps: Vec<Value> = report
        .steps
        .iter()
        .map(|step| {
            let mut told =
                json!({"id": step.id, "tool": step.tool, "status": step.status, "duration_ms": step.duration_ms});
            if let (Some(error), Some(told)) = (&step.error, told.as_object_mut()) {
                told.insert("error".into(), error.clone().into());
            }
            told
        })
        .collect();
    json!({"steps": steps, "used_fallback": report.used_fallback, "reasons": report.reasons, "verdict": report.verdict})
}
