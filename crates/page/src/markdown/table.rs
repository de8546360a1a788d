//! Tables: data tables become rows, layout tables become blocks.

use super::image;
use super::renderer::{Descent, MarkdownRenderer};
use crate::dom::Node;
use crate::tables::{Grid, MAX_COLUMNS, MAX_REPEAT, MAX_REPEATS, is_layout};

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
            left: MAX_REPEATS,
        };
        for (y, row) in grid.rows.iter().enumerate() {
            let cells = || row.iter().filter_map(|slot| grid.cells.get(*slot as usize));
            let begun = || cells().filter(|cell| cell.row == y);
            // A row in which no cell begins shows the cells that span it.
            let is_left_out = match begun().next() {
                Some(_) => begun().all(|cell| is_skipped(self, cell.node)),
                None => cells().all(|cell| is_skipped(self, cell.node)),
            };
            if is_left_out {
                continue;
            }
            if has_rows {
                self.writer.push_line("|");
            } else {
                self.writer.raw_block("|");
            }
            for x in 0..width.min(row.len() + MAX_BLANKS) {
                self.writer.push(" ");
                texts.write(self, grid, x, y);
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
    /// How many bytes may still be repeated.
    left: usize,
}

impl CellTexts {
    /// Writes what a slot shows. A cell that covers several slots is repeated in each when it is short.
    fn write<'a>(&mut self, renderer: &mut MarkdownRenderer<'a>, grid: &Grid<'a>, column: usize, row: usize) {
        let slot = grid.slot(row, column);
        let (Some(cell), Some(place)) = (grid.cells.get(slot as usize), self.places.get_mut(slot as usize))
        else {
            return;
        };
        if (cell.row, cell.column) != (row, column) {
            let text = renderer.writer.written(place.0, place.1);
            if text.len() <= MAX_REPEAT.min(self.left) && grid.is_repeated(cell, row, column) {
                self.left -= text.len();
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

/// Whether there are cells side by side. A column of headings alone, or one cell, is no table.
fn is_data(grid: &Grid<'_>) -> bool {
    grid.cells.iter().any(|cell| cell.column > 0)
}

/// The width without columns at the end that no cell begins in.
fn used_width(grid: &Grid<'_>) -> usize {
    grid.cells.iter().map(|cell| cell.column + 1).max().unwrap_or(0)
}
