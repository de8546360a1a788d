//! Whether a page is there for its list: from the kinds that its main content could be of and from its best group of records.
//!
//! Kinds are told apart by the page as a whole, of which a list of ten results may be the smaller part. The group that a
//! reader came for is known better: how much of the page and of its main content it holds, and how sure its ranking is.

use page::dom::{Node, NodeId};
use serde_json::Value;

use super::content::MainContent;
use super::page_kind::PageKind;
use super::records::RecordGroup;
use super::rows::ListReader;
use super::visible_page::VisiblePage;

/// Probability that stands for none, in logarithms.
const LEAST: f32 = 0.01;

/// Sum of the probabilities of the kinds that are lists below which no list is looked for. Of the lists that the odds find on 1,159
/// labelled pages of other kinds none has less; two lists have, and have odds far below 0.
const LEAST_KIND: f32 = 0.08;

/// Log-odds where every measure is 0.
const NOTHING: f32 = 1.730;

/// Weights of the measures, of a logistic regression (L2, C = 1 on measures of unit variance) over 1,159 labelled pages without
/// forums, of which 351 are lists; written by `tools/train/list_page.py`. With the pages of a fifth of the hosts left out in
/// turn, above 0 are 93 % of the lists (82 % by their kind alone), 11 % of landing pages (1 %) and 2 % of the other pages (3 %).
#[rustfmt::skip]
const WEIGHTS: [(&str, f32); 19] = [
    ("article", -0.310),
    ("product", -0.984),
    ("listing", 1.021),
    ("collection", 1.842),
    ("forum", 0.474),
    ("documentation", 0.124),
    ("service", -0.038),
    ("score", 0.711),
    ("records", -0.266),
    ("of_page", -0.312),
    ("of_content", 1.427),
    ("in_content", -0.602),
    ("length", -0.521),
    ("titled", 0.846),
    ("linked", 0.424),
    ("pictured", 0.319),
    ("dated", 1.762),
    ("priced", -1.990),
    ("described", 0.343),
];

/// The log-odds that a page is there for its list; none at all where its kind all but rules a list out.
pub fn log_odds(view: &VisiblePage<'_>, content: &MainContent, list: &ListReader<'_, '_>) -> f32 {
    let of_lists: f32 = kinds(content)
        .filter(|(kind, _)| matches!(kind, PageKind::Listing | PageKind::Collection))
        .map(|(_, probability)| probability)
        .sum();
    if of_lists < LEAST_KIND {
        return f32::NEG_INFINITY;
    }
    let measures = measure(view, content, list.best_group());
    let weighed = measures
        .iter()
        .zip(WEIGHTS)
        .map(|((_, value), (_, weight))| value * weight);
    NOTHING + weighed.sum::<f32>()
}

/// What of a page speaks for and against a list, by name, always in the same order.
pub fn measure(
    view: &VisiblePage<'_>,
    content: &MainContent,
    group: Option<&RecordGroup>,
) -> Vec<(&'static str, f32)> {
    let mut measures: Vec<(&'static str, f32)> = kinds(content)
        .map(|(kind, probability)| (kind.name(), (probability + LEAST).ln()))
        .collect();
    let records = group.map_or(&[][..], |group| group.records.as_slice());
    let count = records.len().max(1) as f32;
    let share = |field: &str| {
        let with = records
            .iter()
            .filter(|record| record.fields.get(field).is_some_and(Value::is_string));
        with.count() as f32 / count
    };
    let mut lengths: Vec<usize> = records.iter().map(|record| record.text.len()).collect();
    lengths.sort_unstable();
    let usual = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    let held: usize = lengths.iter().sum();
    let visible = view.lines.text().len().max(1);
    let (inside, whole) = content_within(view, content, group);
    measures.extend([
        ("score", group.map_or(0.0, |group| group.score)),
        ("records", (records.len() as f32).ln_1p()),
        ("of_page", (held as f32 / visible as f32).min(1.0)),
        ("of_content", inside as f32 / whole.max(1) as f32),
        ("in_content", (inside as f32 / held.max(1) as f32).min(1.0)),
        ("length", (usual as f32).ln_1p()),
        ("titled", share("title")),
        ("linked", share("url")),
        ("pictured", share("image")),
        ("dated", share("date")),
        ("priced", share("price")),
        ("described", share("description")),
    ]);
    measures
}

/// The learned kinds and their probabilities.
pub(super) fn kinds(content: &MainContent) -> impl Iterator<Item = (PageKind, f32)> {
    PageKind::ALL.into_iter().zip(content.kind_probabilities)
}

/// Bytes of the main content that stand within the records, and all of them.
fn content_within(
    view: &VisiblePage<'_>,
    content: &MainContent,
    group: Option<&RecordGroup>,
) -> (usize, usize) {
    let dom = view.dom();
    let mut spans: Vec<(NodeId, NodeId)> = group
        .iter()
        .flat_map(|group| &group.records)
        .flat_map(|record| &record.roots)
        .map(|root| (*root, dom.node(*root).end()))
        .collect();
    spans.sort_unstable();
    let is_within = |node: Node<'_>| {
        let at = spans.partition_point(|(from, _)| *from <= node.id());
        at.checked_sub(1)
            .and_then(|at| spans.get(at))
            .is_some_and(|(_, to)| node.id() < *to)
    };
    let (mut inside, mut whole) = (0, 0);
    for root in &content.roots {
        let mut nodes = dom.node(*root).descendants();
        while let Some(node) = nodes.next() {
            if content.skip.contains(node.id()) || node.is_hidden_by_tag() {
                nodes.leave_out(node);
            } else if let Some(text) = node.text_value() {
                let length = text.trim().len();
                whole += length;
                inside += if is_within(node) { length } else { 0 };
            }
        }
    }
    (inside, whole)
}

#[cfg(test)]
mod tests {
    use page::Page;

    use super::*;
    use crate::rules::content;

    #[test]
    fn each_measure_has_its_own_weight() {
        let page = Page::new("<h1>Kettles</h1><p>All about kettles.</p>", None);
        let measures = measure(&VisiblePage::of(&page), &content::find(&page), None);
        let names: Vec<&str> = measures.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, WEIGHTS.map(|(name, _)| name));
    }
}
