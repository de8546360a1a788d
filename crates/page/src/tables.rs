//! The tables of a page as grids of text.
//!
//! Follows the table model of the HTML standard
//! (<https://html.spec.whatwg.org/multipage/tables.html#forming-a-table>): spans are laid into
//! slots, `rowspan=0` reaches to the end of its row group, no span leaves its row group, and rows
//! of `<tfoot>` come last.

mod head;
mod pictures;

use crate::dom::{Node, NodeId};
use crate::page::Page;
use crate::text::one_line::spaced;
use head::HeadRow;
use html5ever::local_name;
pub use pictures::{is_within_control, said_by_pictures};

/// Widest `colspan`, as in the standard.
const MAX_COLSPAN: usize = 1000;
/// Tallest `rowspan`, as in the standard.
const MAX_ROWSPAN: usize = 65_534;
/// Most slots of one table: both of those that its cells cover and of those that its rows hold, covered or not. From the first
/// cell on that does not fit, cells span one slot each.
const MAX_SLOTS: usize = 400_000;
/// Most slots of all tables of a page; the tables after that are left out.
const MAX_PAGE_SLOTS: usize = 1_000_000;
/// Most bytes of text in one table; beyond it a spanning cell shows its text once.
const MAX_TEXT: usize = 4 << 20;
/// Most bytes of text in all tables of a page, where that in nested tables counts in each; the tables after that are left out.
/// Twice the longest page that is read from the network.
const MAX_PAGE_TEXT: usize = 32 << 20;

/// One table as text, spans filled in: each slot has the text of the cell that covers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The `<table>`.
    pub node: NodeId,
    /// The text of its caption, empty when there is none.
    pub caption: String,
    /// The headings of the columns, else empty: the first row when it is one of headings (`<thead>`, header cells only, or bold
    /// cells only), and the rows of headings below it, their words put together ("Fare Adult").
    pub header: Vec<String>,
    /// All other rows, each as wide as the table (but not filled up beyond 400,000 slots).
    pub rows: Vec<Vec<String>>,
    /// The places in `rows` of those that one cell fills from side to side, in a table of several columns: headings of its parts.
    pub part_headings: Vec<usize>,
}

impl Table {
    /// The rows without the headings of parts of the table, in their order.
    pub fn data_rows(&self) -> impl Iterator<Item = &Vec<String>> {
        let rows = self.rows.iter().enumerate();
        rows.filter(|(at, _)| self.part_headings.binary_search(at).is_err())
            .map(|(_, row)| row)
    }
}

/// How the pieces of text in a cell are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CellJoin {
    /// A space between any two: what only style sets apart (`<b>Maye</b><span>295</span>`) stays
    /// apart.
    #[default]
    Apart,
    /// As a browser shows them: a space only where the page has white space or a block ends.
    Shown,
}

/// The tables of a page in document order, nested ones as tables of their own, the pieces of text
/// in a cell [apart](CellJoin::Apart).
pub fn grids(page: &Page) -> Vec<Table> {
    of_nodes(page.dom().by_tag("table"), CellJoin::Apart)
}

/// Tables of one page as text, within the bounds on slots and text of a page: the first one beyond them ends the list.
pub fn of_nodes<'a>(nodes: impl Iterator<Item = Node<'a>>, join: CellJoin) -> Vec<Table> {
    let mut left = PageShare {
        slots: MAX_PAGE_SLOTS,
        text: MAX_PAGE_TEXT,
    };
    nodes.map_while(|node| left.table(node, join)).collect()
}

/// One table as text.
pub fn table(node: Node<'_>, join: CellJoin) -> Table {
    let grid = Grid::of(node);
    let texts: Vec<String> = grid.cells.iter().map(|cell| join.text(cell.node)).collect();
    let caption = grid.caption.map(Node::text).unwrap_or_default();
    filled(&grid, &texts, caption)
}

/// How much the tables of a page may still take.
struct PageShare {
    slots: usize,
    text: usize,
}

impl PageShare {
    /// One table as text; none when it is too large for what is left.
    fn table(&mut self, node: Node<'_>, join: CellJoin) -> Option<Table> {
        let grid = Grid::of(node);
        let mut take_text = |text: String| {
            self.text = self.text.checked_sub(text.len())?;
            Some(text)
        };
        let caption = take_text(grid.caption.map(Node::text).unwrap_or_default())?;
        let texts: Option<Vec<String>> = grid
            .cells
            .iter()
            .map(|cell| take_text(join.text(cell.node)))
            .collect();
        let table = filled(&grid, &texts?, caption);
        let slots = table.header.len() + table.rows.iter().map(Vec::len).sum::<usize>();
        self.slots = self.slots.checked_sub(slots)?;
        Some(table)
    }
}

impl CellJoin {
    fn text(self, cell: Node<'_>) -> String {
        let text = match self {
            CellJoin::Apart => spaced(cell),
            CellJoin::Shown => cell.text(),
        };
        match text.trim().is_empty() {
            true => pictures::answer_of_pictures(cell).unwrap_or(text),
            false => text,
        }
    }
}

/// A grid with the texts of its cells in all slots that they cover.
fn filled(grid: &Grid<'_>, texts: &[String], caption: String) -> Table {
    let mut left = MAX_TEXT;
    let mut shown = vec![false; texts.len()];
    let mut rows: Vec<Vec<String>> = Vec::with_capacity(grid.rows.len());
    let full = grid.width.saturating_mul(grid.rows.len()) <= MAX_SLOTS;
    for row in &grid.rows {
        let width = if full { grid.width } else { row.len() };
        let mut line: Vec<String> = Vec::with_capacity(width);
        for slot in row.iter().copied().chain(std::iter::repeat(NO_CELL)).take(width) {
            let text = texts.get(slot as usize).map_or("", String::as_str);
            let first = shown
                .get_mut(slot as usize)
                .is_some_and(|shown| !std::mem::replace(shown, true));
            if first || text.len() <= left {
                left = left.saturating_sub(text.len());
                line.push(text.to_owned());
            } else {
                line.push(String::new());
            }
        }
        rows.push(line);
    }
    // A heading of the whole table stands above its columns, as on the page.
    let is_titled = grid.rows.first().is_some_and(|row| is_one_cell(row));
    let head_rows = if is_titled {
        grid.head_rows.min(1)
    } else {
        grid.head_rows
    };
    let mut head: Vec<Vec<String>> = rows.drain(..head_rows.min(rows.len())).collect();
    let header = match head.len() {
        0 | 1 => head.pop().unwrap_or_default(),
        _ => joined(grid, &head),
    };
    let part_headings = (0..rows.len()).filter(|at| grid.is_part_heading(at + head_rows));
    let part_headings = part_headings.collect();
    Table {
        node: grid.table.id(),
        caption,
        header,
        rows,
        part_headings,
    }
}

/// The words of a head of several rows for each column: those of a cell that reaches over rows, and equal ones, once.
fn joined(grid: &Grid<'_>, lines: &[Vec<String>]) -> Vec<String> {
    let name = |(column, cells): (usize, Vec<u32>)| {
        let mut words: Vec<&str> = Vec::new();
        for cell in cells {
            let row = grid.cells.get(cell as usize).map_or(0, |cell| cell.row);
            let line = lines.get(row).and_then(|line| line.get(column));
            let text = line.map(String::as_str).unwrap_or_default();
            if !text.is_empty() && !words.contains(&text) {
                words.push(text);
            }
        }
        words.join(" ")
    };
    grid.head().into_iter().enumerate().map(name).collect()
}

/// Whether one cell covers all slots of a row, of which there are several.
fn is_one_cell(row: &[u32]) -> bool {
    row.len() > 1 && row.first() == row.last()
}

/// How the cells of a table with headings lie in its columns.
#[derive(Debug)]
pub struct TableColumns<'a> {
    /// For each column the cells of the head above it, from the top.
    pub headings: Vec<Vec<Node<'a>>>,
    /// The rows of the head.
    pub head: Vec<NodeId>,
    /// The rows below the head, each with the cell that covers it in each column. Rows may be shorter than the table is wide.
    pub rows: Vec<(NodeId, Vec<Option<Node<'a>>>)>,
    /// Whether the cells of all rows stand below the headings one by one: no cell spans several slots, and the head is one row of
    /// header cells.
    pub is_plain: bool,
}

/// The columns of a table; `None` where it has no row of headings.
pub fn columns(table: Node<'_>) -> Option<TableColumns<'_>> {
    let grid = Grid::of(table);
    if !grid.has_header {
        return None;
    }
    let node = |slot: &u32| grid.cells.get(*slot as usize).map(|cell| cell.node);
    let head = grid.head();
    let is_header = |cells: &Vec<u32>| cells.iter().filter_map(node).all(|cell| cell.is("th"));
    Some(TableColumns {
        is_plain: grid.head_rows == 1 && grid.covered == grid.cells.len() && head.iter().all(is_header),
        headings: head
            .iter()
            .map(|cells| cells.iter().filter_map(node).collect())
            .collect(),
        head: grid.row_nodes.iter().take(grid.head_rows).copied().collect(),
        rows: grid
            .row_nodes
            .iter()
            .copied()
            .zip(grid.rows.iter().map(|row| row.iter().map(node).collect()))
            .skip(grid.head_rows)
            .collect(),
    })
}

/// Longest text of a cell that Markdown and text repeat in each slot that the cell covers, in bytes.
pub(crate) const MAX_REPEAT: usize = 120;
/// Most bytes that the repeated cells of one table have together in Markdown or text.
pub(crate) const MAX_REPEATS: usize = 1 << 20;
/// Widest table whose cells Markdown and text keep in their columns.
pub(crate) const MAX_COLUMNS: usize = 200;

/// Whether the page itself says, or its contents show, that a table is no table of data.
pub(crate) fn is_layout(table: Node<'_>) -> bool {
    if matches!(table.attr("role"), Some("presentation" | "none")) {
        return true;
    }
    table.descendants().any(|node| match *node.local() {
        local_name!("table") => true,
        local_name!("pre") => node.raw_text().trim().contains('\n'),
        _ => false,
    })
}

/// No cell covers the slot.
pub(crate) const NO_CELL: u32 = u32::MAX;

/// A cell of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell<'a> {
    pub(crate) node: Node<'a>,
    /// The slot it begins in.
    pub(crate) row: usize,
    pub(crate) column: usize,
}

/// Which cell covers which slot.
#[derive(Debug)]
pub(crate) struct Grid<'a> {
    table: Node<'a>,
    pub(crate) cells: Vec<Cell<'a>>,
    /// For each row the cells of its slots; rows may be shorter than the table is wide.
    pub(crate) rows: Vec<Vec<u32>>,
    pub(crate) width: usize,
    pub(crate) caption: Option<Node<'a>>,
    /// Whether the first row is one of headings.
    pub(crate) has_header: bool,
    /// How many rows the head has: several where cells of the first one span rows or columns.
    head_rows: usize,
    /// The elements of the rows.
    row_nodes: Vec<NodeId>,
    /// How many slots the cells cover, those that cells share counted for each.
    covered: usize,
    /// How many slots the rows hold.
    held: usize,
    /// Whether a cell did not fit, so that those after it span one slot each.
    is_full: bool,
}

impl<'a> Grid<'a> {
    /// Lays the cells of a table into slots.
    pub(crate) fn of(table: Node<'a>) -> Grid<'a> {
        let mut grid = Grid {
            table,
            cells: Vec::new(),
            rows: Vec::new(),
            width: 0,
            caption: None,
            has_header: false,
            head_rows: 0,
            row_nodes: Vec::new(),
            covered: 0,
            held: 0,
            is_full: false,
        };
        let mut loose: Vec<Node<'a>> = Vec::new();
        let mut feet: Vec<Node<'a>> = Vec::new();
        let mut first_group = None;
        for part in table.children() {
            match *part.local() {
                local_name!("caption") if grid.caption.is_none() => grid.caption = Some(part),
                local_name!("tr") => loose.push(part),
                local_name!("thead") | local_name!("tbody") | local_name!("tfoot") => {
                    // Rows outside of groups form one with the rows beside them.
                    grid.group(std::mem::take(&mut loose).into_iter());
                    if *part.local() == local_name!("tfoot") {
                        feet.push(part);
                    } else {
                        first_group =
                            first_group.or((!grid.rows.is_empty() || has_rows(part)).then_some(part));
                        grid.group(rows_of(part));
                    }
                }
                _ => {}
            }
        }
        grid.group(loose.into_iter());
        for foot in feet {
            grid.group(rows_of(foot));
        }
        let thead = first_group.filter(|group| *group.local() == local_name!("thead"));
        grid.head_rows = head::count(&grid.first_rows(thead));
        grid.has_header = grid.head_rows > 0;
        grid
    }

    /// The rows among which the head is.
    fn first_rows(&self, thead: Option<Node<'a>>) -> Vec<HeadRow<'a>> {
        let mut rows: Vec<HeadRow<'a>> = Vec::new();
        for (y, row) in self.rows.iter().take(head::MAX_ROWS).enumerate() {
            let mut cells: Vec<Node<'a>> = Vec::new();
            let mut spans = false;
            for (x, slot) in row.iter().enumerate() {
                let Some(cell) = self.cells.get(*slot as usize).filter(|cell| cell.row == y) else {
                    continue;
                };
                if cell.column == x {
                    cells.push(cell.node);
                }
                spans |= cell.column != x || self.slot(y + 1, x) == *slot;
            }
            rows.push(HeadRow {
                in_thead: thead.is_some_and(|thead| cells.iter().any(|cell| cell.is_inside(thead.id()))),
                is_full: row.len() == self.width && !row.contains(&NO_CELL),
                is_whole: row.first() == row.last() && self.width > 1,
                cells,
                spans,
            });
        }
        rows
    }

    /// For each column the cells of the head above it, without those that cover a whole row.
    fn head(&self) -> Vec<Vec<u32>> {
        let mut head: Vec<Vec<u32>> = vec![Vec::new(); self.width.min(MAX_SLOTS)];
        for row in self.rows.iter().take(self.head_rows) {
            if self.head_rows > 1 && is_one_cell(row) {
                continue;
            }
            for (cells, slot) in head.iter_mut().zip(row) {
                if *slot != NO_CELL && !cells.contains(slot) {
                    cells.push(*slot);
                }
            }
        }
        head
    }

    fn group(&mut self, rows: impl Iterator<Item = Node<'a>>) {
        let start = self.rows.len();
        let rows: Vec<Node<'a>> = rows.collect();
        self.row_nodes.extend(rows.iter().map(|row| row.id()));
        self.rows.resize_with(start + rows.len(), Vec::new);
        for (index, row) in rows.iter().enumerate() {
            let y = start + index;
            let mut x = 0;
            for cell in row.children() {
                if !matches!(*cell.local(), local_name!("td") | local_name!("th")) {
                    continue;
                }
                while self.slot(y, x) != NO_CELL {
                    x += 1;
                }
                let mut wide = span(cell, "colspan").clamp(1, MAX_COLSPAN);
                let mut tall = match span(cell, "rowspan") {
                    0 => MAX_ROWSPAN,
                    rows => rows.min(MAX_ROWSPAN),
                }
                .min(rows.len() - index);
                self.is_full |= !self.has_room(y, x, wide, tall);
                if self.is_full {
                    (wide, tall) = (1, 1);
                }
                self.covered += wide * tall;
                let id = self.cells.len() as u32;
                self.cells.push(Cell {
                    node: cell,
                    row: y,
                    column: x,
                });
                for line in self.rows.iter_mut().skip(y).take(tall) {
                    if line.len() < x + wide {
                        self.held += x + wide - line.len();
                        line.resize(x + wide, NO_CELL);
                    }
                    for slot in line.iter_mut().skip(x).take(wide) {
                        // Where cells overlap the first one keeps the slot.
                        if *slot == NO_CELL {
                            *slot = id;
                        }
                    }
                }
                x += wide;
                self.width = self.width.max(x);
            }
        }
    }

    /// Whether a cell of that size fits into the bounds of a table. A row is filled up to the end of a cell that reaches into it.
    fn has_room(&self, row: usize, column: usize, wide: usize, tall: usize) -> bool {
        if self.is_full || self.covered + wide * tall > MAX_SLOTS {
            return false;
        }
        let below = self.rows.iter().skip(row).take(tall);
        let added: usize = below.map(|line| (column + wide).saturating_sub(line.len())).sum();
        self.held + added <= MAX_SLOTS
    }

    /// Whether Markdown and text show a cell again in a slot that it covers: not where it is all of a row, such as the heading
    /// of a part of the table, unless the slot is the first of that row.
    pub(crate) fn is_repeated(&self, cell: &Cell<'_>, row: usize, column: usize) -> bool {
        let is_whole_row = self.rows.get(row).is_some_and(|row| row.first() == row.last());
        column == cell.column || !is_whole_row
    }

    /// Whether one cell, which begins in the row, fills it from side to side of a table of several columns.
    fn is_part_heading(&self, row: usize) -> bool {
        let Some(slots) = self.rows.get(row).filter(|slots| slots.len() > 1) else {
            return false;
        };
        let first = slots.first().copied().unwrap_or(NO_CELL);
        let cell = self.cells.get(first as usize);
        slots.len() == self.width
            && cell.is_some_and(|cell| cell.row == row)
            && slots.iter().all(|slot| *slot == first)
    }

    /// The cell that covers a slot, or [`NO_CELL`].
    pub(crate) fn slot(&self, row: usize, column: usize) -> u32 {
        self.rows
            .get(row)
            .and_then(|row| row.get(column))
            .copied()
            .unwrap_or(NO_CELL)
    }
}

fn rows_of<'a>(group: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    group.children().filter(|row| *row.local() == local_name!("tr"))
}

fn has_rows(group: Node<'_>) -> bool {
    rows_of(group).next().is_some()
}

/// A span as the standard reads it: leading digits; 1 when there are none.
fn span(cell: Node<'_>, name: &str) -> usize {
    let Some(value) = cell.attr(name) else { return 1 };
    let value = value.trim_start();
    let value = value.strip_prefix('+').unwrap_or(value);
    let digits: String = value.chars().take_while(char::is_ascii_digit).take(9).collect();
    digits.parse().unwrap_or(1)
}

#[cfg(test)]
mod tests;
