//! What stands in a field?

use serde::Deserialize;
use serde_json::{Value, json};
use browser::Action;

use crate::manifest::Effects;
use crate::touch::first;
use crate::{Cx, Error, Tool};

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

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        if !params.clear_first && params.text.contains(['\n', '\r']) && cx.grant.effects < Effects::Act {
            return Err(Error::Denied {
                what: "typing the end of a line".into(),
                why: "it may send a form, and the run may only look around".into(),
            });
        }
        let target = first(cx, &params.selector).await?;
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
        cx.act(&action).await?;
        Ok(json!({"typed": true, "element_found": true}))
    }
}
