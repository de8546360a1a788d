//! Cells of the rows of tables with the headings of their columns: `Devices: 5` of a cell that says 5.

use page::Page;
use page::dom::{Node, NodeId};

/// Most words of a heading that names a number.
const MOST_WORDS: usize = 3;
/// Most characters of a cell that is a number and little else.
const LONGEST_CELL: usize = 16;
/// Rows of a table among which the headings are, so that a long table without any is not read once for each of its rows.
const MOST_HEAD_ROWS: usize = 8;
/// Most columns that are looked at.
const MOST_COLUMNS: usize = 40;

/// The numbers of a row of a table, each behind the heading of its column; empty for other elements.
pub(crate) fn labelled_numbers(page: &Page, element: NodeId) -> String {
    let named = headed_cells(page.dom().node(element)).into_iter();
    let named = named.filter_map(|(heading, cell)| {
        let text = cell.text();
        let text = text.trim();
        let is_number =
            text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().count() <= LONGEST_CELL;
        is_number.then(|| format!("\n{heading}: {text}"))
    });
    named.collect()
}

/// The cells of a row of a table with the headings of their columns, without the columns that have no short name; empty for other
/// elements, and where a row has not one cell for each heading.
pub(crate) fn headed_cells(row: Node<'_>) -> Vec<(String, Node<'_>)> {
    let table = row.ancestors().find(|ancestor| ancestor.is("table"));
    let Some(table) = table.filter(|_| row.is("tr")) else {
        return Vec::new();
    };
    let headings = table
        .descendants()
        .filter(|node| node.is("tr"))
        .take(MOST_HEAD_ROWS)
        .map(|row| cells(row, "th"))
        .find(|cells| cells.len() > 1);
    let Some(headings) = headings else {
        return Vec::new();
    };
    let cells: Vec<Node<'_>> = row
        .children()
        .filter(|cell| cell.is("td") || cell.is("th"))
        .collect();
    if cells.len() != headings.len() {
        return Vec::new();
    }
    let name = |heading: Node<'_>| {
        let heading = heading.text();
        let name = heading.trim().trim_end_matches(':');
        let is_name = name.split_whitespace().count() <= MOST_WORDS && name.chars().any(char::is_alphabetic);
        is_name.then(|| name.to_owned())
    };
    let headed = headings.into_iter().zip(cells);
    headed
        .filter_map(|(heading, cell)| Some((name(heading)?, cell)))
        .collect()
}

fn cells<'p>(row: Node<'p>, tag: &str) -> Vec<Node<'p>> {
    row.children()
        .filter(|cell| cell.is(tag))
        .take(MOST_COLUMNS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_table_have_the_headings_of_their_columns() {
        let html = "<table><tr><th>Name<th>Devices<th>Term</tr><tr><td>Shield<td>5<td>for ever</tr></table>";
        let page = Page::new(html.to_owned(), None);
        let rows: Vec<NodeId> = page.dom().by_tag("tr").map(|row| row.id()).collect();
        assert_eq!(labelled_numbers(&page, rows[1]), "\nDevices: 5");
        assert_eq!(labelled_numbers(&page, rows[0]), "");
    }
}
