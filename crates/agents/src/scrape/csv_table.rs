//! Rows of pages: those of a list page or a table, else one of the page's item; and CSV of them.

use extract::fields::{PageType, canonical};
use serde_json::{Map, Value};
use tools::lists::table;
use tools::words::field_names::resolve_field;

use super::rows::{cell, keys};

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
/// What is known of every page.
const ABOUT_PAGE: [&str; 2] = ["url", "error"];
/// Rows from which on a list or a table is what the page is about.
const LEAST_ROWS: usize = 2;

/// How the pages of a run are laid out as CSV.
#[derive(Debug, Clone, Copy)]
pub struct CsvLayout<'a> {
    /// The columns that are asked for; those of the pages where there are none.
    pub columns: &'a [String],
    /// The shape of the items, where the request gives one.
    pub schema: Option<&'a Value>,
    /// Whether one page was asked for, whose address then stands in no column of rows.
    pub is_single: bool,
    /// Whether pages that failed have a line too, with the column `error`, where no page has rows.
    pub with_failures: bool,
}

/// Pages as CSV, and what is doubtful about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvTable {
    /// The table; empty when no row has any of the columns that were asked for.
    pub text: String,
    /// What makes it less than what was asked for.
    pub doubt: Option<CsvDoubt>,
}

/// What makes rows less than what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CsvDoubt {
    /// No row has any of the columns that were asked for.
    NoColumn {
        /// These columns.
        names: Vec<String>,
        /// The names that the rows have.
        known: Vec<String>,
    },
    /// No row has these of the columns that were asked for.
    EmptyColumns {
        /// These columns.
        names: Vec<String>,
        /// The names that the rows have.
        known: Vec<String>,
    },
    /// The pages state none of the usual fields, or none of those of the schema.
    EmptyRows,
}

impl CsvDoubt {
    /// The columns that no row has, and those that there are.
    pub fn columns(&self) -> Option<String> {
        match self {
            Self::NoColumn { names, known } | Self::EmptyColumns { names, known } => {
                let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
                let known = known.join(", ");
                Some(format!(
                    "no row has {}; the rows have {known}",
                    quoted.join(" or ")
                ))
            }
            Self::EmptyRows => None,
        }
    }
}

/// Rows under the names of their columns.
struct CsvRows {
    text: String,
    /// The columns asked for that no row has.
    missing: Vec<String>,
    /// The names that the rows have.
    known: Vec<String>,
    /// Whether the rows say nothing about their pages.
    is_empty: bool,
}

/// The results of pages, each as clients see it, as CSV. Where a page is a list or a table, its rows are told, and every other
/// page is one row. Rows of several pages begin with the page's address, as `page`. Columns that were asked for are all there,
/// also those that no row has.
pub fn csv(pages: &[&Value], layout: CsvLayout<'_>) -> CsvTable {
    let rows = match rows_of_pages(pages, layout) {
        Some(all) => csv_of_rows(&all, layout.columns),
        None => csv_of_items(pages, layout),
    };
    let (asked, names, known) = (layout.columns.len(), rows.missing, rows.known);
    let doubt = match names.len() {
        _ if asked == 0 => rows.is_empty.then_some(CsvDoubt::EmptyRows),
        0 => None,
        count if count == asked => Some(CsvDoubt::NoColumn { names, known }),
        _ => Some(CsvDoubt::EmptyColumns { names, known }),
    };
    // Rows of nothing but empty cells are no answer.
    let text = match &doubt {
        Some(CsvDoubt::NoColumn { .. }) => String::new(),
        _ => rows.text,
    };
    CsvTable { text, doubt }
}

/// The rows of all pages that gave something, where one of them has any.
fn rows_of_pages(pages: &[&Value], layout: CsvLayout<'_>) -> Option<Vec<Value>> {
    let read: Vec<&Value> = pages
        .iter()
        .copied()
        .filter(|page| page["status"] == "ok")
        .collect();
    let of_page = |page: &&Value| {
        let own = page["rows"].as_array().map(Vec::as_slice);
        let rows = own.or_else(|| only_list(&page["item"]).filter(|_| layout.schema.is_some()))?;
        Some(rows.iter().cloned().map(with_facts).collect::<Vec<_>>())
    };
    let lists: Vec<Option<Vec<Value>>> = read.iter().map(of_page).collect();
    if lists.iter().all(Option::is_none) {
        return None;
    }
    let mut all: Vec<Value> = Vec::new();
    for (page, list) in read.into_iter().zip(lists) {
        let own = list.unwrap_or_else(|| vec![item_row(page, layout)]);
        all.extend(own.into_iter().map(|row| match layout.is_single {
            true => row,
            false => with_page(row, &page["url"]),
        }));
    }
    Some(all)
}

/// The list of objects that is all that an item holds: that of a schema with one property for it.
fn only_list(item: &Value) -> Option<&[Value]> {
    let mut fields = item.as_object()?.values().filter(|value| !value.is_null());
    let (Some(Value::Array(list)), None) = (fields.next(), fields.next()) else {
        return None;
    };
    (!list.is_empty() && list.iter().all(Value::is_object)).then_some(list)
}

fn csv_of_rows(all: &[Value], asked: &[String]) -> CsvRows {
    let mut keys = keys(all);
    keys.sort_by_key(|key| key != "page");
    let columns = if asked.is_empty() { &keys } else { asked };
    let named: Vec<Option<&str>> = columns
        .iter()
        .map(|column| resolve_field(column, &keys))
        .collect();
    let row = |row: &Value| {
        let cells = named.iter().map(|key| key.map(|key| cell(row, key)));
        cells.map(Option::unwrap_or_default).collect()
    };
    let missing = columns.iter().zip(&named).filter(|(_, key)| key.is_none());
    CsvRows {
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
fn csv_of_items(pages: &[&Value], layout: CsvLayout<'_>) -> CsvRows {
    let pages: Vec<&Value> = pages
        .iter()
        .copied()
        .filter(|page| layout.with_failures || page["status"] == "ok")
        .collect();
    let usual = usual_columns(&pages, layout);
    let columns = if layout.columns.is_empty() {
        &usual
    } else {
        layout.columns
    };
    let row = |page: &&Value| columns.iter().map(|column| of_item(page, column)).collect();
    let items: Vec<Value> = pages.iter().map(|page| page["item"].clone()).collect();
    let mut known = keys(&items);
    known.retain(|key| !ABOUT_READING.contains(&key.as_str()));
    let is_known = |column: &String| {
        let is_field = |name: &str| ABOUT_PAGE.contains(&name) || known.iter().any(|key| key == name);
        let canonical_names = pages.iter().map(|page| canonical(column, page_type(page)));
        is_field(column) || canonical_names.into_iter().any(|name| is_field(&name))
    };
    let is_read = |page: &&&Value| page["status"] == "ok";
    CsvRows {
        text: table::csv(columns, pages.iter().map(row)),
        is_empty: pages.iter().any(|page| is_read(&page))
            && pages.iter().filter(is_read).all(|page| {
                let about_page = columns
                    .iter()
                    .filter(|column| !matches!(column.as_str(), "url" | "page_type"));
                about_page
                    .into_iter()
                    .all(|column| of_item(page, column).is_empty())
            }),
        // Of pages that gave nothing it is not known what they would have.
        missing: columns
            .iter()
            .filter(|column| pages.iter().any(|page| is_read(&page)) && !is_known(column))
            .cloned()
            .collect(),
        known,
    }
}

/// The columns of items where none are asked for: those of the schema, else the usual ones.
fn usual_columns(pages: &[&Value], layout: CsvLayout<'_>) -> Vec<String> {
    let error = layout.with_failures.then_some("error");
    let Some(schema) = layout.schema else {
        return ITEM_COLUMNS.into_iter().chain(error).map(str::to_owned).collect();
    };
    let named = schema["properties"].as_object();
    let mut fields: Vec<String> = named.into_iter().flat_map(Map::keys).cloned().collect();
    if fields.is_empty() {
        let items: Vec<Value> = pages.iter().map(|page| page["item"].clone()).collect();
        fields = keys(&items);
    }
    let has = |name: &str| fields.iter().any(|field| field == name);
    let url = Some("url").filter(|name| !(layout.is_single || has(name)));
    let any_failed = pages.iter().any(|page| page["status"] == "failed");
    let error = error.filter(|name| any_failed && !has(name));
    let (before, after) = (url.map(str::to_owned), error.map(str::to_owned));
    before.into_iter().chain(fields).chain(after).collect()
}

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

fn item_row(page: &Value, layout: CsvLayout<'_>) -> Value {
    let columns = usual_columns(
        &[page],
        CsvLayout {
            with_failures: false,
            ..layout
        },
    );
    let fields = columns.into_iter().map(|name| {
        let cell = Value::from(of_item(page, &name));
        (name, cell)
    });
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
        None if column == "error" => page["error"]["message"].as_str().unwrap_or_default().to_owned(),
        None => String::new(),
    }
}

fn page_type(page: &Value) -> PageType {
    let named = page["item"]["page_type"]
        .as_str()
        .and_then(|text| text.parse().ok());
    named.unwrap_or(PageType::Other)
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
    fn layout<'a>(columns: &'a [String], schema: Option<&'a Value>) -> CsvLayout<'a> {
        CsvLayout {
            columns,
            schema,
            is_single: true,
            with_failures: true,
        }
    }

    fn listing() -> Value {
        let rows = json!([{"title": "One", "price": 1}, {"title": "Two", "price": 2}]);
        json!({"url": "u", "status": "ok", "item": {"page_type": "listing", "title": "Pots"}, "rows": rows})
    }

    #[test]
    fn a_list_page_gives_its_rows_and_columns_that_none_has_are_told() {
        let (page, nope, both) = (
            listing(),
            ["nope".to_owned()],
            ["title".to_owned(), "nope".to_owned()],
        );
        assert_eq!(
            csv(&[&page], layout(&[], None)).text,
            "title,price\r\nOne,1\r\nTwo,2\r\n"
        );
        let none = csv(&[&page], layout(&nope, None));
        let doubt = none.doubt.as_ref().and_then(CsvDoubt::columns);
        assert_eq!(
            (none.text.as_str(), doubt.as_deref()),
            ("", Some("no row has \"nope\"; the rows have title, price"))
        );
        let some = csv(&[&page], layout(&both, None));
        assert_eq!(some.text, "title,nope\r\nOne,\r\nTwo,\r\n");
        assert!(matches!(some.doubt, Some(CsvDoubt::EmptyColumns { .. })));
    }

    #[test]
    fn items_of_a_schema_have_its_properties_as_columns_and_a_list_alone_is_rows() {
        let schema =
            json!({"type": "object", "properties": {"name": {"type": "string"}, "size": {"type": "string"}}});
        let page = json!({"url": "u", "status": "ok", "item": {"name": "Lamp"}});
        assert_eq!(
            csv(&[&page], layout(&[], Some(&schema))).text,
            "name,size\r\nLamp,\r\n"
        );
        let schema = json!({"type": "object", "properties": {"products": {"type": "array"}}});
        let page =
            json!({"url": "u", "status": "ok", "item": {"products": [{"name": "Lamp"}, {"name": "Bulb"}]}});
        assert_eq!(
            csv(&[&page], layout(&[], Some(&schema))).text,
            "name\r\nLamp\r\nBulb\r\n"
        );
    }

    #[test]
    fn a_page_that_failed_has_a_line_only_beside_items() {
        let failed = json!({"url": "v", "status": "failed", "error": {"code": "X", "message": "gone"}});
        let page = json!({"url": "u", "status": "ok", "item": {"page_type": "other", "title": "Pots"}});
        let columns = ["url".to_owned(), "error".to_owned()];
        let several = CsvLayout {
            is_single: false,
            ..layout(&columns, None)
        };
        assert_eq!(
            csv(&[&page, &failed], several).text,
            "url,error\r\nu,\r\nv,gone\r\n"
        );
        let rows = csv(
            &[&listing(), &failed],
            CsvLayout {
                columns: &[],
                ..several
            },
        );
        assert_eq!(rows.text, "page,title,price\r\nu,One,1\r\nu,Two,2\r\n");
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
