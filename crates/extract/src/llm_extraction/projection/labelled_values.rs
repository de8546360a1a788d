//! LabelledValues: what a page writes beside labels and below headings of tables.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use locale::number::{self, NumberStyle};
use page::Page;
use page::tables::{self, Table};
use serde_json::{Map, Value};

use crate::normalize;
use crate::rules::labels::{self, PairLayout};
use crate::rules::rows::{self, Row, TimeUnit, time_unit};
use crate::rules::visible_page::VisiblePage;

/// Most letters beside a number that are its unit: "610 g", "12 reviews".
const UNIT: usize = 10;

/// What a page writes beside labels and below headings; each is read when somebody first asks.
pub(super) struct LabelledValues<'p> {
    page: &'p Page,
    view: OnceCell<VisiblePage<'p>>,
    /// Reads the numbers of the page.
    pub(super) numbers: NumberReader,
}

impl<'p> LabelledValues<'p> {
    /// Nothing is read yet.
    pub(super) fn of(page: &'p Page) -> Self {
        Self {
            page,
            view: OnceCell::new(),
            numbers: NumberReader::of(page),
        }
    }

    /// The values beside a label of that name, in document order.
    pub(super) fn beside(&self, name: &str) -> impl Iterator<Item = String> {
        let view = self.view.get_or_init(|| VisiblePage::of(self.page));
        let key = labels::fold(name);
        let is_plain = |layout| {
            matches!(
                layout,
                PairLayout::Definition | PairLayout::Row | PairLayout::Line
            )
        };
        let pairs = view.pairs.iter();
        pairs
            .filter(move |pair| is_plain(pair.layout) && !key.is_empty() && pair.key == key)
            .map(|pair| pair.value.clone())
    }

    /// The entries of the list that a page holds, whatever it is about.
    pub(super) fn list_rows(&self) -> Vec<Map<String, Value>> {
        let view = self.view.get_or_init(|| VisiblePage::of(self.page));
        rows::read(view).into_iter().map(Row::into_map).collect()
    }

    /// The tables of the page that have headings.
    pub(super) fn tables(&self) -> impl Iterator<Item = Table> {
        tables::grids(self.page)
            .into_iter()
            .filter(|table| !table.header.is_empty())
    }
}

/// Reads the numbers that a page writes, in the style of its language.
pub(super) struct NumberReader {
    style: NumberStyle,
}

impl NumberReader {
    fn of(page: &Page) -> Self {
        let html = page.dom().by_tag("html").next();
        let declared = html.and_then(|html| html.attr("lang")).unwrap_or_default();
        let decimal = locale::decimal_separator(&declared.trim().replace('_', "-"));
        Self {
            style: NumberStyle {
                decimal,
                ..NumberStyle::default()
            },
        }
    }

    /// The number that a text is, with its unit or currency; none where it holds several or says more. The mark of a note in square
    /// brackets behind it is no number ("1,233\[3\]"), and a scale that belongs to it counts: "2.1k" are 2,100.
    pub(super) fn only_number(&self, text: &str) -> Option<Value> {
        let text = without_note(text);
        if let Some((number, power)) = scaled(text) {
            let amount = number::parse(number, self.style)?;
            return normalize::from_decimal(&locale::decimal::scale(&amount, power)?);
        }
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
        let is_one = text
            .get(start..end)?
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}'));
        if letters > UNIT || !is_one {
            return None;
        }
        let amount = number::parse(text, self.style)?;
        match amount.strip_prefix('-') {
            Some(amount) => Some(Value::from(-normalize::from_decimal(amount)?.as_f64()?)),
            None => normalize::from_decimal(&amount),
        }
    }
}

/// A text without the mark of a note in square brackets behind it, and without a remark in round ones: "2020 (70 reg)".
fn without_note(text: &str) -> &str {
    let text = text.trim();
    if let Some((before, mark)) = behind_bracket(text, '[', ']') {
        return match !mark.is_empty() && mark.chars().count() <= LONGEST_MARK {
            true => before,
            false => text,
        };
    }
    behind_bracket(text, '(', ')').map_or(text, |(before, _)| before)
}

/// What stands before the bracket that ends a text, and what stands in it.
fn behind_bracket(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let (before, within) = text.strip_suffix(close)?.rsplit_once(open)?;
    let before = before.trim_end();
    (!before.is_empty()).then_some((before, within))
}

/// Longest mark of a note, in characters.
const LONGEST_MARK: usize = 3;

/// The number of a text and the power of ten that the letter right behind it stands for: `k` and `K` for a thousand, `M` for a million, `B` and
/// `bn` for a billion. None where something else stands there: "5 m" is a length.
fn scaled(text: &str) -> Option<(&str, i32)> {
    const SCALES: [(&str, i32); 5] = [("k", 3), ("K", 3), ("M", 6), ("B", 9), ("bn", 9)];
    SCALES.iter().find_map(|(letter, power)| {
        let number = text.strip_suffix(letter)?;
        let is_number = number.ends_with(|c: char| c.is_ascii_digit())
            && number
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
        is_number.then_some((number, *power))
    })
}

/// What the numbers of a text count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    /// The letters behind the number, in small letters: `kg` of "1 kg".
    Letters(String),
    /// An amount for each of a unit of time: "14,50 €/Std.".
    PerTime(TimeUnit),
    /// An amount for no unit of time, among others that are.
    Whole,
}

impl Unit {
    /// Whether a text has this unit, or none that could be another.
    pub(super) fn is_of(&self, text: &str) -> bool {
        match (self, unit(text)) {
            (Self::Letters(_) | Self::Whole, None) => true,
            (Self::PerTime(_), None) => false,
            (own, Some(unit)) => *own == unit,
        }
    }
}

/// The unit of the number of a text. None where there are no letters or no number.
fn unit(text: &str) -> Option<Unit> {
    if let Some(time) = time_unit(text) {
        return Some(Unit::PerTime(time));
    }
    let text = without_note(text);
    if scaled(text).is_some() {
        return None;
    }
    let behind = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let starts_with_number = text.trim().starts_with(|c: char| c.is_ascii_digit());
    let is_unit = !behind.is_empty()
        && behind.chars().count() <= UNIT
        && behind.chars().all(|c| c.is_alphabetic() || c == '.');
    (starts_with_number && is_unit).then(|| Unit::Letters(behind.trim_end_matches('.').to_lowercase()))
}

/// The unit of most texts; none where no text has one.
pub(super) fn common_unit<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Unit> {
    let units: Vec<Option<Unit>> = texts
        .filter(|text| !normalize::is_placeholder(text))
        .map(unit)
        .collect();
    let are_rates = units
        .iter()
        .flatten()
        .any(|unit| matches!(unit, Unit::PerTime(_)));
    let mut counts: BTreeMap<Unit, usize> = BTreeMap::new();
    for unit in units {
        let unit = unit.or_else(|| are_rates.then_some(Unit::Whole));
        if let Some(unit) = unit {
            *counts.entry(unit).or_default() += 1;
        }
    }
    counts
        .into_iter()
        .max_by_key(|(_, count)| *count)
        .map(|(unit, _)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_no_part_of_a_number_and_scales_are() {
        let page = Page::new("<html lang=en><body><p>a</p>", None);
        let read = |text: &str| {
            let number = NumberReader::of(&page).only_number(text);
            number.and_then(|value| value.as_f64())
        };
        for (text, want) in [
            ("1,233[3]", Some(1233.0)),
            ("1.5M", Some(1_500_000.0)),
            ("2.1k", Some(2100.0)),
            ("1.2345k", Some(1234.5)),
            ("0.5k", Some(500.0)),
            ("5 m", Some(5.0)),
            ("1 [about 2]", None),
        ] {
            assert_eq!(read(text), want, "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_the_language_and_country_of_the_page_write_them() {
        let read = |lang: &str, text: &str| {
            let page = Page::new(format!("<html lang={lang}><body><p>a</p>"), None);
            NumberReader::of(&page)
                .only_number(text)
                .and_then(|value| value.as_f64())
        };
        for (lang, text, want) in [
            ("de", "12.345 kg", 12345.0),
            ("de-CH", "12.345 kg", 12.345),
            ("es_MX", "12.345 kg", 12.345),
            ("sl", "12,345 kg", 12.345),
            ("en", "12.345 kg", 12.345),
            ("en", "1,234 kg", 1234.0),
        ] {
            assert_eq!(read(lang, text), Some(want), "{lang} {text}");
        }
    }
}
