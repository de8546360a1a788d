//! What was watched of a page at one time, and what a comparison of two such contents gives.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire::monitors::ContentChange;

/// What was watched of a page at one time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WatchedContent {
    /// The blocks of the main text.
    Text(Vec<String>),
    /// The item.
    Item(serde_json::Map<String, Value>),
    /// The entries of the list.
    Records(Vec<serde_json::Map<String, Value>>),
}

/// What a comparison knows of places that change with every check, by an anchor beside them: how often in a row.
pub type Volatility = std::collections::BTreeMap<String, u32>;

/// What came of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The change; none where only noise differs.
    pub change: Option<ContentChange>,
    /// What the next comparison is to know.
    pub volatility: Volatility,
}
