//! HTTP POST through the guarded client.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::http_request::{address, response_output, send};
use crate::values::cell_text;
use crate::{Error, Tool, ToolContext};

/// The tool `http.post`.
pub struct HttpPost;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    url: String,
    headers: Map<String, Value>,
    timeout_ms: u64,
    json: Option<Value>,
    data: Option<Map<String, Value>>,
}

impl Tool for HttpPost {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let url = address(&params.url)?;
        let request = match (params.json, params.data) {
            (Some(body), _) => net::Request::post(url, "application/json", body.to_string()),
            (None, Some(fields)) => {
                let pairs = fields
                    .iter()
                    .map(|(name, value)| (name.clone(), cell_text(value)));
                let body = url::form_urlencoded::Serializer::new(String::new())
                    .extend_pairs(pairs)
                    .finish();
                net::Request::post(url, "application/x-www-form-urlencoded", body)
            }
            (None, None) => {
                return Err(Error::param(
                    "json",
                    "there is nothing to send; give `json` or `data`",
                ));
            }
        };
        let timeout = Duration::from_millis(params.timeout_ms);
        let response = send(context, request, &params.headers, timeout).await?;
        Ok(response_output(context, &response, true))
    }
}
