//! RDF statements gathered by subject.

use std::collections::{HashMap, HashSet};

use super::copy::copy_patterns;
use serde_json::{Map, Value, json};

/// The most statements that are kept.
const MAX_STATEMENTS: usize = 100_000;

/// Members of a list that is being filled, by property.
type Lists = Vec<(String, Vec<Value>)>;

/// Statements by subject, in the order of the page. Like any RDF graph it is a set: a repeated statement counts once.
#[derive(Debug, Default)]
pub(super) struct RdfGraph {
    subjects: Vec<(String, Map<String, Value>)>,
    places: HashMap<String, usize>,
    known: HashSet<(usize, String, String)>,
    /// Lists that are being filled: whose they are, and their members by property.
    lists: Vec<(String, Lists)>,
    blanks: usize,
    named: HashMap<String, String>,
}

impl RdfGraph {
    /// A new blank node.
    pub(super) fn blank(&mut self) -> String {
        self.blanks += 1;
        format!("_:b{}", self.blanks)
    }

    /// The blank node that the page calls `_:name`.
    pub(super) fn named_blank(&mut self, text: &str) -> Option<String> {
        let name = text.strip_prefix("_:")?;
        if let Some(known) = self.named.get(name) {
            return Some(known.clone());
        }
        let blank = self.blank();
        self.named.insert(name.to_owned(), blank.clone());
        Some(blank)
    }

    fn place(&mut self, subject: &str) -> usize {
        if let Some(place) = self.places.get(subject) {
            return *place;
        }
        let place = self.subjects.len();
        self.subjects.push((subject.to_owned(), Map::new()));
        self.places.insert(subject.to_owned(), place);
        place
    }

    fn is_new(&mut self, place: usize, property: &str, value: &Value) -> bool {
        self.known.len() < MAX_STATEMENTS
            && self.known.insert((place, property.to_owned(), value.to_string()))
    }

    pub(super) fn add_type(&mut self, subject: &str, kind: &str) {
        let place = self.place(subject);
        let value = json!(kind);
        if self.is_new(place, "@type", &value) {
            self.push(place, "@type", value);
        }
    }

    pub(super) fn add(&mut self, subject: &str, property: &str, value: Value) {
        let place = self.place(subject);
        if self.is_new(place, property, &value) {
            self.push(place, property, value);
        }
    }

    fn push(&mut self, place: usize, property: &str, value: Value) {
        let Some((_, properties)) = self.subjects.get_mut(place) else {
            return;
        };
        match properties.entry(property).or_insert_with(|| json!([])) {
            Value::Array(list) => list.push(value),
            other => *other = json!([value]),
        }
    }

    /// Room for the lists of a subject.
    pub(super) fn lists(&mut self, subject: &str) -> usize {
        if self
            .lists
            .last()
            .is_none_or(|(last, members)| last != subject || !members.is_empty())
        {
            self.lists.push((subject.to_owned(), Vec::new()));
        }
        self.lists.len() - 1
    }

    /// A list that may stay empty.
    pub(super) fn add_list(&mut self, list: usize, property: &str) {
        if let Some((_, properties)) = self.lists.get_mut(list)
            && !properties.iter().any(|(name, _)| name == property)
        {
            properties.push((property.to_owned(), Vec::new()));
        }
    }

    pub(super) fn add_member(&mut self, list: usize, property: &str, value: Value) {
        let Some((_, properties)) = self.lists.get_mut(list) else {
            return;
        };
        match properties.iter_mut().find(|(name, _)| name == property) {
            Some((_, members)) => members.push(value),
            None => properties.push((property.to_owned(), vec![value])),
        }
    }

    /// The objects of expanded JSON-LD.
    pub(super) fn finish(mut self) -> Vec<Value> {
        for (subject, properties) in std::mem::take(&mut self.lists) {
            for (property, members) in properties {
                self.add(&subject, &property, json!({"@list": members}));
            }
        }
        let patterns = copy_patterns(&mut self.subjects);
        self.subjects.retain(|(subject, _)| !patterns.contains(subject));
        let object = |(subject, properties): (String, Map<String, Value>)| {
            let mut out = Map::new();
            out.insert("@id".to_owned(), json!(subject));
            out.extend(properties);
            Value::Object(out)
        };
        self.subjects.into_iter().map(object).collect()
    }
}
