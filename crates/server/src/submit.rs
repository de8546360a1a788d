//! Submission of a job that a route has parsed, and the stream of its events.

use axum::response::Response;
use http::HeaderMap;
use runtime::ServiceError;
use runtime::service::attachment::Attachment;
use runtime::service::{Admission, Submission};
use runtime::tenants::Tenants;
use runtime::tenants::admission::AdmittedRun;
use runtime::tenants::usage::RequestMeter;
use runtime::trace_parent;
use wire::run::{JobRequest, RunSpec};
use wire::tenancy::Scope;
use wire::{Audience, Code, LogEntry, sse};

use crate::app::AppState;
use crate::auth::Caller;
use crate::event_stream::Opening;
use crate::response::ApiError;
use crate::run_name::RunName;
use crate::{metrics, prefer, trace_context};

/// The longest idempotency key, in bytes.
pub(crate) const MAX_KEY: usize = 255;

/// Submits a job for the caller, if this process can do it, whose run goes on without its client. A request whose
/// `idempotency-key` names a run of the same caller already gives that run.
pub(crate) async fn submit(
    state: &AppState,
    caller: &Caller,
    headers: &HeaderMap,
    job: JobRequest,
) -> Result<RunName, ApiError> {
    let (run, _) = begin(state, caller, headers, job, true).await?;
    Ok(run)
}

/// Begins the run of a job; a client is attached to it, unless it is detached.
async fn begin(
    state: &AppState,
    caller: &Caller,
    headers: &HeaderMap,
    job: JobRequest,
    detached: bool,
) -> Result<(RunName, Option<Attachment>), ApiError> {
    caller.require(&[Scope::of_run(job.kind())])?;
    let admitted = admitted(&state.tenants, caller).await?;
    let chosen = match &job {
        JobRequest::Scrape(request) => request.session_id.clone(),
        JobRequest::Plan(_)
        | JobRequest::Automate(_)
        | JobRequest::Research(_)
        | JobRequest::Crawl(_)
        | JobRequest::Batch(_) => None,
    };
    let chosen_id = chosen
        .as_ref()
        .map(|id| RunName::chosen(caller, id))
        .transpose()?;
    let options = Submission {
        id: chosen_id.map(|name| name.id),
        idempotency_key: idempotency_key(caller, headers)?,
        admission: Admission {
            priority: priority(headers),
            ..admitted.admission
        },
    };
    let audience = audience(&job, state.settings.audience)?;
    let owner = caller.name();
    state.app.workers.check_for(&owner, &job).await?;
    let trace_parent = trace_context::of_run(headers);
    let spec = RunSpec {
        job,
        owner,
        audience,
        detached,
        trace: trace_parent.as_deref().and_then(trace_parent::trace_id),
        trace_parent,
        budget: admitted.budget,
    };
    let service = &state.app.service;
    let (run, attached) = if detached {
        (service.submit(&spec, options).await?, None)
    } else {
        let (run, attached) = service.submit_attached(&spec, options).await?;
        (run, Some(attached))
    };
    if run.is_new {
        metrics::run(spec.job.kind().as_str());
    }
    Ok((RunName::begun(caller, run.id, chosen.as_ref()), attached))
}

/// Which events a run tells: those that its request names, and at most those that the operator allows.
fn audience(job: &JobRequest, allowed: Audience) -> Result<Audience, ApiError> {
    let JobRequest::Automate(request) = job else {
        return Ok(allowed);
    };
    within(request.audience, allowed)
}

/// The audience that is asked for, where the operator allows as much; what the operator allows where none is named.
pub(crate) fn within(asked: Option<Audience>, allowed: Audience) -> Result<Audience, ApiError> {
    match asked {
        Some(asked) if asked > allowed => {
            let text = format!(
                "audience: this server tells {allowed} events at most; the operator sets HUNTSMAN_EVENTS"
            );
            Err(ApiError::new(Code::InvalidRequest, text))
        }
        asked => Ok(asked.unwrap_or(allowed)),
    }
}

/// What a run of the caller gets; all that there is where no keys are in use.
pub(crate) async fn admitted(tenants: &Tenants, caller: &Caller) -> Result<AdmittedRun, ServiceError> {
    match caller.identity() {
        Some(identity) => tenants.admit(identity).await,
        None => Ok(AdmittedRun::default()),
    }
}

/// Admits work that is done while the client waits, and meters it as `kind`.
pub(crate) async fn metered(
    tenants: &Tenants,
    caller: &Caller,
    kind: &'static str,
) -> Result<RequestMeter, ServiceError> {
    let admitted = admitted(tenants, caller).await?;
    Ok(tenants.meter(caller.identity(), kind, admitted.budget))
}

/// Submits a job and streams its events, framed as its family is. The run does not outlive the client, unless the
/// request asks for that.
pub(crate) async fn stream(
    state: &AppState,
    caller: &Caller,
    headers: &HeaderMap,
    job: JobRequest,
) -> Result<Response, ApiError> {
    let place = state.stream_place(caller)?;
    let family = job.kind().family();
    let detached = prefer::asks_for_async(headers);
    let (run, attached) = begin(state, caller, headers, job, detached).await?;
    let entries = state
        .app
        .service
        .events(caller.sees(), &run.id, 0, state.settings.audience)
        .await?;
    let frame = move |entry: &LogEntry| sse::frame(family, entry);
    let mut response =
        crate::event_stream::stream(state, run, entries, frame, attached, place, Opening::Comment);
    if detached {
        prefer::applied(&mut response);
    }
    Ok(response)
}

/// The urgency of a `priority` header (RFC 9218), 0 to 7; the usual one where there is none that can be read.
fn priority(headers: &HeaderMap) -> u8 {
    let given = headers.get("priority").and_then(|it| it.to_str().ok());
    let members = given.into_iter().flat_map(|it| it.split(','));
    let mut urgency = members.filter_map(|member| member.trim().strip_prefix("u="));
    let read = urgency.next_back().and_then(|digit| digit.parse().ok());
    read.filter(|urgency| *urgency <= 7)
        .unwrap_or(Admission::USUAL_PRIORITY)
}

/// The client's own name for this request, apart from those of other clients.
fn idempotency_key(caller: &Caller, headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(key) = headers.get("idempotency-key") else {
        return Ok(None);
    };
    match key.to_str() {
        Ok(key) if !key.is_empty() && key.len() <= MAX_KEY => Ok(Some(format!("{}:{key}", caller.name()))),
        _ => {
            let text = format!("idempotency-key: must be 1 to {MAX_KEY} plain characters");
            Err(ApiError::new(Code::InvalidRequest, text))
        }
    }
}
