//! Entries of a list in the shape of a schema: those of an item, the rows of tables, and rows that tools chose.

use std::collections::HashMap;

use page::Page;
use page::tables::Table;
use serde_json::{Map, Value};

use super::formats;
use super::labelled_values::LabelledValues;
use super::numbers::{self, NumberReader};
use super::schema_shape::{is_list_of_objects, kinds, properties, resolved_schema};
use super::values::{field_value, is_day, is_label, keep, written};
use crate::fields::{PageType, canonical, named};
use crate::item::Item;
use crate::normalize;

/// Entries from which on a list that is no part of an item fills a schema.
const LEAST_ROWS: usize = 2;
/// Fields of what one pays or is paid now, each of which may stand where a schema names another.
const AMOUNTS: [&str; 4] = ["price", "salary", "unit_price", "instalment"];

/// The entries of a list in the shape of a schema, and the names of properties as in [`Projection`](super::Projection).
pub(super) struct ProjectedList {
    pub(super) data: Value,
    pub(super) unfilled: Vec<String>,
    pub(super) withheld: Vec<String>,
}

/// The rows of tools in the place of the list that a schema describes.
#[derive(Debug, Clone, PartialEq)]
pub struct PutRows {
    /// The rows in the shape of that list, or of the first of several.
    pub list: Value,
    /// As those of [`Projection::withheld`](super::Projection::withheld).
    pub withheld: Vec<String>,
}

/// The entries of the list that fills most properties of a schema: those of the item, else the rows of a table, else the list of a
/// page that is of no kind.
pub(super) fn entries(
    item: &Item,
    labelled: &LabelledValues<'_>,
    schema: &Value,
    path: &str,
) -> ProjectedList {
    let inner = schema.get("items").unwrap_or(&Value::Null);
    let numbers = &labelled.numbers;
    let own = match item.items.is_empty() && item.page_type == PageType::Other {
        true => Some(labelled.list_rows()).filter(|rows| rows.len() >= LEAST_ROWS),
        false => None,
    };
    let records = own.as_deref().unwrap_or(&item.items);
    let mut best = ShapedRows::of_records(records, inner, numbers);
    if own.is_some() && !fills(&best, inner) {
        best = ShapedRows::default();
    }
    for table in labelled.tables() {
        let rows = ShapedRows::of_table(&table, inner, numbers);
        if is_same_list(&table, records) && best.rows.len() == rows.rows.len() {
            best.complete(rows);
        } else if rows.filled(inner).count() > best.filled(inner).count() {
            best = rows;
        }
    }
    let known: Vec<&str> = best.filled(inner).collect();
    let missing = properties(inner)
        .map(|(name, _)| name)
        .filter(|name| !known.contains(name));
    ProjectedList {
        unfilled: missing.map(|name| format!("{path}{name}")).collect(),
        withheld: best.withheld(inner).map(|name| format!("{path}{name}")).collect(),
        data: best.rows.into_iter().map(Value::Object).collect(),
    }
}

/// Whether the list of a page of no kind is one of what a schema describes, and not the parts of a page about one thing: most of its
/// entries have two of the properties, or all that there are.
fn fills(shaped: &ShapedRows, schema: &Value) -> bool {
    let has = |row: &&Map<String, Value>, name: &str| row.get(name).is_some_and(|value| !value.is_null());
    let common = properties(schema).filter(|(name, _)| {
        let filled = shaped.rows.iter().filter(|row| has(row, name)).count();
        filled * 2 > shaped.rows.len()
    });
    common.count() >= LEAST_ROWS.min(properties(schema).count())
}

/// Puts rows that were chosen from a list in the place of the list that the schema describes: the data as a whole where that is a
/// list, else each property that is a list of objects. What the entry in that place that is the same as a row states beyond it stays.
/// `None` where the schema has no such list, and the data stay as they are.
pub fn put_rows(
    page: &Page,
    data: &mut Value,
    schema: &Value,
    rows: &[Map<String, Value>],
) -> Option<PutRows> {
    let schema = &resolved_schema(schema);
    let numbers = LabelledValues::of(page).numbers;
    // Rows of tools name what an item calls the title of an entry.
    let rows: Vec<Map<String, Value>> = rows
        .iter()
        .map(|row| {
            let canonical =
                |(name, value): (&String, &Value)| (canonical(name, PageType::Other), value.clone());
            let mut renamed: Map<String, Value> = row.iter().map(canonical).collect();
            let others = row.iter().filter(|(name, _)| !renamed.contains_key(*name));
            let others: Vec<(String, Value)> = others
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            renamed.extend(others);
            renamed
        })
        .collect();
    let mut withheld = Vec::new();
    let mut shape = |list: &Value, earlier: &Value, path: &str| -> Value {
        let inner = list.get("items").unwrap_or(&Value::Null);
        let mut shaped = ShapedRows::of_records(&rows, inner, &numbers);
        let own = std::mem::take(&mut shaped.rows);
        let mut formatted: Value = own.into_iter().map(Value::Object).collect();
        // What the rows do not have in a format is among what they state and do not have.
        formats::apply(page, &mut formatted, list, &mut Vec::new(), &mut Vec::new());
        let formatted = formatted.as_array().into_iter().flatten();
        shaped.rows = formatted.filter_map(|row| row.as_object().cloned()).collect();
        shaped.complete_from_earlier(earlier, inner);
        let names = shaped.lost(inner);
        withheld.extend(names.map(|name| format!("{path}{name}")));
        shaped.rows.into_iter().map(Value::Object).collect()
    };
    let has_objects = |list: &Value| kinds(list).contains(&"array") && is_list_of_objects(list);
    if kinds(schema).contains(&"array") {
        *data = shape(schema, data, "");
        let list = data.clone();
        return Some(PutRows { list, withheld });
    }
    let mut first = None;
    let fields = data.as_object_mut()?;
    for (name, property) in properties(schema).filter(|(_, property)| has_objects(property)) {
        let earlier = fields.get(name).cloned().unwrap_or_default();
        let list = shape(property, &earlier, &format!("{name}."));
        fields.insert(name.to_owned(), list.clone());
        first.get_or_insert(list);
    }
    let list = first?;
    Some(PutRows { list, withheld })
}

/// Entries in the shape of a schema.
#[derive(Default)]
struct ShapedRows {
    rows: Vec<Map<String, Value>>,
    /// The properties that each entry states something for, whether it could be had in the shape of the schema or not.
    stated: Vec<Vec<String>>,
}

impl ShapedRows {
    fn of_records(records: &[Map<String, Value>], schema: &Value, numbers: &NumberReader) -> Self {
        let columns: Vec<UnitOfColumn> = properties(schema)
            .map(|(name, property)| {
                let texts = records.iter().filter_map(|record| stated_text(record, name));
                UnitOfColumn::of(texts, property)
            })
            .collect();
        let mut shaped = Self::default();
        for record in records {
            let (mut row, mut stated) = (Map::new(), Vec::new());
            for ((name, property), unit) in properties(schema).zip(&columns) {
                let text = stated_text(record, name);
                let value = match text.is_none_or(|text| unit.is_of(text)) {
                    true => field_value(record, name, PageType::Other, property, numbers)
                        .or_else(|| written(text?, property, numbers)),
                    false => None,
                };
                keep(&mut row, name, value, property);
                let says = stated_value(record, name).is_some_and(is_said);
                if says || has_other_amount(record, name, schema) {
                    stated.push(name.to_owned());
                }
            }
            shaped.rows.push(row);
            shaped.stated.push(stated);
        }
        shaped
    }

    fn of_table(table: &Table, schema: &Value, numbers: &NumberReader) -> Self {
        let columns: HashMap<&str, (usize, UnitOfColumn)> = properties(schema)
            .filter_map(|(name, property)| {
                let column = table.header.iter().position(|heading| is_label(heading, name))?;
                let cells = table.data_rows().filter_map(|cells| cells.get(column));
                Some((
                    name,
                    (column, UnitOfColumn::of(cells.map(String::as_str), property)),
                ))
            })
            .collect();
        let mut shaped = Self::default();
        if columns.is_empty() {
            return shaped;
        }
        for cells in table.data_rows() {
            let (mut row, mut stated) = (Map::new(), Vec::new());
            for (name, property) in properties(schema) {
                let column = columns.get(name);
                let cell = column.and_then(|(column, unit)| Some((cells.get(*column)?, unit)));
                let value = cell
                    .filter(|(cell, unit)| unit.is_of(cell))
                    .and_then(|(cell, _)| written(cell, property, numbers));
                keep(&mut row, name, value, property);
                if cell.is_some_and(|(cell, _)| !normalize::is_placeholder(cell)) {
                    stated.push(name.to_owned());
                }
            }
            shaped.rows.push(row);
            shaped.stated.push(stated);
        }
        shaped
    }

    /// Adds what other rows of the same entries, in the same order, have beyond these.
    fn complete(&mut self, others: Self) {
        for (row, other) in self.rows.iter_mut().zip(others.rows) {
            complete(row, other);
        }
        for (stated, other) in self.stated.iter_mut().zip(others.stated) {
            stated.extend(other);
        }
    }

    /// Adds what the one entry of an earlier list that is the same as a row has beyond it. Where there is no such entry, what the
    /// earlier list has and no row is among what the rows state.
    fn complete_from_earlier(&mut self, earlier: &Value, schema: &Value) {
        let earlier: Vec<&Map<String, Value>> = earlier
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_object)
            .collect();
        let mut alone = Vec::new();
        for (at, row) in self.rows.iter_mut().enumerate() {
            let mut same = earlier.iter().filter(|entry| are_same(row, entry));
            match (same.next(), same.next()) {
                (Some(entry), None) => complete(row, (*entry).clone()),
                _ => alone.push(at),
            }
        }
        let known: Vec<String> = self.filled(schema).map(str::to_owned).collect();
        let has = |name: &str| earlier.iter().any(|entry| entry.get(name).is_some_and(is_said));
        let vanished = properties(schema).map(|(name, _)| name);
        let vanished: Vec<&str> = vanished
            .filter(|name| !known.iter().any(|known| known == name) && has(name))
            .collect();
        for at in alone {
            if let Some(stated) = self.stated.get_mut(at) {
                stated.extend(vanished.iter().map(|name| (*name).to_owned()));
            }
        }
    }

    /// The properties that some entry has.
    fn filled<'s>(&self, schema: &'s Value) -> impl Iterator<Item = &'s str> {
        properties(schema).map(|(name, _)| name).filter(|name| {
            self.rows
                .iter()
                .any(|row| row.get(*name).is_some_and(|value| !value.is_null()))
        })
    }

    /// The properties that some entry states something for and does not have.
    fn lost<'s>(&self, schema: &'s Value) -> impl Iterator<Item = &'s str> {
        properties(schema).map(|(name, _)| name).filter(|name| {
            let mut entries = self.rows.iter().zip(&self.stated);
            entries.any(|(row, stated)| {
                row.get(*name).is_none_or(Value::is_null) && stated.iter().any(|stated| stated == name)
            })
        })
    }

    /// [`lost`](Self::lost), of which another entry has something.
    fn withheld<'s>(&self, schema: &'s Value) -> impl Iterator<Item = &'s str> {
        let known: Vec<&str> = self.filled(schema).collect();
        self.lost(schema).filter(move |name| known.contains(name))
    }
}

/// Whether a value says something.
fn is_said(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !normalize::is_placeholder(text),
        _ => true,
    }
}

/// Adds the fields that a row does not have.
fn complete(row: &mut Map<String, Value>, other: Map<String, Value>) {
    for (name, value) in other {
        if row.get(&name).is_none_or(Value::is_null) {
            row.insert(name, value);
        }
    }
}

/// Whether two rows agree in a text and differ in nothing that both have.
fn are_same(row: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let mut shared = row
        .iter()
        .filter_map(|(name, value)| Some((value, other.get(name)?)))
        .filter(|(value, other)| !value.is_null() && !other.is_null());
    let has_text = shared
        .clone()
        .any(|(value, other)| value.is_string() && value == other);
    has_text && shared.all(|(value, other)| value == other)
}

/// What a record states for a property: in a field, else beside a label of that name, else beside one that means the same.
fn stated_value<'r>(record: &'r Map<String, Value>, name: &str) -> Option<&'r Value> {
    let field = named(name, PageType::Other);
    let said = |name: &str| record.get(name).filter(|value| !value.is_null());
    let day = || said("date").filter(|_| is_day(&field));
    let own = said(&field).or_else(|| said(name)).or_else(day);
    let facts = || {
        record
            .get("facts")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
    };
    let labelled = || {
        let mut all = record
            .iter()
            .filter(|(label, _)| *label != "facts")
            .chain(facts());
        all.find(|(label, _)| is_label(label, name))
    };
    let same = || facts().find(|(label, _)| named(label, PageType::Other) == field);
    own.or_else(|| Some(labelled().or_else(same)?.1))
}

fn stated_text<'r>(record: &'r Map<String, Value>, name: &str) -> Option<&'r str> {
    stated_value(record, name)?.as_str()
}

/// Whether a record has an amount of money of another role than the one that a property asks for and it lacks, and for which the
/// schema has no property.
fn has_other_amount(record: &Map<String, Value>, name: &str, schema: &Value) -> bool {
    let field = named(name, PageType::Other);
    let is_asked = |amount: &str| properties(schema).any(|(name, _)| named(name, PageType::Other) == amount);
    let is_said = |amount: &&str| record.get(*amount).is_some_and(|value| !value.is_null());
    matches!(field.as_str(), "price" | "salary")
        && AMOUNTS
            .iter()
            .filter(|amount| **amount != field)
            .any(|amount| is_said(amount) && !is_asked(amount))
}

/// Whether the rows of a table are the records of a list: each has a cell with the title of its record, or all that it says is in the
/// text of a record without one.
fn is_same_list(table: &Table, records: &[Map<String, Value>]) -> bool {
    let has = |(cells, record): (&Vec<String>, &Map<String, Value>)| {
        let text = |name: &str| record.get(name).and_then(Value::as_str).map(str::trim);
        let said = |name: &str| text(name).filter(|text| !text.is_empty());
        match (said("title"), said("text")) {
            (Some(title), _) => cells.iter().any(|cell| cell.contains(title)),
            (None, Some(text)) => cells.iter().all(|cell| text.contains(cell.trim())),
            (None, None) => false,
        }
    };
    !records.is_empty()
        && table.data_rows().count() == records.len()
        && table.data_rows().zip(records).all(has)
}

/// The unit of the numbers of a column, in which numbers of another unit would be taken for the same ones.
struct UnitOfColumn {
    common: Option<numbers::Unit>,
}

impl UnitOfColumn {
    fn of<'t>(texts: impl Iterator<Item = &'t str>, property: &Value) -> Self {
        let is_text = kinds(property).is_empty() || kinds(property).contains(&"string");
        Self {
            common: (!is_text).then(|| numbers::common_unit(texts)).flatten(),
        }
    }

    /// Whether a text is of that unit.
    fn is_of(&self, text: &str) -> bool {
        self.common.as_ref().is_none_or(|common| common.is_of(text))
    }
}
