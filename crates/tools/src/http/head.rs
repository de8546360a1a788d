//! What would an address answer?

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use crate::fetched::{ask, told};
use crate::{Cx, Error, Tool};

/// The tool `http.head`.
pub struct Head;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    url: String,
    headers: Map<String, Value>,
    timeout_ms: u64,
}

impl Tool for Head {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let url = Url::parse(&params.url).map_err(|error| Error::param("url", error.to_string()))?;

        let mut request = net::Request::get(url);
        request.method = http::Method::HEAD;
        let response = ask(
            cx,
            request,
            &params.headers,
            Duration::from_millis(params.timeout_ms),
        )
        .await?;
        Ok(told(&response, false))
    }
}
