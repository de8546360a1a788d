//! Replacement of matches in a text.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::input::MAX_TEXT_BYTES;
use crate::user_regex::read;
use crate::{Error, Tool, ToolContext};

/// The tool `regex.sub`.
pub struct Sub;

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
        let (pattern, text) = read(params.pattern, params.text, &params.flags, context).await?;
        let count = pattern.find_iter(&text).count();
        if count.saturating_mul(params.replacement.len()) > MAX_TEXT_BYTES {
            return Err(Error::TooMuch {
                what: "the text with its replacements".into(),
                limit: format!("{MAX_TEXT_BYTES} bytes"),
            });
        }
        Ok(json!({"result": pattern.replace_all(&text, params.replacement.as_str()), "replacements": count}))
    }
}
