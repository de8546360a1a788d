//! The numbers that the entries of a page's list have beside their words.

use extract::rules::rows::Row;
use serde_json::{Value, json};

use crate::rows::row_texts::RowTexts;
use crate::rows::text::Measure;
use crate::words::concepts::are_same_words;
use crate::words::word_forms::tokens;

/// Fewest entries of a list.
pub(super) const MIN_LISTED: usize = 3;
/// How many times the largest number that entries have beside a word an upper limit may be for both to count the same.
const SAME_SCALE: f64 = 20.0;

/// Whether an upper limit is so far above the largest number beside a word that both count different things.
pub(super) fn is_far_above(upper_limit: f64, largest: f64) -> bool {
    upper_limit > largest * SAME_SCALE
}

/// The entries of a list, for the numbers beside their words.
pub(super) struct ListCounts {
    rows: Vec<Value>,
    texts: RowTexts,
    /// The words of the title of each entry.
    titles: Vec<Vec<String>>,
}

impl ListCounts {
    pub(super) fn of(rows: &[Row]) -> ListCounts {
        let mut texts = RowTexts::default();
        let (mut named, mut titles) = (Vec::new(), Vec::new());
        for (at, row) in rows.iter().enumerate() {
            let name = at.to_string();
            texts.keep(Some(&name), None, &row.text);
            named.push(json!({"name": name}));
            titles.push(tokens(row.title.as_deref().unwrap_or_default()));
        }
        ListCounts {
            rows: named,
            texts,
            titles,
        }
    }

    /// Whether at least half of the entries are called so: "2 bed flat, North Street".
    pub(super) fn is_what_entries_are(&self, word: &str) -> bool {
        let calls = |title: &&Vec<String>| title.iter().any(|own| are_same_words(own, word));
        self.titles.iter().filter(calls).count() * 2 >= self.titles.len().max(1)
    }

    /// How many entries have a number beside a word.
    pub(super) fn numbers(&self, word: &str) -> usize {
        Measure::counted(word, &self.rows, &self.texts).len()
    }

    /// The largest number beside a word, where at least half of the entries have one.
    pub(super) fn largest(&self, word: &str) -> Option<f64> {
        let numbers = Measure::counted(word, &self.rows, &self.texts);
        let is_told = numbers.len() * 2 >= self.rows.len().max(MIN_LISTED);
        numbers.into_iter().reduce(f64::max).filter(|_| is_told)
    }
}
