//! Tables of data as lines of text, each cell in its column.

use crate::dom::{Edge, Node, NodeSet};
use crate::raised;
use crate::tables::{Grid, MAX_COLUMNS, MAX_REPEAT, MAX_REPEATS, NO_CELL, is_layout};
use html5ever::local_name;

use super::one_line::OneLineText;

/// Longest text of a cell of such a table, in bytes: what is longer has paragraphs that a line would lose.
const MAX_CELL: usize = 400;

/// The caption and the rows of a table of data, cells separated by tabs; none for a table that lays out a page, or holds long texts.
pub(super) fn of(table: Node<'_>, skip: &NodeSet) -> Option<Vec<String>> {
    if is_layout(table) {
        return None;
    }
    let grid = Grid::of(table);
    if !(2..=MAX_COLUMNS).contains(&grid.width) {
        return None;
    }
    let texts: Vec<String> = grid.cells.iter().map(|cell| text(cell.node, skip)).collect();
    let is_short = texts.iter().all(|text| text.len() <= MAX_CELL);
    (is_short && is_data(&grid, &texts)).then(|| lines(&grid, &texts, skip))
}

fn lines(grid: &Grid<'_>, texts: &[String], skip: &NodeSet) -> Vec<String> {
    let caption = grid
        .caption
        .map(|caption| text(caption, skip))
        .unwrap_or_default();
    let mut lines = Vec::with_capacity(grid.rows.len() + 1);
    if !caption.is_empty() {
        lines.push(caption);
    }
    let mut left = MAX_REPEATS;
    for (y, row) in grid.rows.iter().enumerate() {
        let mut line = String::new();
        for (x, slot) in row.iter().enumerate() {
            if x > 0 {
                line.push('\t');
            }
            let (Some(cell), Some(text)) = (grid.cells.get(*slot as usize), texts.get(*slot as usize)) else {
                continue;
            };
            if (cell.row, cell.column) == (y, x) {
                line.push_str(text);
            } else if text.len() <= MAX_REPEAT.min(left) && grid.is_repeated(cell, y, x) {
                left -= text.len();
                line.push_str(text);
            }
        }
        let end = line.trim_end().len();
        line.truncate(end);
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

/// Whether cells stand below each other: there are headings or spans, or two rows with two texts.
fn is_data(grid: &Grid<'_>, texts: &[String]) -> bool {
    let is_marked = |row: usize, column: usize, slot: u32| {
        grid.cells.get(slot as usize).is_some_and(|cell| {
            (cell.row, cell.column) != (row, column) || *cell.node.local() == local_name!("th")
        })
    };
    let is_filled =
        |slot: &&u32| **slot != NO_CELL && texts.get(**slot as usize).is_some_and(|text| !text.is_empty());
    let mut rows = grid.rows.iter().enumerate();
    let has_marks = rows.any(|(y, row)| (0..).zip(row).any(|(x, slot)| is_marked(y, x, *slot)));
    has_marks
        || grid
            .rows
            .iter()
            .filter(|row| row.iter().filter(is_filled).count() > 1)
            .count()
            > 1
}

/// The visible text of a cell on one line, without the nodes of `skip`.
fn text(cell: Node<'_>, skip: &NodeSet) -> String {
    let mut out = OneLineText::default();
    // A row or a group of rows may be left out as a whole.
    if cell.ancestors().take(2).any(|around| skip.contains(around.id())) {
        return out.text;
    }
    let mut walk = cell.traverse();
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Open(node) if skip.contains(node.id()) || node.is_hidden_by_tag() => walk.leave_out(),
            Edge::Open(node) => {
                out.is_struck_edge |= super::one_line::is_struck(node);
                if let Some(text) = node.text_value() {
                    out.push(text);
                } else if let Some(joined) = raised::joined(node) {
                    out.push(&joined);
                    walk.leave_out();
                } else {
                    out.space |= super::one_line::breaks(node);
                }
            }
            Edge::Close(node) => {
                out.space |= super::one_line::breaks(node);
                out.is_struck_edge |= super::one_line::is_struck(node);
            }
        }
    }
    out.text
}
