//! E-mail addresses in a text or page.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::input::{TextSearchParams, text};
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    /// `@` written as `(at)` or `[małpa]`.
    static WRITTEN_AT = r"(?i)\s?[\[({]\s?(?:at|małpa)\s?[\])}]\s?";
    static EMAIL = r"[\p{L}\p{N}._%+-]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}";
}

/// The tool `extract.emails`.
pub struct ExtractEmails;

impl Tool for ExtractEmails {
    type Params = TextSearchParams;
    type Output = Value;

    async fn run(&self, params: TextSearchParams, context: &mut ToolContext) -> Result<Value, Error> {
        let mut found: Vec<String> = Vec::new();
        if params.text.is_none() && context.has_page() {
            let page = context.page().await?;
            let links = page
                .dom()
                .by_tag("a")
                .filter_map(|it| it.attr("href")?.strip_prefix("mailto:"));
            found.extend(
                links
                    .map(|it| it.split('?').next().unwrap_or_default().trim().to_lowercase())
                    .filter(|it| it.contains('@')),
            );
        }
        let text = text(context, params.text).await?;
        let plain = WRITTEN_AT.replace_all(&text, "@");
        found.extend(EMAIL.find_iter(&plain).map(|email| email.as_str().to_lowercase()));
        let mut seen = HashSet::new();
        found.retain(|it| seen.insert(it.clone()));
        found.truncate(params.limit);
        Ok(json!({"count": found.len(), "emails": found}))
    }
}
