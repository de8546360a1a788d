//! The rows of headings of a table, and what its columns are called below them.

use std::collections::HashMap;

use html5ever::local_name;

use super::{Cell, Grid, MAX_TEXT, span};
use crate::dom::{Node, NodeId};

/// Most rows of headings of a table.
const MAX_HEAD_ROWS: usize = 4;
/// Longest name of a column that several rows of headings make up, in bytes.
const MAX_NAME: usize = 400;

/// The cells of a row of a table, each with the name of its column; one that covers several columns stands below each.
pub type HeadedRow = Vec<(String, NodeId)>;

/// The rows below the headings of a table by their `<tr>`; empty where the table has no row of headings.
pub fn headed_rows(table: Node<'_>) -> HashMap<NodeId, HeadedRow> {
    let grid = Grid::of(table);
    if !grid.has_header {
        return HashMap::new();
    }
    let heads: Vec<Vec<String>> = grid
        .rows
        .iter()
        .take(grid.head_rows)
        .map(|row| {
            let cells = row.iter().map(|slot| grid.cells.get(*slot as usize));
            cells
                .map(|cell| cell.map(|cell| cell.node.text()).unwrap_or_default())
                .collect()
        })
        .collect();
    let names = grid.header(&heads);
    let mut rows: HashMap<NodeId, HeadedRow> = HashMap::new();
    let mut left = MAX_TEXT;
    for (y, row) in grid.rows.iter().enumerate().skip(grid.head_rows) {
        let first = grid.cells.partition_point(|cell| cell.row < y);
        let own = grid.cells.get(first).filter(|cell| cell.row == y);
        let Some(own) = own.and_then(|cell| cell.node.parent()) else {
            continue;
        };
        let cells = names.iter().zip(row).filter_map(|(name, slot)| {
            let cell = grid.cells.get(*slot as usize)?;
            left = left.checked_sub(name.len())?;
            Some((name.clone(), cell.node.id()))
        });
        rows.insert(own.id(), cells.collect());
    }
    rows
}

impl Grid<'_> {
    /// How many rows of headings stand at the top: further ones belong to the head of the table, or have header cells alone below a
    /// first row with spans.
    pub(super) fn count_head_rows(&self, in_head: impl Fn(&Cell<'_>) -> bool) -> usize {
        if !self.has_header {
            return 0;
        }
        let is_spanning = |cell: &Cell<'_>| span(cell.node, "colspan") > 1 || span(cell.node, "rowspan") != 1;
        let has_spans = self
            .cells
            .iter()
            .take_while(|cell| cell.row == 0)
            .any(is_spanning);
        let is_heading =
            |cell: &Cell<'_>| in_head(cell) || (has_spans && *cell.node.local() == local_name!("th"));
        let mut own = self.cells.iter().peekable();
        let mut count = 0;
        while count < MAX_HEAD_ROWS.min(self.rows.len()) {
            let mut cells = 0;
            let mut headings = 0;
            while let Some(cell) = own.next_if(|cell| cell.row == count) {
                cells += 1;
                headings += usize::from(count == 0 || is_heading(cell));
            }
            if cells != headings || (cells == 0 && count > 0) {
                break;
            }
            count += 1;
        }
        count.max(1)
    }

    /// The names of the columns, by the texts of the rows: of several rows of headings all that differ, without what names all
    /// columns.
    pub(super) fn header(&self, rows: &[Vec<String>]) -> Vec<String> {
        let heads = rows.get(..self.head_rows).unwrap_or_default();
        let Some(first) = heads.first() else {
            return Vec::new();
        };
        if heads.len() == 1 {
            return first.clone();
        }
        let covers_all = |row: usize| {
            let slots = self.rows.get(row).map(Vec::as_slice).unwrap_or_default();
            slots.len() > 1 && slots.iter().all(|slot| Some(slot) == slots.first())
        };
        let telling: Vec<&Vec<String>> = heads
            .iter()
            .enumerate()
            .filter(|(row, _)| !covers_all(*row))
            .map(|(_, texts)| texts)
            .collect();
        let name = |column: usize| {
            let mut parts: Vec<&str> = Vec::new();
            for part in telling.iter().filter_map(|row| row.get(column)) {
                if !part.is_empty() && parts.last() != Some(&part.as_str()) {
                    parts.push(part);
                }
            }
            let name = parts.join(" ");
            let end = name.floor_char_boundary(MAX_NAME);
            name.get(..end).unwrap_or_default().to_owned()
        };
        (0..first.len()).map(name).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::Page;
    use crate::tables::grids;

    #[test]
    fn columns_below_two_rows_of_headings_are_named_by_both() {
        let read = |html: &str| {
            let table = grids(&Page::new(html, None)).remove(0);
            (table.header, table.rows)
        };
        let rows = "<tr><td>Norway<td>154<td>157</tr>";
        let spans = "<tr><th rowspan=2>Country<th colspan=2>Output (TWh)<tr><th>2023<th>2024";
        let names = ["Country", "Output (TWh) 2023", "Output (TWh) 2024"].map(str::to_owned);
        let cells = vec![["Norway", "154", "157"].map(str::to_owned).to_vec()];
        for html in [
            format!("<table><thead>{spans}</thead><tbody>{rows}</table>"),
            format!("<table>{spans}{rows}</table>"),
            format!("<table><thead><tr><th colspan=3>Table 1</tr>{spans}</thead>{rows}</table>"),
        ] {
            assert_eq!(read(&html), (names.to_vec(), cells.clone()), "{html}");
        }
        // A row of header cells below a plain first one heads a part of the table.
        let parts = "<table><tr><th>a<th>b<tr><th>North<th>2<tr><td>1<td>2</table>";
        assert_eq!(read(parts).1.len(), 2);
    }
}
