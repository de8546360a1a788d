//! The tool `browser.get_cookies`: lists the cookies of the tab.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `browser.get_cookies`.
pub struct BrowserGetCookies;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    domain: Option<String>,
}

impl Tool for BrowserGetCookies {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let wanted = params.domain.map(|it| it.trim_start_matches('.').to_lowercase());
        let fits = |it: &net::Cookie| {
            wanted
                .as_ref()
                .is_none_or(|wanted| it.domain.ends_with(wanted.as_str()))
        };
        let cookies: Vec<Value> = context
            .services
            .profile
            .jar
            .all()
            .into_iter()
            .filter(fits)
            .map(|it| json!({"name": it.name, "domain": it.domain, "path": it.path, "secure": it.secure}))
            .collect();
        Ok(json!({"count": cookies.len(), "cookies": cookies}))
    }
}
