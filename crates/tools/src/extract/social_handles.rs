//! Social media accounts in a text or page.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::input::{TextParams, text};
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static PROFILE = r"(?i)(?:https?://)?(?:www\.)?(twitter|x|instagram|facebook|linkedin|github|youtube|tiktok|mastodon|threads)\.(?:com|net|social)/(?:(?:in|company|c|user|channel)/)?@?([A-Za-z0-9_.-]{2,50})";
}

/// The tool `extract.social_handles`.
pub struct ExtractSocialHandles;

impl Tool for ExtractSocialHandles {
    type Params = TextParams;
    type Output = Value;

    async fn run(&self, params: TextParams, context: &mut ToolContext) -> Result<Value, Error> {
        let mut sources: Vec<String> = Vec::new();
        if params.text.is_none() && context.has_page() {
            for page in context.pages().await? {
                sources.extend(
                    page::links::links(&page)
                        .into_iter()
                        .map(|link| link.url.to_string()),
                );
            }
        }
        sources.push(text(context, params.text).await?);
        let none = [
            "share", "sharer", "intent", "home", "login", "watch", "search", "hashtag", "p", "explore",
        ];
        let mut seen = HashSet::new();
        let mut found: Vec<Value> = Vec::new();
        for hit in sources.iter().flat_map(|it| PROFILE.captures_iter(it)) {
            let part = |at: usize| {
                hit.get(at)
                    .map(|it| it.as_str().to_lowercase())
                    .unwrap_or_default()
            };
            let (network, handle) = (part(1), part(2).trim_end_matches('.').to_owned());
            // "sharer.php", "profile.php?id=1": scripts of the network.
            let name = handle.strip_suffix(".php").unwrap_or(&handle);
            let is_script = name.len() < handle.len();
            if !is_script && !none.contains(&name) && seen.insert((network.clone(), handle.clone())) {
                found.push(json!({"platform": if network == "x" { "twitter".to_owned() } else { network }, "handle": handle}));
            }
        }
        found.truncate(200);
        Ok(json!({"count": found.len(), "handles": found}))
    }
}
