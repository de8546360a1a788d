//! Tables: which are data and become rows, and which only lay out the page and become blocks.

use super::walk::{Step, Walk};
use crate::dom::Node;
use crate::tables::{Grid, NO_CELL};
use html5ever::local_name;

/// Widest table that is written as rows.
const MAX_COLUMNS: usize = 200;
/// Longest text of a cell that is repeated in each row it reaches into, in bytes.
const MAX_REPEAT: usize = 60;

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
    let first = grid.rows.iter().position(|row| !row.is_empty()).unwrap_or(0);
    let mut written = false;
    if !grid.has_header {
        walk.writer.raw_block("|");
        walk.writer.push(&"  |".repeat(width));
        walk.writer.push_line("|");
        walk.writer.push(&" --- |".repeat(width));
        written = true;
    }
    for (y, row) in grid.rows.iter().enumerate() {
        if row.is_empty() {
            continue;
        }
        if written {
            walk.writer.push_line("|");
        } else {
            walk.writer.raw_block("|");
            written = true;
        }
        let mut last = NO_CELL;
        for x in 0..width {
            let slot = row.get(x).copied().unwrap_or(NO_CELL);
            let cell = grid.cells.get(slot as usize).filter(|_| slot != last);
            last = slot;
            walk.writer.push(" ");
            if let Some(cell) = cell {
                write_cell(walk, cell.node, cell.row == y);
            }
            walk.writer.push(" |");
        }
        if y == first && grid.has_header {
            walk.writer.push_line("|");
            walk.writer.push(&" --- |".repeat(width));
        }
    }
    walk.writer.block(2);
    Step::Over
}

/// Writes a cell; one that reaches in from a row above only when it is short.
fn write_cell<'a>(walk: &mut Walk<'a>, cell: Node<'a>, own: bool) {
    if !own && cell.text().len() > MAX_REPEAT {
        return;
    }
    walk.writer.open_cell();
    walk.run_inside(cell);
    walk.writer.close_cell();
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
