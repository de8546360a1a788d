//! Rows of the list or the table that a page is about.

use std::collections::HashSet;

use locale::price::{self, PriceHints};
use serde_json::{Map, Value};
use tools::words::field_names::resolve_field;

use super::page_forms::PageLists;

/// The field of a row that holds what its list labels.
const FACTS: &str = "facts";
/// Amounts that differ by less are one.
const LEAST_DIFFERENCE: f64 = 0.001;
/// Rows from which on a list or a table is what the page is about.
const LEAST_ROWS: usize = 2;

/// Fewest links without anything beside them that are a list on a page of another type.
const LEAST_LINKS: usize = 6;

/// The rows of the list or the table that a page is about, as `rows` of a result that is to be CSV. `item` is what was read of
/// the page. The entries of a feed are its rows, however few.
pub(super) fn list_rows(item: &Value, lists: &PageLists) -> Option<Value> {
    let PageLists {
        records,
        tables,
        is_feed,
    } = lists;
    let least = if *is_feed { 1 } else { LEAST_ROWS };
    if !matches!(item["page_type"].as_str(), Some("listing" | "other")) {
        return None;
    }
    let is_listing = item["page_type"] == "listing";
    let records = records
        .as_array()
        .filter(|rows| *is_feed || are_entries(rows, is_listing));
    let records = records.cloned().unwrap_or_default();
    let rows = match (records.len(), largest_table(tables)) {
        (found, Some(table)) if table.len() >= LEAST_ROWS && table.len() * 5 >= found * 4 => table,
        (found, _) if found >= least => records,
        _ => return None,
    };
    Some(Value::Array(rows))
}

/// Whether rows are entries of a list: most have a name or labelled values, and on a page that is not there for its list they are more
/// than the links of a menu.
fn are_entries(rows: &[Value], is_listing: bool) -> bool {
    let has = |row: &Value, names: &[&str]| names.iter().any(|name| !row[name].is_null());
    let named = rows.iter().filter(|row| has(row, &["title", "name", FACTS]));
    let are_named = named.count() * 2 >= rows.len();
    let is_link = |row: &Value| {
        let fields = row.as_object().into_iter().flatten();
        let mut said = fields
            .filter(|(_, value)| !value.is_null())
            .map(|(name, _)| name.as_str());
        said.all(|name| matches!(name, "title" | "name" | "url" | "text"))
    };
    let is_menu = !is_listing && rows.len() < LEAST_LINKS && rows.iter().all(is_link);
    are_named && !is_menu
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

/// Rows with the values that their list labels as columns of their own. A label that is the name of a field of the rows is left out,
/// and one that they are called by otherwise where these fields say the same in all rows: "Rent" beside the price that was read of it.
pub(crate) fn with_facts(rows: &[Value]) -> Vec<Value> {
    let mut own: HashSet<&str> = HashSet::new();
    for fields in rows.iter().filter_map(Value::as_object) {
        let names: Vec<String> = fields.keys().cloned().collect();
        let labelled = facts_of(fields).filter(|(label, value)| {
            let name = resolve_field(label, &names);
            let is_own = |name: &str| name.eq_ignore_ascii_case(label) || name == "availability";
            let field = name.and_then(|name| fields.get(name));
            !name.is_some_and(is_own) && field.is_none_or(|field| !says_the_same(field, value))
        });
        own.extend(labelled.map(|(label, _)| label.as_str()));
    }
    rows.iter().map(|row| flat(row, &own)).collect()
}

fn flat(row: &Value, own: &HashSet<&str>) -> Value {
    let Value::Object(fields) = row else {
        return row.clone();
    };
    let mut flat = Map::new();
    for (name, value) in fields {
        if name == FACTS && value.is_object() {
            let labelled = facts_of(fields)
                .filter(|(label, _)| own.contains(label.as_str()) && !fields.contains_key(*label));
            flat.extend(labelled.map(|(label, value)| (label.clone(), value.clone())));
        } else {
            flat.insert(name.clone(), value.clone());
        }
    }
    Value::Object(flat)
}

/// The values that a list labels in one row.
fn facts_of(fields: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    fields.get(FACTS).and_then(Value::as_object).into_iter().flatten()
}

/// Whether a field says what a labelled text says: an amount of the text, or its letters and digits or a part of them.
fn says_the_same(field: &Value, labelled: &Value) -> bool {
    let (Some(text), hints) = (labelled.as_str(), PriceHints::default()) else {
        return field == labelled;
    };
    if let Some(number) = field.as_f64() {
        let amounts = price::find_all(text, &hints)
            .into_iter()
            .chain(price::parse(text, &hints));
        let mut amounts = amounts.filter_map(|price| price.amount.parse::<f64>().ok());
        return amounts.any(|amount| (amount - number).abs() < LEAST_DIFFERENCE);
    }
    let bare = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let written = field.as_str().unwrap_or_default();
    if is_day_of(written, text) {
        return true;
    }
    let (field, text) = (bare(written), bare(text));
    !field.is_empty() && (field.contains(&text) || text.contains(&field))
}

/// Whether a text has the year and the day of the month of a day in ISO 8601: "29 November 2026" of `2026-11-29`.
fn is_day_of(day: &str, text: &str) -> bool {
    let numbers: Vec<&str> = text.split(|c: char| !c.is_ascii_digit()).collect();
    let has = |number: &str| {
        numbers
            .iter()
            .any(|run| run.trim_start_matches('0') == number.trim_start_matches('0'))
    };
    let parts: Vec<&str> = day.get(..10).unwrap_or_default().split('-').collect();
    matches!(parts.as_slice(), [year, _, day] if year.len() == 4 && has(year) && has(day))
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
        let flat = with_facts(&[row]);
        assert_eq!(
            flat,
            [json!({"title": "Amber", "Roast": "dark", "text": "Amber dark"})]
        );
        assert_eq!(keys(&flat), ["title", "Roast", "text"]);
    }

    #[test]
    fn a_label_that_a_field_is_called_by_is_a_column_where_it_says_something_else() {
        let rows = [
            json!({"title": "Rex", "price": 90, "date": "2026-02-18", "facts": {"Time": "30 min", "Fee": "£5", "Published": "18 February 2026"}}),
            json!({"title": "Luna", "price": 40, "facts": {"Time": "45 min", "Cost": "£40", "Title": "other"}}),
        ];
        assert_eq!(
            with_facts(&rows),
            [
                json!({"title": "Rex", "price": 90, "date": "2026-02-18", "Time": "30 min", "Fee": "£5"}),
                json!({"title": "Luna", "price": 40, "Time": "45 min"}),
            ]
        );
    }

    #[test]
    fn only_a_page_about_its_list_has_rows() {
        let records = json!([{"title": "One"}, {"title": "Two"}]);
        let lists = |records: &Value, is_feed| PageLists {
            records: records.clone(),
            tables: json!([]),
            is_feed,
        };
        let page = lists(&records, false);
        let of_type = |name: &str| list_rows(&json!({"page_type": name}), &page);
        assert_eq!(of_type("listing"), Some(records.clone()));
        assert_eq!(of_type("product"), None);
        // The links of a menu, and the paragraphs of a page.
        assert_eq!(of_type("other"), None);
        let paragraphs = json!([{"text": "The jug holds a litre."}, {"text": "Price: €48", "price": 48}]);
        let of_paragraphs = list_rows(&json!({"page_type": "listing"}), &lists(&paragraphs, false));
        assert_eq!(of_paragraphs, None);
        let priced = json!([{"title": "One", "price": 1}, {"title": "Two", "price": 2}]);
        let of_priced = list_rows(&json!({"page_type": "other"}), &lists(&priced, false));
        assert_eq!(of_priced, Some(priced));
        assert_eq!(list_rows(&json!({"name": "of a schema"}), &page), None);
        let (one, listing) = (json!([{"title": "One"}]), json!({"page_type": "listing"}));
        assert_eq!(list_rows(&listing, &lists(&one, false)), None);
        assert_eq!(list_rows(&listing, &lists(&one, true)), Some(one), "a feed");
    }
}
