//! HTTP GET through the guarded client.

use serde_json::Value;

use crate::http_request::{RequestParams, address, response_output, send};
use crate::{Error, Tool, ToolContext};

/// The tool `http.get`.
pub struct HttpGet;

impl Tool for HttpGet {
    type Params = RequestParams;
    type Output = Value;

    async fn run(&self, params: RequestParams, context: &mut ToolContext) -> Result<Value, Error> {
        let request = net::Request::get(address(&params.url)?);
        let response = send(context, request, &params.headers, params.timeout()).await?;
        Ok(response_output(context, &response, true))
    }
}
