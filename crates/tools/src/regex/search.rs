//! The first match of a pattern.

use serde_json::{Value, json};

use crate::user_regex::{MatchParams, groups};
use crate::{Error, Tool, ToolContext};

/// The tool `regex.search`.
pub struct Search;

impl Tool for Search {
    type Params = MatchParams;
    type Output = Value;

    async fn run(&self, params: MatchParams, context: &mut ToolContext) -> Result<Value, Error> {
        let (pattern, text) = params.read(context).await?;
        let found = pattern.captures(&text);
        let whole = found.as_ref().and_then(|it| it.get(0));
        let groups = groups(found.as_ref());
        let position = whole.map(|it| text.get(..it.start()).unwrap_or_default().chars().count());
        Ok(
            json!({"found": whole.is_some(), "position": position, "match": whole.map(|it| it.as_str()), "groups": groups}),
        )
    }
}
