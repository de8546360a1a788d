//! The tool `browser.type`: types into a field.

use browser::{Action, Ref};
use policy::ValueSource;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary, form_target};
use crate::controls::focus::first;
use crate::manifest::Effects;
use crate::{Error, Tool, ToolContext};

/// The tool `browser.type`.
pub struct BrowserType;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: String,
    text: String,
    clear_first: bool,
}

impl Tool for BrowserType {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        if !params.clear_first && params.text.contains(['\n', '\r']) && context.grant.effects < Effects::Act {
            return Err(Error::Denied {
                what: "typing the end of a line".into(),
                why: "it may send a form, and the run may only look around".into(),
            });
        }
        let target = first(context, &params.selector).await?;
        let action = match params.clear_first {
            true => Action::Fill {
                target,
                value: params.text,
            },
            false => Action::Type {
                target,
                text: params.text,
            },
        };
        context.act(&action).await?;
        Ok(json!({"typed": true, "element_found": true}))
    }
}

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    #[serde(rename = "ref")]
    target: Ref,
    value: String,
}

impl AgentTool for BrowserType {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::of(arguments.target).with(arguments.value.clone()))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let Arguments { target, value: text } = arguments;
        context.permit_fill(target, ValueSource::Model(&text)).await?;
        // What is typed by keys can leave its field: the end of a line sends the form, and a tab goes on to the next.
        if text.contains(['\n', '\r']) {
            context.permit_submit(target).await?;
        }
        if text.contains('\t') {
            let page = context.page()?;
            let receiver = context.receiver(target).await?;
            context.grant.disclose(&page, form_target(receiver.as_ref()))?;
        }
        context.act(&Action::Type { target, text }).await
    }
}
