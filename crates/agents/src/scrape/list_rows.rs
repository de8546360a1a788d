//! Rows of the list or the table that a page is about.

use std::collections::HashSet;

use serde_json::{Map, Value};
use tools::words::field_names::resolve_field;

/// Rows from which on a list or a table is what the page is about.
const LEAST_ROWS: usize = 2;

/// The rows of the list or the table that a page is about, as `rows` of a result that is to be CSV. `item` is what was read of
/// the page, `records` are the rows of its list, and `tables` are its tables as a format of it.
pub(super) fn list_rows(item: &Value, records: &Value, tables: &Value) -> Option<Value> {
    if !matches!(item["page_type"].as_str(), Some("listing" | "other")) {
        return None;
    }
    let records = records.as_array().cloned().unwrap_or_default();
    let rows = match (records.len(), largest_table(tables)) {
        (found, Some(table)) if table.len() >= LEAST_ROWS && table.len() * 5 >= found * 4 => table,
        (found, _) if found >= LEAST_ROWS => records,
        _ => return None,
    };
    Some(Value::Array(rows))
}

/// The rows of the largest table whose columns all have names of their own.
fn largest_table(tables: &Value) -> Option<Vec<Value>> {
    let tables = tables.as_array()?.iter().filter_map(|table| {
        let header: Vec<&str> = table["header"]
            .as_array()?
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let names: HashSet<&str> = header.iter().copied().collect();
        let is_named = header.iter().all(|name| !name.trim().is_empty());
        if header.len() < 2 || names.len() < header.len() || !is_named {
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
pub(super) fn with_facts(row: Value) -> Value {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scrape::rows::keys;

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

    #[test]
    fn only_a_page_about_its_list_has_rows() {
        let records = json!([{"title": "One"}, {"title": "Two"}]);
        let of_type = |name: &str| list_rows(&json!({"page_type": name}), &records, &json!([]));
        assert_eq!(of_type("listing"), Some(records.clone()));
        assert_eq!(of_type("product"), None);
        assert_eq!(
            list_rows(&json!({"name": "of a schema"}), &records, &json!([])),
            None
        );
    }
}
