//! The first match of a pattern.

use serde_json::{Value, json};

use crate::user_regex::MatchParams;
use crate::{Error, Tool, ToolContext};

/// The tool `regex.search`.
pub struct Search;

impl Tool for Search {
    type Params = MatchParams;
    type Output = Value;

    async fn run(&self, params: MatchParams, context: &mut ToolContext) -> Result<Value, Error> {
        Ok(match params.find(context).await? {
            Some(found) => {
                json!({"found": true, "position": found.position, "match": found.text, "groups": found.groups})
            }
            None => json!({"found": false, "position": null, "match": null, "groups": []}),
        })
    }
}
