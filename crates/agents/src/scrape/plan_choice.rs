//! Choosing the plan for a page: made by a model, or from the triggers of the tools.

use browser::snapshot::SnapshotView;
use plans::model_planning::{self, PlanningTask};
use plans::triggers::{InstructionFacts, PlanTarget, TriggerPlan};
use plans::{CheckedPlan, Conditions, NoPlanReason, PlanVerdict, triggers};
use serde_json::{Value, json};
use tools::ToolContext;
use url::Url;
use wire::Code;
use wire::error::ErrorBody;
use wire::scrape::{PlanAuthor, PlannedCall, ScrapeRequest};

use crate::services::AgentServices;
use crate::tooling::plugins;

/// Most steps that a model may plan for one page.
const MOST_STEPS: usize = 8;
/// How much of catalogue and page a model is shown, in bytes.
const BUDGET: usize = 6_000;

/// A plan for a page.
pub(super) struct ChosenPlan {
    pub(super) checked: CheckedPlan,
    /// Why the model gave none, when it was asked.
    pub(super) model_error: Option<String>,
    /// The plan of the triggers, for when the model's plan fails.
    alternative: Option<CheckedPlan>,
    /// Whether a model made it.
    is_by_model: bool,
    /// The reason of a step that gives none.
    reason: &'static str,
}

impl ChosenPlan {
    /// A plan that the user wrote.
    pub(super) fn given(checked: CheckedPlan) -> Self {
        Self {
            checked,
            model_error: None,
            alternative: None,
            is_by_model: false,
            reason: "a step of the plan that was given",
        }
    }

    /// What to try after this plan has failed.
    pub(super) fn take_alternative(&mut self) -> Option<ChosenPlan> {
        self.alternative.take().map(ChosenPlan::by_triggers)
    }

    fn by_triggers(checked: CheckedPlan) -> Self {
        Self {
            checked,
            model_error: None,
            alternative: None,
            is_by_model: false,
            reason: "the instructions name it",
        }
    }

    /// The calls as the decision tells them.
    pub(super) fn calls(&self) -> Vec<PlannedCall> {
        let of_steps = self.checked.steps().iter().map(|step| PlannedCall {
            tool: step.tool().to_owned(),
            params: step.parameters.clone(),
            reasoning: if step.description.is_empty() {
                self.reason.to_owned()
            } else {
                step.description.clone()
            },
        });
        let mut calls: Vec<PlannedCall> = of_steps.collect();
        if calls.is_empty() {
            calls.extend(self.checked.fallbacks().map(|tool| PlannedCall {
                tool: tool.to_owned(),
                params: serde_json::Map::new(),
                reasoning: "the plan's own tools are not known; its fallback is".into(),
            }));
        }
        calls
    }
}

/// Whether a model makes the plan, where there is one.
fn model_plans(request: &ScrapeRequest) -> bool {
    match request.planner {
        Some(author) => author == PlanAuthor::Model,
        None => request.mode.is_none() && plugins::has_planner(&request.selected_agents),
    }
}

/// Checks, before a run is accepted, that the planner which the request names is there.
///
/// # Errors
/// When it names a model and none is configured.
pub(crate) fn check(request: &ScrapeRequest, services: &AgentServices) -> Result<(), ErrorBody> {
    if request.planner != Some(PlanAuthor::Model) || services.models.is_some() {
        return Ok(());
    }
    let text = "planner: no model is configured: set HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL, or use `triggers`";
    Err(ErrorBody::new(Code::ModelNotConfigured, text))
}

/// Whether a plan may be made for a request: its instructions name something that tools do, or a model is there to say.
/// Who names a mode of extraction wants that mode, and tools only where the instructions ask for them.
pub(crate) fn may_need_tools(request: &ScrapeRequest, services: &AgentServices) -> bool {
    // Who asks for other forms than an item asks for no tools.
    if !request.wants_item() {
        return false;
    }
    let is_wanted = request.schema.is_none() || request.planner == Some(PlanAuthor::Model);
    let by_model = services.models.is_some() && is_wanted && model_plans(request);
    let plain = request.instructions.split_whitespace().count() < 4;
    if by_model && !plain {
        return true;
    }
    let conditions = Conditions::all();
    let facts = InstructionFacts::read(&request.instructions, PlanTarget::default());
    // What is asked of the rows of a list is answered by tools, or reported as not understood.
    if request.schema.is_none() && request.mode.is_none() && !facts.wishes().is_empty() {
        return true;
    }
    triggers::make_plan_from(&facts, &request.instructions, &services.tools, &conditions).is_some()
}

/// What a page without a plan leaves undone of what the instructions ask of its rows.
pub(super) fn verdict_without_plan(
    facts: &InstructionFacts,
    request: &ScrapeRequest,
    services: &AgentServices,
    has_model: bool,
) -> Option<Value> {
    let wishes = facts.wishes();
    if wishes.is_empty() {
        return None;
    }
    let reason = match has_model {
        true => NoPlanReason::ModelReads,
        false => why_no_plan(facts, request, services),
    };
    let verdict = PlanVerdict::without_plan(wishes, &reason);
    Some(json!({"steps": [], "used_fallback": false, "reasons": [], "verdict": verdict}))
}

/// Why the triggers make no plan, where no model reads the page either: what the request leaves no room for, or words that
/// no tool is known for.
fn why_no_plan(facts: &InstructionFacts, request: &ScrapeRequest, services: &AgentServices) -> NoPlanReason {
    if !request.wants_item() {
        let text = "the formats that are asked for give what the page has; ask for `item`, too";
        return NoPlanReason::Withheld(text.to_owned());
    }
    let without_limits = Conditions::all();
    let made = triggers::make_plan_from(facts, &request.instructions, &services.tools, &without_limits);
    let steps = made.map_or(0, |made| made.checked.steps().len());
    let most = usize::try_from(request.max_steps).unwrap_or(usize::MAX);
    match steps {
        0 => NoPlanReason::NotUnderstood,
        _ if steps > most => {
            NoPlanReason::Withheld(format!("this takes {steps} steps, and max_steps allows {most}"))
        }
        _ if !(request.enable_plugins.is_empty() && request.selected_agents.is_empty()) => {
            let text = "enable_plugins or selected_agents leave out the tools that it takes";
            NoPlanReason::Withheld(text.to_owned())
        }
        _ if facts.click.is_some() => {
            let text = "a scrape that chooses its own tools clicks on nothing that a person names; write a plan with \
                        navigation.click_by_text, or use automate";
            NoPlanReason::Withheld(text.to_owned())
        }
        _ => NoPlanReason::NotUnderstood,
    }
}

/// Reads the instructions once for the page in the tab, and makes a plan of them.
///
/// There is none when no tool is needed or allowed; then with the reason if a model was asked and gave no plan.
pub(super) async fn choose(
    request: &ScrapeRequest,
    services: &AgentServices,
    url: Option<&Url>,
    context: &mut ToolContext,
    meter: &llm::Meter,
) -> (InstructionFacts, Result<ChosenPlan, Option<String>>) {
    let most = usize::try_from(request.max_steps).unwrap_or(usize::MAX);
    let conditions = Conditions {
        max_steps: Some(most),
        ..Conditions::of(context)
    };
    let seat = services
        .models
        .as_ref()
        .filter(|_| model_plans(request))
        .map(|model| model.seat(llm::Role::Planner, meter.clone()));
    let page = context.page().await.ok();
    let place = PlanTarget {
        url,
        page: page.as_deref(),
    };
    let facts = InstructionFacts::read(&request.instructions, place);
    let made = triggers::make_plan_from(&facts, &request.instructions, &services.tools, &conditions);
    let mut plan = choose_between(request, services, url, context, made, &conditions, seat).await;
    if let Ok(plan) = &mut plan
        && plan.is_by_model
    {
        plan.checked.for_model = facts.wishes();
        plan.checked.wants_all = facts.wants_all();
    }
    (facts, plan)
}

/// The plan of the model, if one is asked and gives one, else that of the triggers.
async fn choose_between(
    request: &ScrapeRequest,
    services: &AgentServices,
    url: Option<&Url>,
    context: &mut ToolContext,
    made: Option<TriggerPlan>,
    conditions: &Conditions,
    seat: Option<Result<llm::RoleModel, llm::Error>>,
) -> Result<ChosenPlan, Option<String>> {
    let most = conditions.max_steps.unwrap_or(usize::MAX);
    let mut model_error = None;
    if let Some(Ok(seat)) = seat {
        let outline = outline(context).await;
        let wish = PlanningTask {
            instruction: &request.instructions,
            url,
            draft: made.as_ref(),
            outline: &outline,
            budget: BUDGET,
            max_steps: MOST_STEPS.min(most),
        };
        match model_planning::make_plan(&seat, &wish, &services.tools, conditions).await {
            Ok(proposed) => {
                let alternative = made.map(|made| made.checked);
                let alternative = alternative.filter(|plan| plan.json() != proposed.checked.json());
                return Ok(ChosenPlan {
                    checked: proposed.checked,
                    model_error: None,
                    alternative,
                    is_by_model: true,
                    reason: "chosen by the model",
                });
            }
            Err(error) => model_error = Some(error.to_string()),
        }
    }
    match made {
        Some(made) => Ok(ChosenPlan {
            model_error,
            ..ChosenPlan::by_triggers(made.checked)
        }),
        None => Err(model_error),
    }
}

/// The page as a model sees it.
async fn outline(context: &mut ToolContext) -> String {
    let Ok(tab) = context.tab().await else {
        return String::new();
    };
    match tab.snapshot().await {
        Ok(snapshot) => snapshot.text(&SnapshotView {
            bytes: BUDGET,
            refs: false,
            ..SnapshotView::default()
        }),
        Err(_) => String::new(),
    }
}
