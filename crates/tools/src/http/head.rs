//! HTTP HEAD through the guarded client.

use serde_json::Value;

use crate::http_request::{RequestParams, address, response_output, send};
use crate::{Error, Tool, ToolContext};

/// The tool `http.head`.
pub struct HttpHead;

impl Tool for HttpHead {
    type Params = RequestParams;
    type Output = Value;

    async fn run(&self, params: RequestParams, context: &mut ToolContext) -> Result<Value, Error> {
        let mut request = net::Request::get(address(&params.url)?);
        request.method = http::Method::HEAD;
        let response = send(context, request, &params.headers, params.timeout()).await?;
        Ok(response_output(context, &response, false))
    }
}
