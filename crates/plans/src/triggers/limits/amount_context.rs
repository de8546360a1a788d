//! An amount that is compared, and what the words around it say.

use tools::rows::units;
use tools::words::concepts;

use super::super::amounts;
use super::super::vocabulary::{TriggerVocabulary, is_whole};

/// How far before a comparison its field may be named, in bytes.
const FIELD_REACH: usize = 40;
/// Most years that are counted.
const MOST_YEARS: usize = 120;
/// Fields that are amounts of money.
const PAID: [&str; 6] = ["price", "old_price", "salary", "rent", "deposit", "cost"];

locale::patterns! {
    /// What may stand between the name of a field and its comparison.
    static GLUE = r"(?i)^\s*(?::|=|-)?\s*(?:(?:is|are|be|being|was|of|that|the|it|ist|sind|sein|von|jest|są|wynosi|to)(?:\s+|$)){0,2}$";
    /// The last word of a text.
    static LAST_WORD = r"(\p{L}[\p{L}-]*)\s*(?:(?i:is|are|of|ist|von|jest)\s+)?$";
    /// The word behind a unit.
    static BEHIND_UNIT = r"(?i)^\s*(?:(?:of|an)\s+)?(\p{L}+)";
    /// What stands before a number of things that others are for: "licences for five devices".
    static USED_FOR = r"(?i)(?:^|\p{Latin}+\s+)\b(?:for|für|dla|covering|supporting)\s*$";
    /// Words for money that are no codes.
    static MONEY_WORD = r"(?i)^(?:euros?|dollars?|pounds?|quid|dolar\p{Latin}*|funt\p{Latin}*|złot\p{Latin}+|zloty|zł|pfund)$";
    /// The first word of a text.
    static FIRST_WORD = r"^\s*(\p{L}+)";
}

/// What an amount is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::triggers) enum LimitField {
    /// A field with a name.
    Named(String),
    /// The number of things asked for.
    Count,
    /// Nothing is named: the price of products, the points of posts.
    Unnamed,
    /// An amount of something that the instruction does not name.
    Unknown,
}

/// The field of a comparison, and where its words end in the text.
pub(in crate::triggers) struct FoundField {
    pub(in crate::triggers) field: LimitField,
    pub(in crate::triggers) end: usize,
}

impl FoundField {
    /// The same field, whose words end at another place.
    pub(super) fn up_to(self, end: usize) -> FoundField {
        FoundField { end, ..self }
    }
}

/// An amount that is compared, as it stands in the text.
pub(super) struct Amount<'t> {
    /// The word behind it; empty where there is none.
    pub(super) unit: &'t str,
    pub(super) unit_start: usize,
    /// The number as written.
    pub(super) digits: &'t str,
    /// The words of the comparison, where they stand before the amount.
    pub(super) compared: Option<&'t str>,
    /// Whether a sign of a currency stands before it.
    pub(super) has_sign: bool,
    /// Where the comparison ends in the text.
    pub(super) end: usize,
}

/// A word behind a comparison.
#[derive(Clone, Copy)]
pub(super) struct WordBehind<'t> {
    pub(super) text: &'t str,
    /// Its length with what stands between it and the comparison, in bytes.
    pub(super) length: usize,
}

/// An amount with the text around it.
pub(super) struct AmountContext<'t> {
    pub(super) amount: Amount<'t>,
    /// What stands before the comparison.
    pub(super) before: &'t str,
    /// What stands behind it, and behind the unit.
    pub(super) after: &'t str,
    pub(super) words: &'t TriggerVocabulary,
    /// The first word of what stands behind.
    pub(super) second: Option<WordBehind<'t>>,
    /// The same, behind an "of".
    pub(super) behind: Option<WordBehind<'t>>,
    /// Whether the amount is a share.
    pub(super) is_share: bool,
    /// Whether no unit stands behind the amount: "W" is one, and "w" a word.
    pub(super) is_bare: bool,
}

impl<'t> AmountContext<'t> {
    pub(super) fn of(
        amount: Amount<'t>,
        before: &'t str,
        after: &'t str,
        words: &'t TriggerVocabulary,
    ) -> AmountContext<'t> {
        let word = |pattern: &locale::Regex| {
            let found = pattern.captures(after)?.get(1)?;
            Some(WordBehind {
                text: found.as_str(),
                length: found.end(),
            })
        };
        let unit = amount.unit;
        let is_word = || !units::is_converted(unit) && words.is_grammar(&unit.to_lowercase());
        AmountContext {
            is_share: unit.starts_with('%') || field_of_unit(unit, words) == Some("discount"),
            is_bare: unit.is_empty() || is_word(),
            amount,
            before,
            after,
            words,
            second: word(&FIRST_WORD),
            behind: word(&BEHIND_UNIT),
        }
    }

    /// The words of the comparison; empty where they stand behind the amount.
    pub(super) fn compared(&self) -> &'t str {
        self.amount.compared.unwrap_or_default()
    }

    /// The unit in small letters.
    pub(super) fn lower_unit(&self) -> String {
        self.amount.unit.to_lowercase()
    }

    /// The field that the vocabulary has for a word behind an amount.
    pub(super) fn field_of_unit(&self, word: &str) -> Option<&'t str> {
        field_of_unit(word, self.words)
    }

    /// A field by its name, whose words end with the comparison.
    pub(super) fn named(&self, name: &str) -> FoundField {
        self.found(LimitField::Named(name.to_owned()))
    }

    /// A field whose words end with the comparison.
    pub(super) fn found(&self, field: LimitField) -> FoundField {
        FoundField {
            field,
            end: self.amount.end,
        }
    }

    /// Where a word behind the comparison ends in the text.
    pub(super) fn end_of(&self, word: WordBehind<'_>) -> usize {
        self.amount.end + word.length
    }

    /// Whether the word behind the amount is one for money.
    pub(super) fn is_in_money(&self) -> bool {
        MONEY_WORD.is_match(self.amount.unit) || amounts::is_currency(self.amount.unit)
    }

    /// Whether the number may count years: "at least 5 years of experience" is no year of the calendar.
    pub(super) fn may_count_years(&self) -> bool {
        amounts::number(self.amount.digits, self.words).is_some_and(|number| number <= MOST_YEARS)
    }

    /// Whether others are for the counted things: "licences for at least 5 devices" count no licences.
    pub(super) fn is_about_uses(&self) -> bool {
        USED_FOR.is_match(self.before) || self.compared().starts_with("for ")
    }

    /// Where the comparison ends with a currency behind it: "100 thousand euros".
    pub(super) fn end_with_currency(&self) -> usize {
        let Amount { unit_start, end, .. } = self.amount;
        self.second
            .filter(|word| amounts::is_currency(word.text))
            .map_or(end, |word| unit_start.max(end) + word.length)
    }

    /// The last word before the comparison.
    pub(super) fn last_word_before(&self) -> Option<&'t str> {
        last_word(self.before)
    }

    /// The last two words before the comparison, but for words of grammar and what is listed.
    pub(super) fn two_words_before(&self) -> Option<String> {
        let last = self.last_word_before()?;
        let before = self.before.get(..self.before.rfind(last)?)?;
        let first = last_word(before)?;
        let is_name = !self.words.is_grammar(&first.to_lowercase()) && !self.words.is_entity(first);
        is_name.then(|| format!("{first} {last}"))
    }

    /// The field that is named right before the comparison: `rating` in "rating is above 4".
    pub(super) fn field_before(&self) -> Option<String> {
        let before = self.before;
        let from = before.len().saturating_sub(FIELD_REACH);
        let from = (from..before.len()).find(|at| before.is_char_boundary(*at))?;
        let near = before.get(from..)?;
        let mut best: Option<(usize, &str)> = None;
        for (name, pattern) in &self.words.fields {
            let last = pattern.find_iter(near).last();
            let Some(end) = last.map(|found| found.end()) else {
                continue;
            };
            let is_beside = near.get(end..).is_some_and(|gap| GLUE.is_match(gap));
            if is_beside && best.is_none_or(|(most, _)| end > most) {
                best = Some((end, name));
            }
        }
        let of_concepts = || concepts::field(last_word(near)?).map(str::to_owned);
        best.map(|(_, name)| name.to_owned()).or_else(of_concepts)
    }
}

fn field_of_unit<'w>(word: &str, words: &'w TriggerVocabulary) -> Option<&'w str> {
    let mut units = words.units.iter();
    let unit = units.find(|(_, pattern)| is_whole(pattern, word));
    unit.map(|(name, _)| name.as_str())
}

fn last_word(text: &str) -> Option<&str> {
    Some(LAST_WORD.captures(text)?.get(1)?.as_str())
}

/// Whether a field is an amount of money.
pub(super) fn is_paid(field: &str) -> bool {
    PAID.contains(&field)
}
