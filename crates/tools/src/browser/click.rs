//! The tool `browser.click`: clicks an element.

use browser::{Action, Ref};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::agent_tool::{
    ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary, point, shown_point,
};
use crate::controls::focus::{first, pause};
use crate::{Error, Tool, ToolContext};

/// The tool `browser.click`.
pub struct BrowserClick;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: String,
    wait_after: u64,
}

impl Tool for BrowserClick {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let target = first(context, &params.selector).await?;
        context.act(&Action::Click { target, times: 1 }).await?;
        pause(context, params.wait_after).await?;
        Ok(json!({"clicked": true, "element_found": true, "url": context.url()}))
    }
}

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
    times: Option<f64>,
    x: Option<f64>,
    y: Option<f64>,
}

impl AgentTool for BrowserClick {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        let at = point(arguments.x, arguments.y);
        Ok(CallSummary::of(arguments.target).with(at.map(shown_point)))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let target = arguments.target;
        let is_double = arguments.times.is_some_and(|times| times >= 2.0);
        let action = match point(arguments.x, arguments.y) {
            Some(at) => Action::ClickAt { target, at },
            None => Action::Click {
                target,
                times: if is_double { 2 } else { 1 },
            },
        };
        context.permit_click(target).await?;
        context.act(&action).await
    }
}
