//! Rows of pages: those of a list page or a table, else one of the page's item; and CSV of them.

use extract::fields::{PageType, canonical};
use extract::llm_extraction::resolved_schema;
use serde_json::{Map, Value};
use tools::lists::table;
use tools::words::field_names::resolve_field;

pub use super::column_names::{ColumnNames, MAX_COLUMNS};
pub use super::csv_doubt::CsvDoubt;
use super::list_rows::with_facts;
use super::rows::{cell, keys, value_text};

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
const ABOUT_PAGE: [&str; 2] = ["url", "final_url"];
/// What became of a page in a crawl or a batch.
const ABOUT_RUN: [&str; 4] = ["status", "depth", "duplicate_of", "similar_to"];
/// Columns that say why a page has no data; where one of them is asked for, such pages have a line.
const OF_FAILURES: [&str; 3] = ["status", "error", "duplicate_of"];

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
    /// Whether columns may tell what became of a page in its run: `status`, `depth`, `duplicate_of`, `similar_to`.
    pub with_status: bool,
}

impl CsvLayout<'_> {
    /// Whether a page has a line of its own though nothing was read of it, since a column is asked for that says why.
    pub fn tells_failures(&self) -> bool {
        let tells = |column: &String| OF_FAILURES.contains(&column.as_str());
        self.with_failures && self.columns.iter().any(tells)
    }
}

/// Pages as CSV, and what is doubtful about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvTable {
    /// The table; empty when no row has any of the columns that were asked for.
    pub text: String,
    /// What makes it less than what was asked for.
    pub doubt: Option<CsvDoubt>,
}

/// What the pages of a run have, gathered page by page before the first line of their CSV is written.
#[derive(Debug, Clone, Default)]
pub struct CsvSurvey {
    /// Whether a page is a list or a table.
    has_rows: bool,
    /// The names that rows have, those of pages that are one row too.
    row_keys: ColumnNames,
    /// The fields that items have.
    item_keys: ColumnNames,
    /// Of the columns that are asked for, those that no page has; none before the first page whose fields are known.
    unknown: Option<Vec<String>>,
    /// Whether a page was read.
    any_read: bool,
    /// Whether a page failed.
    any_failed: bool,
    /// Whether a page is the same as another one.
    any_duplicate: bool,
    /// Whether an item says anything about its page.
    has_values: bool,
}

impl CsvSurvey {
    /// Takes in a page, as clients see its result.
    pub fn add(&mut self, page: &Value, layout: CsvLayout<'_>) {
        let is_read = is_read(page);
        self.any_failed |= page["status"] == "failed";
        self.any_duplicate |= page["status"] == "duplicate";
        if !(is_read || layout.with_failures) {
            return;
        }
        let item_keys = keys(std::slice::from_ref(&page["item"]));
        if !is_read {
            self.item_keys.extend(&item_keys);
            return;
        }
        self.any_read = true;
        self.has_rows |= list_of(page, layout).is_some();
        let row_keys = keys(&rows_of(page, layout));
        self.row_keys.extend(&row_keys);
        // Of no rows it is not known what they would have.
        if !layout.columns.is_empty() && !row_keys.is_empty() {
            let has = fields_of(page, layout);
            let before = self.unknown.take().unwrap_or_else(|| layout.columns.to_vec());
            let fields = before.into_iter().filter(|column| !has(column));
            self.unknown = Some(fields.collect());
        }
        self.has_values |= usual_columns(&item_keys, layout)
            .iter()
            .filter(|column| {
                !matches!(column.as_str(), "url" | "page_type") && !is_about_page(column, layout)
            })
            .any(|column| !of_item(page, column, layout).is_empty());
        self.item_keys.extend(&item_keys);
    }

    /// The form of the CSV of these pages.
    pub fn form<'a>(&self, layout: CsvLayout<'a>) -> CsvForm<'a> {
        let usual = match self.has_rows {
            true => self.row_keys.names().to_vec(),
            false => self.columns_of_items(layout),
        };
        let columns = if layout.columns.is_empty() {
            usual
        } else {
            layout.columns.to_vec()
        };
        CsvForm {
            layout,
            columns,
            has_rows: self.has_rows,
        }
    }

    /// What makes the rows of these pages less than what was asked for.
    pub fn doubt(&self, layout: CsvLayout<'_>) -> Option<CsvDoubt> {
        let asked = layout.columns.len();
        if asked == 0 && self.has_rows && self.row_keys.is_cut() {
            return Some(CsvDoubt::ManyColumns);
        }
        if asked == 0 {
            let is_empty = !self.has_rows && self.any_read && !self.has_values;
            return is_empty.then_some(CsvDoubt::EmptyRows);
        }
        let names = self.unknown.clone().unwrap_or_default();
        let mut known = match self.has_rows {
            true => self.row_keys.names().to_vec(),
            false => self.item_keys.names().to_vec(),
        };
        known.retain(|key| self.has_rows || !ABOUT_READING.contains(&key.as_str()));
        match names.len() {
            0 => None,
            count if count == asked => Some(CsvDoubt::NoColumn { names, known }),
            _ => Some(CsvDoubt::EmptyColumns { names, known }),
        }
    }

    /// The columns of items where none are asked for.
    fn columns_of_items(&self, layout: CsvLayout<'_>) -> Vec<String> {
        let mut columns = usual_columns(self.item_keys.names(), layout);
        let has = |name: &str| layout.schema.is_some() && columns.iter().any(|column| column == name);
        let has_schema = layout.schema.is_some();
        let with_status =
            layout.with_status && !has("status") && (!has_schema || self.any_failed || self.any_duplicate);
        let with_error = layout.with_failures && !has("error") && (!has_schema || self.any_failed);
        if with_status {
            let place = columns.iter().position(|column| column == "url");
            columns.insert(place.map_or(0, |place| place + 1), "status".to_owned());
        }
        columns.extend(with_error.then(|| "error".to_owned()));
        columns
    }
}

/// The form of a CSV table: its columns, and what stands in them.
#[derive(Debug, Clone)]
pub struct CsvForm<'a> {
    layout: CsvLayout<'a>,
    columns: Vec<String>,
    /// Whether a page is a list or a table.
    has_rows: bool,
}

impl CsvForm<'_> {
    /// The line of the columns.
    pub fn header(&self) -> String {
        table::line(&self.columns)
    }

    /// The lines of a page that the survey has: those of its list or its table, else one; none where it has none.
    pub fn lines(&self, page: &Value) -> String {
        let is_asked = !self.layout.columns.is_empty();
        if !is_read(page) {
            let has_line = match self.has_rows {
                true => self.layout.tells_failures(),
                false => self.layout.with_failures,
            };
            return match has_line {
                true => self.line(|column| of_item(page, column, self.layout)),
                false => String::new(),
            };
        }
        if is_asked {
            return self.asked(page);
        }
        if !self.has_rows {
            return self.line(|column| of_item(page, column, self.layout));
        }
        // These columns are the fields themselves: `Title` of one page is not `title` of another.
        let rows = rows_of(page, self.layout);
        rows.iter()
            .map(|row| self.line(|column| cell(row, column)))
            .collect()
    }

    /// The lines of a page that was read, under columns that are asked for.
    fn asked(&self, page: &Value) -> String {
        let Some(rows) = list_of(page, self.layout) else {
            return self.line(|column| asked_of_item(page, column, self.layout).unwrap_or_default());
        };
        let names = keys(&rows);
        let sources: Vec<Option<CellSource>> = self
            .columns
            .iter()
            .map(|column| CellSource::of(column, &names, self.layout))
            .collect();
        let line = |row: &Value| {
            let cells = self
                .columns
                .iter()
                .zip(&sources)
                .map(|(column, source)| match source {
                    Some(CellSource::Row(field)) => match cell(row, field) {
                        // A row without a link of its own has the address of its page.
                        empty if empty.is_empty() && column == "url" && !self.layout.is_single => {
                            about_page(page, column)
                        }
                        cell => cell,
                    },
                    Some(CellSource::Page) => about_page(page, column),
                    None => String::new(),
                });
            table::line(&cells.collect::<Vec<_>>())
        };
        rows.iter().map(line).collect()
    }

    fn line(&self, cell: impl Fn(&str) -> String) -> String {
        let cells = self.columns.iter().map(|column| cell(column));
        table::line(&cells.collect::<Vec<_>>())
    }
}

/// Where the cells of a column come from in the rows of a list or a table.
enum CellSource<'n> {
    /// This field of each row.
    Row(&'n str),
    /// What is known of the page.
    Page,
}

impl<'n> CellSource<'n> {
    /// The source of a column that is asked for, where rows have these fields. What tells something of every page is a field
    /// of rows only under its own name, but for an address: `url` of a row is its link.
    fn of(column: &str, names: &'n [String], layout: CsvLayout<'_>) -> Option<Self> {
        if !is_about_page(column, layout) {
            return resolve_field(column, names).map(Self::Row);
        }
        let own = match column {
            "page" => None,
            "url" => resolve_field(column, names),
            _ => names
                .iter()
                .find(|name| name.eq_ignore_ascii_case(column))
                .map(String::as_str),
        };
        Some(own.map_or(Self::Page, Self::Row))
    }
}

/// The results of pages, each as clients see it, as CSV. Where a page is a list or a table, its rows are told, and every other
/// page is one row. Rows of several pages begin with the page's address, as `page`. Columns that were asked for are all there,
/// also those that no row has.
pub fn csv(pages: &[&Value], layout: CsvLayout<'_>) -> CsvTable {
    let mut survey = CsvSurvey::default();
    for page in pages {
        survey.add(page, layout);
    }
    let doubt = survey.doubt(layout);
    // Rows of nothing but empty cells are no answer.
    let text = match &doubt {
        Some(CsvDoubt::NoColumn { .. }) => String::new(),
        _ => {
            let form = survey.form(layout);
            let lines = pages.iter().map(|page| form.lines(page));
            std::iter::once(form.header()).chain(lines).collect()
        }
    };
    CsvTable { text, doubt }
}

fn is_read(page: &Value) -> bool {
    page["status"] == "ok"
}

/// Whether a column tells something of every page.
fn is_about_page(column: &str, layout: CsvLayout<'_>) -> bool {
    ABOUT_PAGE.contains(&column)
        || (layout.with_failures && column == "error")
        || (column == "page" && !layout.is_single)
        || (layout.with_status && ABOUT_RUN.contains(&column))
}

/// The rows of a page that is a list or a table.
fn list_of(page: &Value, layout: CsvLayout<'_>) -> Option<Vec<Value>> {
    let own = page["rows"].as_array().map(Vec::as_slice);
    let rows = own.or_else(|| only_list(&page["item"]).filter(|_| layout.schema.is_some()))?;
    Some(with_facts(rows))
}

/// The rows of a page: those of its list or its table, else one. Of several pages each begins with its page's address.
fn rows_of(page: &Value, layout: CsvLayout<'_>) -> Vec<Value> {
    let rows = list_of(page, layout).unwrap_or_else(|| vec![item_row(page, layout)]);
    match layout.is_single {
        true => rows,
        false => rows.into_iter().map(|row| with_page(row, &page["url"])).collect(),
    }
}

/// The list of objects that is all that an item holds: that of a schema with one property for it.
fn only_list(item: &Value) -> Option<&[Value]> {
    let mut fields = item.as_object()?.values().filter(|value| !value.is_null());
    let (Some(Value::Array(list)), None) = (fields.next(), fields.next()) else {
        return None;
    };
    (!list.is_empty() && list.iter().all(Value::is_object)).then_some(list)
}

/// The columns of items where none are asked for: those of the schema, else the usual ones. `item_keys` are the fields that
/// items have.
fn usual_columns(item_keys: &[String], layout: CsvLayout<'_>) -> Vec<String> {
    let Some(schema) = layout.schema else {
        return ITEM_COLUMNS.map(str::to_owned).to_vec();
    };
    let schema = resolved_schema(schema);
    let named = schema["properties"].as_object();
    let mut fields: Vec<String> = named.into_iter().flat_map(Map::keys).cloned().collect();
    if fields.is_empty() {
        fields = item_keys.to_vec();
    }
    let has_url = fields.iter().any(|field| field == "url");
    let url = Some("url".to_owned()).filter(|_| !(layout.is_single || has_url));
    url.into_iter().chain(fields).collect()
}

fn item_row(page: &Value, layout: CsvLayout<'_>) -> Value {
    let columns = usual_columns(&keys(std::slice::from_ref(&page["item"])), layout);
    let fields = columns.into_iter().map(|name| {
        let cell = Value::from(of_item(page, &name, layout));
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

/// Whether a page has anything for a column that is asked for.
fn fields_of<'a>(page: &'a Value, layout: CsvLayout<'a>) -> impl Fn(&str) -> bool + use<'a> {
    let names = list_of(page, layout).map(|rows| keys(&rows));
    move |column| match &names {
        Some(names) => CellSource::of(column, names, layout).is_some(),
        None => asked_of_item(page, column, layout).is_some(),
    }
}

/// The cell of a column that is asked for on a page that is one row; `None` where its item has no such field.
fn asked_of_item(page: &Value, column: &str, layout: CsvLayout<'_>) -> Option<String> {
    let has = |name: &str| page["item"].get(name).is_some();
    let is_known = is_about_page(column, layout) || has(column) || has(&canonical(column, page_type(page)));
    is_known.then(|| of_item(page, column, layout))
}

/// A field of the page's item, which the column may call otherwise; the address of a page is always known.
fn of_item(page: &Value, column: &str, layout: CsvLayout<'_>) -> String {
    let item = &page["item"];
    let field = canonical(column, page_type(page));
    match item.get(column).or_else(|| item.get(&field)) {
        Some(value) => value_text(value),
        None if is_about_page(column, layout) => about_page(page, column),
        None => String::new(),
    }
}

/// What a column tells of every page.
fn about_page(page: &Value, column: &str) -> String {
    match column {
        "error" => value_text(&page["error"]["message"]),
        "page" => value_text(&page["url"]),
        _ => value_text(&page[column]),
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

    fn layout<'a>(columns: &'a [String], schema: Option<&'a Value>) -> CsvLayout<'a> {
        CsvLayout {
            columns,
            schema,
            is_single: true,
            with_failures: true,
            with_status: false,
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
        // Where pages that failed have no line, nothing says why they did.
        let why = ["status", "error"].map(str::to_owned);
        let without = CsvLayout {
            with_failures: false,
            ..layout(&why, None)
        };
        let told = csv(&[&page], without).doubt.and_then(|doubt| doubt.columns());
        assert!(told.is_some_and(|told| told.starts_with("no row has \"status\" or \"error\"")));
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
    fn columns_of_a_table_whose_names_differ_in_case_leave_items_their_values() {
        let table = json!({"url": "t", "status": "ok", "item": {"page_type": "other"},
                           "rows": [{"Title": "Dune", "Price": 9}, {"Title": "Solaris", "Price": 8}]});
        let item =
            json!({"url": "p", "status": "ok", "item": {"page_type": "product", "title": "Pot", "price": 3}});
        let several = CsvLayout {
            is_single: false,
            ..layout(&[], None)
        };
        let text = csv(&[&table, &item], several).text;
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("page,Title,Price,url,page_type,title,price,"),
            "{text}"
        );
        assert!(lines[1].starts_with("t,Dune,9,,,,,"), "{text}");
        assert!(lines[3].starts_with("p,,,p,product,Pot,3,"), "{text}");
        let columns = ["page".to_owned(), "title".to_owned(), "price".to_owned()];
        let asked = csv(
            &[&table, &item],
            CsvLayout {
                columns: &columns,
                ..several
            },
        );
        assert_eq!(
            asked.text,
            "page,title,price\r\nt,Dune,9\r\nt,Solaris,8\r\np,Pot,3\r\n"
        );
    }

    #[test]
    fn rows_of_a_list_have_what_is_known_of_their_page_unless_a_field_has_its_name() {
        let mut page = listing();
        page["depth"] = json!(2);
        let columns = ["url", "status", "depth", "error", "title"].map(str::to_owned);
        let several = CsvLayout {
            is_single: false,
            with_status: true,
            ..layout(&columns, None)
        };
        assert_eq!(
            csv(&[&page], several),
            CsvTable {
                text: "url,status,depth,error,title\r\nu,ok,2,,One\r\nu,ok,2,,Two\r\n".to_owned(),
                doubt: None
            }
        );
        page["rows"] = json!([{"title": "One", "link": "/1", "Status": "sold"}, {"title": "Two"}]);
        assert_eq!(
            csv(&[&page], several).text,
            "url,status,depth,error,title\r\n/1,sold,2,,One\r\nu,,2,,Two\r\n"
        );
    }

    #[test]
    fn columns_that_are_left_out_since_there_are_too_many_are_told() {
        let page = |at: usize| {
            let row = |_| -> Value {
                (0..600)
                    .map(|column| (format!("c{at}_{column}"), json!(1)))
                    .collect()
            };
            json!({"url": "u", "status": "ok", "rows": (0..2).map(row).collect::<Vec<Value>>()})
        };
        let (first, second) = (page(1), page(2));
        let alone = csv(&[&first], layout(&[], None));
        assert_eq!((alone.text.lines().count(), alone.doubt), (3, None));
        let both = csv(&[&first, &second], layout(&[], None));
        let header: Vec<&str> = both.text.lines().next().unwrap_or_default().split(',').collect();
        assert_eq!((header.len(), header[999]), (MAX_COLUMNS, "c2_399"));
        assert_eq!(both.doubt, Some(CsvDoubt::ManyColumns));
        let told = both.doubt.and_then(|doubt| doubt.columns()).unwrap_or_default();
        assert!(told.contains("more than 1000 columns"), "{told}");
        let asked = ["c2_599".to_owned(), "nosuch".to_owned()];
        let named = csv(&[&first, &second], layout(&asked, None));
        assert_eq!(named.text, "c2_599,nosuch\r\n,\r\n,\r\n1,\r\n1,\r\n");
        let told = named.doubt.and_then(|doubt| doubt.columns()).unwrap_or_default();
        assert!(told.ends_with("c1_49 and 950 more"), "{told}");
    }
}
