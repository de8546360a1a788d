//! Confidence: how likely each field of an item is right.
//!
//! What every source of the page says about a field is gathered (`candidates`), agreement and form are measured (`features`),
//! and a small logistic model for each field (`weights`) turns them into a probability. The models are learned from labelled
//! pages by `tools/train/confidence.py`, which also measures them on hosts that they were not learned from.

mod candidates;
mod entries;
mod evidence;
mod features;
mod page_type;
#[cfg(test)]
mod tests;
mod weights;

use serde_json::{Value, json};

use crate::fields::PageType;
use crate::item::{Item, decimal};
use crate::provenance::{FieldSource, WithheldValue};
use crate::rules::element_source::element_source;
use crate::rules::thread;
use candidates::Candidates;
pub(crate) use evidence::PageEvidence;
pub use evidence::{Features, ItemFeatures};

/// An author or a day of publication below this probability is left null. It is less than one half, since a probability near
/// one half is itself uncertain by some hundredths.
pub const THRESHOLD: f32 = 0.35;
/// The same for a title: every page has one, and one that is not quite right still says what the page is.
pub const TITLE_THRESHOLD: f32 = 0.25;
/// The same for what a thing costs and its number, where they were read of text or address. Set by hand: of all values between 0.1
/// and 0.2, on hosts left out, one in five was right, below 0.1 none of ten.
pub const GOODS_THRESHOLD: f32 = 0.2;
/// Most probability of a day of publication that is that of the last change. Set by hand: of 271 pages of all kinds three had such
/// a day, and two of these were wrong.
pub const OF_CHANGE: f32 = 0.6;
/// Most candidates of a field that was left null.
const MAX_CANDIDATES: usize = 5;

/// The fields that have a model.
#[rustfmt::skip]
pub const FIELDS: &[&str] = &[
    "title", "author", "date_published", "price", "currency", "availability", "sku", "brand", "gtin", "mpn", "rating",
    "review_count",
];

/// The measures of every rated field of an item, of its type as `page_type`, and of the entries of its list.
pub(crate) fn describe(item: &Item, evidence: PageEvidence<'_, '_>) -> ItemFeatures {
    let candidates = Candidates::new(evidence);
    let mut all = ItemFeatures {
        entries: entries::measure(evidence),
        ..ItemFeatures::default()
    };
    let of_page = features::page_features(item, evidence);
    for field in FIELDS.iter().filter(|field| item.has(field)) {
        let (Some(value), Some(source)) = (item.get(field), item.source(field)) else {
            continue;
        };
        let stated = candidates.of(field, item);
        all.fields.insert(
            (*field).to_owned(),
            features::measure(field, value, source, &stated, item, evidence, &of_page),
        );
    }
    all.fields
        .insert("page_type".to_owned(), page_type::measure(item, evidence));
    all
}

/// Gives every rated field and every entry of a list its probability. Authors and days below [`THRESHOLD`], titles below
/// [`TITLE_THRESHOLD`] (but for names of goods in markup), and prices and numbers of goods that markup does not state below
/// [`GOODS_THRESHOLD`] become null; what was read of them is kept beside their source. So are the first entries below
/// [`THRESHOLD`], which the item no longer has.
pub(crate) fn rate(item: &mut Item, evidence: PageEvidence<'_, '_>) {
    let described = describe(item, evidence);
    rate_entries(item, &described.entries, evidence);
    let probabilities: Vec<(String, f32)> = described
        .fields
        .iter()
        .filter_map(|(field, features)| Some((field.clone(), probability(field, features)?)))
        .collect();
    let candidates = Candidates::new(evidence);
    for (field, probability) in probabilities {
        // The models of goods know nothing of what one pays to get in.
        let is_admission =
            item.page_type == PageType::Event && matches!(field.as_str(), "price" | "currency");
        if is_admission {
            continue;
        }
        let least = match field.as_str() {
            // What the markup of a product calls it is its name in any case, and the best title there is.
            "title" if item.page_type == PageType::Product && !is_guessed(item.source(&field)) => 0.0,
            "title" => TITLE_THRESHOLD,
            "author" | "date_published" => THRESHOLD,
            "price" | "currency" | "sku" if is_guessed(item.source(&field)) => GOODS_THRESHOLD,
            // The models of the other fields are learned from too few values, or from too few kinds of sources, to take a
            // value away.
            _ => 0.0,
        };
        let probability = if field == "date_published" && is_of_change(item) {
            probability.min(OF_CHANGE)
        } else {
            probability
        };
        if probability >= least {
            item.set_confidence(&field, probability);
            continue;
        }
        let others = candidates.of(&field, item).into_iter().take(MAX_CANDIDATES - 1);
        let others: Vec<WithheldValue> = others
            .map(|candidate| WithheldValue {
                value: Value::String(candidate.value),
                confidence: None,
                source: candidate.source,
            })
            .collect();
        item.withhold(&field, probability, others);
    }
    withhold_lone_currency(item);
}

/// Leaves out the currency that a page about no goods shows, where no amount is left that it could be of.
fn withhold_lone_currency(item: &mut Item) {
    let has_amount = ["price", "old_price", "salary"]
        .iter()
        .any(|field| item.get(field).is_some_and(|amount| !amount.is_null()));
    let is_lone = item.page_type != PageType::Product && !has_amount && is_guessed(item.source("currency"));
    if is_lone && item.text("currency").is_some() {
        let probability = item.confidence("currency").unwrap_or_default();
        item.withhold("currency", probability, Vec::new());
    }
}

/// Whether the day of publication is one that the page shows and that is known as the day of the last change: all that pages
/// show of a later edition.
fn is_of_change(item: &Item) -> bool {
    let day = |field: &str| item.text(field).and_then(|moment| moment.get(..10));
    let is_shown = matches!(item.source("date_published"), Some(FieldSource::Selector { .. }));
    is_shown && day("date_published").is_some() && day("date_published") == day("date_modified")
}

/// Gives the entries of the item's list their probabilities, and their mean to the list. Where most of a list is more likely none,
/// its other entries are part of what is none.
fn rate_entries(item: &mut Item, described: &[Features], evidence: PageEvidence<'_, '_>) {
    if described.is_empty() {
        return;
    }
    let probabilities: Vec<f32> = described
        .iter()
        .map(|features| hundredths(modelled("items", features).unwrap_or(1.0)))
        .collect();
    let mean = |of: &[f32]| hundredths(of.iter().sum::<f32>() / of.len().max(1) as f32);
    let is_none = mean(&probabilities) < THRESHOLD;
    // A short post is one of the thread as the others are.
    let is_doubtful = |probability: &f32| *probability < THRESHOLD;
    let are_posts =
        !is_none && probabilities.iter().any(is_doubtful) && thread::are_posts(evidence.view, evidence.list);
    let (mut given, mut withheld) = (Vec::new(), Vec::new());
    let entries = std::mem::take(&mut item.items);
    for ((mut entry, probability), row) in entries.into_iter().zip(probabilities).zip(evidence.rows) {
        if (probability >= THRESHOLD || are_posts) && !is_none {
            given.push(probability);
            entry.insert("confidence".to_owned(), json!(decimal(probability)));
            item.items.push(entry);
        } else if withheld.len() < MAX_CANDIDATES {
            let element = row
                .elements
                .first()
                .map(|element| evidence.view.dom().node(*element));
            withheld.push(WithheldValue {
                value: Value::Object(entry),
                confidence: Some(probability),
                source: element.map_or_else(|| FieldSource::selector(""), element_source),
            });
        }
    }
    if !given.is_empty() {
        item.set_confidence("items", mean(&given));
    }
    if !withheld.is_empty() {
        item.keep_candidates("items", withheld);
    }
}

/// A probability in hundredths.
fn hundredths(probability: f32) -> f32 {
    (probability * 100.0).round() / 100.0
}

/// Whether a value was read of the page's text or address, and is not stated for machines.
fn is_guessed(source: Option<&FieldSource>) -> bool {
    matches!(source, Some(FieldSource::Selector { .. } | FieldSource::Url))
}

/// The probability that is stated of a field, in hundredths.
fn probability(field: &str, features: &Features) -> Option<f32> {
    Some(hundredths(stated(modelled(field, features)?)))
}

/// The probability that a model gives.
fn modelled(model: &str, features: &Features) -> Option<f32> {
    let (_, bias, weights) = weights::MODELS.iter().find(|(name, ..)| *name == model)?;
    let weight = |name: &str| {
        let at = weights.binary_search_by(|(other, _)| other.cmp(&name)).ok()?;
        weights.get(at).map(|(_, weight)| *weight)
    };
    let sum: f32 = features
        .iter()
        .filter_map(|(name, value)| Some(weight(name)? * value))
        .sum();
    Some(1.0 / (1.0 + (-(bias + sum)).exp()))
}

/// Probabilities of a model, and what is stated for them; between two of them in proportion.
///
/// Readers take what stands above 0.8 without a second look. On hosts left out 4 % of the values that the models put above 0.8
/// were wrong, and 2 % of those above 0.9, so a probability between 0.75 and 0.95 is stated lower than it is.
const STATED: [(f32, f32); 5] = [(0.0, 0.0), (0.75, 0.75), (0.9, 0.8), (0.95, 0.95), (1.0, 1.0)];

/// The confidence that is stated for a probability: the same or lower, in the same order.
fn stated(probability: f32) -> f32 {
    let above = STATED.iter().position(|(from, _)| probability <= *from);
    let Some(at) = above.filter(|at| *at > 0) else {
        return probability;
    };
    match (STATED.get(at - 1), STATED.get(at)) {
        (Some((from, low)), Some((to, high))) => low + (probability - from) / (to - from) * (high - low),
        _ => probability,
    }
}
