//! A plan that the caller wrote, run in the events of a scrape.

use plans::{CheckedPlan, VerdictStatus};
use tokio::time::Instant;
use tools::Grant;
use url::Url;
use wire::scrape::{ScrapeError, ScrapeEvent, ScrapeRequest};
use wire::{Code, LogEntry, RunId};

use super::load::load_error;
use super::page;
use super::page_reading::{self, PageServices};
use super::page_result::PageResult;
use super::plan_choice::ChosenPlan;
use super::step_emitter::StepEmitter;
use super::{address, begin, finish, init, resume, tool_page};
use crate::cancel::Cancelled;
use crate::run::Run;
use crate::run_error::RunError;
use crate::services::AgentServices;
use crate::tooling;

/// What a plan without an address is called in results.
const NO_PAGE: &str = "plan";

/// Runs a plan to its last event, on the page of an address or on none.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub(crate) async fn run_plan(
    run: &Run<ScrapeEvent>,
    id: &RunId,
    plan: &CheckedPlan,
    url: Option<&str>,
    services: &AgentServices,
    earlier: &[LogEntry],
) -> Result<(), Cancelled> {
    let started = Instant::now();
    let name = url.unwrap_or(NO_PAGE).to_owned();
    let mut progress = resume::progress(earlier, 1);
    let meter = services.meter();
    let with = PageServices {
        run,
        services,
        model: None,
        may_need_tools: true,
        meter: &meter,
    };
    // The response and its output are those of a scrape that asks for nothing in particular.
    let format = ScrapeRequest::new(vec![name.clone()], "");
    let outcome = async {
        if earlier.is_empty() {
            init(run, id).await?;
            begin(run, &mut progress, &[], vec![name.clone()], Vec::new()).await?;
        }
        if !progress.unfinished().is_empty() {
            let execution = async |steps: &mut StepEmitter<'_>| execute(with, steps, plan, url).await;
            let (result, tally) = page::in_events(run, name.clone(), (0, 1), execution).await?;
            progress.finish_page(result, &tally);
        }
        Ok(progress.write_output(run, &format).await?)
    };
    let outcome = outcome.await;
    finish(run, id, &format, progress, outcome, started).await
}

/// Opens the page, if there is one, and executes the plan.
async fn execute(
    with: PageServices<'_>,
    steps: &mut StepEmitter<'_>,
    plan: &CheckedPlan,
    url: Option<&str>,
) -> Result<PageResult, RunError> {
    let address: Option<Url> = match url.map(address::address).transpose() {
        Ok(address) => address,
        Err(error) => return Ok(PageResult::failed(steps.index, &steps.url, error)),
    };
    let profile = tool_page::profile(with, net::RobotsMode::Ignore);
    let mut context = tooling::context(with.services, profile.clone(), with.meter, Grant::default());
    let mut result = PageResult {
        index: steps.index,
        url: steps.url.clone(),
        ..PageResult::default()
    };
    if let Some(address) = &address {
        let visit = tool_page::open(steps, with.services, &mut context, profile, address).await?;
        let login = tool_page::check_login(with.services, address, &visit, &mut context).await;
        if let Some(error) = login.or_else(|| load_error(&visit, &steps.url)) {
            return Ok(PageResult::failed(steps.index, &steps.url, error));
        }
        tool_page::parse(steps, &mut context).await?;
        result.warnings = page_reading::warnings(&visit).collect();
    }
    let given = ChosenPlan::given(plan.clone());
    let report = tool_page::execute(steps, with.services, given, &mut context).await?;
    tool_page::add_report(&mut result, &report, &[], None);
    if report.verdict.status == VerdictStatus::Failed {
        let reasons: Vec<String> = report
            .reasons
            .iter()
            .chain(&report.verdict.issues)
            .cloned()
            .collect();
        let error = ScrapeError::new(Code::ToolFailed, reasons.join("; "), Some(steps.url.clone()));
        result.error = Some(error);
        return Ok(result);
    }
    if let Some(mut tab) = context.take_tab() {
        tab.close().await;
    }
    Ok(result)
}
