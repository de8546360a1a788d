//! Does a text begin as a pattern says?

use serde_json::{Value, json};

use crate::expression::{Params, groups};
use crate::{Error, Tool, ToolContext};

/// The tool `regex.match`.
pub struct Match;

impl Tool for Match {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let (wanted, text) = params.read(context).await?;
        let found = wanted
            .captures(&text)
            .filter(|it| it.get(0).is_some_and(|it| it.start() == 0));
        let groups = groups(found.as_ref());
        Ok(json!({"matched": found.is_some(), "groups": groups}))
    }
}
