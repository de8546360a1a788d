//! Facts of rows of tables: their cells by the headings of the columns.

use std::collections::HashMap;

use page::dom::Node;
use page::tables::said_by_pictures;

use super::entry_facts::EntryFacts;
use super::labels::heading_of;
use crate::rules::rows::column_names::{HEAD_ROWS, name_of_column};

/// The cells of a row of a table, by the headings of their columns. Roles of ARIA make a table of other elements.
pub(super) fn add_cells(root: Node<'_>, facts: &mut EntryFacts) {
    let Some(table) = root.ancestors().find(|outer| is_table(*outer)) else {
        return;
    };
    let row = if is_row(root) {
        Some(root)
    } else {
        root.children().find(|child| is_row(*child))
    };
    let Some(row) = row else { return };
    let cells_of = |row: Node<'_>| row.children().filter(|cell| is_cell(*cell)).count();
    let mut rows = table.descendants().filter(|node| is_row(*node)).take(HEAD_ROWS);
    let heading = rows.find(|row| {
        let mut cells = row.children().filter(|cell| cell.is_element()).peekable();
        cells.peek().is_some() && cells.all(is_heading_cell)
    });
    // Cells may be left out at the end: those that are there are like the first ones of a row that has all.
    let lacks_last = |heading: &Node<'_>| {
        let count = cells_of(*heading);
        let mut rows = table.descendants().filter(|node| is_row(*node)).take(HEAD_ROWS);
        let whole = rows.find(|other| *other != *heading && cells_of(*other) == count);
        whole.is_some_and(|whole| has_cells_like(row, whole))
    };
    let has_columns = |heading: &Node<'_>| {
        let (headings, cells) = (cells_of(*heading), cells_of(row));
        headings == cells || (cells > 1 && cells < headings && lacks_last(heading))
    };
    let Some(heading) = heading.filter(has_columns) else {
        return;
    };
    let headings = heading.children().filter(|cell| is_heading_cell(*cell));
    let names: Vec<String> = headings.map(name_of_column).collect();
    let cells = row.children().filter(|cell| is_cell(*cell));
    for (label, cell) in labels(&names).into_iter().zip(cells) {
        facts.add_tagged(label, &text_of(cell));
    }
}

/// The cells of a row, each by the cells of the head above it.
pub(super) fn add_laid(cells: &[(&[Node<'_>], Node<'_>)], facts: &mut EntryFacts) {
    let name = |headings: &[Node<'_>]| {
        let mut words: Vec<String> = headings.iter().map(|heading| name_of_column(*heading)).collect();
        words.dedup();
        words.join(" ")
    };
    let names: Vec<String> = cells.iter().map(|(headings, _)| name(headings)).collect();
    let mut before = None;
    for (label, (headings, cell)) in labels(&names).into_iter().zip(cells) {
        // A cell that covers several columns below one heading says one thing.
        if before.replace((*headings, *cell)) != Some((*headings, *cell)) {
            facts.add_tagged(label, &text_of(*cell));
        }
    }
}

/// The labels of columns by their headings. Of two columns with one heading the second is "W_2", as columns of tables are called
/// elsewhere.
fn labels(names: &[String]) -> Vec<Option<String>> {
    let mut uses: HashMap<String, usize> = HashMap::new();
    let labels = names.iter().map(|name| {
        let label = heading_of(name)?;
        let count = uses.entry(label.clone()).or_default();
        *count += 1;
        Some(match *count {
            1 => label,
            count => format!("{label}_{count}"),
        })
    });
    labels.collect()
}

fn text_of(cell: Node<'_>) -> String {
    said_by_pictures(cell).unwrap_or_else(|| cell.text())
}

/// What a cell says, as far as cells of one column are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Empty,
    /// It begins with a digit or a sign of a currency.
    Number,
    Words,
}

impl CellKind {
    fn of(cell: Node<'_>) -> CellKind {
        let text = cell.text();
        match text.trim().chars().next() {
            None => CellKind::Empty,
            Some(first) if first.is_ascii_digit() || "$€£¥+-".contains(first) => CellKind::Number,
            Some(_) => CellKind::Words,
        }
    }
}

/// Whether the cells of a row are of the kinds of the first cells of another one, a number among them, and none reaches over several
/// rows or columns.
fn has_cells_like(row: Node<'_>, whole: Node<'_>) -> bool {
    let short: Vec<Node<'_>> = row.children().filter(|cell| is_cell(*cell)).collect();
    let long: Vec<Node<'_>> = whole.children().filter(|cell| is_cell(*cell)).collect();
    let is_plain = |cell: &Node<'_>| cell.attr("colspan").is_none() && cell.attr("rowspan").is_none();
    let pairs = || {
        let pairs = short.iter().zip(&long);
        pairs.map(|(one, other)| (CellKind::of(*one), CellKind::of(*other)))
    };
    let is_like = |(one, other): (CellKind, CellKind)| {
        one == other || one == CellKind::Empty || other == CellKind::Empty
    };
    short.iter().chain(&long).all(is_plain)
        && pairs().all(is_like)
        && pairs().any(|(one, other)| one == CellKind::Number && other == CellKind::Number)
}

fn has_role(node: Node<'_>, roles: &[&str]) -> bool {
    node.attr("role").is_some_and(|role| roles.contains(&role))
}

fn is_table(node: Node<'_>) -> bool {
    node.is("table") || has_role(node, &["table", "grid", "treegrid"])
}

fn is_row(node: Node<'_>) -> bool {
    node.is("tr") || has_role(node, &["row"])
}

fn is_cell(node: Node<'_>) -> bool {
    matches!(node.tag(), "td" | "th") || has_role(node, &["cell", "gridcell", "rowheader", "columnheader"])
}

fn is_heading_cell(node: Node<'_>) -> bool {
    node.is("th") || has_role(node, &["columnheader"])
}
