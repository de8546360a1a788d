//! Where does an address lead?

use browser::{Action, Capability, Until};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use crate::{Error, Tool, ToolContext};

/// The tool `browser.navigate`.
pub struct Navigate;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    url: String,
    wait_for: String,
}

impl Tool for Navigate {
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
                    until: Until::Quiet,
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
