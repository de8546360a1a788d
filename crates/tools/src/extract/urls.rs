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
            .map(|url| without_marks(url.as_str()).to_owned())
            .filter(|it| seen.insert(it.clone()))
            .take(params.limit)
            .collect();
        Ok(json!({"count": urls.len(), "urls": urls}))
    }
}

/// An address without the marks of the text behind it. A bracket that closes one of the address belongs to it: `/x_(y)`.
fn without_marks(url: &str) -> &str {
    let count = |sign: char| url.matches(sign).count();
    let mut unopened = count(')').saturating_sub(count('('));
    let mut unopened_square = count(']').saturating_sub(count('['));
    url.trim_end_matches(|last: char| match last {
        ')' => take_one(&mut unopened),
        ']' => take_one(&mut unopened_square),
        last => matches!(last, '.' | ',' | ';' | ':' | '!' | '?' | '”' | '’'),
    })
}

/// Lessens a count that is not zero; false where it is.
fn take_one(count: &mut usize) -> bool {
    let is_left = *count > 0;
    *count = count.saturating_sub(1);
    is_left
}
