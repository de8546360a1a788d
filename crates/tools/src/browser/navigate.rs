//! The tool `browser.navigate`: goes to an address.

use browser::{Action, Capability, WaitCondition};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use crate::agent_tool::{ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary};
use crate::{Error, Tool, ToolContext};

/// The tool `browser.navigate`.
pub struct BrowserNavigate;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    url: String,
    wait_for: String,
}

impl Tool for BrowserNavigate {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let url = match (context.url(), Url::parse(&params.url)) {
            (_, Ok(url)) => url,
            (Some(base), Err(_)) => base
                .join(&params.url)
                .map_err(|error| Error::param("url", error.to_string()))?,
            (None, Err(error)) => return Err(Error::param("url", error.to_string())),
        };
        let visit = context.goto(&url).await?;
        if params.wait_for == "network_idle" && context.tab().await?.can(Capability::Wait).is_ok() {
            context
                .act(&Action::Wait {
                    until: WaitCondition::Quiet,
                    timeout_ms: 10_000,
                })
                .await?;
        }
        for warning in &visit.warnings {
            context.warn(warning.text());
        }
        let length = context.page().await?.html().len();
        Ok(
            json!({"success": visit.is_ok(), "url": visit.url, "status_code": visit.status, "title": visit.title, "html_length": length}),
        )
    }
}

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    url: String,
}

impl AgentTool for BrowserNavigate {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        Ok(CallSummary::default().with(arguments.url.clone()))
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let base = context.tab.url();
        let url = Url::options().base_url(base.as_ref()).parse(arguments.url.trim());
        let url = url.map_err(|_| {
            let text = "this is no address; write it whole, as in https://example.org/page";
            ActionError::Impossible(text.to_owned())
        })?;
        let holds_value = context.values.within(url.as_str());
        context.grant.navigate(&url, holds_value)?;
        let visit = context.tab.goto(&url).await;
        context.travelled(visit)
    }
}
