//! Rows of tables by their columns, where cells span several rows or columns, headings stand in several rows or in bold letters, or
//! the cell above the headings of the rows is empty.

use std::collections::HashMap;

use page::dom::{Node, NodeId};
use page::tables;

use super::pictured::EntryName;
use crate::rules::records::Record;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Longest heading of a row that names it, in characters.
const LONGEST_NAME: usize = 120;
/// Of ten rows, as many have such a heading.
const OF_TEN: usize = 9;

/// The cell of a row in each column of its table.
struct LaidRow<'p> {
    table: NodeId,
    cells: Vec<Option<Node<'p>>>,
}

/// The tables of some records whose cells do not simply stand below headings in their order.
pub(super) struct LaidTables<'p> {
    /// For each table the cells of the head above each column.
    headings: HashMap<NodeId, Vec<Vec<Node<'p>>>>,
    rows: HashMap<NodeId, LaidRow<'p>>,
}

impl<'p> LaidTables<'p> {
    /// The tables of some records.
    pub(super) fn of(view: &VisiblePage<'p>, records: &[Record]) -> LaidTables<'p> {
        let mut laid = LaidTables {
            headings: HashMap::new(),
            rows: HashMap::new(),
        };
        let mut last = None;
        for root in records.iter().flat_map(|record| &record.roots) {
            let root = view.dom().node(*root);
            let Some(table) = row_of(root).and_then(|row| row.closest("table")) else {
                continue;
            };
            if last == Some(table.id()) || laid.headings.contains_key(&table.id()) {
                continue;
            }
            last = Some(table.id());
            let Some(columns) = tables::columns(table) else {
                continue;
            };
            let has_corner = columns.headings.first().is_some_and(|cells| are_empty(cells));
            if columns.is_plain && !has_corner {
                continue;
            }
            for (row, cells) in columns.rows {
                let table = table.id();
                laid.rows.insert(row, LaidRow { table, cells });
            }
            laid.headings.insert(table.id(), columns.headings);
        }
        laid
    }

    /// The cells of a row, each with the cells of the head above it; `None` where the row is of no such table. A row that is one cell
    /// has none.
    pub(super) fn cells(&self, root: Node<'p>) -> Option<Vec<(&[Node<'p>], Node<'p>)>> {
        let row = self.rows.get(&row_of(root)?.id())?;
        let headings = self.headings.get(&row.table)?;
        let is_one = row.cells.len() > 1 && row.cells.first() == row.cells.last();
        let cells = headings.iter().zip(&row.cells);
        let cells = cells.filter_map(|(headings, cell)| Some((headings.as_slice(), (*cell)?)));
        Some(cells.filter(|_| !is_one).collect())
    }

    /// The name of each record by the heading of its row, where nothing stands above these headings. None of any record unless nearly
    /// all have one.
    pub(super) fn names(&self, view: &VisiblePage<'p>, records: &[Record]) -> Vec<Option<EntryName>> {
        let name = |record: &Record| {
            let row = row_of(view.dom().node(*record.roots.first()?))?;
            let cells = self.cells(row)?;
            let (headings, cell) = cells.first()?;
            let text = squeeze(&cell.text());
            let is_name = cell.is("th") && are_empty(headings) && !text.is_empty();
            let is_unnamed = !record.fields.contains_key("title");
            (is_name && is_unnamed && text.chars().count() <= LONGEST_NAME).then_some(EntryName {
                title: text,
                url: None,
            })
        };
        let names: Vec<Option<EntryName>> = records.iter().map(name).collect();
        if names.iter().flatten().count() * 10 < records.len() * OF_TEN {
            return vec![None; records.len()];
        }
        names
    }
}

/// The row that a record is, or begins with.
fn row_of(root: Node<'_>) -> Option<Node<'_>> {
    if root.is("tr") {
        return Some(root);
    }
    root.children().find(|child| child.is("tr"))
}

fn are_empty(cells: &[Node<'_>]) -> bool {
    cells.iter().all(|cell| cell.text().trim().is_empty())
}

#[cfg(test)]
mod tests {
    use page::Page;
    use serde_json::{Value, json};

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn read(html: &str) -> Vec<(Option<String>, Value)> {
        let page = Page::new(format!("<h1>Table</h1>{html}"), None);
        let rows = rows::read(&VisiblePage::of(&page)).into_iter();
        rows.map(|row| (row.title, Value::Object(row.facts))).collect()
    }

    #[test]
    fn merged_cells_are_in_each_row_and_column_that_they_cover() {
        let named = |name: &str, facts: Value| (Some(name.to_owned()), facts);
        let html = "<table><tr><th></th><th>Sat</th><th>Sun</th></tr><tr><th>8–10</th><td rowspan=2>Club</td><td>Open</td></tr>\
                    <tr><th>10–12</th><td>Families</td></tr><tr><th>12–14</th><td colspan=2>Closed</td></tr></table>";
        let read = read(html);
        assert_eq!(
            read,
            [
                named("8–10", json!({"Sat": "Club", "Sun": "Open"})),
                named("10–12", json!({"Sat": "Club", "Sun": "Families"})),
                named("12–14", json!({"Sat": "Closed", "Sun": "Closed"})),
            ]
        );
    }

    #[test]
    fn a_head_of_two_rows_is_no_entry_and_names_the_values_by_both() {
        let read = read(
            "<table><tr><th rowspan=2>Zone</th><th colspan=2>Fare</th></tr><tr><th>Adult</th><th>Child</th></tr>\
             <tr><td>A</td><td>$2.50</td><td>$1.25</td></tr><tr><td>B</td><td>$3.50</td><td>$1.75</td></tr>\
             <tr><td>C</td><td>$4.50</td><td>$2.25</td></tr></table>",
        );
        let facts: Vec<Value> = read.into_iter().map(|(_, facts)| facts).collect();
        assert_eq!(
            facts,
            [
                json!({"Zone": "A", "Fare Adult": "$2.50", "Fare Child": "$1.25"}),
                json!({"Zone": "B", "Fare Adult": "$3.50", "Fare Child": "$1.75"}),
                json!({"Zone": "C", "Fare Adult": "$4.50", "Fare Child": "$2.25"}),
            ]
        );
    }

    #[test]
    fn a_head_of_bold_words_or_of_header_cells_is_no_entry() {
        let table = |head: &str| {
            read(&format!(
                "<table><tr>{head}</tr><tr><td>Halden</td><td>10</td><td>24</td></tr><tr><td>Moss</td><td>10</td><td>19</td></tr></table>"
            ))
        };
        for head in [
            "<td><b>Team</b></td><td><b>Played</b></td><td><b>Points</b></td>",
            "<th>Team</th><th>Played</th><th>Points</th>",
        ] {
            let facts: Vec<Value> = table(head).into_iter().map(|(_, facts)| facts).collect();
            assert_eq!(
                facts,
                [
                    json!({"Team": "Halden", "Played": "10", "Points": "24"}),
                    json!({"Team": "Moss", "Played": "10", "Points": "19"}),
                ],
                "{head}"
            );
        }
    }
}
