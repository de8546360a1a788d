//! Property copying: `rdfa:copy` gives a subject the statements of an `rdfa:Pattern`.
//! <https://www.w3.org/TR/html-rdfa/#property-copying>

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

const COPY: &str = "http://www.w3.org/ns/rdfa#copy";
const PATTERN: &str = "http://www.w3.org/ns/rdfa#Pattern";
/// Patterns that copy from patterns are followed this many times.
const MAX_ROUNDS: usize = 10;
/// Most statements that are copied altogether.
const MAX_COPIES: usize = 10_000;

/// Statements by subject.
type Subjects = [(String, Map<String, Value>)];

/// Copies the statements of the patterns that are referred to, and returns the patterns that no longer count.
pub(super) fn copy_patterns(subjects: &mut Subjects) -> HashSet<String> {
    if !subjects
        .iter()
        .any(|(_, properties)| properties.contains_key(COPY))
    {
        return HashSet::new();
    }
    let patterns: HashMap<String, usize> = subjects
        .iter()
        .enumerate()
        .filter(|(_, (_, properties))| list(properties.get("@type")).iter().any(|kind| kind == PATTERN))
        .map(|(at, (subject, _))| (subject.clone(), at))
        .collect();
    let mut used = HashSet::new();
    let mut copies = 0;
    for _ in 0..MAX_ROUNDS {
        let mut is_changed = false;
        for at in 0..subjects.len() {
            for target in targets(subjects, at, &patterns) {
                let Some((name, source)) = subjects.get(target).cloned() else {
                    continue;
                };
                used.insert(name);
                let Some((_, properties)) = subjects.get_mut(at).filter(|_| target != at) else {
                    continue;
                };
                for (property, value) in source
                    .iter()
                    .flat_map(|(name, all)| list(Some(all)).iter().map(move |one| (name, one)))
                {
                    let is_pattern = property == "@type" && value == PATTERN;
                    if !is_pattern && copies < MAX_COPIES && push_new(properties, property, value) {
                        copies += 1;
                        is_changed = true;
                    }
                }
            }
        }
        if !is_changed {
            break;
        }
    }
    for (_, properties) in subjects.iter_mut() {
        remove_references(properties, &patterns);
    }
    used
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The patterns that a subject copies, by their places.
fn targets(subjects: &Subjects, at: usize, patterns: &HashMap<String, usize>) -> Vec<usize> {
    let references = subjects
        .get(at)
        .map_or(&[][..], |(_, properties)| list(properties.get(COPY)));
    let ids = references
        .iter()
        .filter_map(|reference| reference["@id"].as_str());
    ids.filter_map(|id| patterns.get(id).copied()).collect()
}

/// Adds a value that is not there yet.
fn push_new(properties: &mut Map<String, Value>, property: &str, value: &Value) -> bool {
    let values = properties
        .entry(property)
        .or_insert_with(|| Value::Array(Vec::new()));
    match values {
        Value::Array(values) if !values.contains(value) => {
            values.push(value.clone());
            true
        }
        _ => false,
    }
}

fn remove_references(properties: &mut Map<String, Value>, patterns: &HashMap<String, usize>) {
    let Some(Value::Array(references)) = properties.get_mut(COPY) else {
        return;
    };
    references.retain(|reference| {
        !reference["@id"]
            .as_str()
            .is_some_and(|id| patterns.contains_key(id))
    });
    if references.is_empty() {
        properties.remove(COPY);
    }
}
