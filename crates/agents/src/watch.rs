//! Comparison of two versions of a watched page: what has changed in its content, without noise, and whether that is what
//! the owner waits for.

mod blocks;
mod conditions;
mod content;
mod fields;
mod noise;

use serde_json::Value;
use wire::error::ErrorBody;
use wire::monitors::WatchedPart;
use wire::read::{PageView, ReadRequest};

pub use conditions::hold;
pub use content::{Comparison, Volatility, WatchedContent};

use crate::services::AgentServices;

/// Longest content of a version, in bytes.
pub const MAX_CONTENT: usize = 512 << 10;

/// Reads what is watched of a page, past the cache. The second value says whether it was cut.
///
/// # Errors
/// When there is no such page, it may not be reached, or nothing on it is of that kind.
pub async fn read(
    services: &AgentServices,
    url: &str,
    part: WatchedPart,
) -> Result<(WatchedContent, bool), ErrorBody> {
    let view = match part {
        WatchedPart::Text => PageView::Markdown,
        WatchedPart::Item => PageView::Item,
        WatchedPart::Records => PageView::Records,
    };
    let request = ReadRequest {
        url: url.to_owned(),
        view,
    };
    let mut reading = crate::page_requests::read_anew(services, &request).await?;
    let is_cut = reading.text.len() > MAX_CONTENT;
    // A line of records or a block is left out whole.
    if is_cut && part != WatchedPart::Item {
        let kept = locale::truncate_bytes(&reading.text, MAX_CONTENT);
        let end = kept.rfind('\n').unwrap_or(kept.len());
        reading.text = kept.get(..end).unwrap_or_default().to_owned();
    }
    let content = match part {
        WatchedPart::Text => WatchedContent::Text(blocks::split(&reading.text)),
        WatchedPart::Item => {
            let mut item: serde_json::Map<String, Value> =
                serde_json::from_str(&reading.text).unwrap_or_default();
            // Where a field was found is no part of what it says.
            item.remove("provenance");
            WatchedContent::Item(item)
        }
        WatchedPart::Records => {
            let lines = reading.text.lines();
            WatchedContent::Records(lines.filter_map(|line| serde_json::from_str(line).ok()).collect())
        }
    };
    Ok((content, is_cut))
}

/// Compares two versions. `key` is the field that tells entries of a list apart, where the owner has named one.
pub fn compare(
    before: &WatchedContent,
    after: &WatchedContent,
    key: Option<&str>,
    volatility: &Volatility,
) -> Comparison {
    match (before, after) {
        (WatchedContent::Text(before), WatchedContent::Text(after)) => {
            blocks::compare(before, after, volatility)
        }
        (WatchedContent::Item(before), WatchedContent::Item(after)) => {
            fields::compare_items(before, after, volatility)
        }
        (WatchedContent::Records(before), WatchedContent::Records(after)) => Comparison {
            change: fields::compare_records(before, after, key),
            volatility: Volatility::new(),
        },
        _ => Comparison {
            change: None,
            volatility: Volatility::new(),
        },
    }
}
