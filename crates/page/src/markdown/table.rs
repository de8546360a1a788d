//! Tables: data tables become rows, layout tables become blocks.

use super::image;
use super::renderer::{Descent, MarkdownRenderer};
use crate::dom::Node;
use crate::tables::{Grid, NO_CELL};
use html5ever::local_name;

/// Widest table that is written as rows.
const MAX_COLUMNS: usize = 200;
/// Longest Markdown of a cell that is repeated in each row it reaches into, in bytes.
const MAX_REPEAT: usize = 120;
/// Most empty cells that are written to fill up a row.
const MAX_BLANKS: usize = 8;

impl<'a> MarkdownRenderer<'a> {
    /// Writes a data table as rows. Any other is walked into as blocks.
    pub(super) fn table(&mut self, table: Node<'a>) -> Descent {
        self.writer.block(2);
        if self.writer.is_flat() || is_layout(table) {
            return Descent::Into;
        }
        let grid = Grid::of(table);
        if grid.width > MAX_COLUMNS || !is_data(&grid) {
            return Descent::Into;
        }
        if let Some(caption) = grid.caption {
            self.run_inside(caption);
            self.writer.block(2);
        }
        self.rows(&grid);
        self.writer.block(2);
        Descent::Skip
    }

    fn rows(&mut self, grid: &Grid<'a>) {
        let width = used_width(grid);
        let mut has_rows = !grid.has_header;
        if has_rows {
            self.writer.raw_block("|");
            self.writer.push(&"  |".repeat(width));
            self.delimiter_row(width);
        }
        let mut texts = CellTexts {
            places: vec![(0, 0); grid.cells.len()],
        };
        for (y, row) in grid.rows.iter().enumerate() {
            let begins = |slot: &u32| grid.cells.get(*slot as usize).filter(|cell| cell.row == y);
            if row
                .iter()
                .filter_map(begins)
                .all(|cell| is_skipped(self, cell.node))
            {
                continue;
            }
            if has_rows {
                self.writer.push_line("|");
            } else {
                self.writer.raw_block("|");
            }
            let mut last = NO_CELL;
            for x in 0..width.min(row.len() + MAX_BLANKS) {
                let slot = row.get(x).copied().unwrap_or(NO_CELL);
                self.writer.push(" ");
                if slot != last {
                    texts.write(self, grid, slot, y);
                }
                last = slot;
                self.writer.push(" |");
            }
            if !has_rows {
                self.delimiter_row(width);
            }
            has_rows = true;
        }
    }

    /// The row between header and body.
    fn delimiter_row(&mut self, width: usize) {
        self.writer.push_line("|");
        self.writer.push(&" --- |".repeat(width));
    }
}

/// Where the text of each cell stands in the Markdown.
struct CellTexts {
    places: Vec<(usize, usize)>,
}

impl CellTexts {
    /// Writes a cell. One that reaches in from a row above is repeated when it is short.
    fn write<'a>(&mut self, renderer: &mut MarkdownRenderer<'a>, grid: &Grid<'a>, slot: u32, row: usize) {
        let (Some(cell), Some(place)) = (grid.cells.get(slot as usize), self.places.get_mut(slot as usize))
        else {
            return;
        };
        if cell.row != row {
            let text = renderer.writer.written(place.0, place.1);
            if text.len() <= MAX_REPEAT {
                let text = text.to_owned();
                renderer.writer.push(&text);
            }
        } else if !is_skipped(renderer, cell.node) && !image::is_hidden_by_style(cell.node) {
            let from = renderer.writer.len();
            renderer.writer.open_cell();
            renderer.run_inside(cell.node);
            renderer.writer.close_cell();
            *place = (from, renderer.writer.len());
        }
    }
}

/// Whether a cell, its row or its row group is left out.
fn is_skipped(renderer: &MarkdownRenderer<'_>, cell: Node<'_>) -> bool {
    let skip = &renderer.options.skip;
    !skip.is_empty()
        && std::iter::once(cell)
            .chain(cell.ancestors().take(2))
            .any(|node| skip.contains(node.id()))
}

/// Whether the page itself says, or its contents show, that a table is no table of data.
fn is_layout(table: Node<'_>) -> bool {
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
