//! What does an address answer to what is sent?

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::fetched::{address, ask, told};
use crate::given::shown;
use crate::{Error, Tool, ToolContext};

/// The tool `http.post`.
pub struct Post;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    url: String,
    headers: Map<String, Value>,
    timeout_ms: u64,
    json: Option<Value>,
    data: Option<Map<String, Value>>,
}

impl Tool for Post {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let url = address(&params.url)?;
        let request = match (params.json, params.data) {
            (Some(body), _) => net::Request::post(url, "application/json", body.to_string()),
            (None, Some(fields)) => {
                let pairs = fields.iter().map(|(name, value)| (name.clone(), shown(value)));
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
        let patience = Duration::from_millis(params.timeout_ms);
        let response = ask(context, request, &params.headers, patience).await?;
        Ok(told(&response, true))
    }
}
