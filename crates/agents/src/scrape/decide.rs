//! Which tools does a page need? A model says, or the triggers of the tools do.

use browser::snapshot::View;
use plans::make::{self, Wish};
use plans::triggers::Place;
use plans::{CheckedPlan, Conditions, triggers};
use tools::ToolContext;
use url::Url;
use wire::scrape::{PlannedCall, ScrapeRequest};

use crate::services::AgentServices;

/// Most steps that a model may plan for one page.
const MOST_STEPS: usize = 8;
/// How much of catalogue and page a model is shown, in bytes.
const BUDGET: usize = 6_000;

/// A plan for a page.
pub(super) struct Chosen {
    pub(super) checked: CheckedPlan,
    /// Why the model gave none, when it was asked.
    pub(super) trouble: Option<String>,
    /// What the triggers say, for when the model's plan fails.
    second: Option<CheckedPlan>,
    /// What stands as the reason of a step that has none.
    reason: &'static str,
}

impl Chosen {
    /// A plan that the user wrote.
    pub(super) fn given(checked: CheckedPlan) -> Self {
        Self {
            checked,
            trouble: None,
            second: None,
            reason: "a step of the plan that was given",
        }
    }

    /// What to try after this plan has failed.
    pub(super) fn second(&mut self) -> Option<Chosen> {
        self.second.take().map(Chosen::by_triggers)
    }

    fn by_triggers(checked: CheckedPlan) -> Self {
        Self {
            checked,
            trouble: None,
            second: None,
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

/// Whether a plan may be made for a request: its instructions name something that tools do, or a model is there to say.
/// Who names a mode of extraction wants that mode, and tools only where the instructions ask for them.
pub(super) fn is_wanted(request: &ScrapeRequest, services: &AgentServices) -> bool {
    let by_model = services.models.is_some() && request.mode.is_none() && request.schema.is_none();
    let plain = request.instructions.split_whitespace().count() < 4;
    if by_model && !plain {
        return true;
    }
    let conditions = Conditions::all();
    triggers::make(
        &request.instructions,
        Place::default(),
        &services.tools,
        &conditions,
    )
    .is_some()
}

/// Makes a plan for the page in the tab; none when no tool is needed or allowed, with what the model's trouble was.
pub(super) async fn choose(
    request: &ScrapeRequest,
    services: &AgentServices,
    url: Option<&Url>,
    context: &mut ToolContext,
    meter: &llm::Meter,
) -> Result<Chosen, Option<String>> {
    let most = usize::try_from(request.max_steps).unwrap_or(usize::MAX);
    let conditions = Conditions {
        max_steps: Some(most),
        ..Conditions::of(context)
    };
    let seat = services
        .models
        .as_ref()
        .filter(|_| request.mode.is_none())
        .map(|model| model.seat(llm::Role::Planner, meter.clone()));
    let page = context.page().await.ok();
    let place = Place {
        url,
        page: page.as_deref(),
    };
    let made = triggers::make(&request.instructions, place, &services.tools, &conditions);
    let mut trouble = None;
    if let Some(Ok(seat)) = seat {
        let outline = outline(context).await;
        let wish = Wish {
            instruction: &request.instructions,
            url,
            draft: made.as_ref(),
            outline: &outline,
            budget: BUDGET,
            max_steps: MOST_STEPS.min(most),
        };
        match make::make(&seat, &wish, &services.tools, &conditions).await {
            Ok(proposed) => {
                let second = made.map(|made| made.checked);
                let second = second.filter(|it| it.json() != proposed.checked.json());
                return Ok(Chosen {
                    checked: proposed.checked,
                    trouble: None,
                    second,
                    reason: "chosen by the model",
                });
            }
            Err(error) => trouble = Some(error.to_string()),
        }
    }
    match made {
        Some(made) => Ok(Chosen {
            trouble,
            ..Chosen::by_triggers(made.checked)
        }),
        None => Err(trouble),
    }
}

/// The page as a model sees it.
async fn outline(context: &mut ToolContext) -> String {
    let Ok(tab) = context.tab().await else {
        return String::new();
    };
    match tab.snapshot().await {
        Ok(snapshot) => snapshot.text(&View {
            bytes: BUDGET,
            refs: false,
            ..View::default()
        }),
        Err(_) => String::new(),
    }
}
