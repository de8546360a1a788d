//! Facts of the entries of a list: values by the label that stands beside them.
//!
//! A label is what most entries say word for word, right before something that differs from entry to entry: "Roast" before
//! "dark", "Season" above "May to September". Terms of a definition list and headings of a table are labels by their tag.

mod cells;
mod entry_facts;
mod labels;
mod names;

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use page::dom::Node;
use serde_json::{Map, Value};

use super::table_columns::LaidTables;
use super::{filter_labels, properties};
use crate::rules::lines::is_hidden;
use crate::rules::records::Record;
use crate::rules::visible_page::{VisiblePage, squeeze};
use cells::{add_cells, add_laid};
use entry_facts::{EntryFacts, FEWEST, keep_telling};
use labels::{LONGEST_LABEL, label_of, stated_pairs, term_of};

/// Most nodes of an element that is a label.
const LABEL_NODES: usize = 6;
/// Most nodes of one entry that are looked at.
const MAX_NODES: usize = 600;
/// Most parts of an element that are looked at for labels and values in turn.
const MAX_PARTS: usize = 40;

/// The facts of every entry of a list, by label.
pub(super) fn read<'p>(
    view: &VisiblePage<'p>,
    records: &[Record],
    tables: &LaidTables<'p>,
) -> Vec<Map<String, Value>> {
    let labels = CommonLabels::of(view, records);
    let of_entry = |record: &Record| {
        let mut facts = EntryFacts::default();
        for root in &record.roots {
            let root = view.dom().node(*root);
            match tables.cells(root) {
                Some(cells) => add_laid(&cells, &mut facts),
                None => add_cells(root, &mut facts),
            }
            add_pairs(root, &labels, &mut facts);
            properties::add(root, &mut facts.values);
        }
        facts
    };
    let mut facts: Vec<EntryFacts> = records.iter().map(of_entry).collect();
    names::leave_out(records, &mut facts);
    keep_telling(&mut facts, |label| {
        labels.0.get(label).copied().unwrap_or_default()
    });
    let mut facts: Vec<Map<String, Value>> = facts.into_iter().map(|facts| facts.values).collect();
    filter_labels::add(view, records, &mut facts);
    facts
}

/// Texts that most entries have.
struct CommonLabels(HashMap<String, usize, RandomState>);

impl CommonLabels {
    fn of(view: &VisiblePage<'_>, records: &[Record]) -> CommonLabels {
        let mut counts: HashMap<String, usize, RandomState> = HashMap::default();
        if records.len() < FEWEST {
            return CommonLabels(counts);
        }
        for record in records {
            let mut own: HashSet<String, RandomState> = HashSet::default();
            for root in &record.roots {
                for node in visible(view.dom().node(*root)) {
                    let Some(text) = node.text_value() else { continue };
                    let told = stated_pairs(text).map(|(label, _)| label);
                    own.extend(label_of(text).into_iter().chain(told));
                }
            }
            for label in own {
                *counts.entry(label).or_default() += 1;
            }
        }
        counts.retain(|_, count| *count >= FEWEST && *count * 2 >= records.len());
        CommonLabels(counts)
    }

    fn has(&self, text: &str) -> bool {
        self.count(text) > 0
    }

    /// How many entries have a text as one that may be a label.
    fn count(&self, text: &str) -> usize {
        let label = label_of(text);
        label
            .and_then(|label| self.0.get(&label).copied())
            .unwrap_or_default()
    }
}

fn holds_heading(node: Node<'_>) -> bool {
    let mut inner = node.descendants();
    inner.any(|inner| matches!(inner.tag(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
}

/// The visible nodes of an entry, without what can be pressed.
fn visible(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut walk = root.descendants();
    let mut seen = 0;
    std::iter::from_fn(move || {
        loop {
            let node = walk.next()?;
            seen += 1;
            if seen > MAX_NODES {
                return None;
            }
            let is_control = matches!(
                node.tag(),
                "a" | "button" | "form" | "select" | "script" | "style" | "template" | "svg"
            );
            // An entry as a whole may be a form, with its name and a button to buy it.
            let is_control = is_control && !(node.is("form") && holds_heading(node));
            if node.is_element() && (is_control || is_hidden(node)) {
                walk.leave_out(node);
                continue;
            }
            return Some(node);
        }
    })
}

/// What stands beside the labels within an entry.
fn add_pairs(root: Node<'_>, labels: &CommonLabels, facts: &mut EntryFacts) {
    for node in visible(root) {
        if node.is("dt") {
            // An element around the terms and the descriptions of one entry of a list of definitions.
            if node.parent().is_some_and(|outer| outer == root)
                && root.parent().is_some_and(|list| list.is("dl"))
            {
                continue;
            }
            let value = node.siblings_after().find(|sibling| sibling.is_element());
            if let Some(value) = value.filter(|value| value.is("dd")) {
                facts.add_tagged(term_of(&node.text()), &value.text());
            }
            continue;
        }
        if node.is("th") {
            let mut cells = node
                .parent()
                .into_iter()
                .flat_map(Node::children)
                .filter(|cell| cell.is_element());
            if let (Some(first), Some(value), None) = (cells.next(), cells.next(), cells.next())
                && first == node
                && value.is("td")
            {
                // The heading of a row that is the entry names it.
                match node.parent() == Some(root) {
                    true => facts.add(label_of(&node.text()), &value.text()),
                    false => facts.add_tagged(term_of(&node.text()), &value.text()),
                }
            }
            continue;
        }
        // "Value: 890 000 zł", as some entries have one below the other.
        for (label, value) in node.text_value().into_iter().flat_map(stated_pairs) {
            if labels.has(&label) {
                facts.add(Some(label), &value);
            }
        }
        let is_label = node.text_value().is_some_and(|text| labels.has(text));
        if !is_label
            || node
                .parent()
                .is_some_and(|parent| matches!(parent.tag(), "dt" | "th"))
        {
            continue;
        }
        if let Some((label, value)) = pair(root, node, labels) {
            facts.add(Some(label), &value);
        }
    }
}

/// The label that a text is, and what stands behind it, else before it: alone with it in an element, or in turn with others.
fn pair(root: Node<'_>, text: Node<'_>, labels: &CommonLabels) -> Option<(String, String)> {
    let label = label_of(text.text_value()?)?;
    // The largest element that says nothing else.
    let mut holder = text;
    while let Some(outer) = holder.parent() {
        let is_small = outer.end().index() - outer.id().index() <= LABEL_NODES;
        if outer.id() == root.id() || !is_small || label_of(&outer.text()).as_ref() != Some(&label) {
            break;
        }
        holder = outer;
    }
    let is_told = |node: &Node<'_>| !node_text(*node).trim().is_empty();
    let parent = holder.parent()?;
    let parts: Vec<Node<'_>> = parent.children().filter(is_told).take(MAX_PARTS).collect();
    let place = parts.iter().position(|part| *part == holder)?;
    let is_label = |node: &Node<'_>| labels.has(&node_text(*node));
    // A text and an element behind it: "Estimate <b>£300</b>".
    if let (true, 0, Some(next)) = (holder.is_text(), place, parts.get(1)) {
        return Some((label, node_text(*next)));
    }
    // Labels look alike, and unlike their values; entries of a list of words are neither.
    let is_set_apart =
        |value: &Node<'_>| holder.is_text() || holder.tag() != value.tag() || holder.class() != value.class();
    // A colon says that the value follows, also where most entries have the same one ("yes").
    let ends_with_colon = |node: &Node<'_>| node_text(*node).trim_end().ends_with([':', '：']);
    let has_colon = || ends_with_colon(&holder);
    let is_next_label = |next: &Node<'_>| is_label(next) && (!has_colon() || ends_with_colon(next));
    // In a row of two cells the first is the label.
    let is_first_of_two = parent.is("tr") && parts.len() == 2 && place == 0;
    // Of a label and a value that most entries have ("Fixed price" and "yes"), more have the label.
    let is_commoner = |next: &Node<'_>| {
        parts.len() == 2 && place == 0 && labels.count(&label) > labels.count(&node_text(*next))
    };
    // "<span>Label:</span> <span>value</span>" needs nothing else to tell the two apart.
    let is_colon_pair = || parts.len() == 2 && place == 0 && has_colon();
    let is_value = |next: &Node<'_>| {
        (!is_next_label(next) || is_commoner(next)) && (is_set_apart(next) || is_colon_pair())
    };
    // Behind a colon, elements of one template are the values of one label: "Sizes: S M L".
    let behind = parts.get(place + 1..).unwrap_or_default();
    let is_alike = |part: &&Node<'_>| {
        let first = behind.first().map(|first| (first.tag(), first.class()));
        first == Some((part.tag(), part.class())) && part.is_element() && !ends_with_colon(part)
    };
    if has_colon() && behind.len() > 1 && behind.iter().all(|part| is_alike(&part)) {
        let offered = behind.iter().filter(|part| !is_not_offered(**part));
        let values: Vec<String> = offered.map(|part| squeeze(&node_text(*part))).collect();
        // "Sedan, 2019, 45,000 km" is of several labels.
        let with_digits = values
            .iter()
            .filter(|value| value.contains(|c: char| c.is_ascii_digit()))
            .count();
        let is_short = |value: &String| value.chars().count() <= LONGEST_LABEL;
        if (with_digits == 0 || with_digits == values.len()) && values.iter().all(is_short) {
            return Some((label, values.join(", ")));
        }
    }
    let next = parts
        .get(place + 1)
        .filter(|next| is_first_of_two || is_value(next));
    let is_in_turn = || {
        let labelled = parts.iter().filter(|part| is_label(part)).count();
        labelled >= 2 && (parts.first().is_some_and(is_label) || has_colon())
    };
    match (parts.as_slice(), next) {
        ([_, _], Some(next)) => Some((label, node_text(*next))),
        ([before, _], None)
            if place == 1
                && !is_label(before)
                && is_set_apart(before)
                && !is_badge(holder)
                && !ends_sentence(&label) =>
        {
            Some((label, node_text(*before)))
        }
        (_, Some(next)) if is_in_turn() => Some((label, node_text(*next))),
        _ => None,
    }
}

/// Whether an element is called a badge, which says something of the entry and not of the text before it.
fn is_badge(node: Node<'_>) -> bool {
    const NAMES: [&str; 5] = ["badge", "chip", "flag", "pill", "tag"];
    let class = node.class().to_ascii_lowercase();
    class
        .split(|c: char| !c.is_ascii_alphabetic())
        .any(|word| NAMES.contains(&word))
}

/// Whether a text is a sentence of its own, as the last of a paragraph is: "Has a car park."
fn ends_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '?'])
}

fn node_text(node: Node<'_>) -> String {
    if node.is_hidden_by_tag() || node.is("button") {
        return String::new();
    }
    let parts: Vec<Node<'_>> = node.children().filter(|child| child.is_element()).collect();
    let has_own_text = node
        .children()
        .filter_map(Node::text_value)
        .any(|text| !text.trim().is_empty());
    let are_choices = !has_own_text
        && parts.len() > 1
        && parts
            .iter()
            .all(|part| parts.first().is_some_and(|first| first.tag() == part.tag()));
    let offered = || parts.iter().filter(|part| !is_not_offered(**part)).count();
    // Of several choices those that cannot be had are no values: a size that is struck through.
    if are_choices && (1..parts.len()).contains(&offered()) {
        let texts: Vec<String> = parts
            .iter()
            .filter(|part| !is_not_offered(**part))
            .map(|part| part.text())
            .collect();
        return texts.join(" ");
    }
    node.text()
}

/// Whether a choice is shown as one that cannot be made.
fn is_not_offered(choice: Node<'_>) -> bool {
    let text = choice.text();
    let is_struck =
        |part: &Node<'_>| matches!(part.tag(), "s" | "del" | "strike") && part.text().trim() == text.trim();
    let mut parts = std::iter::once(choice).chain(choice.descendants());
    choice.attr("aria-disabled") == Some("true")
        || parts.any(|part| part.attr("disabled").is_some() || is_struck(&part))
}

#[cfg(test)]
mod tests;
