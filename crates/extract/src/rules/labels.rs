//! Pairs of label and value on a detail page.
//!
//! One general reader for definition lists, table rows, "Label: value" lines, bold labels and grids of pairs. What a label
//! means is not decided here.

mod next_label;

use std::collections::HashMap;
use std::ops::Range;

use page::dom::{Dom, Node, NodeId};

use super::lines::{LineSegment, TextLine, VisibleLines, is_hidden, is_unshown};
use super::overlays::Overlays;
use next_label::next_label;

/// A page has no more pairs than this; the rest is not read.
const MAX_PAIRS: usize = 3_000;
/// A label is no longer than this, in characters.
const MAX_LABEL: usize = 48;
/// A value that is longer than this is body text, in bytes.
const MAX_VALUE: usize = 600;

/// How a pair is set, the plainest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PairLayout {
    /// `dt` and `dd`.
    Definition,
    /// Two cells of a table row.
    Row,
    /// Text before and behind a colon, or on the next line.
    Line,
    /// Two elements of a grid.
    Grid,
    /// A bold label and plain text, without a colon.
    Bold,
    /// A small heading and the line below it.
    Heading,
}

/// A label and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelValue {
    /// The label without its colon, as written.
    pub label: String,
    /// The label folded for comparing, see [`fold`].
    pub key: String,
    /// The value on one line.
    pub value: String,
    /// The element that holds the value.
    pub node: NodeId,
    /// How the pair is set.
    pub layout: PairLayout,
}

/// A table of labels, the plainest first, ready for looking up folded labels.
pub(crate) struct LabelRanks(HashMap<String, usize>);

impl LabelRanks {
    /// Folds the labels of a table.
    pub(crate) fn new(labels: &[&str]) -> LabelRanks {
        let mut ranks = HashMap::new();
        for (rank, label) in labels.iter().enumerate() {
            ranks.entry(fold(label)).or_insert(rank);
        }
        LabelRanks(ranks)
    }

    /// The place of a folded label in the table.
    pub(crate) fn get(&self, key: &str) -> Option<usize> {
        self.0.get(key).copied()
    }
}

/// Folds a label for comparing.
pub fn fold(label: &str) -> String {
    let mut out = String::with_capacity(label.len());
    for word in label.split(|c: char| c.is_whitespace() || matches!(c, '_' | ':' | '：')) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '#' | '№' | '°' | 'º'));
        if word.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    out
}

/// All pairs of the page in document order.
pub(crate) fn read(dom: &Dom, lines: &VisibleLines, overlays: &Overlays) -> Vec<LabelValue> {
    let mut pairs = Vec::new();
    if let Some(body) = dom.body() {
        let mut walk = body.descendants();
        while let Some(node) = walk.next() {
            if !node.is_element() {
                continue;
            }
            if is_unshown(node, overlays) {
                walk.leave_out(node);
                continue;
            }
            match node.tag() {
                "dl" => read_definitions(node, &mut pairs),
                "tr" => read_row(node, &mut pairs),
                _ => read_grid(node, &mut pairs),
            }
            if pairs.len() >= MAX_PAIRS {
                break;
            }
        }
    }
    for (index, line) in lines.iter().enumerate() {
        if pairs.len() >= MAX_PAIRS {
            break;
        }
        read_line(dom, lines, index, line, &mut pairs);
    }
    pairs.sort_by_key(|pair| (pair.node, pair.layout));
    pairs.dedup_by(|next, first| {
        next.node == first.node && next.label == first.label && next.value == first.value
    });
    pairs
}

/// Whether a text can be a label: short, with letters, not a sentence.
fn is_label(text: &str) -> bool {
    let text = text.trim_end_matches([':', '：', ' ']);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let words = text.split_whitespace().count();
    let is_sentence = text.contains(['.', '!', '?', ';', '"', '{', '=']);
    // "Art. No."
    let is_abbreviated = words <= 3 && text.contains('.') && letters * 2 > text.len();
    letters > 0
        && text.chars().count() <= MAX_LABEL
        && words <= 6
        && (!is_sentence || is_abbreviated)
        && !text.contains("//")
        && letters * 3 >= text.chars().filter(|c| !c.is_whitespace()).count()
}

fn add(label: &str, value: &str, node: NodeId, layout: PairLayout, pairs: &mut Vec<LabelValue>) {
    let label = label
        .trim()
        .trim_end_matches([':', '：', ' ', '\u{a0}', '-', '–', '?'])
        .trim();
    let value = value.trim().trim_start_matches([':', '：']).trim();
    if value.is_empty()
        || value.len() > MAX_VALUE
        || !is_label(label)
        || !value.contains(char::is_alphanumeric)
    {
        return;
    }
    pairs.push(LabelValue {
        key: fold(label),
        label: label.to_owned(),
        value: value.to_owned(),
        node,
        layout,
    });
}

fn read_definitions(list: Node<'_>, pairs: &mut Vec<LabelValue>) {
    let mut label: Option<String> = None;
    let groups = list.children().filter(|it| it.is_element());
    let items = groups.flat_map(|child| {
        if child.is("div") {
            Some(child.children())
        } else {
            None
        }
        .into_iter()
        .flatten()
        .chain((!child.is("div")).then_some(child))
    });
    for item in items.filter(|item| item.is_element()) {
        match (item.tag(), &label) {
            ("dt", _) => label = Some(item.text()),
            ("dd", Some(label)) => add(label, &item.text(), item.id(), PairLayout::Definition, pairs),
            _ => {}
        }
    }
}

fn read_row(row: Node<'_>, pairs: &mut Vec<LabelValue>) {
    let cells: Vec<Node<'_>> = cells_of(row).take(MAX_CELLS).collect();
    if cells.len() < 2
        || cells
            .iter()
            .any(|cell| cell.descendants().any(|it| it.is("table")))
    {
        return;
    }
    let heads = cells.iter().filter(|it| it.is("th")).count();
    if heads == cells.len() {
        // A header row over a single row of values.
        let next = row
            .siblings_after()
            .find(|it| it.is("tr"))
            .or_else(|| next_body_row(row));
        let alone = next.is_some_and(|row| !row.siblings_after().any(|sibling| sibling.is("tr")));
        if let Some(next) = next.filter(|_| alone) {
            let heads: Vec<Node<'_>> = cells_of(row).collect();
            for (head, value) in heads.iter().zip(values_below(&heads, next)).take(MAX_CELLS) {
                add(&head.text(), &value.text(), value.id(), PairLayout::Row, pairs);
            }
        }
        return;
    }
    // A row of a table that compares several things has a value for each of them.
    let values = cells
        .iter()
        .filter(|cell| cell.is("td") && !cell.text().trim().is_empty());
    let first = cells.first().filter(|cell| cell.is("th"));
    let has_colon = |cell: &Node<'_>| cell.text().trim_end().ends_with([':', '：']);
    if heads == 1 && first.is_some() && values.count() > 1 && !cells.iter().any(has_colon) {
        return;
    }
    let mut at = 0;
    while let (Some(label), Some(value)) = (cells.get(at), cells.get(at + 1)) {
        let text = label.text();
        let is_label_element = label.is("th") || text.trim_end().ends_with([':', '：']);
        let is_empty = value.text().trim().is_empty();
        // Behind an empty cell stands the value, or the next label.
        let behind = cells.get(at + 2).filter(|_| is_empty);
        let spacer = behind.is_some_and(|next| !next.is("th") && !has_colon(next));
        let value = behind.filter(|_| spacer).unwrap_or(value);
        if is_label_element || (cells.len() == 2 && text.len() < 60) || (spacer && cells.len() == 3) {
            add(&text, &value.text(), value.id(), PairLayout::Row, pairs);
        }
        at += if spacer { 3 } else { 2 };
    }
}

/// Most cells of a row that are read.
const MAX_CELLS: usize = 8;

fn cells_of(row: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    row.children().filter(|it| matches!(it.tag(), "td" | "th"))
}

/// The cells of a row below those of its heads, in their order; none where it is unclear which stands below which.
fn values_below<'d>(heads: &[Node<'d>], row: Node<'d>) -> Vec<Node<'d>> {
    let cells: Vec<Node<'d>> = cells_of(row).collect();
    let is_wide = |cell: &Node<'d>| cell.attr("colspan").is_some_and(|span| span.trim() != "1");
    if heads.iter().chain(&cells).any(is_wide) {
        return Vec::new();
    }
    if cells.len() <= heads.len() {
        return cells;
    }
    // The name of a row may have no head above it.
    let values: Vec<Node<'d>> = cells.into_iter().filter(|cell| cell.is("td")).collect();
    let is_below = values.len() == heads.len();
    if is_below { values } else { Vec::new() }
}

fn next_body_row(row: Node<'_>) -> Option<Node<'_>> {
    let head = row.parent().filter(|it| it.is("thead"))?;
    let mut next = head.next_sibling();
    while let Some(node) = next {
        if node.is("tbody") {
            return node.children().find(|it| it.is("tr"));
        }
        next = node.next_sibling();
    }
    None
}

/// Words in class names that say "this is the label".
#[rustfmt::skip]
const LABEL_CLASSES: &[&str] = &[
    "label", "term", "key", "attribute-name", "attr-name", "spec-name", "prop-name", "title", "name", "header",
    "heading", "caption", "-dt",
];

/// Pairs of sibling elements: label and value by class, or two children in an element that repeats.
fn read_grid(node: Node<'_>, pairs: &mut Vec<LabelValue>) {
    if !matches!(
        node.tag(),
        "div" | "li" | "p" | "span" | "section" | "article" | "a" | "ul" | "dd"
    ) {
        return;
    }
    let mut kids = node
        .children()
        .filter(|child| child.is_element() && !matches!(child.tag(), "br" | "svg" | "script" | "style"));
    let (Some(first), Some(second)) = (kids.next(), kids.next()) else {
        return;
    };
    let more = kids.next().is_some();
    let loose = node
        .children()
        .filter_map(Node::text_value)
        .any(|text| text.contains(char::is_alphanumeric));
    if loose || is_hidden(first) || is_hidden(second) || second.is("button") {
        return;
    }
    let has_label_class = |node: Node<'_>| {
        let class = node.class().to_ascii_lowercase();
        LABEL_CLASSES.iter().any(|word| class.contains(word))
    };
    if more {
        // Flat pairs: label and value alternate under one parent.
        let all: Vec<Node<'_>> = node.children().filter(|it| it.is_element()).take(200).collect();
        let alternate = all.len().is_multiple_of(2)
            && all.len() >= 4
            && !first.class().is_empty()
            && all.chunks(2).all(|pair| {
                matches!(pair, [label, value] if label.class() == first.class() && value.class() == second.class()
                    && label.class() != value.class())
            });
        if alternate && has_label_class(first) {
            for pair in all.chunks(2) {
                if let [label, value] = pair {
                    add(
                        &short(*label),
                        &short(*value),
                        value.id(),
                        PairLayout::Grid,
                        pairs,
                    );
                }
            }
        }
        return;
    }
    let label = short(first);
    if label.is_empty() {
        return;
    }
    let is_label_element = label.ends_with([':', '：']) || has_label_class(first);
    let is_same_layout = |sibling: Option<Node<'_>>| {
        sibling.is_some_and(|sibling| {
            let mut kids = sibling.children().filter(|it| it.is_element());
            sibling.tag() == node.tag()
                && sibling.class() == node.class()
                && kids
                    .next()
                    .is_some_and(|label| label.tag() == first.tag() && label.class() == first.class())
                && kids.next().is_some_and(|value| value.tag() == second.tag())
        })
    };
    let repeats = is_same_layout(element_after(node)) || is_same_layout(element_before(node));
    if is_label_element || repeats {
        add(&label, &short(second), second.id(), PairLayout::Grid, pairs);
    }
}

/// The text of an element that may hold much; nothing when it holds too much for a pair.
fn short(node: Node<'_>) -> String {
    if node.end().index().saturating_sub(node.id().index()) > 60 {
        String::new()
    } else {
        node.text()
    }
}

fn element_after(node: Node<'_>) -> Option<Node<'_>> {
    std::iter::successors(node.next_sibling(), |it| it.next_sibling()).find(|it| it.is_element())
}

fn element_before(node: Node<'_>) -> Option<Node<'_>> {
    std::iter::successors(node.prev_sibling(), |it| it.prev_sibling()).find(|it| it.is_element())
}

/// Whether a segment is set as a label within its block.
fn is_bold(dom: &Dom, segment: &LineSegment, block: NodeId) -> bool {
    let element = dom.node(segment.element);
    std::iter::once(element)
        .chain(element.ancestors())
        .take_while(|ancestor| ancestor.id() != block)
        .take(4)
        .any(|ancestor| {
            matches!(ancestor.tag(), "b" | "strong" | "label" | "em" | "th")
                || ancestor.classes().any(|class| {
                    let class = class.to_ascii_lowercase();
                    class.contains("label")
                        || class.contains("bold")
                        || class.contains("strong")
                        || class == "key"
                })
        })
}

fn read_line(dom: &Dom, lines: &VisibleLines, index: usize, line: &TextLine, pairs: &mut Vec<LabelValue>) {
    let text = lines.line_text(line);
    let segments = lines.segments(line);
    if text.len() > MAX_VALUE + 200 {
        return;
    }
    let colon = text.contains([':', '：']);
    if !colon {
        bold_without_colon(dom, lines, line, pairs);
        below_heading(dom, lines, index, line, pairs);
        return;
    }
    // Bold labels divide a line that holds several pairs.
    let mut starts: Vec<usize> = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        let behind = text
            .get(segment.range.end - line.range.start..)
            .unwrap_or_default();
        let ends = lines.segment_text(segment).ends_with([':', '：'])
            || behind.trim_start().starts_with([':', '：']);
        if ends && (at == 0 || is_bold(dom, segment, line.block)) {
            starts.push(segment.range.start);
        }
    }
    if starts.len() > 1 {
        for (at, start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(line.range.end);
            split_pair(lines, line, *start, end, pairs);
        }
        return;
    }
    // A mark divides a line only where another label follows ("SKU: 1 | Brand: X", but "Genres: Crime | Drama").
    let mut from = line.range.start;
    for (at, mark) in text.match_indices(['|', '•', '·', ';']) {
        let behind = text.get(at + mark.len()..).unwrap_or_default();
        let label = behind.split(['|', '•', '·', ';']).next().unwrap_or_default();
        if label.contains([':', '：']) {
            split_pair(lines, line, from, line.range.start + at, pairs);
            from = line.range.start + at + mark.len();
        }
    }
    let rest = text.get(from - line.range.start..).unwrap_or_default();
    let is_divided = from > line.range.start;
    let end = line.range.end - if is_divided { behind_amount(rest) } else { 0 };
    split_pair(lines, line, from, end, pairs);
    // What one presses is no value.
    let is_button = |next: &TextLine| {
        let first = lines.segments(next).first().map(|it| dom.node(it.element));
        first.is_some_and(|node| node.closest("button").is_some())
    };
    if text.trim_end().ends_with([':', '：'])
        && let Some(next) = lines.get(index + 1).filter(|next| !is_button(next))
    {
        let value = lines.line_text(next);
        if !value.trim_end().ends_with([':', '：']) && value.len() <= 300 {
            add(text, value, next.block, PairLayout::Line, pairs);
        }
    }
}

/// How many bytes of a labelled amount are another amount behind a bar: "Total time: 45 min | 310 kcal".
fn behind_amount(pair: &str) -> usize {
    let begins = |text: &str| text.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let parts = pair
        .split_once([':', '：'])
        .and_then(|(_, value)| value.split_once('|'));
    match parts {
        Some((value, other)) if begins(value) && begins(other) => other.len() + 1,
        _ => 0,
    }
}

/// The pair in one part of a line.
fn split_pair(lines: &VisibleLines, line: &TextLine, from: usize, to: usize, pairs: &mut Vec<LabelValue>) {
    let Some(text) = lines.text().get(from..to) else {
        return;
    };
    let Some((label, value)) = text.split_once([':', '：']) else {
        return;
    };
    if value.starts_with("//")
        || label.ends_with(|c: char| c.is_ascii_digit()) && value.starts_with(|c: char| c.is_ascii_digit())
    {
        return;
    }
    if let Some(next) = next_label(value) {
        let value_start = to - value.len();
        split_pair(lines, line, from, value_start + next.end_of_value, pairs);
        split_pair(lines, line, value_start + next.start, to, pairs);
        return;
    }
    // The element of the value is that of the first segment behind the colon.
    let behind = to - value.trim_start().len();
    let value = before_glued_label(lines, line, behind..to).unwrap_or(value);
    let node = lines
        .segments(line)
        .iter()
        .find(|segment| segment.range.end > behind)
        .map_or(line.block, |segment| segment.element);
    add(label, value, node, PairLayout::Line, pairs);
}

/// The value up to where the label of another pair begins right behind it, in an element of its own: styles put space
/// between the two ("SKU: A-1Category: Candles").
fn before_glued_label<'l>(lines: &'l VisibleLines, line: &TextLine, value: Range<usize>) -> Option<&'l str> {
    let text = lines.text();
    let is_glued = |at: usize| {
        let head = text.get(value.start..at).unwrap_or_default();
        let tail = text.get(at..value.end).unwrap_or_default();
        let label = tail.split_once([':', '：']).map(|(label, _)| label);
        head.ends_with(char::is_alphanumeric)
            && tail.starts_with(char::is_alphabetic)
            && label.is_some_and(is_label)
    };
    let starts = lines.segments(line).iter().map(|segment| segment.range.start);
    let end = starts
        .filter(|start| *start > value.start && *start < value.end)
        .find(|start| is_glued(*start))?;
    text.get(value.start..end)
}

fn bold_without_colon(dom: &Dom, lines: &VisibleLines, line: &TextLine, pairs: &mut Vec<LabelValue>) {
    let segments = lines.segments(line);
    let [first, rest @ ..] = segments else { return };
    let Some(second) = rest.first() else { return };
    let value = lines
        .text()
        .get(second.range.start..line.range.end)
        .unwrap_or_default();
    let label = lines.segment_text(first);
    if value.len() <= 100
        && label.split_whitespace().count() <= 4
        && is_bold(dom, first, line.block)
        && !is_bold(dom, second, line.block)
    {
        add(label, value, second.element, PairLayout::Bold, pairs);
    }
}

/// A short heading (or a line set wholly in bold) and the plain line below it.
fn below_heading(
    dom: &Dom,
    lines: &VisibleLines,
    index: usize,
    line: &TextLine,
    pairs: &mut Vec<LabelValue>,
) {
    let label = lines.line_text(line);
    if label.len() > MAX_LABEL || label.split_whitespace().count() > 5 {
        return;
    }
    let heads = |line: &TextLine| {
        let block = dom.node(line.block);
        let heading = std::iter::once(block)
            .chain(block.ancestors())
            .take(3)
            .any(|ancestor| matches!(ancestor.tag(), "h2" | "h3" | "h4" | "h5" | "h6"));
        heading
            || lines
                .segments(line)
                .iter()
                .all(|segment| is_bold(dom, segment, line.block))
    };
    let Some(next) = lines.get(index + 1) else { return };
    let value = lines.line_text(next);
    if value.len() <= 200 && heads(line) && !heads(next) && !value.contains([':', '：']) {
        add(label, value, next.block, PairLayout::Heading, pairs);
    }
}

#[cfg(test)]
mod tests;
