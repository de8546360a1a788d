//! What was watched of a page at one time, and what a comparison of two such contents gives.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wire::monitors::ContentChange;

/// What was watched of a page at one time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WatchedContent {
    /// The blocks of the main text, from before [`WatchedContent::Page`].
    Text(Vec<String>),
    /// The main text of a page.
    Page(PageText),
    /// The item.
    Item(serde_json::Map<String, Value>),
    /// The entries of the list.
    Records(Vec<serde_json::Map<String, Value>>),
}

impl WatchedContent {
    /// The content as a model reads it: blocks, or JSON.
    pub(super) fn as_text(&self) -> String {
        match self {
            Self::Text(blocks) | Self::Page(PageText { blocks, .. }) => blocks.join("\n"),
            Self::Item(item) => serde_json::to_string_pretty(item).unwrap_or_default(),
            Self::Records(records) => serde_json::to_string_pretty(records).unwrap_or_default(),
        }
    }

    /// The main text, and the keys of all blocks that the page shows where they are known.
    pub(super) fn text(&self) -> Option<(&[String], Option<&[u64]>)> {
        match self {
            Self::Text(blocks) => Some((blocks, None)),
            Self::Page(text) => Some((&text.blocks, Some(&text.shown))),
            Self::Item(_) | Self::Records(_) => None,
        }
    }
}

/// The main text of a page at one time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageText {
    /// Its blocks.
    pub blocks: Vec<String>,
    /// Keys of all blocks that the page shows, in order of size, each as often as it is there: what is taken for main
    /// text of one version and not of another one has not changed.
    pub shown: Vec<u64>,
}

/// What a comparison knows of places that change with every check, by an anchor beside them: how often in a row.
pub type Volatility = std::collections::BTreeMap<String, u32>;

/// What came of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The change as it is reported, with long texts and long lists cut; none where only noise differs.
    pub change: Option<ContentChange>,
    /// What has changed, whole: the item, the main text, or each entry that is new or has changed. Conditions are judged on it.
    pub changed: Vec<ChangedValues>,
    /// What the next comparison is to know.
    pub volatility: Volatility,
}

impl Comparison {
    /// No change.
    pub(super) fn none() -> Self {
        Self {
            change: None,
            changed: Vec::new(),
            volatility: Volatility::new(),
        }
    }

    /// What an answer says that the one before did not, in sentences. Conditions are judged on the whole answer.
    pub fn of_answers(changes: Vec<String>, after: &WatchedContent) -> Self {
        if changes.is_empty() {
            return Self::none();
        }
        Self {
            change: Some(ContentChange::Research { changes }),
            changed: after
                .text()
                .map(|(blocks, _)| ChangedValues::of_text(blocks))
                .into_iter()
                .collect(),
            volatility: Volatility::new(),
        }
    }
}

/// An item, a main text or an entry that has changed.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedValues {
    /// Its fields as they are now; a main text has the field `text` alone.
    pub(super) values: Map<String, Value>,
    /// The names of those that have changed; none where all of it is new.
    pub(super) fields: Option<BTreeSet<String>>,
}

/// The field that stands for the main text.
const TEXT: &str = "text";

impl ChangedValues {
    /// A main text that has changed.
    pub(super) fn of_text(blocks: &[String]) -> Self {
        Self {
            values: Map::from_iter([(TEXT.to_owned(), Value::from(blocks.join("\n")))]),
            fields: Some(BTreeSet::from([TEXT.to_owned()])),
        }
    }

    /// Whether a field is new or has changed.
    pub(super) fn has_changed(&self, field: &str) -> bool {
        self.fields.as_ref().is_none_or(|fields| fields.contains(field))
    }
}
