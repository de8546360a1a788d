//! Does a text begin as a pattern says?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::expression::compile;
use crate::given::text;
use crate::{Cx, Error, Tool};

/// The tool `regex.match`.
pub struct Match;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pattern: String,
    text: Option<String>,
    flags: String,
}

impl Tool for Match {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, cx: &mut Cx) -> Result<Value, Error> {
        let wanted = compile(&params.pattern, &params.flags)?;
        let text = text(cx, params.text).await?;
        let found = wanted
            .captures(&text)
            .filter(|it| it.get(0).is_some_and(|it| it.start() == 0));
        let groups: Vec<Option<&str>> = found
            .iter()
            .flat_map(|it| it.iter().skip(1))
            .map(|it| it.map(|it| it.as_str()))
            .collect();
        Ok(json!({"matched": found.is_some(), "groups": groups}))
    }
}
