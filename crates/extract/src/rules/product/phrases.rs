//! Phrases of shops that the rules for prices and for availability share.

use std::sync::LazyLock;

use super::super::word_lists::section;
use locale::phrases::PhraseMatcher;

/// Words on the button that buys.
static BUY: LazyLock<PhraseMatcher> = LazyLock::new(|| phrases("buy"));

/// The phrases of one section of `phrases.txt`.
pub(super) fn phrases(name: &str) -> PhraseMatcher {
    PhraseMatcher::new(&[&section(include_str!("phrases.txt"), name)])
}

/// Whether a short text is that of a button to buy.
pub(super) fn is_buy_button(text: &str) -> bool {
    if text.len() > 60 {
        return false;
    }
    let lower = text.to_lowercase();
    BUY.first(&lower)
        .is_some_and(|hit| hit.start == 0 || lower.len() < hit.end - hit.start + 12)
}
