//! ExtractionMeta: how an item came to be, question by question.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::fields::PageType;
use crate::item::Item;
use crate::modes::ItemMode;

use super::question_size::PageCoverage;

/// The quality of an item. Compared in this order: an item that holds anything beats one that holds nothing, then required
/// fields count, then weights, then the number of fields.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize)]
pub struct ItemScore {
    /// Whether it holds anything.
    pub valid: bool,
    /// Required fields that are filled.
    pub required: usize,
    /// Sum of the weights of all filled fields.
    pub weight: f64,
    /// Filled fields.
    pub filled: usize,
}

impl ItemScore {
    /// The score of an item against the fields it must have.
    pub fn of(item: &Item, required: &[String]) -> ItemScore {
        let weights = item.fields().keys().map(|field| item.page_type.weight(field));
        let weight: f64 = weights.map(f64::from).sum();
        ItemScore {
            valid: !item.is_empty(),
            required: required.iter().filter(|field| item.has(field)).count(),
            weight: (weight * 10.0).round() / 10.0,
            filled: item.fields().len(),
        }
    }
}

/// One question to a model and what it gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ModelAttempt {
    /// Its number, from 1.
    pub attempt: u32,
    /// The fields that were asked for.
    pub asked: Vec<String>,
    /// The fields that were filled from the answer.
    pub gained: Vec<String>,
    /// Values that were dropped because the page does not hold their quotes.
    pub dropped: u32,
    /// The item's score afterwards.
    pub score: ItemScore,
    /// Tokens the model read.
    pub input_tokens: u64,
    /// Tokens it wrote.
    pub output_tokens: u64,
    /// Bytes of the page that were shown.
    pub shown: usize,
    /// Bytes that no question has shown yet.
    pub unseen: usize,
    /// Why there was no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How an item came to be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExtractionMeta {
    /// The mode.
    pub mode: ItemMode,
    /// What the page was taken for.
    pub page_type: PageType,
    /// The questions, in order; none where rules alone read.
    pub attempts: Vec<ModelAttempt>,
    /// How much of the page's text a model was shown; none where rules alone read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_text: Option<PageCoverage>,
    /// Share of the fields of such a page that the item holds, by weight, 0 to 1.
    pub coverage: f64,
    /// Required fields that nobody found.
    pub missing: Vec<String>,
    /// Required fields that the model stated twice, independently, to be missing on the page.
    pub unavailable: Vec<String>,
    /// Values that were dropped because the page does not hold their quotes.
    pub dropped: u32,
    /// Where each field was read.
    pub sources: BTreeMap<String, Value>,
}

impl ExtractionMeta {
    /// The meta of an item.
    pub fn of(item: &Item, mode: ItemMode, required: &[String]) -> ExtractionMeta {
        let sources = item.fields().keys().filter_map(|field| {
            let source = item.source(field)?;
            Some((field.clone(), serde_json::to_value(source).ok()?))
        });
        ExtractionMeta {
            mode,
            page_type: item.page_type,
            attempts: Vec::new(),
            page_text: None,
            coverage: (f64::from(item.coverage()) * 100.0).round() / 100.0,
            missing: required
                .iter()
                .filter(|field| !item.has(field))
                .cloned()
                .collect(),
            unavailable: Vec::new(),
            dropped: 0,
            sources: sources.collect(),
        }
    }
}
