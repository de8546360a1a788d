//! Before the first page: models, settings told, a plan, a browser.

use browser::{News, Profile, Tab};
use llm::{Meter, Role};
use serde_json::json;
use wire::automate::{
    AutomateEvent, BrowserReconnected, CdpEndpointConnected, CdpEndpointCycle, KeySource, TaskSetup,
    TaskTraceContext,
};
use wire::{Code, RunId};

use super::{Brief, Early, Seats, error};
use crate::automate::course::Trouble;
use crate::automate::plan::Plan;
use crate::automate::secrets::shape;
use crate::automate::tell::Teller;
use crate::automate::{ask, plan};
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::services::AgentServices;

pub(super) fn seats(services: &AgentServices, meter: &Meter) -> Result<Seats, Early> {
    let Some(models) = &services.models else {
        let text = "no model is configured: set HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL";
        return Err(error(Code::ModelNotConfigured.as_str(), text, false));
    };
    let seat = |role| {
        models
            .seat(role, meter.clone())
            .map_err(|it| error(it.code(), it.to_string(), false))
    };
    Ok(Seats {
        planner: seat(Role::Planner)?,
        extractor: seat(Role::Extractor)?,
        validator: seat(Role::Validator)?,
    })
}

pub(super) async fn set_up(brief: &Brief<'_>, teller: &Teller<'_>, seats: &Seats) -> Result<(), Cancelled> {
    let request = brief.request;
    // The caller's trace goes on; without one, this run begins its own.
    let trace_id = match brief.trace {
        Some(trace) => trace.to_owned(),
        None => format!("{:032x}", fastrand::u128(1..)),
    };
    let trace = TaskTraceContext { trace_id };
    teller.say(AutomateEvent::TaskTraceContext(trace)).await?;
    let settings = brief.services.models.as_ref().map(|it| it.settings());
    let keyed = settings.is_some_and(|it| it.api_key.is_some());
    let setup = TaskSetup {
        task: request.task.clone(),
        browser_name: brief.services.acting().name().to_owned(),
        url: request.url.clone(),
        guardrails: request.guardrails.clone(),
        data: request.data.as_ref().map(shape),
        has_api_key: Some(keyed),
        key_source: Some(if keyed {
            KeySource::Global
        } else {
            KeySource::NotSet
        }),
        model: Some(seats.planner.model.name().to_owned()),
        provider: settings.and_then(|it| it.provider.clone()),
        vision: Some(seats.planner.model.capabilities().images),
        ..TaskSetup::default()
    };
    teller.say(AutomateEvent::TaskSetup(setup)).await
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
    brief: &Brief<'_>,
    teller: &Teller<'_>,
    seats: &Seats,
    guardrails: &str,
    date: &str,
    keys: &[String],
) -> Result<Plan, Early> {
    ask::announce(teller, "making the plan".into(), false).await?;
    teller.status("making a plan").await?;
    let request = brief.request;
    let with = json!({
        "task": request.task, "date": date, "url": request.url.clone().unwrap_or_default(), "guardrails": guardrails,
        "keys": keys,
    });
    match plan::make(teller, &seats.planner, &with).await? {
        Ok(plan) => {
            teller.status("the plan is made").await?;
            Ok(plan)
        }
        Err(Trouble { code, text, fatal }) => {
            Err(error(&code, format!("no plan could be made: {text}"), !fatal))
        }
    }
}

pub(super) async fn open(brief: &Brief<'_>, teller: &Teller<'_>) -> Result<Box<dyn Tab>, Early> {
    let profile = Profile {
        granted: brief.services.granted.clone(),
        cancel: brief.run.cancel_signal().token().clone(),
        asks: true,
        uploads: brief.services.uploads.clone(),
        ..Profile::default()
    };
    let opened = brief
        .run
        .until_cancelled(brief.services.acting().open(profile))
        .await?;
    let mut tab =
        opened.map_err(|it| error(error_codes::browser_code(&it).as_str(), it.to_string(), true))?;
    tell_news(teller, tab.as_mut()).await?;
    Ok(tab)
}

/// Tells what happened to the browser; true when another one took over.
pub(super) async fn tell_news(teller: &Teller<'_>, tab: &mut dyn Tab) -> Result<bool, Cancelled> {
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let mut replaced = false;
    for news in tab.news() {
        let event = match news {
            News::EndpointCycle {
                attempt,
                total,
                error,
            } => AutomateEvent::CdpEndpointCycle(CdpEndpointCycle {
                attempt: number(attempt),
                total: number(total),
                error: error.to_owned(),
            }),
            News::EndpointConnected { index, total } => {
                AutomateEvent::CdpEndpointConnected(CdpEndpointConnected {
                    endpoint_index: number(index),
                    total: number(total),
                })
            }
            News::Reconnected { url, index, total } => {
                replaced = true;
                AutomateEvent::BrowserReconnected(BrowserReconnected {
                    starting_url: url.map(String::from).unwrap_or_else(|| "about:blank".to_owned()),
                    endpoint_index: number(index),
                    total: number(total),
                })
            }
        };
        teller.say(event).await?;
    }
    Ok(replaced)
}
