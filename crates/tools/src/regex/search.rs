//! Where does a pattern match first?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::expression::compile;
use crate::given::text;
use crate::{Cx, Error, Tool};

/// The tool `regex.search`.
pub struct Search;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pattern: String,
    text: Option<String>,
    flags: String,
}

impl Tool for Search {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let wanted = compile(&params.pattern, &params.flags)?;
        let text = text(cx, params.text).await?;
        let found = wanted.captures(&text);
        let whole = found.as_ref().and_then(|it| it.get(0));
        let groups: Vec<Option<&str>> = found
            .iter()
            .flat_map(|it| it.iter().skip(1))
            .map(|it| it.map(|it| it.as_str()))
            .collect();
        let position = whole.map(|it| text.get(..it.start()).unwrap_or_default().chars().count());
        Ok(
            json!({"found": whole.is_some(), "position": position, "match": whole.map(|it| it.as_str()), "groups": groups}),
        )
    }
}
