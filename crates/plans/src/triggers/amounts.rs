//! Amounts, limits and counts in instructions.

use std::ops::Range;

use locale::price;
use regex::Captures;
use tools::rows::units;

use super::vocabulary::TriggerVocabulary;

/// Counts that are taken for numbers of results, pages or scrolls.
const COUNTS: std::ops::RangeInclusive<usize> = 1..=10_000;

/// Finds a range of two amounts: `between 10 and 20 zł`.
///
/// `5 - 3` is none, and neither are two plain small numbers without a word before them.
pub(super) fn range<'t>(text: &'t str, words: &TriggerVocabulary) -> Option<AmountRange<'t>> {
    words
        .between
        .captures_iter(text)
        .find_map(|found| range_of(&found, words))
}

fn range_of<'t>(found: &Captures<'t>, words: &TriggerVocabulary) -> Option<AmountRange<'t>> {
    let (first, last) = (found.name("u"), found.name("v"));
    let unit = last.or(first).map_or("", |unit| unit.as_str());
    // "at least 90% and 256 GB" are two amounts.
    let is_own = |unit: &str| !words.thousand.is_match(unit) && !is_currency(unit);
    if let (Some(first), Some(last)) = (first, last)
        && !first.as_str().eq_ignore_ascii_case(last.as_str())
        && (is_own(first.as_str()) || is_own(last.as_str()))
    {
        return None;
    }
    let amount = |name: &str| amount(found.name(name)?.as_str(), unit, words);
    let (low, high) = (amount("a")?, amount("b")?);
    let whole = found.get(0)?;
    let is_bare = whole.as_str().starts_with(|c: char| c.is_ascii_digit()) && !is_currency(unit);
    let unit_at = last.or(first);
    (low < high && !is_bare).then(|| AmountRange {
        place: whole.range(),
        low,
        high,
        unit,
        unit_start: unit_at
            .map_or(whole.end(), |unit| unit.start())
            .max(found.name("b").map_or(0, |it| it.end())),
        has_sign: whole.as_str().contains(['$', '€', '£', '¥']),
    })
}

/// Two amounts that are the ends of a range.
pub(super) struct AmountRange<'t> {
    pub(super) place: Range<usize>,
    pub(super) low: f64,
    pub(super) high: f64,
    /// The word behind the second amount.
    pub(super) unit: &'t str,
    pub(super) unit_start: usize,
    pub(super) has_sign: bool,
}

/// Reads an amount as people write it: `1 500`, `1.299,99`, `2 tys.`.
pub(super) fn amount(digits: &str, unit: &str, words: &TriggerVocabulary) -> Option<f64> {
    if let Some(number) = words.numbers.get(&digits.trim().to_lowercase()) {
        return Some(f64::from(u32::try_from(*number).ok()?));
    }
    let plain = digits.replace([' ', '\u{a0}', '\u{202f}'], "");
    let read = price::parse(&format!("{plain} EUR"), &price::PriceHints::default()).map(|price| price.amount);
    let amount: f64 = read.unwrap_or(plain).parse().ok()?;
    let factor = if words.thousand.is_match(unit.trim()) {
        1000.0
    } else {
        1.0
    };
    Some(amount * factor).filter(|amount| amount.is_finite())
}

/// Whether a word names a currency.
pub(super) fn is_currency(unit: &str) -> bool {
    !unit.is_empty() && (price::iso(unit, None).is_some() || unit.chars().all(|c| "$€£¥".contains(c)))
}

/// Words of a sentence that are codes or names of currencies, too.
const NO_CURRENCIES: [&str; 8] = ["dem", "um", "all", "top", "try", "den", "cup", "mad"];
/// Countries whose currencies share a sign or a word with others (`$`, `kr`, `¥`).
const SHARING: [&str; 10] = ["us", "ca", "au", "mx", "se", "no", "dk", "is", "jp", "cn"];

/// The one currency, as an ISO 4217 code, that all amounts of an instruction are in; none when it is not told, or told by a
/// sign that several currencies share.
pub(super) fn currency(instruction: &str) -> Option<&'static str> {
    let amounts = price::find_all(instruction, &price::PriceHints::default());
    let mut told = amounts
        .iter()
        // "vor dem 1. April" names no mark, and "um 18 Uhr" no ouguiya.
        .filter(|amount| {
            amount
                .currency
                .is_none_or(|written| !NO_CURRENCIES.contains(&written))
        })
        .filter_map(|amount| Some((amount.currency?, amount.iso?)));
    let (written, iso) = told.next()?;
    let is_shared = SHARING
        .iter()
        .any(|country| price::iso(written, Some(country)) != Some(iso));
    (!is_shared && told.all(|(_, other)| other == iso)).then_some(iso)
}

/// A number of things, in digits or in words of the vocabulary.
pub(super) fn number(text: &str, words: &TriggerVocabulary) -> Option<usize> {
    let lower = text.to_lowercase();
    let number = lower.parse().ok().or_else(|| words.numbers.get(&lower).copied());
    number.filter(|number| COUNTS.contains(number))
}

/// The count that a pattern found, in its group `n` or `m`.
pub(super) fn count(found: &Captures<'_>, words: &TriggerVocabulary) -> Option<usize> {
    let digits = found.name("n").or_else(|| found.name("m"))?;
    number(digits.as_str(), words)
}

/// An amount as a count, when it is a small whole number.
pub(super) fn whole_count(amount: f64) -> Option<usize> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be a small whole number"
    )]
    (amount.fract() == 0.0 && (1.0..=10_000.0).contains(&amount)).then_some(amount as usize)
}

locale::patterns! {
    /// A comparison of prices.
    static CHEAPER = r"(?i)^(?:not\s+|nicht\s+|nie\s+)?(?:cheaper|dearer|more expensive|less expensive|billiger|günstiger|teurer|tań|droż)";
}

/// The number before an entity at most two words behind it: `10 products`, `five cheap laptops`.
pub(super) fn entity_count(text: &str, words: &TriggerVocabulary) -> Option<usize> {
    let tokens: Vec<&str> = text
        .split_whitespace()
        .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()))
        .collect();
    tokens.iter().enumerate().find_map(|(index, token)| {
        let number = number(token, words)?;
        let mut behind = tokens.iter().skip(index + 1).take(3);
        // "1 kg bags" are no single bag.
        if behind.clone().next().is_some_and(|unit| units::is_unit(unit)) {
            return None;
        }
        behind.any(|token| words.is_entity(token)).then_some(number)
    })
}

/// The number that an instruction begins with: "the three teams with ...", "zeig mir die 5 Weine".
pub(super) fn leading_count(text: &str, words: &TriggerVocabulary) -> Option<usize> {
    let tokens: Vec<&str> = text.split_whitespace().take(FIRST_WORDS + 1).collect();
    let at = tokens.iter().position(|token| number(token, words).is_some())?;
    let is_led = tokens
        .iter()
        .take(at)
        .all(|token| words.is_grammar(&token.to_lowercase()));
    let counted = tokens.get(at + 1)?;
    let before = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .map(|token| token.to_lowercase());
    // "for two people"
    let is_use = before.is_some_and(|token| {
        matches!(
            token.as_str(),
            "for" | "für" | "dla" | "with" | "mit" | "z" | "in" | "w"
        )
    });
    // "die drei Wagen" are entries, whatever else a wagon is.
    let is_definite = at
        .checked_sub(1)
        .and_then(|before| tokens.get(before))
        .is_some_and(|token| ARTICLES.contains(&token.to_lowercase().as_str()));
    let is_thing = !is_use
        && counted.starts_with(char::is_alphabetic)
        && (is_definite || tools::words::concepts::field(counted).is_none());
    (at < FIRST_WORDS && is_led && is_thing)
        .then(|| number(tokens.get(at)?, words))
        .flatten()
        .filter(|count| *count > 1)
}

/// Articles before a number of things that are known.
const ARTICLES: [&str; 6] = ["the", "die", "den", "te", "tych", "those"];

/// Most words up to the number of things that an instruction begins with.
const FIRST_WORDS: usize = 5;

/// The text of a named group; empty when it did not match.
pub(super) fn group<'t>(found: &Captures<'t>, name: &str) -> &'t str {
    found.name(name).map_or("", |group| group.as_str())
}
/// Whether the words of a comparison are those of prices: "cheaper than".
pub(super) fn says_cheaper(words: &str) -> bool {
    CHEAPER.is_match(words)
}
