//! What happens on a click?

use serde::Deserialize;
use serde_json::{Value, json};
use browser::Action;

use crate::touch::{first, pause};
use crate::{Cx, Error, Tool};

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

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let target = first(cx, &params.selector).await?;
        cx.act(&Action::Click { target, times: 1 }).await?;
        pause(cx, params.wait_after).await?;
        Ok(json!({"clicked": true, "element_found": true, "url": cx.url()}))
    }
}
