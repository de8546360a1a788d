//! E-mail addresses in a text or page.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::input::{TextSearchParams, text};
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    /// `@` written as `(at)` or `[małpa]`.
    static WRITTEN_AT = r"(?i)\s?[\[({]\s?(?:at|małpa)\s?[\])}]\s?";
    /// An apostrophe between two letters is one of a name: "jo.o'brien".
    static EMAIL = r"(?:[\p{L}\p{N}._%+-]*\p{L}'\p{L}[\p{L}\p{N}._%+-]*|[\p{L}\p{N}._%+-]+)@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}";
}

/// The tool `extract.emails`.
pub struct ExtractEmails;

impl Tool for ExtractEmails {
    type Params = TextSearchParams;
    type Output = Value;

    async fn run(&self, params: TextSearchParams, context: &mut ToolContext) -> Result<Value, Error> {
        let mut found: Vec<String> = Vec::new();
        if params.text.is_none() && context.has_page() {
            let pages = context.pages().await?;
            let links = pages
                .iter()
                .flat_map(|page| page.dom().by_tag("a"))
                .filter_map(|link| link.attr("href")?.strip_prefix("mailto:"));
            // A link may name several people, each with a name: "Ann%20Berg%20%3Cann@a.example%3E,bo@b.example".
            for link in links {
                let link = link.split('?').next().unwrap_or_default();
                let link = percent_encoding::percent_decode_str(link).decode_utf8_lossy();
                found.extend(addresses(&link));
            }
        }
        let text = text(context, params.text).await?;
        let plain = WRITTEN_AT.replace_all(&text, "@");
        found.extend(addresses(&plain));
        let mut seen = HashSet::new();
        found.retain(|it| seen.insert(it.clone()));
        found.truncate(params.limit);
        Ok(json!({"count": found.len(), "emails": found}))
    }
}

/// Endings of pictures, whose names may have an "@": "logo@2x.png".
const PICTURES: [&str; 6] = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg"];

/// The addresses in a text, in small letters.
fn addresses(text: &str) -> Vec<String> {
    let found = EMAIL.find_iter(text).map(|email| email.as_str().to_lowercase());
    let is_picture = |email: &String| PICTURES.iter().any(|ending| email.ends_with(ending));
    found.filter(|email| !is_picture(email)).collect()
}

#[cfg(test)]
#[path = "emails/tests.rs"]
mod tests;
