//! The rows of a table that stands by itself: found also where there are few of them.

use page::dom::{Node, NodeId};

use super::facts::HEAD_ROWS;
use crate::rules::lines::is_hidden;
use crate::rules::visible_page::VisiblePage;

/// Most rows of a table.
const MAX_ROWS: usize = 5_000;
/// Fewest columns of a table of data.
const FEWEST_COLUMNS: usize = 2;

/// The rows below the headings of the table with most rows; none where no table has a row of headings and another row under it.
pub(super) fn find(view: &VisiblePage<'_>) -> Vec<NodeId> {
    let tables = view.dom().by_tag("table").filter(|table| !is_hidden(*table));
    let rows = tables.map(below_headings);
    // Of tables with as many rows the first.
    let longest = rows.reduce(|longest, rows| if rows.len() > longest.len() { rows } else { longest });
    longest.unwrap_or_default()
}

fn below_headings(table: Node<'_>) -> Vec<NodeId> {
    let mut rows = table
        .descendants()
        .filter(|node| node.is("tr") && node.closest("table").is_none_or(|own| own.id() == table.id()));
    let is_heading = |row: &Node<'_>| {
        let mut cells = row.children().filter(|cell| cell.is_element());
        let count = row.children().filter(|cell| cell.is("th")).count();
        count >= FEWEST_COLUMNS && cells.all(|cell| cell.is("th"))
    };
    if !rows.by_ref().take(HEAD_ROWS).any(|row| is_heading(&row)) {
        return Vec::new();
    }
    let is_row = |row: &Node<'_>| {
        let cells = row
            .children()
            .filter(|cell| matches!(cell.tag(), "td" | "th"))
            .count();
        cells >= FEWEST_COLUMNS && row.children().any(|cell| cell.is("td"))
    };
    let data = rows.filter(|row| is_row(row) && !row.text().trim().is_empty());
    data.take(MAX_ROWS).map(Node::id).collect()
}
