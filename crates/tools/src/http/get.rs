//! What does an address answer?

use serde_json::Value;

use crate::fetched::{Params, address, ask, told};
use crate::{Error, Tool, ToolContext};

/// The tool `http.get`.
pub struct Get;

impl Tool for Get {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let request = net::Request::get(address(&params.url)?);
        let response = ask(context, request, &params.headers, params.patience()).await?;
        Ok(told(&response, true))
    }
}
