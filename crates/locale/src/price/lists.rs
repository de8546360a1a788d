//! Numbers that a comma and a blank part: cents of a typesetting ("19, 99 €"), or two numbers of a list ("$12, 50 pieces").

use smallvec::SmallVec;

use super::currency::CurrencyMatch;
use crate::number::WrittenNumber;

/// Words for things that are counted behind a price and a comma: "$12, 50 pieces".
const COUNTED: [&str; 16] = [
    "pieces",
    "pcs",
    "items",
    "left",
    "sold",
    "available",
    "reviews",
    "ratings",
    "people",
    "seats",
    "tickets",
    "units",
    "points",
    "days",
    "customers",
    "votes",
];

/// The numbers of a text, of which those that a comma and a blank part are two where a thing is counted behind them ("$12, 50 pieces") or
/// each has a currency of its own ("¥500, 99 zł").
pub(super) fn parted(
    text: &str,
    numbers: SmallVec<[WrittenNumber; 4]>,
    currencies: &[CurrencyMatch],
) -> SmallVec<[WrittenNumber; 4]> {
    let part = |written: WrittenNumber| {
        let is_before = |sign: &&CurrencyMatch| {
            let gap = text.get(sign.end..written.start);
            gap.is_some_and(|gap| gap.len() <= 2 && gap.trim().is_empty())
        };
        let before = currencies.iter().find(is_before);
        let behind = text.get(written.end..).unwrap_or_default();
        let word_at = written.end + behind.len() - behind.trim_start().len();
        let after = currencies.iter().find(|sign| sign.start == word_at);
        let differ = before
            .zip(after)
            .is_some_and(|(before, after)| before.iso != after.iso);
        // A dollar or a pound is written with a point before its cents.
        let is_pointed = before.is_some_and(|sign| matches!(sign.text(text), Some("$" | "£" | "¥")));
        let word: String = behind
            .trim_start()
            .chars()
            .take_while(|c| c.is_lowercase())
            .collect();
        let is_counted = is_pointed && COUNTED.contains(&word.as_str());
        let is_list = differ || is_counted;
        match written.parted_at_blank(text).filter(|_| is_list) {
            Some(parts) => SmallVec::<[WrittenNumber; 2]>::from_iter(parts),
            None => SmallVec::from_iter([written]),
        }
    };
    numbers.into_iter().flat_map(part).collect()
}
