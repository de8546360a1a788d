//! Syntax and reachability of a URL.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Error, Tool, ToolContext};

/// The tool `validate.url`.
pub struct ValidateUrl;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    url: String,
    check_accessibility: bool,
}

impl Tool for ValidateUrl {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let read = net::parse_url(&params.url);
        let (accessible, status) = match (&read, params.check_accessibility, context.services.client.clone())
        {
            (Ok(url), true, Some(client)) => {
                context.grant.visit(url)?;
                let mut request = net::Request::get(url.clone());
                request.cancel = context.services.profile.cancel.clone();
                match client.fetch(request).await {
                    Ok(answer) => (Some(answer.status.is_success()), Some(answer.status.as_u16())),
                    Err(error) => {
                        context.warn(error.to_string());
                        (Some(false), None)
                    }
                }
            }
            (Ok(_), true, None) => {
                context.warn("whether it answers cannot be asked without the network");
                (None, None)
            }
            _ => (None, None),
        };
        Ok(
            json!({"valid": read.is_ok(), "normalized": read.as_ref().ok().map(|it| it.to_string()), "accessible": accessible, "status_code": status, "error": read.err().map(|it| it.to_string())}),
        )
    }
}
