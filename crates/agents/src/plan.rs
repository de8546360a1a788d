//! Plans that callers write or have made: checked, made and run.

use plans::{CheckedPlan, Conditions, Issues, ToolPlan, check};
use wire::error::ErrorBody;
use wire::run::PlanRequest;
use wire::scrape::{CallOutcome, ScrapeError, ScrapeEvent, ScrapeResponse, StepDetail};
use wire::{Code, LogEntry, RunId, Stamped};

use crate::cancel::Cancelled;
use crate::page_settings::PageWishes;
use crate::run::Run;
use crate::scrape;
use crate::services::AgentServices;

/// Checks a plan as it would run.
///
/// # Errors
/// With everything that is wrong with it.
pub fn checked(request: &PlanRequest, services: &AgentServices) -> Result<CheckedPlan, Issues> {
    let mut conditions = Conditions::all();
    if services.models.is_none() {
        conditions
            .has
            .retain(|dependency| *dependency != tools::Dependency::Model);
    }
    check(
        &ToolPlan::from_value(&request.plan)?,
        &services.tools,
        &conditions,
    )
}

/// How a plan wants its pages opened.
fn page_wishes(request: &PlanRequest) -> PageWishes<'_> {
    PageWishes {
        fetch: Some(&request.fetch),
        ..PageWishes::default()
    }
}

/// Checks whether pages can be opened as a request for a plan wishes.
///
/// # Errors
/// When they cannot; the text names the field.
pub fn check_pages(request: &PlanRequest, services: &AgentServices) -> Result<(), ErrorBody> {
    services.for_pages(page_wishes(request)).map(drop)
}

/// Runs a plan to its last event. A worker that takes the run over begins again, unless something that must not be done
/// twice had begun.
///
/// # Errors
/// When the run was stopped in a way that leaves its log open.
pub async fn run(
    run: &Run<ScrapeEvent>,
    id: &RunId,
    request: &PlanRequest,
    services: &AgentServices,
    earlier: &[LogEntry],
) -> Result<(), Cancelled> {
    let failed = match checked(request, services) {
        Err(issues) => ScrapeError::new(crate::tooling::code(issues.code()), issues.to_string(), None),
        Ok(_) if left_open(earlier, services) => {
            let text =
                "the worker was lost while a tool acted; it is not run again, since it may have been done";
            ScrapeError::new(Code::OutcomeUnknown, text, None)
        }
        Ok(plan) => match services.for_pages(page_wishes(request)) {
            Ok(services) => {
                return scrape::run_plan(run, id, &plan, request.url.as_deref(), &services, earlier).await;
            }
            Err(error) => ScrapeError::new(error.code, error.message, None),
        },
    };
    let response = ScrapeResponse::failed(id.clone(), failed);
    run.close(ScrapeEvent::Complete {
        data: Box::new(response),
    })
    .await
}

/// Whether a call that acts had begun and not ended.
fn left_open(earlier: &[LogEntry], services: &AgentServices) -> bool {
    let mut open: Vec<(String, String)> = Vec::new();
    for entry in earlier {
        let Ok(Stamped {
            event: ScrapeEvent::Step { data: step },
            ..
        }) = Stamped::from_entry(entry)
        else {
            continue;
        };
        let (StepDetail::RuntimeCall(call), Some(id)) = (&step.detail, &step.call_id) else {
            continue;
        };
        match &call.outcome {
            None => open.push((id.clone(), call.tool.clone())),
            Some(CallOutcome::Success { .. } | CallOutcome::Failure { .. }) => {
                open.retain(|(it, _)| it != id)
            }
        }
    }
    let acts = |tool: &str| {
        services
            .tools
            .find(tool)
            .is_ok_and(|tool| tool.manifest().effects == tools::Effects::Act)
    };
    open.iter().any(|(_, tool)| acts(tool))
}

/// Makes a plan from an instruction: by the model when one is configured, else by the tools' triggers. The plan is as it
/// would be written by hand.
///
/// # Errors
/// When neither gives one that can run.
pub async fn make_plan(
    services: &AgentServices,
    instruction: &str,
    url: Option<&url::Url>,
) -> Result<serde_json::Value, ErrorBody> {
    use plans::model_planning::{PlanningTask, make_plan};

    let conditions = Conditions {
        grant: tools::Grant {
            hosts: None,
            ..tools::Grant::reading([])
        },
        ..Conditions::all()
    };
    let registry = &services.tools;
    let seat = services
        .models
        .as_ref()
        .map(|model| model.seat(llm::Role::Planner, services.meter()));
    let made = plans::triggers::make_plan(instruction, url.into(), registry, &conditions);
    let mut reason = None;
    if let Some(Ok(seat)) = seat {
        let wish = PlanningTask {
            instruction,
            url,
            draft: made.as_ref(),
            outline: "",
            budget: 6_000,
            max_steps: 8,
        };
        match make_plan(&seat, &wish, registry, &conditions).await {
            Ok(proposed) => return Ok(with_currency(proposed.plan.source, instruction)),
            Err(error) => reason = Some(error.to_string()),
        }
    }
    if let Some(made) = made {
        return Ok(with_currency(made.plan.source, instruction));
    }
    let text = match reason {
        Some(reason) => {
            format!("the model gave no plan that can run ({reason}), and no tool's trigger matches")
        }
        None => {
            "no tool's trigger matches the instruction; name what you want (products, links, tables, e-mail \
                 addresses ...), or configure a model (HUNTSMAN_LLM_PROVIDER)"
                .to_owned()
        }
    };
    Err(ErrorBody::new(Code::InvalidPlan, text))
}

/// A plan that names the currency of the amounts in its instruction, which its parameters have as mere numbers.
fn with_currency(mut plan: serde_json::Value, instruction: &str) -> serde_json::Value {
    if let Some(fields) = plan.as_object_mut()
        && let Some(currency) = plans::triggers::currency(instruction)
    {
        fields
            .entry("currency")
            .or_insert_with(|| currency.to_owned().into());
    }
    plan
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plan_keeps_the_currency_of_its_instruction() {
        let plan = || json!({"plan": [{"tool": "forms.price_filter", "parameters": {"max": 150}}]});
        let made = with_currency(plan(), "find all products under 150zł");
        assert_eq!(made["currency"], "PLN");
        let read = plans::ToolPlan::from_value(&made).unwrap();
        assert_eq!(read.currency, Some("PLN"));
        assert_eq!(with_currency(plan(), "find all products under 150"), plan());
        let wrong = json!({"plan": [{"tool": "html.extract_links"}], "currency": "gold"});
        let issues = plans::ToolPlan::from_value(&wrong).unwrap_err().to_string();
        assert!(issues.contains("/currency"), "{issues}");
    }
}
