//! Replacement of matches in a text.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::user_regex::{TextSearch, pattern_error};
use crate::{Error, Tool, ToolContext};

/// The tool `regex.sub`.
pub struct RegexSub;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pattern: String,
    text: Option<String>,
    flags: String,
    replacement: String,
}

impl Tool for RegexSub {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let search = TextSearch::new(params.pattern, params.text, params.flags, context).await?;
        let replaced = search.pattern.replace(
            &search.sandbox,
            &search.text,
            with_numbers_apart(&params.replacement),
        );
        let (result, count) = replaced.await.map_err(pattern_error)?;
        Ok(json!({"result": result, "replacements": count}))
    }
}

/// A replacement in which the number of a group ends before what follows: `$1kg` is the first group and "kg", as no group has a name
/// that begins with a digit.
fn with_numbers_apart(replacement: &str) -> String {
    let mut out = String::with_capacity(replacement.len());
    let mut rest = replacement;
    while let Some((before, behind)) = rest.split_once('$') {
        out.push_str(before);
        if let Some(escaped) = behind.strip_prefix('$') {
            out.push_str("$$");
            rest = escaped;
            continue;
        }
        let digits = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, more) = behind.split_at(digits);
        match number.is_empty() {
            true => out.push('$'),
            false => out.push_str(&format!("${{{number}}}")),
        }
        rest = more;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
#[path = "sub/tests.rs"]
mod tests;
