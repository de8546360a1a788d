//! What stands in a field?

use browser::Action;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::focus::first;
use crate::manifest::Effects;
use crate::{Error, Tool, ToolContext};

/// The tool `browser.type`.
pub struct Type;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    selector: String,
    text: String,
    clear_first: bool,
}

impl Tool for Type {
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
