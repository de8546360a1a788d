//! What does a script of the caller give, run in the page?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Cx, Error, Tool};

/// The tool `browser.execute_js`.
pub struct ExecuteJs;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    script: String,
    args: Vec<Value>,
}

/// Most bytes of what a script gives.
const LONGEST: usize = 1 << 20;

impl Tool for ExecuteJs {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let result = cx
            .tab()
            .await?
            .evaluate(&params.script, &params.args, LONGEST)
            .await?;
        // A script may have led the tab elsewhere.
        if let Some(url) = cx.url() {
            cx.grant.visit(&url)?;
        }
        Ok(json!({"result": result}))
    }
}
