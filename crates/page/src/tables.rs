//! The tables of a page as grids of text.
//!
//! Follows the table model of the HTML standard
//! (<https://html.spec.whatwg.org/multipage/tables.html#forming-a-table>): spans are laid into
//! slots, `rowspan=0` reaches to the end of its row group, no span leaves its row group, and rows
//! of `<tfoot>` come last.

use crate::dom::{Node, NodeId};
use crate::page::Page;
use crate::text::one_line::spaced;
use html5ever::local_name;

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
    /// The first row when it is one of headings (`<thead>`, or header cells only), else empty.
    pub header: Vec<String>,
    /// All other rows, each as wide as the table (but not filled up beyond 400,000 slots).
    pub rows: Vec<Vec<String>>,
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
        match self {
            CellJoin::Apart => spaced(cell),
            CellJoin::Shown => cell.text(),
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
    let header = if grid.has_header {
        rows.remove(0)
    } else {
        Vec::new()
    };
    Table {
        node: grid.table.id(),
        caption,
        header,
        rows,
    }
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
        let in_head = |cell: &Cell<'_>| {
            first_group.is_some_and(|group| {
                *group.local() == local_name!("thead") && cell.node.is_inside(group.id())
            })
        };
        let mut first_row = grid.cells.iter().filter(|cell| cell.row == 0).peekable();
        grid.has_header = first_row.peek().is_some()
            && first_row.all(|cell| *cell.node.local() == local_name!("th") || in_head(cell));
        grid
    }

    fn group(&mut self, rows: impl Iterator<Item = Node<'a>>) {
        let start = self.rows.len();
        let rows: Vec<Node<'a>> = rows.collect();
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
mod tests {
    use super::*;

    fn rows(html: &str) -> Vec<Vec<String>> {
        let page = Page::new(html, None);
        let mut table = grids(&page).remove(0);
        if !table.header.is_empty() {
            table.rows.insert(0, table.header);
        }
        table.rows
    }

    fn check(html: &str, expect: &[&[&str]]) {
        assert_eq!(rows(html), expect, "{html}");
    }

    #[test]
    fn spans_fill_the_slots_they_cover() {
        check(
            "<table><tr><td colspan=2>a<td>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g</table>",
            &[&["a", "a", "b"], &["c", "d", "e"], &["c", "f", "g"]],
        );
        check(
            "<table><tr><td rowspan=0>a<td>b<tr><td>c<tr><td>d</table>",
            &[&["a", "b"], &["a", "c"], &["a", "d"]],
        );
    }

    #[test]
    fn no_span_leaves_its_row_group() {
        check(
            "<table><thead><tr><th rowspan=9>a<th>b</thead><tr><td>c<td>d</table>",
            &[&["a", "b"], &["c", "d"]],
        );
    }

    #[test]
    fn a_foot_comes_last_wherever_it_stands() {
        check(
            "<table><tfoot><tr><td>z</tfoot><tbody><tr><td>a</table>",
            &[&["a"], &["z"]],
        );
    }

    #[test]
    fn short_rows_are_filled_up_and_empty_ones_stay() {
        check(
            "<table><tr><td>a<td>b<tr><tr><td>c</table>",
            &[&["a", "b"], &["", ""], &["c", ""]],
        );
    }

    #[test]
    fn a_first_row_of_headings_is_the_header() {
        let header = |html: &str| grids(&Page::new(html, None)).remove(0).header;
        assert_eq!(header("<table><tr><th>a<th>b<tr><td>c<td>d</table>"), ["a", "b"]);
        assert_eq!(header("<table><thead><tr><td>a</thead><tr><td>c</table>"), ["a"]);
        assert!(header("<table><tr><th>a<td>b</table>").is_empty());
    }

    #[test]
    fn nested_tables_are_tables_of_their_own() {
        let page = Page::new(
            "<table><caption> C </caption><tr><td>a<table><tr><td>b</table></table>",
            None,
        );
        let tables = grids(&page);
        assert_eq!(
            tables.iter().map(|it| it.caption.as_str()).collect::<Vec<_>>(),
            ["C", ""]
        );
        assert_eq!(
            (tables[0].rows.clone(), tables[1].rows.clone()),
            (vec![vec!["a b".to_owned()]], vec![vec!["b".to_owned()]])
        );
    }

    #[test]
    fn pieces_of_a_cell_are_apart_or_as_shown() {
        let page = Page::new(
            "<table><tr><td><b>Maye</b><i>295</i><script>x</script></table>",
            None,
        );
        let node = page.dom().by_tag("table").next().expect("a table");
        assert_eq!(table(node, CellJoin::Apart).rows, [["Maye 295"]]);
        assert_eq!(table(node, CellJoin::Shown).rows, [["Maye295"]]);
    }

    #[test]
    fn huge_spans_cost_little() {
        let html = format!("<table>{}", "<tr><td colspan=1000 rowspan=65534>x".repeat(2000));
        let slots: usize = rows(&html).iter().map(Vec::len).sum();
        assert!(slots <= 2 * MAX_SLOTS, "{slots}");
        let html = "<table><tr><td colspan=1000>x</table>".repeat(3000);
        assert!(grids(&Page::new(html, None)).len() <= 1000);
    }

    #[test]
    fn a_tall_cell_behind_wide_ones_costs_little() {
        let wide = "<td colspan=1000>".repeat(100);
        let html = format!(
            "<table><tr>{wide}<td rowspan=0>{}</table>",
            "<tr><td>x".repeat(2000)
        );
        let slots: usize = rows(&html).iter().map(Vec::len).sum();
        assert!(slots <= MAX_SLOTS, "{slots}");
    }

    /// A generator of numbers that is the same in each run (Knuth's MMIX constants).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }

        fn table(&mut self) -> String {
            let mut html = "<table>".to_owned();
            for _ in 0..self.below(200) {
                html.push_str(["<tr>", "<tr>", "<tr>", "<tr>", "<tbody><tr>"][self.below(5) as usize]);
                for _ in 0..[1, 2, 3, self.below(100)][self.below(4) as usize] {
                    let wide = [1, 1, 2, 1000][self.below(4) as usize];
                    let tall = [1, 1, 0, self.below(300)][self.below(4) as usize];
                    html.push_str(&format!("<td colspan={wide} rowspan={tall}>"));
                }
            }
            html
        }
    }

    #[test]
    fn no_spans_make_more_slots_than_the_bound_and_one_for_each_cell() {
        let mut numbers = Numbers(45);
        for _ in 0..20 {
            let page = Page::new(numbers.table(), None);
            let node = page.dom().by_tag("table").next().expect("a table");
            let grid = Grid::of(node);
            let slots: usize = grid.rows.iter().map(Vec::len).sum();
            assert!(
                slots <= MAX_SLOTS + grid.cells.len(),
                "{slots} of {} cells",
                grid.cells.len()
            );
            assert_eq!(slots, grid.held);
        }
    }

    #[test]
    fn nested_tables_repeat_the_text_of_a_page_only_so_often() {
        let text = "w".repeat(8 << 20);
        let html = format!("{}{text}", "<table><tr><td>".repeat(9));
        let tables = grids(&Page::new(html, None));
        let bytes: usize = tables
            .iter()
            .flat_map(|table| table.rows.iter().flatten())
            .map(String::len)
            .sum();
        assert!(
            bytes <= MAX_PAGE_TEXT && tables.len() < 9,
            "{bytes} in {}",
            tables.len()
        );
        let html = format!("{}{text}", "<table><caption>".repeat(9));
        let tables = grids(&Page::new(html, None));
        let bytes: usize = tables.iter().map(|table| table.caption.len()).sum();
        assert!(
            bytes <= MAX_PAGE_TEXT && tables.len() < 9,
            "{bytes} in {}",
            tables.len()
        );
    }
}
