//! SpanTexts: the beginnings of the texts of records, each put together once for all candidates that share the record.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::flat_tree::{FlatTree, Span};

/// Bytes of a text that are compared.
const COMPARED: usize = 300;

/// The texts of the spans of one tree.
#[derive(Debug)]
pub(super) struct SpanTexts {
    query: Vec<String>,
    known: HashMap<Span, SpanText, RandomState>,
    numbers: HashMap<String, u32, RandomState>,
}

/// The beginning of the text of a span, in lower case.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpanText {
    /// The number of the text: equal texts have one.
    pub(super) number: u32,
    /// Whether it has a word that was searched for.
    pub(super) matches_query: bool,
}

impl SpanTexts {
    /// No texts yet; `query` are the words that were searched for, in lower case.
    pub(super) fn new(query: Vec<String>) -> SpanTexts {
        SpanTexts {
            query,
            known: HashMap::default(),
            numbers: HashMap::default(),
        }
    }

    /// The text of a span of the tree, which is the same at every call.
    pub(super) fn of(&mut self, tree: &FlatTree<'_>, span: Span) -> SpanText {
        if let Some(known) = self.known.get(&span) {
            return *known;
        }
        let text = tree.text(span, COMPARED).to_lowercase();
        let matches_query = self.query.iter().any(|word| text.contains(word.as_str()));
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(text).or_insert(next);
        let text = SpanText {
            number,
            matches_query,
        };
        self.known.insert(span, text);
        text
    }
}
