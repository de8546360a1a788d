//! How does a text read with its matches replaced?

use serde::Deserialize;
use serde_json::{Value, json};

use crate::expression::compile;
use crate::given::{LONGEST_TEXT, text};
use crate::{Error, Tool, ToolContext};

/// The tool `regex.sub`.
pub struct Sub;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pattern: String,
    text: Option<String>,
    flags: String,
    replacement: String,
}

impl Tool for Sub {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let wanted = compile(&params.pattern, &params.flags)?;
        let text = text(context, params.text).await?;
        let count = wanted.find_iter(&text).count();
        if count.saturating_mul(params.replacement.len()) > LONGEST_TEXT {
            return Err(Error::TooMuch {
                what: "the text with its replacements".into(),
                limit: format!("{LONGEST_TEXT} bytes"),
            });
        }
        Ok(json!({"result": wanted.replace_all(&text, params.replacement.as_str()), "replacements": count}))
    }
}
