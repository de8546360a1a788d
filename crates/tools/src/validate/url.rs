//! Syntax and reachability of a URL.

use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use crate::http_request::hop_filter;
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
        let status = match &read {
            Ok(url) if params.check_accessibility => asked_status(context, url.clone()).await?,
            _ => AskedStatus::Unknown,
        };
        let (accessible, status) = match status {
            AskedStatus::Unknown => (None, None),
            AskedStatus::NoAnswer => (Some(false), None),
            AskedStatus::Answer(status) => (Some(status.is_success()), Some(status.as_u16())),
        };
        Ok(
            json!({"valid": read.is_ok(), "normalized": read.as_ref().ok().map(|it| it.to_string()), "accessible": accessible, "status_code": status, "error": read.err().map(|it| it.to_string())}),
        )
    }
}

/// What came of asking for an address.
enum AskedStatus {
    /// It was not asked, or may not be.
    Unknown,
    NoAnswer,
    Answer(http::StatusCode),
}

/// Asks for an address. Why there is no answer is a warning.
async fn asked_status(context: &mut ToolContext, url: Url) -> Result<AskedStatus, Error> {
    let Some(client) = context.services.client.clone() else {
        context.warn("whether it answers cannot be asked without the network");
        return Ok(AskedStatus::Unknown);
    };
    context.grant.visit(&url)?;
    let mut request = net::Request::get(url);
    request.granted = context.services.profile.grants(&request.url);
    request.cancel = context.services.profile.cancel.clone();
    request.hop_filter = hop_filter(&context.grant);
    match client.fetch(request).await {
        Ok(answer) => Ok(AskedStatus::Answer(answer.status)),
        Err(error) => {
            context.warn(error.to_string());
            Ok(match error {
                net::Error::Blocked(_) | net::Error::BlockedRedirect { .. } => AskedStatus::Unknown,
                _ => AskedStatus::NoAnswer,
            })
        }
    }
}
