//! Does something appear?

use std::time::{Duration, Instant};

use browser::{Action, Capability, Until};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::element::selector;
use crate::{Error, Tool, ToolContext};

/// The tool `browser.wait`.
pub struct Wait;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    selector: Option<String>,
    timeout_ms: u64,
}

impl Tool for Wait {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let began = Instant::now();
        if let Some(css) = &params.selector {
            let wanted = selector("selector", css)?;
            let deadline = Duration::from_millis(params.timeout_ms);
            loop {
                let found = context.page().await?.dom().select(&wanted).next().is_some();
                if found || began.elapsed() >= deadline || context.tab().await?.can(Capability::Wait).is_err()
                {
                    return Ok(json!({"found": found, "waited_ms": began.elapsed().as_millis()}));
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        let until = params.text.map_or(Until::Quiet, Until::Text);
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
