//! A match at the start of a text.

use serde_json::{Value, json};

use crate::user_regex::MatchParams;
use crate::{Error, Tool, ToolContext};

/// The tool `regex.match`.
pub struct Match;

impl Tool for Match {
    type Params = MatchParams;
    type Output = Value;

    async fn run(&self, params: MatchParams, context: &mut ToolContext) -> Result<Value, Error> {
        let found = params.find(context).await?;
        let found = found.filter(|found| found.position == 0);
        let groups = found.as_ref().map(|found| found.groups.as_slice());
        Ok(json!({"matched": found.is_some(), "groups": groups.unwrap_or_default()}))
    }
}
