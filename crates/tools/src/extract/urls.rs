//! Which addresses does a text name?

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::given::text;
use crate::manifest::format::pattern;
use crate::{Error, Tool, ToolContext};

/// The tool `extract.urls`.
pub struct Urls;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    limit: usize,
}

impl Tool for Urls {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let address = pattern(
            r#"(?i)\bhttps?://[^\s<>"'`{}|\\^]+|\bwww\.[^\s<>"'`{}|\\^]+"#,
            false,
        )
        .map_err(Error::Failed)?;
        let mut seen = HashSet::new();
        let urls: Vec<String> = address
            .find_iter(&text)
            .map(|it| {
                it.as_str()
                    .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '”', '’'])
                    .to_owned()
            })
            .filter(|it| seen.insert(it.clone()))
            .take(params.limit)
            .collect();
        Ok(json!({"count": urls.len(), "urls": urls}))
    }
}
