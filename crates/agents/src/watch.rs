//! Comparison of two versions of what is watched: what has changed in its content, without noise, and whether that is what
//! the owner waits for.

mod alignment;
mod blocks;
mod conditions;
mod confirmation;
mod contents;
mod entry_keys;
mod excerpts;
mod fields;
mod hunks;
mod judge;
mod noise;
mod results;
mod unknown_fields;

use extract::rules::content;
use page::Page;
use serde_json::Value;
use wire::error::ErrorBody;
use wire::monitors::WatchedPart;
use wire::read::PageView;

pub use conditions::hold;
pub use contents::{ChangedValues, Comparison, PageText, Volatility, WatchedContent};
pub use judge::{check_model, differences, holds};
pub use results::{of_research, of_scrape, read_map};
pub use unknown_fields::unknown_field;

use crate::page_requests::rendered;
use crate::services::AgentServices;

/// Longest content of a version, in bytes.
pub const MAX_CONTENT: usize = 512 << 10;
/// How often what has changed is read again, to tell noise from changes.
pub const MAX_FURTHER_READINGS: usize = 3;
/// Most blocks of a page whose keys are kept.
const MAX_SHOWN: usize = 20_000;
/// Reads what is watched of a page, past the cache. The second value says whether it was cut. `was_read` says that the page had
/// content of that kind before: a list that is gone since has no entries any more.
///
/// # Errors
/// When there is no such page, it may not be reached, or nothing on it is of that kind.
pub async fn read(
    services: &AgentServices,
    url: &str,
    part: WatchedPart,
    was_read: bool,
) -> Result<(WatchedContent, bool), ErrorBody> {
    let view = match part {
        WatchedPart::Text => PageView::Markdown,
        WatchedPart::Item => PageView::Item,
        WatchedPart::Records => PageView::Records,
    };
    let read = move |page: &Page, is_whole: bool| {
        let is_emptied = was_read && is_whole && part == WatchedPart::Records;
        let emptied = || (WatchedContent::Records(Vec::new()), false);
        content_of(page, part).or_else(|| is_emptied.then(emptied))
    };
    crate::page_requests::read_anew(services, url, view, read).await
}

/// What is watched of a page that was read, and whether it was cut; none where the page has nothing of that kind.
pub fn content_of(page: &Page, part: WatchedPart) -> Option<(WatchedContent, bool)> {
    match part {
        WatchedPart::Text => text_of(page),
        WatchedPart::Item => {
            let item = rendered(page, PageView::Item);
            let mut item: serde_json::Map<String, Value> = serde_json::from_str(&item).ok()?;
            item.retain(|name, _| !results::is_about_reading(name));
            Some((WatchedContent::Item(item), false))
        }
        WatchedPart::Records => {
            let (lines, is_cut) = cut(rendered(page, PageView::Records));
            let lines = lines.lines();
            let records: Vec<_> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
            (!records.is_empty()).then_some((WatchedContent::Records(records), is_cut))
        }
    }
}

fn text_of(page: &Page) -> Option<(WatchedContent, bool)> {
    let watched = content::watched(page);
    let (main, whole) = match watched.content.trim().is_empty() {
        // A page without content is watched whole rather than not at all.
        true => {
            let whole = page::markdown::render_page(page);
            (whole.clone(), whole)
        }
        false => (watched.content, watched.all),
    };
    if main.trim().is_empty() {
        return None;
    }
    let (main, is_cut) = cut(main);
    let mut shown: Vec<u64> = blocks::keys(&whole).take(MAX_SHOWN).collect();
    shown.sort_unstable();
    let blocks = blocks::split(&main);
    Some((WatchedContent::Page(PageText { blocks, shown }), is_cut))
}

/// A text that is not too long; a line is left out whole.
fn cut(mut text: String) -> (String, bool) {
    let is_cut = text.len() > MAX_CONTENT;
    if is_cut {
        let kept = locale::truncate_bytes(&text, MAX_CONTENT);
        let end = kept.rfind('\n').unwrap_or(kept.len());
        text.truncate(end);
    }
    (text, is_cut)
}

/// Compares two versions. `again` are further readings of the later one: what they do not confirm is noise. `key` is the
/// field that tells entries of a list apart, where the owner has named one.
pub fn compare(
    before: &WatchedContent,
    after: &WatchedContent,
    again: &[WatchedContent],
    key: Option<&str>,
    volatility: &Volatility,
) -> Comparison {
    use WatchedContent::{Item, Records};
    if let (Some(before), Some(after)) = (before.text(), after.text()) {
        let again: Vec<_> = again.iter().filter_map(WatchedContent::text).collect();
        return blocks::compare(before, after, &again, volatility);
    }
    match (before, after) {
        (Item(before), Item(after)) => {
            let again = again.iter().filter_map(|again| match again {
                Item(again) => Some(again),
                _ => None,
            });
            fields::compare_items(before, after, &again.collect::<Vec<_>>(), volatility)
        }
        (Records(before), Records(after)) => {
            let again = again.iter().filter_map(|again| match again {
                Records(again) => Some(again.as_slice()),
                _ => None,
            });
            fields::compare_records(before, after, &again.collect::<Vec<_>>(), key)
        }
        _ => Comparison::none(),
    }
}
