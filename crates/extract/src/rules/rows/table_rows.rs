//! The rows of a table that stands by itself: found also where there are few of them.

use page::dom::{Node, NodeId};
use page::{Page, tables};

use super::column_names::HEAD_ROWS;
use crate::rules::lines::is_hidden;
use crate::rules::records::{self, RecordGroup};
use crate::rules::visible_page::VisiblePage;

/// Most rows of a table.
const MAX_ROWS: usize = 5_000;
/// Fewest columns of a table of data.
const FEWEST_COLUMNS: usize = 2;

/// A table of data: one with a row of headings, and rows under it.
pub(super) struct HeadedTable {
    /// What the table is called: its caption, or the heading before it.
    pub(super) title: String,
    /// The headings of its columns.
    pub(super) headings: Vec<String>,
    /// The rows below the headings.
    pub(super) rows: Vec<NodeId>,
}

/// The tables of data of a page that are shown, in their order.
pub(super) fn all<'p>(view: &'p VisiblePage<'_>) -> impl Iterator<Item = HeadedTable> + 'p {
    let tables = view.dom().by_tag("table").filter(|table| !is_hidden(*table));
    tables.filter_map(headed)
}

/// The rows below the headings of the table with most rows; none where no table has a row of headings and another row under it.
pub(super) fn find(view: &VisiblePage<'_>) -> Vec<NodeId> {
    let rows = all(view).map(|table| table.rows);
    // Of tables with as many rows the first.
    let longest = rows.reduce(|longest, rows| if rows.len() > longest.len() { rows } else { longest });
    longest.unwrap_or_default()
}

/// The rows of the longest table of a page as a group of records; `None` where no table has a row of headings and another row.
pub fn table_group(page: &Page) -> Option<RecordGroup> {
    group_of_table(&VisiblePage::of(page))
}

/// A table of data of a page.
#[derive(Debug)]
pub struct DataTable {
    /// What the table is called: its caption, or the heading right before it; empty where it has neither.
    pub title: String,
    /// The headings of its columns.
    pub headings: Vec<String>,
    /// The rows below the headings.
    pub group: RecordGroup,
}

/// The tables of data of a page, in their order: those with a row of headings and another row.
pub fn data_tables(page: &Page) -> Vec<DataTable> {
    let view = VisiblePage::of(page);
    let tables = all(&view).map(|table| DataTable {
        title: table.title,
        headings: table.headings,
        group: records::of_elements(page, &table.rows),
    });
    tables.collect()
}

pub(super) fn group_of_table(view: &VisiblePage<'_>) -> Option<RecordGroup> {
    let elements = find(view);
    (!elements.is_empty()).then(|| records::of_elements(view.page, &elements))
}

fn headed(table: Node<'_>) -> Option<HeadedTable> {
    laid(table).or_else(|| plain(table))
}

/// A table whose cells span several rows or columns, or whose headings stand in several rows or in bold letters.
fn laid(table: Node<'_>) -> Option<HeadedTable> {
    let columns = tables::columns(table).filter(|columns| !columns.is_plain)?;
    let heading = |cells: &Vec<Node<'_>>| {
        let mut words: Vec<String> = cells.iter().map(|cell| text_of(*cell)).collect();
        words.dedup();
        words.join(" ").trim().to_owned()
    };
    let headings: Vec<String> = columns.headings.iter().map(heading).collect();
    let is_named = headings.iter().filter(|name| !name.is_empty()).count() >= FEWEST_COLUMNS;
    let is_row = |cells: &[Option<Node<'_>>]| {
        let own = || cells.iter().flatten();
        cells.first() != cells.last()
            && own().any(|cell| cell.is("td"))
            && own().any(|cell| !cell.text().trim().is_empty())
    };
    let rows = columns.rows.iter().filter(|(_, cells)| is_row(cells));
    let rows: Vec<NodeId> = rows.map(|(row, _)| *row).take(MAX_ROWS).collect();
    (is_named && !rows.is_empty()).then(|| HeadedTable {
        title: title(table).map(text_of).unwrap_or_default(),
        headings,
        rows,
    })
}

fn text_of(node: Node<'_>) -> String {
    locale::collapse_whitespace(&node.text()).trim().to_owned()
}

/// A table with one row of headings, which need not be its first one.
fn plain(table: Node<'_>) -> Option<HeadedTable> {
    let mut rows = table
        .descendants()
        .filter(|node| node.is("tr") && node.closest("table").is_none_or(|own| own.id() == table.id()));
    let is_heading = |row: &Node<'_>| {
        let mut cells = row.children().filter(|cell| cell.is_element());
        let count = row.children().filter(|cell| cell.is("th")).count();
        count >= FEWEST_COLUMNS && cells.all(|cell| cell.is("th"))
    };
    let heading = rows.by_ref().take(HEAD_ROWS).find(is_heading)?;
    let is_row = |row: &Node<'_>| {
        let cells = row
            .children()
            .filter(|cell| matches!(cell.tag(), "td" | "th"))
            .count();
        cells >= FEWEST_COLUMNS && row.children().any(|cell| cell.is("td"))
    };
    let data = rows.filter(|row| is_row(row) && !row.text().trim().is_empty());
    let rows: Vec<NodeId> = data.take(MAX_ROWS).map(Node::id).collect();
    (!rows.is_empty()).then(|| HeadedTable {
        title: title(table).map(text_of).unwrap_or_default(),
        headings: heading
            .children()
            .filter(|cell| cell.is("th"))
            .map(text_of)
            .collect(),
        rows,
    })
}

/// The caption of a table, or the heading right before it.
fn title(table: Node<'_>) -> Option<Node<'_>> {
    let caption = table.children().find(|child| child.is("caption"));
    caption.or_else(|| {
        let mut before = table.siblings_before().filter(|node| node.is_element());
        before
            .next()
            .filter(|node| matches!(node.tag(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
    })
}
