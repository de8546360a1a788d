//! The head of a table: how many of its first rows are headings of its columns.

use crate::dom::Node;

/// Most rows at the beginning of a table that are looked at.
pub(super) const MAX_ROWS: usize = 6;
/// Most rows of a head.
const MAX_HEAD: usize = 4;
/// Longest heading that is told by its letters being bold, in bytes.
const MAX_BOLD: usize = 60;
/// Most nodes of a cell that are looked at for a table within it.
const MAX_NODES: usize = 200;
/// Most elements around a text within a cell.
const MAX_DEPTH: usize = 8;

/// A row at the beginning of a table.
#[derive(Debug)]
pub(super) struct HeadRow<'a> {
    /// The cells that begin in it.
    pub(super) cells: Vec<Node<'a>>,
    /// Whether it lies in the `<thead>` that the table begins with.
    pub(super) in_thead: bool,
    /// Whether a cell that begins in it covers several slots.
    pub(super) spans: bool,
    /// Whether cells cover all columns.
    pub(super) is_full: bool,
    /// Whether one cell covers all columns, of which there are several.
    pub(super) is_whole: bool,
}

/// How many of the first rows of a table are its head; 0 when it has none.
pub(super) fn count(rows: &[HeadRow<'_>]) -> usize {
    let Some(first) = rows.first().filter(|row| !row.cells.is_empty()) else {
        return 0;
    };
    if !first.in_thead && !is_header(first) {
        return usize::from(is_bold_head(rows));
    }
    let is_next = |pair: &[HeadRow<'_>]| {
        let [before, row] = pair else { return false };
        // Cells of a spanning heading stand below it, in the head of the table as well as without one.
        !row.is_whole
            && !row.cells.is_empty()
            && row.in_thead == before.in_thead
            && (row.in_thead || before.spans)
            && row.cells.iter().all(|cell| cell.is("th") || is_empty(*cell))
    };
    let below = rows.windows(2).take_while(|pair| is_next(pair)).count();
    // A table that is all head has rows of data there.
    if below + 1 > MAX_HEAD || below + 1 >= rows.len() {
        return 1;
    }
    below + 1
}

/// Whether all cells of a row are header cells, or all but an empty corner.
fn is_header(row: &HeadRow<'_>) -> bool {
    let is_th = |cell: &Node<'_>| cell.is("th");
    match row.cells.split_first() {
        Some((corner, others)) if !is_th(corner) => {
            others.len() > 1 && others.iter().all(is_th) && is_empty(*corner)
        }
        _ => row.cells.iter().all(is_th),
    }
}

fn is_empty(cell: Node<'_>) -> bool {
    let mut texts = cell.descendants().filter_map(Node::text_value);
    texts.all(|text| text.trim().is_empty())
}

/// Whether the first row of a table without header cells is its head: short words in bold letters, and no such row below it. A row
/// of bold sums is none, nor a name and its value.
fn is_bold_head(rows: &[HeadRow<'_>]) -> bool {
    let Some((first, below)) = rows.split_first() else {
        return false;
    };
    let is_word = |cell: &Node<'_>| {
        let text = cell.text();
        let text = text.trim();
        let is_year = text.len() == 4 && matches!(text.get(..2), Some("19" | "20"));
        text.len() <= MAX_BOLD
            && !text.ends_with([':', '：'])
            && (is_year || !text.contains(|c: char| c.is_ascii_digit()))
    };
    let has_data = |row: &HeadRow<'_>| row.cells.len() > 1 && row.cells.iter().any(|cell| !is_bold(*cell));
    let (corner, others) = match first.cells.as_slice() {
        [corner, others @ ..] => (*corner, others),
        [] => return false,
    };
    // Tables within a table are set beside each other.
    let is_layout = |row: &HeadRow<'_>| {
        let mut inner = row
            .cells
            .iter()
            .flat_map(|cell| cell.descendants().take(MAX_NODES));
        inner.any(|node| node.is("table"))
    };
    !others.is_empty()
        && !rows.iter().any(is_layout)
        && first.is_full
        && (is_bold(corner) || is_empty(corner))
        && others.iter().all(|cell| is_bold(*cell))
        && first.cells.iter().all(is_word)
        && first.cells.iter().all(|cell| cell.is("td"))
        && below.first().is_some_and(has_data)
        && below.iter().all(|row| row.cells.iter().all(|cell| cell.is("td")))
}

/// Whether a cell has text, and all of it in bold letters.
fn is_bold(cell: Node<'_>) -> bool {
    let mut texts = cell
        .descendants()
        .filter(|node| node.text_value().is_some_and(|text| !text.trim().is_empty()))
        .peekable();
    let is_in_bold = |text: Node<'_>| {
        let mut around = text
            .ancestors()
            .take(MAX_DEPTH)
            .take_while(|outer| *outer != cell);
        around.any(|outer| matches!(outer.tag(), "b" | "strong"))
    };
    texts.peek().is_some() && texts.all(is_in_bold)
}
