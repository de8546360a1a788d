//! Social media accounts in a text or page.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::input::{TextParams, text};
use crate::{Error, Tool, ToolContext};

locale::patterns! {
    static PROFILE = r"(?i)(?:https?://|//)?(?:(?:www|m|mobile|[a-z]{2}(?:-[a-z]{2})?)\.)?(twitter|x|instagram|facebook|linkedin|github|youtube|tiktok|mastodon|threads)\.(?:com|net|social)/(?:(?:in|company|c|user|channel)/)?@?([A-Za-z0-9_.-]{2,50})";
}

/// First words of paths of the networks that are no account.
#[rustfmt::skip]
const NONE: [&str; 33] = [
    "share", "sharer", "intent", "home", "login", "watch", "search", "hashtag", "p", "explore", "groups", "pages", "reel",
    "reels", "embed", "playlist", "events", "event", "tr", "plugins", "dialog", "help", "about", "privacy", "policies", "terms",
    "settings", "results", "feed", "shorts", "stories", "tv", "signup",
];

/// Whether the name of a network behind `head` is the end of another name: "netflix.com", "shop.fedex.com".
fn is_within_name(head: &str) -> bool {
    head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '@'))
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
        let mut seen = HashSet::new();
        let mut found: Vec<Value> = Vec::new();
        for (source, hit) in sources
            .iter()
            .flat_map(|source| PROFILE.captures_iter(source).map(move |hit| (source, hit)))
        {
            let part = |at: usize| hit.get(at).map_or("", |part| part.as_str());
            let start = hit.get(0).map_or(0, |whole| whole.start());
            if is_within_name(source.get(..start).unwrap_or_default()) {
                continue;
            }
            let (network, handle) = (part(1).to_lowercase(), part(2).trim_end_matches('.'));
            let lower = handle.to_lowercase();
            // "sharer.php", "profile.php?id=1": scripts of the network.
            let is_script = lower.ends_with(".php");
            // Case tells the ids of channels apart, and not names.
            if !is_script && !NONE.contains(&lower.as_str()) && seen.insert((network.clone(), lower)) {
                found.push(json!({"platform": if network == "x" { "twitter".to_owned() } else { network }, "handle": handle}));
            }
        }
        found.truncate(200);
        Ok(json!({"count": found.len(), "handles": found}))
    }
}
