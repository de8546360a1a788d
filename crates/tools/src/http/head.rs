//! What would an address answer?

use serde_json::Value;

use crate::fetched::{Params, address, ask, told};
use crate::{Error, Tool, ToolContext};

/// The tool `http.head`.
pub struct Head;

impl Tool for Head {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let mut request = net::Request::get(address(&params.url)?);
        request.method = http::Method::HEAD;
        let response = ask(context, request, &params.headers, params.patience()).await?;
        Ok(told(&response, false))
    }
}
