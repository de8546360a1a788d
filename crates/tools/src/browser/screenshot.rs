//! The tool `browser.screenshot`: takes a picture of the page.

use base64::Engine as _;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::agent_tool::{AgentTool, CallSummary, LoopRequest};
use crate::{Error, Tool, ToolContext};

/// The tool `browser.screenshot`.
pub struct BrowserScreenshot;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    full_page: bool,
}

impl Tool for BrowserScreenshot {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let png = context.tab().await?.screenshot(params.full_page).await?;
        if png.len() > LARGEST {
            return Err(Error::TooMuch {
                what: format!("a picture of {} bytes", png.len()),
                limit: format!("{LARGEST} bytes"),
            });
        }
        // A PNG tells its size in its first chunk.
        let side = |at: usize| {
            png.get(at..at + 4)
                .and_then(|it| it.try_into().ok())
                .map(u32::from_be_bytes)
        };
        Ok(
            json!({"captured": true, "size_bytes": png.len(), "dimensions": [side(16).unwrap_or_default(), side(20).unwrap_or_default()], "png_base64": base64::engine::general_purpose::STANDARD.encode(&png)}),
        )
    }
}

/// Largest picture that is given back, in bytes.
const LARGEST: usize = 8 << 20;

/// What the model gives: nothing.
#[derive(Deserialize)]
pub struct Arguments {}

impl AgentTool for BrowserScreenshot {
    type Arguments = Arguments;

    fn summary(&self, arguments: &Arguments) -> Result<CallSummary, String> {
        let Arguments {} = arguments;
        Ok(CallSummary::default())
    }

    fn loop_request(&self, _arguments: &Arguments) -> Option<LoopRequest> {
        Some(LoopRequest::Screenshot)
    }
}
