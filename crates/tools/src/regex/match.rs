//! A match at the start of a text.

use serde_json::{Value, json};

use crate::user_regex::{MatchParams, groups};
use crate::{Error, Tool, ToolContext};

/// The tool `regex.match`.
pub struct Match;

impl Tool for Match {
    type Params = MatchParams;
    type Output = Value;

    async fn run(&self, params: MatchParams, context: &mut ToolContext) -> Result<Value, Error> {
        let (pattern, text) = params.read(context).await?;
        let found = pattern
            .captures(&text)
            .filter(|it| it.get(0).is_some_and(|it| it.start() == 0));
        let groups = groups(found.as_ref());
        Ok(json!({"matched": found.is_some(), "groups": groups}))
    }
}
