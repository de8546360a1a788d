//! Entries under the headings of a list: a calendar has an element for each day, most with one event and some with several, and a list
//! of prices a table or a list of terms under each heading.

use std::collections::HashSet;

use super::flat_tree::{FlatTree, Span};

/// Fewest groups that are judged, where two of them have fewer entries than [`OF_TWO`] each.
const JUDGEABLE: usize = 3;
/// Fewest groups of a list, and fewest entries of each of so few.
const FEWEST: usize = 2;
const OF_TWO: usize = 3;
/// Most entries of one group.
const MOST_ENTRIES: usize = 5_000;
/// Share of the words of a group that its entries have, in per cent.
const OF_ENTRIES: u32 = 60;
/// Share of the entries that have a heading and a link, in per cent.
const NAMED: usize = 90;
/// Fewest words of an entry of a list.
const SHORTEST: u32 = 4;
/// Fewest words of a line of prices: "Manicure £20".
const SHORTEST_LINE: u32 = 2;
/// Share of the lines of prices that begin as no other one does, in per cent. Tables of features begin alike.
const DISTINCT: usize = 90;
/// Share of the lines that have a price, in per cent.
const PRICED: usize = 80;
/// Fewest words of a term with what describes it, of a glossary, and the share of the terms that have so many, in per cent.
const SHORTEST_TERM: u32 = 5;
const DESCRIBED: usize = 80;
/// Most characters of the beginning of a line that are compared.
const BEGINNING: usize = 80;

/// The entries of one group.
struct GroupEntries {
    spans: Vec<Span>,
    /// Whether they are the rows of a table or the terms of a list of such, of which the first cell names what the others are of.
    are_lines: bool,
    /// Whether a heading stands before them.
    is_headed: bool,
}

/// The entries within records that are groups of such, each with the place of its group; `None` where records are no groups. Cards
/// with lists of features are none: at least half of the groups have one entry, or nearly all entries have a heading and a link, or are
/// lines that all begin otherwise.
pub(super) fn within(tree: &FlatTree<'_>, spans: &[Span]) -> Option<Vec<(Span, usize)>> {
    if spans.len() < FEWEST {
        return None;
    }
    let mut entries: Vec<(Span, usize)> = Vec::new();
    let (mut single, mut lines) = (0, 0);
    for (at, span) in spans.iter().enumerate() {
        let own = entries_of(tree, *span)?;
        let is_long = own.spans.len() >= OF_TWO && own.is_headed;
        if spans.len() < JUDGEABLE && !is_long {
            return None;
        }
        single += usize::from(own.spans.len() == 1);
        lines += usize::from(own.are_lines);
        entries.extend(own.spans.into_iter().map(|entry| (entry, at)));
    }
    let is_named = |entry: &&(Span, usize)| {
        let counts = tree.counts(entry.0);
        counts.headings > 0 && counts.links > 0
    };
    let share = |count: usize| count * 100 / entries.len().max(1);
    let are_groups = match lines {
        0 => single * 2 >= spans.len() || share(entries.iter().filter(is_named).count()) >= NAMED,
        _ => {
            let is_priced = |entry: &&(Span, usize)| tree.counts(entry.0).prices > 0;
            let is_described = |entry: &&(Span, usize)| {
                tree.tag(entry.0.from) == "dt" && tree.counts(entry.0).words >= SHORTEST_TERM
            };
            lines == spans.len()
                && share(beginnings(tree, &entries)) >= DISTINCT
                && (share(entries.iter().filter(is_priced).count()) >= PRICED
                    || share(entries.iter().filter(is_described).count()) >= DESCRIBED)
        }
    };
    (are_groups && entries.len() > spans.len()).then_some(entries)
}

/// How many different first cells entries have.
fn beginnings(tree: &FlatTree<'_>, entries: &[(Span, usize)]) -> usize {
    let first_cell = |span: &Span| match tree.tag(span.from) {
        "tr" => tree.children(span.from).next(),
        _ => Some(span.from),
    };
    let begin = entries
        .iter()
        .filter_map(|(span, _)| Some(tree.text(tree.subtree(first_cell(span)?), BEGINNING)));
    begin
        .filter(|text| !text.trim().is_empty())
        .collect::<HashSet<String>>()
        .len()
}

/// Whether an element of this tag lists the entries of a group.
pub(super) fn is_list(tag: &str) -> bool {
    matches!(tag, "ol" | "ul" | "table" | "dl")
}

/// The entries of a group: the members of the one list that makes up most of it.
fn entries_of(tree: &FlatTree<'_>, span: Span) -> Option<GroupEntries> {
    let mut parts: Vec<u32> = tree.neighbours(span).collect();
    // The last group of several may be but its list of terms, with its heading in the group before.
    if let [whole] = parts.as_slice()
        && tree.tag(*whole) != "dl"
    {
        parts = tree.children(*whole).collect();
    }
    let mut lists = parts.iter().copied().filter(|at| is_list(tree.tag(*at)));
    let list = lists.next().filter(|_| lists.next().is_none())?;
    let mut before = parts.iter().take_while(|at| **at != list);
    let is_headed = before.any(|at| tree.counts(tree.subtree(*at)).headings > 0);
    let are_lines = matches!(tree.tag(list), "table" | "dl");
    let spans = match tree.tag(list) {
        "table" => rows_of(tree, list),
        "dl" => terms_of(tree, list)?,
        _ => members_of(tree, list)?,
    };
    let words: Vec<u32> = spans.iter().map(|entry| tree.counts(*entry).words).collect();
    // A note behind the last list of terms is of all of them.
    let group = match tree.tag(list) {
        "dl" => Span {
            to: tree.subtree(list).to,
            ..span
        },
        _ => span,
    };
    let is_most = words.iter().sum::<u32>() * 100 >= tree.counts(group).words * OF_ENTRIES;
    let shortest = if are_lines { SHORTEST_LINE } else { SHORTEST };
    let are_entries =
        (1..=MOST_ENTRIES).contains(&spans.len()) && words.iter().all(|words| *words >= shortest);
    // A card leads to what it is of.
    let links: u32 = spans.iter().map(|entry| tree.counts(*entry).links).sum();
    let is_card = are_lines && tree.counts(span).links > links;
    (are_entries && is_most && !is_card).then_some(GroupEntries {
        spans,
        are_lines,
        is_headed,
    })
}

fn members_of(tree: &FlatTree<'_>, list: u32) -> Option<Vec<Span>> {
    let members: Vec<u32> = tree.children(list).collect();
    let are_items = members.iter().all(|member| tree.tag(*member) == "li");
    are_items.then(|| members.into_iter().map(|member| tree.subtree(member)).collect())
}

/// The rows of a table with two cells or more, but for its heading.
fn rows_of(tree: &FlatTree<'_>, table: u32) -> Vec<Span> {
    let all = tree.subtree(table);
    let is_row = |at: &u32| {
        let cells: Vec<&str> = tree.children(*at).map(|cell| tree.tag(cell)).collect();
        tree.tag(*at) == "tr" && cells.len() > 1 && cells.contains(&"td")
    };
    (all.from..all.to)
        .filter(is_row)
        .map(|row| tree.subtree(row))
        .collect()
}

/// The terms of a list, each with what describes it.
fn terms_of(tree: &FlatTree<'_>, list: u32) -> Option<Vec<Span>> {
    let mut spans: Vec<Span> = Vec::new();
    for child in tree.children(list) {
        let own = tree.subtree(child);
        match (tree.tag(child), spans.last_mut()) {
            ("dt", _) => spans.push(own),
            ("dd", Some(last)) => last.to = own.to,
            _ => return None,
        }
    }
    Some(spans)
}
