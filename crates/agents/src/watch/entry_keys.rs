//! `EntryKeys`: by what the entries of a list are told apart from one version to the next.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::noise;

/// Fields that name an entry, the best first.
const KEYS: [&str; 4] = ["url", "name", "title", "text"];

/// The keys of entries of lists that are compared with one another.
///
/// A key is the field that names an entry, without noise. What is noise in most addresses names the entries of some sites: all
/// videos at `/watch?v=...` are one without it. Where entries of a list share a key so, they are told apart by all of the field
/// but what names the visit, unless that is another one in each reading.
pub(super) struct EntryKeys<'k> {
    field: Option<&'k str>,
    /// Keys that stand for several entries.
    shared: BTreeSet<String>,
}

impl<'k> EntryKeys<'k> {
    /// Keys for two versions of a list and further readings of the later one. `field` names the field, where the owner has
    /// named one.
    pub(super) fn new(
        before: &[Map<String, Value>],
        after: &[Map<String, Value>],
        again: &[&[Map<String, Value>]],
        field: Option<&'k str>,
    ) -> Self {
        let (before, after) = (names(before, field), names(after, field));
        let again: Vec<_> = again.iter().map(|again| names(again, field)).collect();
        let none = BTreeSet::new();
        let is_stable = |key: &String| {
            let now = after.get(key).unwrap_or(&none);
            let mut readings = again.iter().filter_map(|again| again.get(key));
            // Without further readings, names that are there in both versions are those that stay.
            let stays = || before.get(key).is_none_or(|before| !before.is_disjoint(now));
            now.is_empty()
                || (readings.all(|again| !again.is_disjoint(now)) && (!again.is_empty() || stays()))
        };
        let lists = before.iter().chain(&after);
        let shared = lists.filter(|(key, names)| names.len() > 1 && is_stable(key));
        Self {
            field,
            shared: shared.map(|(key, _)| key.clone()).collect(),
        }
    }

    /// The key of an entry of one of the lists.
    pub(super) fn of(&self, record: &Map<String, Value>) -> String {
        let key = key(record, self.field);
        match self.shared.contains(&key) {
            true => name(record, self.field),
            false => key,
        }
    }
}

/// The field that names an entry.
fn naming<'r>(record: &'r Map<String, Value>, field: Option<&str>) -> Option<&'r Value> {
    field.into_iter().chain(KEYS).find_map(|name| record.get(name))
}

/// The key of an entry, without noise.
fn key(record: &Map<String, Value>, field: Option<&str>) -> String {
    match naming(record, field).map(noise::cleaned) {
        Some(Value::String(text)) => text,
        Some(other) => other.to_string(),
        None => noise::cleaned(&Value::Object(record.clone())).to_string(),
    }
}

/// What names an entry, without what names the visit.
fn name(record: &Map<String, Value>, field: Option<&str>) -> String {
    match naming(record, field) {
        Some(Value::String(text)) => noise::without_visit(text),
        _ => key(record, field),
    }
}

/// The names of the entries that share a key, by that key.
fn names(records: &[Map<String, Value>], field: Option<&str>) -> BTreeMap<String, BTreeSet<String>> {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for record in records {
        names
            .entry(key(record, field))
            .or_default()
            .insert(name(record, field));
    }
    names
}
