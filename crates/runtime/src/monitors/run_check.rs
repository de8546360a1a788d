//! Checks that are runs: a scrape or a research question of a monitor, followed to its end.

use std::time::Duration;

use agents::watch::{self, WatchedContent};
use jiff::{SignedDuration, Timestamp};
use wire::Code;
use wire::monitors::{CreateMonitor, WatchTarget};
use wire::run::{JobRequest, RunDetail, RunSpec, RunStatus};
use wire::scrape::OutputFormat;

use super::records::{self, StoredMonitor};
use crate::dispatch;
use crate::error::ServiceError;
use crate::service::{Service, Submission};
use crate::tenants::admission::AdmittedRun;

/// How often a run is looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);
/// Longest time that a run is waited for.
const LONGEST: SignedDuration = SignedDuration::from_hours(24);

/// The job of a monitor whose checks are runs.
pub(super) fn job(monitor: &StoredMonitor) -> Option<JobRequest> {
    match monitor.request.target() {
        WatchTarget::Page(_) | WatchTarget::Map(_) => None,
        WatchTarget::Scrape(request) => {
            let mut request = request.clone();
            request.fetch.nocache = Some(true);
            // The entries of a list are read as rows, which have the columns.
            if request.columns.is_some() && request.output_format == OutputFormat::Json {
                request.output_format = OutputFormat::Csv;
            }
            Some(JobRequest::Scrape(request))
        }
        WatchTarget::Research(request) => {
            let mut request = request.clone();
            request.nocache = true;
            Some(JobRequest::Research(request))
        }
    }
}

/// Does the run of a slot: under the same key for each server that takes the slot, so that there is one.
pub(super) async fn run_of_slot(
    service: &Service,
    services: &agents::services::AgentServices,
    monitor: &StoredMonitor,
    job: JobRequest,
    admitted: AdmittedRun,
) -> Result<WatchedContent, ServiceError> {
    dispatch::check(&job, services)?;
    let (owner, id, due) = (&monitor.owner, &monitor.id, monitor.due);
    let options = Submission {
        id: None,
        idempotency_key: Some(format!("{owner}:monitor {id} {}", due.as_millisecond())),
        admission: admitted.admission,
    };
    let spec = RunSpec {
        owner: owner.clone(),
        detached: true,
        budget: admitted.budget,
        ..RunSpec::new(job)
    };
    let run = service.submit(&spec, options).await?.id;
    let began = Timestamp::now();
    while !service.run_summary(None, &run).await?.status.is_final() {
        if Timestamp::now() > began + LONGEST {
            let text = format!("the run {run} has not ended within {} h", LONGEST.as_hours());
            return Err(ServiceError::new(Code::TaskExecutionFailed, text));
        }
        if !records::is_due_still(service.store(), monitor).await? {
            service.cancel(None, &run).await?;
            let text =
                format!("the run {run} was cancelled, since its monitor was paused, changed or deleted");
            return Err(ServiceError::new(Code::TaskAborted, text));
        }
        tokio::time::sleep(LOOK_INTERVAL).await;
    }
    let ended = service.run(None, &run).await?;
    content(&spec.job, &named_fields(&monitor.request), &ended)
}

/// The columns of a scrape that is watched, and what else of its entries the monitor names; none where there are no columns.
fn named_fields(request: &CreateMonitor) -> Vec<String> {
    let WatchTarget::Scrape(scrape) = request.target() else {
        return Vec::new();
    };
    let columns = scrape.columns.as_deref().unwrap_or_default();
    let conditions = request.conditions.iter().map(|condition| &condition.field);
    let others = conditions.chain(&request.key).filter(|_| !columns.is_empty());
    columns.iter().chain(others).cloned().collect()
}

fn content(job: &JobRequest, fields: &[String], ended: &RunDetail) -> Result<WatchedContent, ServiceError> {
    let run = &ended.summary.id;
    if ended.summary.status != RunStatus::Completed {
        let why = ended
            .error
            .as_ref()
            .map_or("it was stopped", |error| error.message.as_str());
        let code = ended
            .error
            .as_ref()
            .map_or(Code::TaskExecutionFailed, |error| error.code);
        return Err(ServiceError::new(
            code,
            format!("the run {run} gave nothing: {why}"),
        ));
    }
    let result = ended.result.as_ref().unwrap_or(&serde_json::Value::Null);
    let content = match job {
        JobRequest::Research(_) => watch::of_research(result),
        _ => watch::of_scrape(result, fields),
    };
    content.map_err(ServiceError::from)
}
