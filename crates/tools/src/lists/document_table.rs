//! The table of a document: of a page that is a CSV file, a spreadsheet or another file of tables.

use page::Page;
use page::dom::Node;
use page::tables;

use super::table::column_names;

/// The table of a document, with a name for each column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentTable {
    /// The names of the columns, each once; they are as many as the cells of the header.
    pub columns: Vec<String>,
    /// The cells of the header as they are written.
    pub header: Vec<String>,
    /// The rows below the header.
    pub rows: Vec<Vec<String>>,
}

impl DocumentTable {
    /// The table of a document that is a table with a header, or little else than tables; none of other pages. Of several tables,
    /// the one with the most rows.
    pub fn of(page: &Page) -> Option<DocumentTable> {
        let only = only_element(page).filter(|only| only.is("table") || only.is("article"))?;
        let tables = tables::grids(page);
        if only.is("article") {
            let others = only.children().filter(|child| !child.is("table"));
            let around: usize = others.map(|child| child.text().trim().len()).sum();
            let cells = tables.iter().flat_map(|table| table.rows.iter().flatten());
            if cells.map(String::len).sum::<usize>() <= around {
                return None;
            }
        }
        // Of tables of the same length, the first one.
        let table = tables.into_iter().rev().max_by_key(|table| table.rows.len())?;
        let columns = column_names(&table.header, table.header.len());
        (!columns.is_empty()).then_some(DocumentTable {
            columns,
            header: table.header,
            rows: table.rows,
        })
    }

    /// The rows as objects: each cell by the name of its column.
    pub fn records(&self) -> Vec<serde_json::Map<String, serde_json::Value>> {
        let record = |cells: &Vec<String>| {
            let cells = self.columns.iter().cloned().zip(cells.iter().cloned());
            cells.map(|(name, cell)| (name, cell.into())).collect()
        };
        self.rows.iter().map(record).collect()
    }
}

/// The one element that the body of a document holds, as that of a text file or of a file of tables.
pub fn only_element(page: &Page) -> Option<Node<'_>> {
    let mut children =
        page.dom().body()?.children().filter(|child| {
            child.is_element() || child.text_value().is_some_and(|text| !text.trim().is_empty())
        });
    let only = children.next().filter(|child| child.is_element())?;
    children.next().is_none().then_some(only)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_document_of_tables_gives_the_rows_of_the_longest_one() {
        let records_of = |html: &str| {
            let table = DocumentTable::of(&Page::new(html, None))?;
            Some(Value::from_iter(table.records()))
        };
        let table = "<table><tr><th>a</th><th></th></tr><tr><td>1</td><td>22222222</td></tr></table>";
        let other = "<table><tr><th>b</th></tr><tr><td>3</td></tr></table>";
        let rows = json!([{"a": "1", "column_2": "22222222"}]);
        assert_eq!(records_of(&format!("<body>{table}")), Some(rows.clone()));
        assert_eq!(
            records_of(&format!("<body><article><h2>S</h2>{table}{other}</article>")),
            Some(rows)
        );
        let prose = "<p>This is a report that has a table.</p>";
        assert_eq!(
            records_of(&format!("<body><article>{prose}{table}</article>")),
            None
        );
        assert_eq!(records_of(&format!("<body>{prose}{table}")), None);
    }
}
