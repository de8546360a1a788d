//! Rows of pages: those of a list page or a table, else one of the page's item; and CSV of them.

use extract::fields::{PageType, canonical};
use serde_json::{Map, Value};
use tools::field_names::resolve_field;
use tools::table;

/// Columns of items where none are named.
const ITEM_COLUMNS: [&str; 8] = [
    "url",
    "page_type",
    "title",
    "price",
    "currency",
    "author",
    "date_published",
    "description",
];
/// What an item says about its own reading, and not about the page.
const ABOUT_READING: [&str; 5] = ["coverage", "confidence", "missing", "notes", "provenance"];
/// Rows from which on a list or a table is what the page is about.
const LEAST_ROWS: usize = 2;

/// Pages as CSV, and what is wrong with the columns that were asked for.
pub(super) struct CsvTable {
    pub(super) text: String,
    /// The columns asked for that no row has.
    pub(super) missing: Vec<String>,
    /// The names that the rows have.
    pub(super) known: Vec<String>,
    /// Whether the rows say nothing about their pages.
    pub(super) is_empty: bool,
}

/// The pages as CSV. Where a page is a list or a table, its rows are told, and every other page is one row. Rows of several
/// pages begin with the page's address, as `page`. Columns that were asked for are all there, also those that no row has.
pub(super) fn csv(pages: &[&Value], columns: &[String], is_single: bool) -> CsvTable {
    let flat = |page: &&Value| Some(rows(page)?.into_iter().map(with_facts).collect());
    let lists: Vec<Option<Vec<Value>>> = pages.iter().map(flat).collect();
    if lists.iter().all(Option::is_none) {
        return csv_of_items(pages, columns);
    }
    let mut all: Vec<Value> = Vec::new();
    for (page, list) in pages.iter().zip(lists) {
        let own = list.unwrap_or_else(|| vec![item_row(page)]);
        all.extend(own.into_iter().map(|row| match is_single {
            true => row,
            false => with_page(row, &page["url"]),
        }));
    }
    let mut keys = keys(&all);
    keys.sort_by_key(|key| key != "page");
    let columns = if columns.is_empty() { &keys } else { columns };
    let named: Vec<Option<&str>> = columns
        .iter()
        .map(|column| resolve_field(column, &keys))
        .collect();
    let row = |row: &Value| {
        let cells = named.iter().map(|key| key.map(|key| cell(row, key)));
        cells.map(Option::unwrap_or_default).collect()
    };
    let missing = columns.iter().zip(&named).filter(|(_, key)| key.is_none());
    CsvTable {
        text: table::csv(columns, all.iter().map(row)),
        // Of no rows it is not known what they would have.
        missing: missing
            .filter(|_| !all.is_empty())
            .map(|(column, _)| column.clone())
            .collect(),
        known: keys,
        is_empty: false,
    }
}

/// Pages that are no lists, each as one row. A field that such a page has usually and this one leaves out is not missing.
fn csv_of_items(pages: &[&Value], columns: &[String]) -> CsvTable {
    let default: Vec<String> = ITEM_COLUMNS.map(str::to_owned).into();
    let columns = if columns.is_empty() { &default } else { columns };
    let row = |page: &&Value| columns.iter().map(|column| of_item(page, column)).collect();
    let items: Vec<Value> = pages.iter().map(|page| page["item"].clone()).collect();
    let mut known = keys(&items);
    known.retain(|key| !ABOUT_READING.contains(&key.as_str()));
    let is_known = |column: &String| {
        let is_field = |name: &str| name == "url" || known.iter().any(|key| key == name);
        let canonical_names = pages.iter().map(|page| canonical(column, page_type(page)));
        is_field(column) || canonical_names.into_iter().any(|name| is_field(&name))
    };
    CsvTable {
        text: table::csv(columns, pages.iter().map(row)),
        is_empty: pages.iter().all(|page| {
            let about_page = columns
                .iter()
                .filter(|column| !matches!(column.as_str(), "url" | "page_type"));
            about_page
                .into_iter()
                .all(|column| of_item(page, column).is_empty())
        }),
        missing: columns
            .iter()
            .filter(|column| !is_known(column))
            .cloned()
            .collect(),
        known,
    }
}

/// The rows of a page: those that its instructions gave, else those of the list or the table that it is about.
fn rows(page: &Value) -> Option<Vec<Value>> {
    if let Some(rows) = page["rows"].as_array() {
        return Some(rows.clone());
    }
    if !matches!(
        page["item"]["page_type"].as_str(),
        Some("listing" | "other") | None
    ) {
        return None;
    }
    let records = page["formats"]["records"]["rows"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let of_table = largest_table(&page["formats"]["tables"]);
    match (records.len(), of_table) {
        (found, Some(table)) if table.len() >= LEAST_ROWS && table.len() * 5 >= found * 4 => Some(table),
        (found, _) if found >= LEAST_ROWS => Some(records),
        _ => None,
    }
}

/// The rows of the largest table whose columns all have names of their own.
fn largest_table(tables: &Value) -> Option<Vec<Value>> {
    let tables = tables.as_array()?.iter().filter_map(|table| {
        let header: Vec<&str> = table["header"]
            .as_array()?
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let is_own = |name: &&str| {
            !name.trim().is_empty() && header.iter().filter(|other| *other == name).count() == 1
        };
        if header.len() < 2 || !header.iter().all(is_own) {
            return None;
        }
        let row = |cells: &Value| {
            let cells = header.iter().zip(cells.as_array().into_iter().flatten());
            Value::Object(
                cells
                    .map(|(name, cell)| ((*name).to_owned(), cell.clone()))
                    .collect(),
            )
        };
        Some(table["rows"].as_array()?.iter().map(row).collect::<Vec<_>>())
    });
    tables.max_by_key(Vec::len)
}

/// A row with the values that its list labels as columns of their own.
fn with_facts(row: Value) -> Value {
    let Value::Object(fields) = row else { return row };
    let names: Vec<String> = fields.keys().cloned().collect();
    let mut flat = Map::new();
    for (name, value) in fields {
        match value {
            Value::Object(facts) if name == "facts" => {
                flat.extend(
                    facts
                        .into_iter()
                        .filter(|(label, _)| resolve_field(label, &names).is_none()),
                );
            }
            value => {
                flat.insert(name, value);
            }
        }
    }
    Value::Object(flat)
}

fn item_row(page: &Value) -> Value {
    let fields = ITEM_COLUMNS
        .iter()
        .map(|name| ((*name).to_owned(), Value::from(of_item(page, name))));
    Value::Object(fields.collect())
}

fn with_page(row: Value, url: &Value) -> Value {
    let mut fields = Map::from_iter([("page".to_owned(), url.clone())]);
    match row {
        Value::Object(own) => fields.extend(own.into_iter().filter(|(name, _)| name != "page")),
        other => {
            fields.insert("value".to_owned(), other);
        }
    }
    Value::Object(fields)
}

/// A field of the page's item, which the column may call otherwise; the address of a page is always known.
fn of_item(page: &Value, column: &str) -> String {
    let item = &page["item"];
    let field = canonical(column, page_type(page));
    match item.get(column).or_else(|| item.get(&field)) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) => String::new(),
        Some(other) => other.to_string(),
        None if column == "url" => page["url"].as_str().unwrap_or_default().to_owned(),
        None => String::new(),
    }
}

fn page_type(page: &Value) -> PageType {
    let named = page["item"]["page_type"]
        .as_str()
        .and_then(|text| text.parse().ok());
    named.unwrap_or(PageType::Other)
}

/// All fields of the rows, in the order of their first row.
fn keys(rows: &[Value]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for key in rows.iter().filter_map(Value::as_object).flat_map(Map::keys) {
        if !keys.contains(key) {
            keys.push(key.clone());
        }
    }
    keys
}

fn cell(row: &Value, key: &str) -> String {
    match row.get(key) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// Rows as lines of `field: value`, an empty line between two.
pub(super) fn lines(rows: &[Value]) -> String {
    let row = |row: &Value| {
        let fields = row.as_object().into_iter().flatten();
        let fields =
            fields.filter(|(_, value)| !matches!(value, Value::Null | Value::Array(_) | Value::Object(_)));
        fields
            .map(|(key, _)| format!("{key}: {}\n", cell(row, key)))
            .collect::<String>()
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_list_labels_is_a_column_unless_a_field_has_its_name() {
        let row =
            json!({"title": "Amber", "facts": {"Roast": "dark", "Name": "Amber"}, "text": "Amber dark"});
        let flat = with_facts(row);
        assert_eq!(
            flat,
            json!({"title": "Amber", "Roast": "dark", "text": "Amber dark"})
        );
        assert_eq!(keys(&[flat]), ["title", "Roast", "text"]);
    }
}
