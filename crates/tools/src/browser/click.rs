//! What happens on a click?

use browser::Action;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::focus::{first, pause};
use crate::{Error, Tool, ToolContext};

/// The tool `browser.click`.
pub struct Click;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: String,
    wait_after: u64,
}

impl Tool for Click {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let target = first(context, &params.selector).await?;
        context.act(&Action::Click { target, times: 1 }).await?;
        pause(context, params.wait_after).await?;
        Ok(json!({"clicked": true, "element_found": true, "url": context.url()}))
    }
}
