//! Set-up of a run before its first page: models, settings, plan, browser.

use browser::{BrowserEvent, Profile, Tab};
use llm::{Meter, Role};
use serde_json::json;
use wire::automate::{
    AutomateEvent, BrowserReconnected, CdpEndpointConnected, CdpEndpointCycle, KeySource, TaskSetup,
    TaskTraceContext,
};
use wire::{Code, RunId};

use super::input::{RoleModels, RunInput};
use crate::automate::event_emitter::EventEmitter;
use crate::automate::plan::TaskPlan;
use crate::automate::secrets::shape;
use crate::automate::{model_calls, plan};
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::run_error::{RunError, RunFailure};
use crate::services::AgentServices;

pub(super) fn models(services: &AgentServices, meter: &Meter) -> Result<RoleModels, RunError> {
    let Some(models) = &services.models else {
        let text = "no model is configured: set HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL";
        return Err(RunError::fatal(Code::ModelNotConfigured, text));
    };
    let model = |role| {
        models.seat(role, meter.clone()).map_err(|error| {
            RunError::Fatal(RunFailure {
                name: error.code(),
                ..RunFailure::new(error_codes::model_code(&error), error.to_string())
            })
        })
    };
    Ok(RoleModels {
        planner: model(Role::Planner)?,
        extractor: model(Role::Extractor)?,
        validator: model(Role::Validator)?,
    })
}

pub(super) async fn set_up(
    input: &RunInput<'_>,
    emitter: &EventEmitter<'_>,
    models: &RoleModels,
) -> Result<(), Cancelled> {
    let request = input.request;
    // The caller's trace goes on; without one, this run begins its own.
    let trace_id = match input.trace {
        Some(trace) => trace.to_owned(),
        None => format!("{:032x}", fastrand::u128(1..)),
    };
    let trace = TaskTraceContext { trace_id };
    emitter.emit(AutomateEvent::TaskTraceContext(trace)).await?;
    let settings = input.services.models.as_ref().map(|it| it.settings());
    let facts = input.services.setup;
    let setup = TaskSetup {
        task: request.task.clone(),
        browser_name: input.services.acting().name().to_owned(),
        url: request.url.clone(),
        guardrails: request.guardrails.clone(),
        data: request.data.as_ref().map(shape),
        has_api_key: Some(facts.key_source != KeySource::NotSet),
        key_source: Some(facts.key_source),
        proxy: facts.has_proxy.then(|| "configured".to_owned()),
        pw_cdp_endpoint_count: Some(facts.cdp_endpoints).filter(|count| *count > 0),
        model: Some(models.planner.model.name().to_owned()),
        provider: settings.and_then(|it| it.provider.clone()),
        vision: Some(models.planner.model.capabilities().images),
        ..TaskSetup::default()
    };
    emitter.emit(AutomateEvent::TaskSetup(setup)).await
}

/// Thirty-two digits that stand for a text.
pub(super) fn digest(text: &str) -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, text).hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(1), half(2) | 1)
}

/// A word for labels that no page can know: made of the run's unguessable id.
pub(super) fn mark_of(id: &RunId) -> String {
    digest(id.as_str()).get(..6).unwrap_or("k").to_owned()
}

pub(super) async fn planned(
    input: &RunInput<'_>,
    emitter: &EventEmitter<'_>,
    models: &RoleModels,
    guardrails: &str,
    date: &str,
    keys: &[String],
) -> Result<TaskPlan, RunError> {
    model_calls::announce(emitter, "making the plan".into(), false).await?;
    emitter.status("making a plan").await?;
    let request = input.request;
    let with = json!({
        "task": request.task, "date": date, "url": request.url.clone().unwrap_or_default(), "guardrails": guardrails,
        "keys": keys,
    });
    let plan = plan::make(emitter, &models.planner, &with).await;
    let plan =
        plan.map_err(|error| error.map_text(|failure| format!("no plan could be made: {}", failure.text)))?;
    emitter.status("the plan is made").await?;
    Ok(plan)
}

pub(super) async fn open(input: &RunInput<'_>, emitter: &EventEmitter<'_>) -> Result<Box<dyn Tab>, RunError> {
    let profile = Profile {
        asks: true,
        screencast: input.run.view().map(|view| view.screencast.clone()),
        uploads: input.services.uploads.clone(),
        ..input
            .services
            .profile(input.run.cancel_signal().token().clone(), net::RobotsMode::Ignore)
    };
    let opened = input
        .run
        .until_cancelled(input.services.acting().open(profile))
        .await?;
    let mut tab = opened
        .map_err(|error| RunError::recoverable(error_codes::browser_code(&error), error.to_string()))?;
    emit_news(emitter, tab.as_mut()).await?;
    Ok(tab)
}

/// Emits what happened to the browser; true when another one took over.
pub(super) async fn emit_news(emitter: &EventEmitter<'_>, tab: &mut dyn Tab) -> Result<bool, Cancelled> {
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let mut replaced = false;
    for news in tab.news() {
        let event = match news {
            BrowserEvent::EndpointCycle {
                attempt,
                total,
                error,
            } => AutomateEvent::CdpEndpointCycle(CdpEndpointCycle {
                attempt: number(attempt),
                total: number(total),
                error: error.to_owned(),
            }),
            BrowserEvent::EndpointConnected { index, total } => {
                AutomateEvent::CdpEndpointConnected(CdpEndpointConnected {
                    endpoint_index: number(index),
                    total: number(total),
                })
            }
            BrowserEvent::Reconnected { url, index, total } => {
                replaced = true;
                AutomateEvent::BrowserReconnected(BrowserReconnected {
                    starting_url: url.map(String::from).unwrap_or_else(|| "about:blank".to_owned()),
                    endpoint_index: number(index),
                    total: number(total),
                })
            }
        };
        emitter.emit(event).await?;
    }
    Ok(replaced)
}
