//! URLs in a text.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::input::{TextSearchParams, text};
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static URL = r#"(?i)\bhttps?://[^\s<>"'`{}|\\^]+|\bwww\.[^\s<>"'`{}|\\^]+"#;
}

/// The tool `extract.urls`.
pub struct ExtractUrls;

impl Tool for ExtractUrls {
    type Params = TextSearchParams;
    type Output = Value;

    async fn run(&self, params: TextSearchParams, context: &mut ToolContext) -> Result<Value, Error> {
        let text = text(context, params.text).await?;
        let mut seen = HashSet::new();
        let urls: Vec<String> = URL
            .find_iter(&text)
            .map(|url| {
                url.as_str()
                    .trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '”', '’'])
                    .to_owned()
            })
            .filter(|it| seen.insert(it.clone()))
            .take(params.limit)
            .collect();
        Ok(json!({"count": urls.len(), "urls": urls}))
    }
}
