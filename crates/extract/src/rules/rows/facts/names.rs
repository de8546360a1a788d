//! Names of entries among their facts: the column that the titles were read from is no fact beside them.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use serde_json::Value;

use super::entry_facts::EntryFacts;
use super::labels::{LONGEST_LABEL, LONGEST_VALUE};
use crate::rules::records::Record;

/// Fewest words of a title that a cell repeats: a name of two or three may be a part of an address.
const LEAST_TITLE: usize = 4;

/// How the values of a label are related to the titles of their entries.
#[derive(Default)]
struct LabelNames {
    /// Values beside a title.
    count: usize,
    /// Values that are the title.
    equal: usize,
    /// Values that are the title, or the title and a few words more or less.
    like: usize,
}

/// Leaves out what names the entries once more. Which label does is told from all entries: a stadium may be called by its team, and
/// a model by its car.
pub(super) fn leave_out(records: &[Record], facts: &mut [EntryFacts]) {
    let titles: Vec<&str> = records.iter().map(title).collect();
    let titled = titles.iter().filter(|title| !title.is_empty()).count();
    let mut labels: HashMap<String, LabelNames, RandomState> = HashMap::default();
    for (facts, title) in facts.iter().zip(&titles) {
        for (label, value) in facts.values.iter().filter(|_| !title.is_empty()) {
            let value = value.as_str().unwrap_or_default();
            let names = labels.entry(label.clone()).or_default();
            names.count += 1;
            names.equal += usize::from(value == *title);
            names.like += usize::from(is_name(title, value));
        }
    }
    let is_column = |names: &LabelNames| names.equal * 2 > names.count && names.count * 2 > titled;
    let has_column = labels.values().any(is_column);
    let is_of_names = |label: &String| {
        labels.get(label).is_some_and(|names| {
            let same = if has_column { names.equal } else { names.like };
            same * 2 > names.count
        })
    };
    for (facts, title) in facts.iter_mut().zip(&titles) {
        facts.values.retain(|label, value| {
            let value = value.as_str().unwrap_or_default();
            title.is_empty() || !is_of_names(label) || !is_name(title, value)
        });
    }
}

fn title(record: &Record) -> &str {
    let title = record.fields.get("title").and_then(Value::as_str);
    title.unwrap_or_default()
}

/// Whether a value is a title, or a part of one with a badge.
fn is_name(title: &str, value: &str) -> bool {
    value.starts_with(title) || begins_title(title, value) || is_cell_of(title, value)
}

/// Whether a text is a title with badges before it and a few words behind, as the cell of a thread has.
fn is_cell_of(title: &str, text: &str) -> bool {
    title.split_whitespace().count() >= LEAST_TITLE
        && text.len() <= title.len() + LONGEST_VALUE / 2
        && text.contains(title)
}

/// Whether a title is a text and a badge behind it: "Balcony tomato Organic".
fn begins_title(title: &str, text: &str) -> bool {
    let badge = title.strip_prefix(text);
    badge.is_some_and(|badge| {
        badge.starts_with(' ') && badge.len() <= LONGEST_LABEL && text.len() > badge.len()
    })
}
