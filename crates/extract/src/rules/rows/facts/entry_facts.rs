//! EntryFacts: the facts of one entry, and which labels of all entries are kept.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use serde_json::{Map, Value};

use super::labels::{says_something, stated_value, value_of};

/// Fewest entries of a list whose labels can be told by what they have in common.
pub(super) const FEWEST: usize = 4;
/// Most facts of one entry.
const MAX_FACTS: usize = 40;

/// The facts of one entry.
#[derive(Debug, Default)]
pub(super) struct EntryFacts {
    /// Values by label.
    pub(super) values: Map<String, Value>,
    /// The labels that are such by their tag: headings of columns and terms.
    tagged: HashSet<String, RandomState>,
    /// The labels with a dash for a value.
    blank: HashSet<String, RandomState>,
}

impl EntryFacts {
    /// Adds what stands beside a label that is told by what entries have in common. The first value of a label stays.
    pub(super) fn add(&mut self, label: Option<String>, text: &str) {
        let Some(label) = label else { return };
        match value_of(text) {
            Some(value) => self.insert(label, value),
            None if !says_something(text) => {
                self.blank.insert(label);
            }
            None => {}
        }
    }

    /// Adds what stands beside a label that is one by its tag. The first value of a label stays.
    pub(super) fn add_tagged(&mut self, label: Option<String>, text: &str) {
        if let (Some(label), Some(value)) = (label, stated_value(text)) {
            self.tagged.insert(label.clone());
            self.insert(label, value);
        }
    }

    fn insert(&mut self, label: String, value: String) {
        if self.values.len() < MAX_FACTS && label != value {
            self.values.entry(label).or_insert_with(|| value.into());
        }
    }
}

/// Takes away what all entries of a longer list say alike, which tells none from another, and texts that only now and then
/// stand before another one, as the words of two badges do. `said` is the number of entries that have a text as one that may be a label.
/// Labels by their tag need no such signs: a column stays one where all rows agree, or some have a dash.
pub(super) fn keep_telling(facts: &mut [EntryFacts], said: impl Fn(&str) -> usize) {
    let mut uses: HashMap<String, LabelUse, RandomState> = HashMap::default();
    for (label, value) in facts.iter().flat_map(|facts| &facts.values) {
        let label_use = uses.entry(label.clone()).or_insert_with(|| LabelUse {
            count: 0,
            first: value.clone(),
            is_varied: false,
            is_tagged: false,
        });
        label_use.count += 1;
        label_use.is_varied |= label_use.first != *value;
    }
    for entry in facts.iter() {
        for label in &entry.tagged {
            uses.entry(label.clone())
                .and_modify(|label_use| label_use.is_tagged = true);
        }
        let is_blank = |label: &&String| !entry.values.contains_key(*label);
        for label in entry.blank.iter().filter(is_blank) {
            uses.entry(label.clone())
                .and_modify(|label_use| label_use.count += 1);
        }
    }
    let is_telling = |label: &String| {
        uses.get(label).is_some_and(|label_use| {
            let is_sure =
                (label_use.is_varied || label_use.count < FEWEST) && label_use.count * 5 >= said(label) * 4;
            label_use.is_tagged || is_sure
        })
    };
    for entry in facts {
        entry.values.retain(|label, _| is_telling(label));
    }
}

/// How the entries of a list use a label.
struct LabelUse {
    /// Entries that have a value or a dash beside it.
    count: usize,
    first: Value,
    /// Whether some value is another than the first.
    is_varied: bool,
    /// Whether it is a label by its tag.
    is_tagged: bool,
}
