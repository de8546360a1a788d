//! The tool `browser.wait`: waits for a text, an element, or a time.

use std::time::{Duration, Instant};

use browser::{Action, Capability, Ref, WaitCondition};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::agent_tool::{
    ActionContext, ActionError, ActionOutcome, AgentTool, CallSummary, LoopRequest, shown_number,
};
use crate::controls::element::{select_first, selector};
use crate::{Error, Tool, ToolContext};

/// The tool `browser.wait`.
pub struct BrowserWait;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    selector: Option<String>,
    timeout_ms: u64,
}

impl Tool for BrowserWait {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let began = Instant::now();
        if let Some(css) = &params.selector {
            let wanted = selector("selector", css)?;
            let deadline = Duration::from_millis(params.timeout_ms);
            loop {
                let page = context.page().await?;
                let found = select_first("selector", page.dom().root(), &wanted)?.is_some();
                if found || began.elapsed() >= deadline || context.tab().await?.can(Capability::Wait).is_err()
                {
                    return Ok(json!({"found": found, "waited_ms": began.elapsed().as_millis()}));
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        let until = params.text.map_or(WaitCondition::Quiet, WaitCondition::Text);
        let waited = context
            .act(&Action::Wait {
                until,
                timeout_ms: params.timeout_ms,
            })
            .await;
        let found = match waited {
            Ok(_) => true,
            Err(Error::Web(browser::Error::Timeout { .. })) => false,
            Err(error) => return Err(error),
        };
        Ok(json!({"found": found, "waited_ms": began.elapsed().as_millis()}))
    }
}

/// What the model gives.
#[derive(Deserialize)]
pub struct Arguments {
    seconds: Option<f64>,
    text: Option<String>,
    #[serde(rename = "ref")]
    target: Option<Ref>,
    gone: Option<String>,
}

/// The longest wait of an agent, in seconds.
const LONGEST: f64 = 60.0;

impl Arguments {
    /// What is waited for; none for a mere time.
    fn until(&self) -> Option<WaitCondition> {
        let is_gone = self.gone.as_deref() == Some("true");
        let text = self.text.clone().filter(|text| !text.trim().is_empty());
        match (text, self.target) {
            (Some(text), _) if is_gone => Some(WaitCondition::Gone(text)),
            (Some(text), _) => Some(WaitCondition::Text(text)),
            (None, Some(target)) if is_gone => Some(WaitCondition::Vanished(target)),
            (None, Some(target)) => Some(WaitCondition::Shown(target)),
            (None, None) => None,
        }
    }

    fn pause(&self) -> Duration {
        Duration::from_secs_f64(self.seconds.unwrap_or(1.0).clamp(0.0, LONGEST))
    }
}

impl AgentTool for BrowserWait {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        if let Some(seconds) = arguments.seconds.filter(|it| !(0.0..=LONGEST).contains(it)) {
            return Err(format!(
                "/seconds: {seconds} is not from 0 to {LONGEST}; nothing was done"
            ));
        }
        let (target, value) = match arguments.until() {
            Some(WaitCondition::Shown(target)) => (Some(target), "shown".to_owned()),
            Some(WaitCondition::Vanished(target)) => (Some(target), "gone".to_owned()),
            Some(WaitCondition::Text(text) | WaitCondition::Gone(text)) => (None, text),
            _ => (None, shown_number(arguments.pause().as_secs_f64())),
        };
        Ok(CallSummary::of(target).with(value))
    }

    fn loop_request(&self, arguments: &Arguments) -> Option<LoopRequest> {
        match arguments.until() {
            Some(_) => None,
            None => Some(LoopRequest::Pause(arguments.pause())),
        }
    }

    async fn execute(
        &self,
        arguments: Arguments,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let until = arguments.until().unwrap_or(WaitCondition::Passed);
        if let WaitCondition::Shown(_) | WaitCondition::Vanished(_) = until {
            context.page()?;
        }
        let patience = arguments.seconds.unwrap_or(10.0).clamp(0.1, LONGEST);
        let timeout_ms = u64::try_from(Duration::from_secs_f64(patience).as_millis()).unwrap_or(u64::MAX);
        context.act(&Action::Wait { until, timeout_ms }).await
    }
}
