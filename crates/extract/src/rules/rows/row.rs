//! Row: an entry of a list with typed fields.

use page::dom::NodeId;
use serde::Serialize;
use serde_json::{Map, Value};

/// An entry of a list. Every field stands on the page, or in the markup that describes the same entry.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Row {
    /// The heading or linked text that differs from entry to entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where the title leads, absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What one pays now for the whole thing, as a JSON number; of a range its lower bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<Value>,
    /// What it cost before, as a JSON number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_price: Option<Value>,
    /// One part of a payment plan, as a JSON number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instalment: Option<Value>,
    /// What one unit of measure or one month costs, as a JSON number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_price: Option<Value>,
    /// What a job pays, as written: "€70,000 – €90,000 per year".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub salary: Option<String>,
    /// ISO 4217 code of the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Average rating, as a JSON number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Value>,
    /// Number of reviews, as a JSON number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_count: Option<Value>,
    /// `InStock`, `OutOfStock` and the other names of schema.org.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub availability: Option<String>,
    /// The day as `YYYY-MM-DD`, with the time (`T19:30`) and the distance from UTC where they are stated; as written where the day
    /// is not said in full, could be read in two ways, or is one of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Who wrote it, several separated by commas.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The longest text of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The company that offers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Address of its picture, absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Values by the label that stands beside them, both as written: `"Roast": "dark"`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub facts: Map<String, Value>,
    /// The heading above it, in a list that headings part: a district, a day, a kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// All of its visible text in one line; empty when only the markup has the entry.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The elements of the page that make up the entry; none when only the markup has it.
    #[serde(skip)]
    pub elements: Vec<NodeId>,
}

impl Row {
    /// The row as an entry of an item.
    pub fn into_map(self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }

    pub(super) fn is_product(&self) -> bool {
        self.title.is_some() && self.price.is_some()
    }
}
