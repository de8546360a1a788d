//! The tool `browser.execute_js`: runs a script of the caller in the page.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `browser.execute_js`.
pub struct BrowserExecuteJs;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    script: String,
    args: Vec<Value>,
}

/// Most bytes of what a script gives.
const LONGEST: usize = 1 << 20;

impl Tool for BrowserExecuteJs {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let result = context
            .tab()
            .await?
            .evaluate(&params.script, &params.args, LONGEST)
            .await?;
        // A script may have led the tab elsewhere.
        if let Some(url) = context.url() {
            context.grant.visit(&url)?;
        }
        Ok(json!({"result": result}))
    }
}
