//! The main list of a page as rows; that of all pages after a walk through them.

use std::sync::Arc;

use extract::rules::records::{self, Record, RecordGroup};
use extract::rules::rows::{self, DataTable, Row};
use page::Page;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::input::MAX_ROWS;
use crate::lists::document_table::DocumentTable;
use crate::lists::product_listing::card_details;
use crate::lists::{articles, product_listing};
use crate::{Error, Tool, ToolContext};

/// The tool `extract.records`.
pub struct ExtractRecords;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    limit: Option<usize>,
    columns: Option<Vec<String>>,
    headings: Option<Vec<String>>,
}

impl Tool for ExtractRecords {
    type Params = Params;
    type Output = Value;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Value, Error> {
        let wanted = params.columns.unwrap_or_default();
        let most = params.limit.unwrap_or(MAX_ROWS);
        let pages = context.pages().await?;
        if let [page] = pages.as_slice()
            && let Some(table) = DocumentTable::of(page)
        {
            let rows: Vec<_> = table.records().into_iter().take(most).collect();
            return Ok(json!({"count": rows.len(), "rows": rows}));
        }
        let mut rows: Vec<Value> = Vec::new();
        // The fields of the list on the first page, by which it is known on the others.
        let mut known: Vec<String> = Vec::new();
        for page in pages {
            let read = Arc::clone(&page);
            let headings = params.headings.clone();
            let groups = tokio::task::spawn_blocking(move || match headings {
                Some(headings) => tables_of(&read, &headings),
                None => groups_of(&read),
            })
            .await
            .map_err(|_| Error::Failed("the page's lists cannot be read".into()))?;
            let best = groups
                .iter()
                .enumerate()
                .max_by_key(|(at, group)| {
                    let has = wanted.iter().filter(|name| has_field(group, name)).count();
                    let same = known.iter().filter(|name| is_filled(group, name)).count();
                    (has, same, std::cmp::Reverse(*at))
                })
                .map(|(_, group)| group);
            let typed = best.map(|group| rows::of_group(&page, group)).unwrap_or_default();
            if known.is_empty() {
                let mut names = typed.iter().flat_map(|(record, _)| record.fields.keys());
                known = names.by_ref().cloned().collect();
                known.sort_unstable();
                known.dedup();
            }
            keep_texts(context, &page, &typed);
            let room = most.saturating_sub(rows.len());
            rows.extend(
                typed
                    .iter()
                    .take(room)
                    .map(|(record, typed)| row_of(&page, record, typed, &wanted)),
            );
        }
        Ok(json!({"count": rows.len(), "rows": rows}))
    }
}

/// The lists of a page; where it has none, the rows of its longest table.
fn groups_of(page: &Page) -> Vec<RecordGroup> {
    let groups = records::find(page);
    match groups.is_empty() {
        true => rows::table_group(page).into_iter().collect(),
        false => groups,
    }
}

/// The first table of a page with these headings.
fn tables_of(page: &Page, headings: &[String]) -> Vec<RecordGroup> {
    let has_all = |table: &DataTable| headings.iter().all(|heading| table.headings.contains(heading));
    let mut tables = rows::data_tables(page).into_iter();
    tables
        .find(has_all)
        .map(|table| table.group)
        .into_iter()
        .collect()
}

/// The fields of a record as written, named as its row is where they name nothing, and without a day that is none: a duration of "36:00:00".
fn fields_of(record: &Record, typed: &Row) -> Map<String, Value> {
    let mut fields = record.fields.clone();
    let written = fields.get("title").and_then(Value::as_str);
    if let Some(title) = typed
        .title
        .as_ref()
        .filter(|_| written.is_none_or(rows::names_nothing))
    {
        fields.insert("title".to_owned(), title.clone().into());
    }
    let date = fields
        .get("date")
        .and_then(Value::as_str)
        .filter(|_| typed.date.is_some());
    match date.map(|date| rows::without_byline(date).to_owned()) {
        Some(date) => fields.insert("date".to_owned(), date.into()),
        None => fields.remove("date"),
    };
    fields
}

/// What the entries count ("120 points", "12 comments") is no field of theirs, and can be read all the same.
fn count(record: &Record, name: &str) -> Option<u64> {
    let field = record.fields.contains_key(name);
    (!field).then(|| articles::count_of(name, &record.text)).flatten()
}

/// Whether some record of a group has a field, or counts what it names.
fn has_field(group: &RecordGroup, name: &str) -> bool {
    let has = |record: &Record| record.fields.contains_key(name) || count(record, name).is_some();
    group.records.iter().any(has)
}

/// Whether some record of a group has a field of its own.
fn is_filled(group: &RecordGroup, name: &str) -> bool {
    group
        .records
        .iter()
        .any(|record| record.fields.contains_key(name))
}

/// Keeps the whole texts of rows for the tools that choose among them.
fn keep_texts(context: &mut ToolContext, page: &Arc<Page>, typed: &[(&Record, Row)]) {
    for (record, typed) in typed {
        let fields = fields_of(record, typed);
        let field = |name: &str| fields.get(name).and_then(Value::as_str);
        let text = product_listing::whole_text(page, typed);
        context.row_texts.keep(field("title"), field("url"), &text);
        let elements = &typed.elements;
        context
            .row_pieces
            .keep(field("title"), field("url"), page, elements);
    }
}

/// A record as a row.
fn row_of(page: &Page, record: &Record, typed: &Row, wanted: &[String]) -> Value {
    let mut row = fields_of(record, typed);
    let other = beside(page, typed, &row);
    row.extend(other);
    add_prices(typed, &mut row);
    // "By Ann Onym" names Ann Onym.
    if let (Some(author), Some(written)) = (&typed.author, row.get_mut("author")) {
        *written = author.clone().into();
    }
    let counts = wanted
        .iter()
        .filter_map(|name| Some((name.clone(), count(record, name)?.into())));
    row.extend(counts);
    match row.is_empty() {
        true => json!({"text": record.text}),
        false => Value::Object(row),
    }
}

/// Puts what one pays now in place of a text with more than one amount: "UVP 229 € 189 €".
fn add_prices(row: &Row, fields: &mut Map<String, Value>) {
    let hints = locale::price::PriceHints::default();
    let written = fields.get("price").and_then(Value::as_str).unwrap_or_default();
    if locale::price::find_all(written, &hints).len() < 2 {
        return;
    }
    if let Some(price) = &row.price {
        fields.insert("price".to_owned(), price.clone());
        fields.extend(
            row.currency
                .clone()
                .map(|code| ("currency".to_owned(), code.into())),
        );
        fields.extend(row.old_price.clone().map(|old| ("old_price".to_owned(), old)));
    }
}

/// What an entry says beside its fields: opinions, labelled values and other short texts.
fn beside(page: &Page, row: &Row, fields: &Map<String, Value>) -> Map<String, Value> {
    let (details, _) = product_listing::details_of(page, row);
    let known: Vec<&str> = fields.values().filter_map(Value::as_str).collect();
    let other: Vec<String> = details
        .details
        .into_iter()
        .filter(|text| !known.contains(&text.as_str()))
        .collect();
    let rating = row.rating.clone().or(details.rating);
    let reviews = row.review_count.clone().or(details.reviews.map(Value::from));
    let mut found = details.labelled;
    for (name, value) in card_details::own_fields(&row.facts) {
        if !fields.contains_key(&name) {
            found.entry(name).or_insert(value);
        }
    }
    found.extend(rating.map(|rating| ("rating".to_owned(), rating)));
    found.extend(reviews.map(|reviews| ("reviews".to_owned(), reviews)));
    found.retain(|name, _| !fields.contains_key(name));
    if !other.is_empty() {
        found.insert("details".to_owned(), other.into());
    }
    found
}
