//! `ResultTable`: the rows of a scrape's result, sorted for people and written as CSV.

use std::cmp::Ordering;
use std::collections::HashSet;

use runtime::csv::{self, text_field};
use serde::Serialize;
use serde_json::{Map, Value};

/// Most rows on a page; the CSV file has all.
const MAX_SHOWN: usize = 1000;
/// Most columns on a page; the CSV file has all.
const MAX_COLUMNS: usize = 60;
/// Most cells of a table with more columns than a page shows: rows with names of their own would make one that no memory holds.
const MAX_CELLS: usize = 2_000_000;

/// Rows with the same columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ResultTable {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Value>>,
}

/// In which order rows are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableOrder {
    pub(super) column: String,
    pub(super) descends: bool,
}

/// A table as a page shows it.
#[derive(Debug, Serialize)]
pub(super) struct TablePage {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    total: usize,
}

#[derive(Debug, Serialize)]
struct Column {
    name: String,
    is_number: bool,
}

#[derive(Debug, Serialize)]
struct Cell {
    text: String,
    link: Option<String>,
}

/// What one page gave beside rows.
#[derive(Debug, Serialize)]
pub(super) struct PageItem {
    url: String,
    status: String,
    error: String,
    fields: Vec<(String, String)>,
}

impl PageItem {
    /// Title, price and availability in one line; none where the page states none of them.
    pub(super) fn facts(&self) -> Option<String> {
        let value = |wanted: &str| {
            let found = self.fields.iter().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.as_str())
        };
        let price = value("price").map(|price| match value("currency") {
            Some(currency) => format!("{price} {currency}"),
            None => price.to_owned(),
        });
        let facts = [
            value("title").map(str::to_owned),
            price,
            value("availability").map(str::to_owned),
        ];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        (!facts.is_empty()).then(|| facts.join(" · "))
    }
}

impl ResultTable {
    /// The rows of every page of a result, in their order.
    pub(super) fn of(result: &Value) -> Self {
        let pages = result["extracted_data"]
            .as_object()
            .into_iter()
            .flat_map(Map::values);
        let rows = pages.flat_map(|page| {
            let found = page["rows"].as_array().or_else(|| page.as_array());
            found.into_iter().flatten().filter_map(Value::as_object)
        });
        let rows: Vec<&Map<String, Value>> = rows.collect();
        let most_columns = (MAX_CELLS / rows.len().max(1)).max(MAX_COLUMNS);
        let mut table = Self::default();
        let mut known = HashSet::new();
        for row in rows {
            for name in row.keys().filter(|it| *it != "provenance") {
                if known.len() < most_columns && known.insert(name) {
                    table.columns.push(name.clone());
                }
            }
            let cell = |name: &String| row.get(name).cloned().unwrap_or_default();
            table.rows.push(table.columns.iter().map(cell).collect());
        }
        let width = table.columns.len();
        table
            .rows
            .iter_mut()
            .for_each(|row| row.resize(width, Value::Null));
        table
    }

    /// The items of the pages: what is not empty, and no row.
    pub(super) fn items(result: &Value) -> Vec<PageItem> {
        let pages = result["extracted_data"]
            .as_object()
            .into_iter()
            .flat_map(Map::iter);
        let item = |(url, page): (&String, &Value)| {
            let fields = page["item"].as_object().into_iter().flat_map(Map::iter);
            let told = fields.filter(|(name, value)| {
                let is_empty =
                    value.is_null() || *value == &Value::Array(vec![]) || value.as_str() == Some("");
                !is_empty && !matches!(name.as_str(), "provenance" | "url")
            });
            PageItem {
                url: url.clone(),
                status: page["status"].as_str().unwrap_or_default().to_owned(),
                error: page["error"]["message"].as_str().unwrap_or_default().to_owned(),
                fields: told.map(|(name, value)| (name.clone(), plain(value))).collect(),
            }
        };
        pages.map(item).collect()
    }

    /// Sorts by a column: numbers by value, before texts; what is empty comes last.
    pub(super) fn sort(&mut self, order: Option<&TableOrder>) {
        let Some(order) = order else { return };
        let Some(at) = self.columns.iter().position(|it| *it == order.column) else {
            return;
        };
        self.rows.sort_by(|one, other| {
            let (one, other) = (
                one.get(at).unwrap_or(&Value::Null),
                other.get(at).unwrap_or(&Value::Null),
            );
            match (one.is_null(), other.is_null()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) if order.descends => compare(other, one),
                (false, false) => compare(one, other),
            }
        });
    }

    /// The table as a page shows it.
    pub(super) fn page(&self) -> TablePage {
        let is_number = |at: usize| {
            let mut cells = self
                .rows
                .iter()
                .filter_map(|row| row.get(at))
                .filter(|it| !it.is_null())
                .peekable();
            cells.peek().is_some() && cells.all(Value::is_number)
        };
        let columns = self.columns.iter().enumerate().take(MAX_COLUMNS);
        let cell = |value: &Value| {
            let text = plain(value);
            let is_link = (text.starts_with("https://") || text.starts_with("http://"))
                && !text.contains(char::is_whitespace);
            Cell {
                link: is_link.then(|| text.clone()),
                text,
            }
        };
        TablePage {
            columns: columns
                .map(|(at, name)| Column {
                    name: name.clone(),
                    is_number: is_number(at),
                })
                .collect(),
            rows: self
                .rows
                .iter()
                .take(MAX_SHOWN)
                .map(|row| row.iter().take(MAX_COLUMNS).map(cell).collect())
                .collect(),
            total: self.rows.len(),
        }
    }

    /// As CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it.
    pub(super) fn csv(&self) -> String {
        let head = self
            .columns
            .iter()
            .map(|it| text_field(it))
            .collect::<Vec<_>>()
            .join(",");
        let line = |row: &Vec<Value>| row.iter().map(csv_cell).collect::<Vec<_>>().join(",");
        let lines = std::iter::once(head).chain(self.rows.iter().map(line));
        lines.map(|line| line + "\r\n").collect()
    }
}

fn compare(one: &Value, other: &Value) -> Ordering {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => plain(one).to_lowercase().cmp(&plain(other).to_lowercase()),
    }
}

/// A value as people read it.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn csv_cell(value: &Value) -> String {
    match value {
        Value::String(text) => text_field(text),
        other => csv::field(&plain(other)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn table() -> ResultTable {
        ResultTable::of(&json!({"extracted_data": {
            "http://a.example/": {"rows": [{"name": "b, \"x\"", "price": 10}, {"name": "=1+1", "price": 9.5}]},
            "http://b.example/": {"rows": [{"name": "c", "sold": true}], "item": {"title": "T"}},
        }}))
    }

    #[test]
    fn rows_of_all_pages_have_the_same_columns() {
        let table = table();
        assert_eq!(table.columns, ["name", "price", "sold"]);
        assert_eq!(table.rows[2], [json!("c"), Value::Null, json!(true)]);
    }

    #[test]
    fn a_page_shows_some_columns_and_the_file_has_all() {
        let mut row: Map<String, Value> = (0..100).map(|at| (format!("c{at}"), json!(at))).collect();
        row.insert("provenance_of_goods".into(), json!("Oslo"));
        row.insert("provenance".into(), json!({"c0": "a rule"}));
        let table = ResultTable::of(&json!({"extracted_data": {"http://a.example/": [row]}}));
        let shown = table.page();
        assert_eq!(
            (shown.columns.len(), shown.rows[0].len()),
            (MAX_COLUMNS, MAX_COLUMNS)
        );
        let csv = table.csv();
        let (head, line) = csv.split_once("\r\n").unwrap();
        assert!(head.ends_with(",c99,provenance_of_goods"), "{head}");
        assert!(line.ends_with(",99,Oslo\r\n"), "{line}");
    }

    #[test]
    fn numbers_are_sorted_by_value_and_what_is_empty_comes_last() {
        for (descends, first) in [(false, 9.5), (true, 10.0)] {
            let mut table = table();
            table.sort(Some(&TableOrder {
                column: "price".into(),
                descends,
            }));
            assert_eq!(table.rows[0][1].as_f64(), Some(first));
            assert!(table.rows[2][1].is_null());
        }
    }

    #[test]
    fn the_csv_file_is_quoted_and_holds_no_formulas() {
        assert_eq!(
            table().csv(),
            "name,price,sold\r\n\"b, \"\"x\"\"\",10,\r\n'=1+1,9.5,\r\nc,,true\r\n"
        );
    }
}
