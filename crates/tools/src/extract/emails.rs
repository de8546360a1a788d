//! Which e-mail addresses are there?

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::given::text;
use crate::manifest::format::pattern;
use crate::{Error, Tool, ToolContext};

/// The tool `extract.emails`.
pub struct Emails;

/// Its parameters.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    text: Option<String>,
    limit: usize,
}

impl Tool for Emails {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let mut found: Vec<String> = Vec::new();
        if params.text.is_none() && context.has_page() {
            let page = context.page().await?;
            let mails = page
                .dom()
                .by_tag("a")
                .filter_map(|it| it.attr("href")?.strip_prefix("mailto:"));
            found.extend(
                mails
                    .map(|it| it.split('?').next().unwrap_or_default().trim().to_lowercase())
                    .filter(|it| it.contains('@')),
            );
        }
        let text = text(context, params.text).await?;
        let plain = pattern(r"\s?[\[({]\s?(?:at|małpa)\s?[\])}]\s?", true)
            .map(|it| it.replace_all(&text, "@").into_owned())
            .unwrap_or(text);
        let mail = pattern(
            r"[\p{L}\p{N}._%+-]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}",
            false,
        )
        .map_err(Error::Failed)?;
        found.extend(mail.find_iter(&plain).map(|it| it.as_str().to_lowercase()));
        let mut seen = HashSet::new();
        found.retain(|it| seen.insert(it.clone()));
        found.truncate(params.limit);
        Ok(json!({"count": found.len(), "emails": found}))
    }
}
