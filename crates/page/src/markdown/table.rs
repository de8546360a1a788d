//! Tables: which are data and become rows, and which only lay out the page and become blocks.

use super::walk::{Step, Walk};
use crate::dom::Node;
use crate::tables::{Grid, NO_CELL};
use html5ever::local_name;

/// Widest table that is written as rows.
const MAX_COLUMNS: usize = 200;
/// Longest Markdown of a cell that is repeated in each row it reaches into, in bytes.
const MAX_REPEAT: usize = 120;
/// Most empty cells that are written to fill up a row.
const MAX_BLANKS: usize = 8;

/// Writes a table of data as rows. Any other is walked into as blocks.
pub(super) fn write<'a>(walk: &mut Walk<'a>, table: Node<'a>) -> Step {
    walk.writer.block(2);
    if walk.writer.is_flat() || lays_out(table) {
        return Step::Into;
    }
    let grid = Grid::of(table);
    if grid.width > MAX_COLUMNS || !is_data(&grid) {
        return Step::Into;
    }
    if let Some(caption) = grid.caption {
        walk.run_inside(caption);
        walk.writer.block(2);
    }
    let width = used_width(&grid);
    let mut written = false;
    if !grid.has_header {
        walk.writer.raw_block("|");
        walk.writer.push(&"  |".repeat(width));
        walk.writer.push_line("|");
        walk.writer.push(&" --- |".repeat(width));
        written = true;
    }
    let mut texts = Texts {
        places: vec![(0, 0); grid.cells.len()],
    };
    for (y, row) in grid.rows.iter().enumerate() {
        let begins = |slot: &u32| grid.cells.get(*slot as usize).filter(|cell| cell.row == y);
        if row
            .iter()
            .filter_map(begins)
            .all(|cell| is_skipped(walk, cell.node))
        {
            continue;
        }
        if written {
            walk.writer.push_line("|");
        } else {
            walk.writer.raw_block("|");
        }
        let mut last = NO_CELL;
        for x in 0..width.min(row.len() + MAX_BLANKS) {
            let slot = row.get(x).copied().unwrap_or(NO_CELL);
            walk.writer.push(" ");
            if slot != last {
                texts.write(walk, &grid, slot, y);
            }
            last = slot;
            walk.writer.push(" |");
        }
        if !written {
            walk.writer.push_line("|");
            walk.writer.push(&" --- |".repeat(width));
        }
        written = true;
    }
    walk.writer.block(2);
    Step::Over
}

/// Where the text of each cell stands in the Markdown.
struct Texts {
    places: Vec<(usize, usize)>,
}

impl Texts {
    /// Writes a cell. One that reaches in from a row above is repeated when it is short.
    fn write<'a>(&mut self, walk: &mut Walk<'a>, grid: &Grid<'a>, slot: u32, row: usize) {
        let (Some(cell), Some(place)) = (grid.cells.get(slot as usize), self.places.get_mut(slot as usize))
        else {
            return;
        };
        if cell.row != row {
            let text = walk.writer.written(place.0, place.1);
            if text.len() <= MAX_REPEAT {
                let text = text.to_owned();
                walk.writer.push(&text);
            }
        } else if !is_skipped(walk, cell.node) {
            let from = walk.writer.len();
            walk.writer.open_cell();
            walk.run_inside(cell.node);
            walk.writer.close_cell();
            *place = (from, walk.writer.len());
        }
    }
}

/// Whether a cell, its row or its row group is left out.
fn is_skipped(walk: &Walk<'_>, cell: Node<'_>) -> bool {
    let skip = &walk.options.skip;
    !skip.is_empty()
        && std::iter::once(cell)
            .chain(cell.ancestors().take(2))
            .any(|node| skip.contains(node.id()))
}

/// Whether the page itself says, or its contents show, that a table is no table of data.
fn lays_out(table: Node<'_>) -> bool {
    if matches!(table.attr("role"), Some("presentation" | "none")) {
        return true;
    }
    table.descendants().any(|node| match *node.local() {
        local_name!("table") => true,
        local_name!("pre") => node.raw_text().trim().contains('\n'),
        _ => false,
    })
}

/// Whether there are cells side by side. A column of headings alone, or one cell, is no table.
fn is_data(grid: &Grid<'_>) -> bool {
    grid.cells.iter().any(|cell| cell.column > 0)
}

/// The width without columns at the end that no cell begins in.
fn used_width(grid: &Grid<'_>) -> usize {
    grid.cells.iter().map(|cell| cell.column + 1).max().unwrap_or(0)
}
