//! Records of list pages: search results, products of a grid, threads of a forum.
//!
//! First every set of alike elements is a candidate ([`candidates`], [`sibling_runs`]), then each is measured ([`features`]) and ranked
//! ([`weights`]), and at last the borders of the best are repaired ([`repair`]) and each record is read field by field ([`fields`]).

use std::collections::HashSet;

use page::Page;
use page::dom::{Node, NodeId};
use serde_json::{Map, Value};

mod candidate_pool;
mod candidates;
mod column_scores;
mod columns;
mod continued;
mod counts;
mod dated_parts;
mod features;
mod feed_entries;
mod fields;
mod flat_tree;
mod flat_tree_builder;
mod grouped_entries;
mod options;
mod regions;
mod repair;
mod selection_headings;
mod shapes;
mod sibling_runs;
mod span_texts;
mod terms;
mod weights;

use flat_tree::{FlatTree, Span};
use regions::is_target;

pub use feed_entries::is_feed;
pub use options::RecordOptions;
pub(super) use selection_headings::names_selection;

/// Most bytes of text kept of one record.
const MAX_TEXT: usize = 20_000;

/// Fewest words, a price among them, of a line of a form that is a thing to buy.
const OF_THING: u32 = 5;

/// Most nodes of an element that are looked at for fields of a form.
const MAX_FIELD: usize = 40;

/// Score of a group that is all that its page is.
const OF_FEED: f32 = 1.0;

/// Most records kept of one group.
const MAX_RECORDS: usize = 5_000;

/// One record of a list.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Record {
    /// The elements that hold it: one, or several siblings.
    #[serde(skip)]
    pub roots: Vec<NodeId>,
    /// Its visible text, white space collapsed.
    pub text: String,
    /// What it says, read from the places that all records of the list share: `title`, `url`, `image`, `price`
    /// (as written), `rating`, `date`, `author`, `company`, `location`, `description`.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// Records that belong together.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct RecordGroup {
    /// The records, as they stand in the page.
    pub records: Vec<Record>,
    /// How sure we are that this is the list a reader came for; only good for comparing.
    pub score: f32,
    /// The element that holds all records.
    #[serde(skip)]
    pub container: NodeId,
    /// How many records the list has beyond those that are read, of which there is a bound.
    #[serde(skip)]
    pub unread: usize,
}

/// Finds the lists of a page, the one a reader came for first.
pub fn find(page: &Page) -> Vec<RecordGroup> {
    find_with(page, &RecordOptions::default())
}

/// As [`find`], with parts switched off or more groups asked for.
pub fn find_with(page: &Page, options: &RecordOptions) -> Vec<RecordGroup> {
    match feed(page) {
        Some(feed) => vec![feed],
        None => ranked(page, options).into_iter().map(|ranked| ranked.1).collect(),
    }
}

/// The groups, each with what was measured of it by name: the food of a training of the ranking.
pub fn ranked(page: &Page, options: &RecordOptions) -> Vec<(Vec<(&'static str, f32)>, RecordGroup)> {
    let tree = flat_tree_builder::read(page.dom());
    let candidates = candidates::find(&tree, options);
    let mut baseline = features::PageBaseline::of(&tree, &candidates, query(page));
    let mut scored: Vec<(f32, features::FeatureVector, &[Span])> = Vec::new();
    for spans in &candidates {
        let features = features::measure(&tree, &mut baseline, spans);
        scored.push((score(&features), features, spans));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let group = |score, spans| group(page, &tree, spans, score, options);
    scored
        .into_iter()
        .filter(|(_, _, spans)| !is_form(page, &tree, spans))
        .map(|(score, features, spans)| (features.to_vec(), group(score, spans)))
        .enumerate()
        // Where a menu ranks first, nothing else of the page looks more like a list: its entries come by script.
        .take_while(|(rank, (_, group))| *rank > 0 || !are_menus(page, group))
        .map(|(_, ranked)| ranked)
        .take(options.groups)
        .collect()
}

/// The elements as records of one list, for elements that a caller already knows to be alike. Those inside another one or
/// without anything to see are left out.
pub fn of_elements(page: &Page, elements: &[NodeId]) -> RecordGroup {
    let tree = flat_tree_builder::read(page.dom());
    let mut wanted = elements.to_vec();
    wanted.sort_unstable();
    let mut spans: Vec<Span> = Vec::new();
    for node in wanted {
        let Ok(at) = tree.elements.binary_search_by_key(&node, |element| element.node) else {
            continue;
        };
        let span = tree.subtree(at as u32);
        if spans.last().is_none_or(|last| last.to <= span.from) {
            spans.push(span);
        }
    }
    let options = RecordOptions {
        repair: false,
        ..RecordOptions::default()
    };
    group(page, &tree, &spans, 0.0, &options)
}

/// The entries of a page that is a feed.
fn feed(page: &Page) -> Option<RecordGroup> {
    let entries = feed_entries::entries(page);
    if entries.is_empty() {
        return None;
    }
    let mut group = of_elements(page, &entries);
    group.score = OF_FEED;
    for record in &mut group.records {
        if let Some(root) = record.roots.first() {
            feed_entries::name_parts(page, page.dom().node(*root), &mut record.fields);
        }
    }
    Some(group)
}

/// Whether most of the elements are fields of a form: labels or text fields, without a link.
fn is_form(page: &Page, tree: &FlatTree<'_>, spans: &[Span]) -> bool {
    let is_control = |node: Node<'_>| match node.tag() {
        "select" | "textarea" => true,
        "input" => !matches!(
            node.attr("type"),
            Some("hidden" | "checkbox" | "radio" | "submit" | "button" | "image")
        ),
        _ => false,
    };
    let is_field = |span: &&Span| {
        let Some(element) = tree.element(span.from).filter(|_| tree.links(**span).is_empty()) else {
            return false;
        };
        let root = page.dom().node(element.node);
        // A line of an order form is a thing to buy, with a field for how many.
        let counts = tree.counts(**span);
        if counts.prices > 0 && counts.words >= OF_THING {
            return false;
        }
        root.is("label") || is_control(root) || root.descendants().take(MAX_FIELD).any(is_control)
    };
    spans.iter().filter(is_field).count() * 2 > spans.len()
}

/// Fewest links of a menu that is little else but its links, and of one with a heading, a picture and a sentence beside them.
const MENU: usize = 3;
const LONG_MENU: usize = 8;
/// Share of the text of a menu that its links hold, in per cent.
const MENU_LINKS: usize = 80;
const LONG_MENU_LINKS: usize = 50;
/// Most menus beside each other; a list whose entries have many links is longer.
const MENUS: usize = 12;
/// Most words of a link of a menu.
const MENU_WORDS: usize = 6;

/// Whether most of the records are menus: several short links that lead to different places, with hardly any other text.
fn are_menus(page: &Page, group: &RecordGroup) -> bool {
    let is_menu = |record: &&Record| {
        let roots = record.roots.iter().map(|root| page.dom().node(*root));
        let nodes = roots.flat_map(|root| std::iter::once(root).chain(root.descendants()));
        let mut links: Vec<(&str, String)> = nodes
            .filter(|node| node.is("a"))
            .filter_map(|link| Some((link.attr("href").filter(|href| is_target(href))?, link.text())))
            .filter(|(_, text)| !text.is_empty())
            .collect();
        links.sort_unstable();
        links.dedup_by(|one, other| one.0 == other.0);
        let linked: usize = links.iter().map(|(_, text)| text.len()).sum();
        let is_short = |text: &String| text.split_whitespace().count() <= MENU_WORDS;
        let has_number = record.text.contains(|c: char| c.is_ascii_digit());
        let holds =
            |count: usize, share: usize| links.len() >= count && linked * 100 >= record.text.len() * share;
        links.iter().all(|(_, text)| is_short(text))
            && ((!has_number && holds(MENU, MENU_LINKS)) || holds(LONG_MENU, LONG_MENU_LINKS))
    };
    let count = group.records.len();
    count <= MENUS && group.records.iter().filter(is_menu).count() * 2 > count
}

fn score(features: &features::FeatureVector) -> f32 {
    features
        .iter()
        .zip(weights::WEIGHTS)
        .map(|(measure, weight)| measure.1 * weight.1)
        .sum()
}

fn group(
    page: &Page,
    tree: &FlatTree<'_>,
    spans: &[Span],
    score: f32,
    options: &RecordOptions,
) -> RecordGroup {
    let spans = if options.repair {
        let spans = continued::with_parts(tree, repair::repair(tree, spans));
        let spans = repair::with_headings(tree, repair::with_featured(tree, spans));
        let spans = sibling_runs::with_bodies(tree, spans);
        repair::with_boxes(tree, terms::whole(tree, spans))
    } else {
        spans.to_vec()
    };
    let heads = heads_of_tables(page, tree, &spans);
    let is_head = |span: &Span| {
        tree.element(span.from)
            .is_some_and(|row| heads.contains(&row.node))
    };
    // A table without other rows is not about what its head says.
    let has_others = !spans.iter().all(is_head);
    let spans: Vec<Span> = spans
        .into_iter()
        .filter(|span| !(is_heading_of_roles(page, tree, *span) || (has_others && is_head(span))))
        .collect();
    let unread = spans.len().saturating_sub(MAX_RECORDS);
    let spans = spans.get(..MAX_RECORDS).unwrap_or(&spans);
    let read = |spans: &[Span]| match options.fields {
        true => fields::read(page, tree, spans),
        false => vec![Map::new(); spans.len()],
    };
    let nodes_of = |span: &Span| -> Vec<Node<'_>> {
        let elements = tree.neighbours(*span).filter_map(|at| tree.element(at));
        elements.map(|element| page.dom().node(element.node)).collect()
    };
    let mut fields = read(spans);
    let entries = grouped_entries::within(tree, spans).filter(|_| options.repair);
    let entry_spans: Vec<Span> = entries.iter().flatten().map(|entry| entry.0).collect();
    if let Some(entries) = &entries {
        let mut own = read(&entry_spans);
        // The heading of a group states the day of all of its entries. Behind its list stands the heading of the next group.
        let is_headed = |group: &usize| {
            let first = spans.get(*group).map(|span| tree.tag(span.from));
            !first.is_some_and(grouped_entries::is_list)
        };
        for (fields_of_entry, (_, group)) in own
            .iter_mut()
            .zip(entries)
            .filter(|(_, (_, group))| is_headed(group))
        {
            let date = fields.get(*group).and_then(|fields| fields.get("date"));
            if let Some(date) = date.filter(|_| !fields_of_entry.contains_key("date")) {
                fields_of_entry.insert("date".to_owned(), date.clone());
            }
        }
        fields = own;
    }
    let spans = if entries.is_some() {
        entry_spans.as_slice()
    } else {
        spans
    };
    if options.fields {
        let roots_of: Vec<Vec<Node<'_>>> = spans.iter().map(nodes_of).collect();
        terms::name_parts(&roots_of, &mut fields);
    }
    let records = spans.iter().zip(fields).map(|(span, fields)| Record {
        roots: nodes_of(span).into_iter().map(Node::id).collect(),
        text: tree.text(*span, MAX_TEXT).trim_end().to_owned(),
        fields,
    });
    let container = features::container(tree, spans);
    let container = tree
        .element(container)
        .map_or(page.dom().root().id(), |element| element.node);
    RecordGroup {
        records: records.collect(),
        score,
        container,
        unread,
    }
}

/// The rows of headings of the tables whose rows are records.
fn heads_of_tables(page: &Page, tree: &FlatTree<'_>, spans: &[Span]) -> HashSet<NodeId> {
    let rows = spans.iter().filter(|span| tree.tag(span.from) == "tr");
    let rows = rows.filter_map(|span| tree.element(span.from));
    let of_rows: HashSet<NodeId> = rows
        .filter_map(|row| page.dom().node(row.node).closest("table"))
        .map(Node::id)
        .collect();
    let heads = of_rows
        .into_iter()
        .filter_map(|table| page::tables::columns(page.dom().node(table)));
    heads.flat_map(|columns| columns.head).collect()
}

/// Whether an element is the row of headings of a table that roles make.
fn is_heading_of_roles(page: &Page, tree: &FlatTree<'_>, span: Span) -> bool {
    let Some(element) = tree.element(span.from) else {
        return false;
    };
    let row = page.dom().node(element.node);
    let mut cells = row.children().filter(|cell| cell.is_element()).peekable();
    row.attr("role") == Some("row")
        && cells.peek().is_some()
        && cells.all(|cell| cell.attr("role") == Some("columnheader"))
}

/// What was searched for: the words in the page's filled search box.
fn query(page: &Page) -> Vec<String> {
    let is_box = |input: &Node<'_>| !matches!(input.attr("type"), Some(kind) if !matches!(kind, "text" | "search" | ""));
    let mut words: Vec<String> = Vec::new();
    for value in page
        .dom()
        .by_tag("input")
        .filter(is_box)
        .filter_map(|input| input.attr("value"))
        .take(20)
    {
        let new = value
            .split(|c: char| !c.is_alphanumeric())
            .filter(|it| it.chars().count() > 2)
            .map(str::to_lowercase);
        words.extend(new.take(8));
    }
    words.truncate(12);
    words
}

#[cfg(test)]
mod tests;
