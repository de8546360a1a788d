//! Where does a pattern match first?

use serde_json::{Value, json};

use crate::expression::{Params, groups};
use crate::{Error, Tool, ToolContext};

/// The tool `regex.search`.
pub struct Search;

impl Tool for Search {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let (wanted, text) = params.read(context).await?;
        let found = wanted.captures(&text);
        let whole = found.as_ref().and_then(|it| it.get(0));
        let groups = groups(found.as_ref());
        let position = whole.map(|it| text.get(..it.start()).unwrap_or_default().chars().count());
        Ok(
            json!({"found": whole.is_some(), "position": position, "match": whole.map(|it| it.as_str()), "groups": groups}),
        )
    }
}
