//! Item: one page as clean data, the same for every type of page and every mode.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::fields::{PageType, canonical};
use crate::normalize;
use crate::provenance::{FieldSource, WithheldValue};

/// Fields that every item names, `null` when the page does not state them.
const ALWAYS: &[&str] = &["title", "description", "author", "date_published", "price"];

/// One page as clean data: typed fields, where each was read, and how complete it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Address of the page.
    pub url: String,
    /// What the page is about.
    pub page_type: PageType,
    pub(crate) fields: Map<String, Value>,
    provenance: BTreeMap<String, FieldSource>,
    confidence: BTreeMap<String, f32>,
    withheld: BTreeMap<String, Vec<WithheldValue>>,
    /// The entries of a list page, each with a `confidence` of its own where a model rated it.
    pub items: Vec<Map<String, Value>>,
    /// What could not be read, in sentences for a person.
    pub notes: Vec<String>,
    /// Entries that the list of the page has, where the item keeps only the first of them.
    pub all_entries: Option<usize>,
}

impl Item {
    /// An item without fields.
    pub fn new(url: impl Into<String>, page_type: PageType) -> Item {
        Item {
            url: url.into(),
            page_type,
            fields: Map::new(),
            provenance: BTreeMap::new(),
            confidence: BTreeMap::new(),
            withheld: BTreeMap::new(),
            items: Vec::new(),
            notes: Vec::new(),
            all_entries: None,
        }
    }

    /// Fills a field under its canonical name if it is still empty and the value is one. Says whether it was filled.
    pub fn put(&mut self, name: &str, raw: impl Into<Value>, source: FieldSource) -> bool {
        let field = canonical(name, self.page_type);
        if self.has(&field) {
            return false;
        }
        self.set(field, raw.into(), source)
    }

    /// As [`Item::put`], under exactly this name, without resolving aliases.
    pub fn put_as(&mut self, field: &str, raw: impl Into<Value>, source: FieldSource) -> bool {
        !self.has(field) && self.set(field.to_owned(), raw.into(), source)
    }

    /// Puts a value in place of what a field holds, if it is one.
    pub(crate) fn replace(&mut self, field: &str, raw: impl Into<Value>, source: FieldSource) -> bool {
        self.set(field.to_owned(), raw.into(), source)
    }

    fn set(&mut self, field: String, raw: Value, source: FieldSource) -> bool {
        let Some(value) = normalize::value(&field, raw, true) else {
            return false;
        };
        self.provenance.insert(field.clone(), source);
        self.confidence.remove(&field);
        self.withheld.remove(&field);
        self.fields.insert(field, value);
        true
    }

    /// The value of a field by its canonical name.
    pub fn get(&self, field: &str) -> Option<&Value> {
        self.fields.get(field)
    }

    /// The value of a text field.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.get(field).and_then(Value::as_str)
    }

    /// Whether a field is filled.
    pub fn has(&self, field: &str) -> bool {
        self.fields.contains_key(field) || (field == "items" && !self.items.is_empty())
    }

    /// The filled fields in the order in which they were read.
    pub fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }

    /// Where a field was read.
    pub fn source(&self, field: &str) -> Option<&FieldSource> {
        self.provenance.get(field)
    }

    /// The sources of all fields, to be completed.
    pub(crate) fn sources_mut(&mut self) -> impl Iterator<Item = (&Value, &mut FieldSource)> {
        let fields = &self.fields;
        self.provenance
            .iter_mut()
            .filter_map(|(field, source)| Some((fields.get(field)?, source)))
    }

    /// How likely a field is right, 0 to 1 in hundredths; `page_type` is a field here. `None` where no model knows.
    pub fn confidence(&self, field: &str) -> Option<f32> {
        self.confidence.get(field).copied()
    }

    /// Values that were read of a field, but not given because they are more likely wrong than right.
    pub fn withheld(&self, field: &str) -> &[WithheldValue] {
        self.withheld.get(field).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn set_confidence(&mut self, field: &str, probability: f32) {
        self.confidence.insert(field.to_owned(), probability);
    }

    /// Empties a field and keeps its value among the candidates of its provenance, before the other candidates.
    pub(crate) fn withhold(&mut self, field: &str, probability: f32, others: Vec<WithheldValue>) {
        let (Some(value), Some(source)) = (self.fields.shift_remove(field), self.provenance.remove(field))
        else {
            return;
        };
        self.confidence.remove(field);
        let first = WithheldValue {
            value,
            confidence: Some(probability),
            source,
        };
        let candidates = std::iter::once(first).chain(others).collect();
        self.keep_candidates(field, candidates);
    }

    /// Keeps what was read of a field, but not given.
    pub(crate) fn keep_candidates(&mut self, field: &str, candidates: Vec<WithheldValue>) {
        self.withheld.insert(field.to_owned(), candidates);
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.items.is_empty()
    }

    /// Required fields of the page's type that are not filled.
    pub fn missing(&self) -> Vec<&'static str> {
        self.page_type
            .required()
            .iter()
            .copied()
            .filter(|field| !self.has(field))
            .collect()
    }

    /// How much of what a page of this type should state the item can be expected to hold rightly, 0 to 1, in hundredths:
    /// the sum of weight times confidence over the filled fields, over the weight of all fields, times the confidence in the
    /// type. A field without a probability counts in full.
    pub fn coverage(&self) -> f32 {
        let share = |field: &str| match self.has(field) {
            true => self.confidence(field).unwrap_or(1.0),
            false => 0.0,
        };
        let of_type = self.confidence("page_type").unwrap_or(1.0);
        (self.page_type.coverage(share) * of_type * 100.0).round() / 100.0
    }

    /// Keeps only the asked fields (any alias will do) beside address, type and entries.
    pub fn keep_only(&mut self, names: &[String]) {
        let wanted: Vec<String> = names.iter().map(|name| canonical(name, self.page_type)).collect();
        self.fields.retain(|field, _| wanted.contains(field));
        self.provenance.retain(|field, _| wanted.contains(field));
        self.withheld
            .retain(|field, _| field == "items" || wanted.contains(field));
        self.confidence
            .retain(|field, _| ["page_type", "items"].contains(&field.as_str()) || wanted.contains(field));
    }
}

/// Where a field was read, and what was read of it but not given.
#[derive(Serialize)]
struct ProvenanceEntry<'i> {
    #[serde(flatten)]
    source: Option<&'i FieldSource>,
    #[serde(skip_serializing_if = "<[WithheldValue]>::is_empty")]
    candidates: &'i [WithheldValue],
}

impl Item {
    fn provenance_entries(&self) -> BTreeMap<&str, ProvenanceEntry<'_>> {
        let fields = self.provenance.keys().chain(self.withheld.keys());
        let entry = |field: &str| ProvenanceEntry {
            source: self.provenance.get(field),
            candidates: self.withheld(field),
        };
        fields.map(|field| (field.as_str(), entry(field))).collect()
    }

    /// The probabilities as numbers of two decimals.
    fn rounded_confidence(&self) -> BTreeMap<&str, f64> {
        let all = self.confidence.iter();
        all.map(|(field, probability)| (field.as_str(), decimal(*probability)))
            .collect()
    }
}

/// A probability as a number of two decimals.
pub(crate) fn decimal(probability: f32) -> f64 {
    (f64::from(probability) * 100.0).round() / 100.0
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("url", &self.url)?;
        map.serialize_entry("page_type", self.page_type.name())?;
        for field in ALWAYS {
            map.serialize_entry(field, &self.fields.get(*field))?;
        }
        for field in self
            .page_type
            .required()
            .iter()
            .filter(|field| !ALWAYS.contains(field) && **field != "items")
        {
            map.serialize_entry(field, &self.fields.get(*field))?;
        }
        for (field, value) in &self.fields {
            if !ALWAYS.contains(&field.as_str()) && !self.page_type.required().contains(&field.as_str()) {
                map.serialize_entry(field, value)?;
            }
        }
        if !self.items.is_empty() || self.page_type == PageType::Listing {
            map.serialize_entry("items", &self.items)?;
        }
        map.serialize_entry(
            "coverage",
            &(f64::from((self.coverage() * 100.0).round()) / 100.0),
        )?;
        map.serialize_entry("confidence", &self.rounded_confidence())?;
        map.serialize_entry("missing", &self.missing())?;
        map.serialize_entry("notes", &self.notes)?;
        map.serialize_entry("provenance", &self.provenance_entries())?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_item_is_flat_and_says_what_is_missing() {
        let mut item = Item::new("https://a.example/", PageType::Product);
        assert!(item.put("name", "Lamp", FieldSource::selector("h1")));
        assert!(item.put("cost", "49,90 €", FieldSource::selector(".price")));
        assert!(
            !item.put("price", "1", FieldSource::selector(".other")),
            "the first stays"
        );
        assert!(!item.put("author", "n/a", FieldSource::Url));
        let got = serde_json::to_value(&item).unwrap();
        assert_eq!(
            got,
            json!({
                "url": "https://a.example/", "page_type": "product", "title": "Lamp", "description": null, "author": null,
                "date_published": null, "price": 49.9, "coverage": 0.56, "confidence": {}, "missing": ["description"], "notes": [],
                "provenance": {"title": {"from": "selector", "css": "h1"}, "price": {"from": "selector", "css": ".price"}}
            })
        );
    }
}
