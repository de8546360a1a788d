//! Projection of an item and the page it was read from onto a JSON schema, without a model.

mod formats;
mod labelled_values;
mod schema_shape;

use std::collections::HashMap;

use page::Page;
use serde_json::{Map, Number, Value};

use self::labelled_values::{LabelledValues, NumberReader};
use self::schema_shape::{kinds, properties};
use crate::fields::{PageType, amount_in_currency, canonical, fold, named};
use crate::item::Item;
use crate::normalize;

/// What a schema is filled with.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    /// The item in the shape of the schema: an object, or a list where the schema is one.
    pub data: Value,
    /// The properties that nothing fills, by their names; those of the entries of a list behind that of the list (`rows.price`),
    /// where no entry has them.
    pub unfilled: Vec<String>,
    /// The properties that some entries of a list state in another unit than most, or in words that are no one number, so that they
    /// do not have them; named as those of `unfilled`.
    pub withheld: Vec<String>,
}

/// The item in the shape of a schema, by the names of its properties: those of fields, else the labels and the headings of tables as
/// the page writes them. What is not stated is `null` where the schema allows it, and left out elsewhere.
pub fn project(page: &Page, item: &Item, schema: &Value) -> Projection {
    let labelled = LabelledValues::of(page);
    let (mut unfilled, mut withheld) = (Vec::new(), Vec::new());
    if kinds(schema).contains(&"array") {
        let list = entries(item, &labelled, schema, "");
        let mut data = list.data;
        unfilled.extend(list.unfilled);
        formats::apply(page, &mut data, schema, &mut unfilled);
        return Projection {
            data,
            unfilled,
            withheld: list.withheld,
        };
    }
    let mut out = Map::new();
    for (name, property) in properties(schema) {
        let field = named(name, item.page_type);
        let value = match field.as_str() {
            "url" => Some(Value::String(item.url.clone())),
            "page_type" => Some(Value::String(item.page_type.name().to_owned())),
            _ => field_value(item.fields(), name, item.page_type, property),
        };
        let stated = || {
            labelled
                .beside(name)
                .find_map(|text| written(&text, property, &labelled.numbers))
        };
        let mut list = || {
            let of_objects = properties(property.get("items").unwrap_or(&Value::Null))
                .next()
                .is_some();
            let list = of_objects.then(|| entries(item, &labelled, property, &format!("{name}.")))?;
            list.data.as_array().filter(|rows| !rows.is_empty())?;
            unfilled.extend(list.unfilled);
            withheld.extend(list.withheld);
            Some(list.data)
        };
        let value = value.or_else(stated).or_else(&mut list);
        if value.is_none() {
            unfilled.push(name.to_owned());
        }
        keep(&mut out, name, value, property);
    }
    let mut data = Value::Object(out);
    formats::apply(page, &mut data, schema, &mut unfilled);
    Projection {
        data,
        unfilled,
        withheld,
    }
}

/// The entries of a list in the shape of a schema, and the names of properties as in [`Projection`].
struct ProjectedList {
    data: Value,
    unfilled: Vec<String>,
    withheld: Vec<String>,
}

/// The value of a property from the fields of an item or of an entry of its list.
fn field_value(
    fields: &Map<String, Value>,
    name: &str,
    page_type: PageType,
    property: &Value,
) -> Option<Value> {
    let field = named(name, page_type);
    let own = fields.get(&field).or_else(|| fields.get(name));
    if let Some(value) = own {
        let value = match (field.as_str(), value.as_str()) {
            // Several authors are one text in an item.
            ("author", Some(text)) if is_list(property) => {
                text.split(", ").map(str::to_owned).collect::<Value>()
            }
            ("location", Some(text)) if is_town(name) => town(text, page_type)?.into(),
            _ => value.clone(),
        };
        return shaped(value, property);
    }
    // An amount in a currency is one only where the page states that currency.
    if let Some((field, code)) = amount_in_currency(name) {
        let is_of_currency = fields.get("currency").and_then(Value::as_str) == Some(code);
        let amount = fields.get(&field).filter(|_| is_of_currency)?;
        return shaped(amount.clone(), property);
    }
    // Entries of a list have one day, whatever it is called.
    let is_day = matches!(field.as_str(), "date_published" | "date_posted" | "start_date");
    let day = is_day.then(|| fields.get("date")).flatten()?;
    shaped(day.clone(), property)
}

/// Whether a place holds a list and no text.
fn is_list(property: &Value) -> bool {
    let kinds = kinds(property);
    kinds.contains(&"array") && !kinds.contains(&"string")
}

/// Whether a property is that of a town.
fn is_town(name: &str) -> bool {
    const TOWNS: [&str; 9] = [
        "city", "town", "stadt", "ville", "ciudad", "città", "cidade", "miasto", "stad",
    ];
    TOWNS.contains(&fold(name).as_str())
}

locale::patterns! {
    /// The town behind its code ("3511 LX Utrecht", "00-950 Warszawa"), or before a British one ("Bath BA1 1AA").
    static TOWN_BESIDE_CODE = r"(?:^|[\s,])(?:[A-Z]{1,2}-)?(?:\d{4}\s?[A-Z]{2}|\d{2}-\d{3}|\d{3}\s\d{2}|\d{4,5})\s+(?P<behind>\p{Lu}[^,\d]*)|(?P<before>\p{Lu}[^,\d]*?),?\s+[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b";
}

/// The town in a place: beside its code; else the whole place, where it is no address and not the venue of an event.
fn town(place: &str, page_type: PageType) -> Option<String> {
    if let Some(found) = TOWN_BESIDE_CODE.captures(place) {
        let town = found.name("behind").or_else(|| found.name("before"))?;
        return Some(town.as_str().trim().to_owned());
    }
    let is_address = place.contains(|c: char| c.is_ascii_digit());
    let is_venue = page_type == PageType::Event && place.contains(',');
    (!is_address && !is_venue).then(|| place.to_owned())
}

/// The entries of the list that fills most properties of a schema: those of the item, else the rows of a table.
fn entries(item: &Item, labelled: &LabelledValues<'_>, schema: &Value, path: &str) -> ProjectedList {
    let inner = schema.get("items").unwrap_or(&Value::Null);
    let mut best = of_item(item, inner, &labelled.numbers);
    let mut most = filled(&best, inner).count();
    let mut withheld = partly_read(item, &best, inner);
    for table in labelled.tables() {
        let rows = of_table(&table, inner, &labelled.numbers);
        let count = filled(&rows, inner).count();
        if count > most {
            withheld = partly_read_of(&table, &rows, inner);
            (most, best) = (count, rows);
        }
    }
    let known: Vec<&str> = filled(&best, inner).collect();
    let missing = properties(inner)
        .map(|(name, _)| name)
        .filter(|name| !known.contains(name));
    let unfilled = missing.map(|name| format!("{path}{name}")).collect();
    // What no entry has is among the unfilled ones.
    let withheld = withheld.into_iter().filter(|name| known.contains(name));
    let withheld = withheld.map(|name| format!("{path}{name}")).collect();
    ProjectedList {
        data: best.into_iter().map(Value::Object).collect(),
        unfilled,
        withheld,
    }
}

/// Whether a cell says something that a row has no value for.
fn is_lost(cell: &str, row: &Map<String, Value>, name: &str) -> bool {
    !normalize::is_placeholder(cell) && row.get(name).is_none_or(Value::is_null)
}

/// The properties that facts of some entries of an item are named as, and that those entries lack.
fn partly_read<'s>(item: &Item, rows: &[Map<String, Value>], schema: &'s Value) -> Vec<&'s str> {
    let lacks = |name: &str| {
        item.items.iter().zip(rows).any(|(record, row)| {
            let facts = record.get("facts").and_then(Value::as_object);
            let mut facts = facts.into_iter().flatten();
            let fact = facts.find(|(label, _)| is_label(label, name));
            fact.and_then(|(_, value)| value.as_str())
                .is_some_and(|text| is_lost(text, row, name))
        })
    };
    let names = properties(schema).map(|(name, _)| name);
    names.filter(|name| lacks(name)).collect()
}

/// [`partly_read`] for the rows of a table.
fn partly_read_of<'s>(
    table: &page::tables::Table,
    rows: &[Map<String, Value>],
    schema: &'s Value,
) -> Vec<&'s str> {
    let lacks = |name: &str| {
        let column = table.header.iter().position(|heading| is_label(heading, name));
        column.is_some_and(|column| {
            let mut cells = table.rows.iter().zip(rows);
            cells.any(|(cells, row)| cells.get(column).is_some_and(|cell| is_lost(cell, row, name)))
        })
    };
    let names = properties(schema).map(|(name, _)| name);
    names.filter(|name| lacks(name)).collect()
}

/// The properties that some row has.
fn filled<'s>(rows: &[Map<String, Value>], schema: &'s Value) -> impl Iterator<Item = &'s str> {
    properties(schema).map(|(name, _)| name).filter(|name| {
        rows.iter()
            .any(|row| row.get(*name).is_some_and(|value| !value.is_null()))
    })
}

/// Puts rows that were chosen from a list in the place of the list that the schema describes: the data as a whole where that is a
/// list, else each property that is a list of objects. Gives the rows in the shape of that list, or of the first of several; `None`
/// where the schema has no such list, and the data stay as they are.
pub fn put_rows(page: &Page, data: &mut Value, schema: &Value, rows: &[Map<String, Value>]) -> Option<Value> {
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
    let shape = |list: &Value| -> Value {
        let inner = list.get("items").unwrap_or(&Value::Null);
        of_records(&rows, inner, &numbers)
            .into_iter()
            .map(Value::Object)
            .collect()
    };
    let has_objects = |list: &Value| {
        let inner = list.get("items").unwrap_or(&Value::Null);
        kinds(list).contains(&"array") && properties(inner).next().is_some()
    };
    if kinds(schema).contains(&"array") {
        *data = shape(schema);
        return Some(data.clone());
    }
    let mut first = None;
    let fields = data.as_object_mut()?;
    for (name, property) in properties(schema).filter(|(_, property)| has_objects(property)) {
        let list = shape(property);
        fields.insert(name.to_owned(), list.clone());
        first.get_or_insert(list);
    }
    first
}

fn of_item(item: &Item, schema: &Value, numbers: &NumberReader) -> Vec<Map<String, Value>> {
    of_records(&item.items, schema, numbers)
}

fn of_records(
    records: &[Map<String, Value>],
    schema: &Value,
    numbers: &NumberReader,
) -> Vec<Map<String, Value>> {
    let rows = records.iter().map(|record| {
        let facts = record.get("facts").and_then(Value::as_object);
        let mut row = Map::new();
        for (name, property) in properties(schema) {
            let fact = || {
                let (_, value) = facts?.iter().find(|(label, _)| is_label(label, name))?;
                written(value.as_str()?, property, numbers)
            };
            let value = field_value(record, name, PageType::Other, property).or_else(fact);
            keep(&mut row, name, value, property);
        }
        row
    });
    rows.collect()
}

fn of_table(table: &page::tables::Table, schema: &Value, numbers: &NumberReader) -> Vec<Map<String, Value>> {
    let columns: Vec<(usize, &str, &Value)> = properties(schema)
        .filter_map(|(name, property)| {
            let column = table.header.iter().position(|heading| is_label(heading, name))?;
            Some((column, name, property))
        })
        .collect();
    if columns.is_empty() {
        return Vec::new();
    }
    let units = columns.iter().map(|(column, _, _)| {
        let cells = table.rows.iter().filter_map(|cells| cells.get(*column));
        (*column, labelled_values::common_unit(cells.map(String::as_str)))
    });
    let units: HashMap<usize, Option<String>> = units.collect();
    let rows = table.rows.iter().map(|cells| {
        let mut row = Map::new();
        for (name, property) in properties(schema) {
            let column = columns.iter().find(|(_, known, _)| *known == name);
            let column = column.map(|(column, _, _)| *column);
            // Numbers of other units than most of the column have would be taken for the same ones.
            let is_of_unit = |cell: &&String| {
                let common = column.and_then(|column| units.get(&column)?.as_deref());
                kinds(property).contains(&"string")
                    || common
                        .is_none_or(|common| labelled_values::unit(cell).is_none_or(|unit| unit == common))
            };
            let cell = column.and_then(|column| cells.get(column)).filter(is_of_unit);
            let value = cell.and_then(|cell| written(cell, property, numbers));
            keep(&mut row, name, value, property);
        }
        row
    });
    rows.collect()
}

/// Whether a property is named as a label is written, but for case, spaces and marks.
fn is_label(label: &str, name: &str) -> bool {
    label.trim() == name.trim() || (!fold(name).is_empty() && fold(label) == fold(name))
}

/// What the page writes beside a label, in one of the types that its place allows.
fn written(text: &str, schema: &Value, numbers: &NumberReader) -> Option<Value> {
    const YES: [&str; 8] = ["yes", "true", "ja", "tak", "oui", "sí", "✓", "✔"];
    const NO: [&str; 8] = ["no", "false", "nein", "nie", "non", "✗", "✘", "✕"];
    let kinds = kinds(schema);
    let may = |kind: &str| kinds.contains(&kind);
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if kinds.is_empty() || may("string") {
        return Some(Value::String(text.to_owned()));
    }
    if may("number") || may("integer") {
        return shaped(numbers.only_number(text)?, schema);
    }
    if may("boolean") {
        let lower = text.to_lowercase();
        let answer = |answers: &[&str]| answers.contains(&lower.as_str());
        return (answer(&YES) || answer(&NO)).then(|| Value::Bool(answer(&YES)));
    }
    if may("array") {
        let inner = schema.get("items").unwrap_or(&Value::Null);
        let parts = text
            .split([',', ';'])
            .filter_map(|part| written(part, inner, numbers));
        let parts: Vec<Value> = parts.collect();
        return (!parts.is_empty()).then_some(Value::Array(parts));
    }
    None
}

fn keep(out: &mut Map<String, Value>, name: &str, value: Option<Value>, property: &Value) {
    match value {
        Some(value) => {
            out.insert(name.to_owned(), value);
        }
        None if kinds(property).contains(&"null") => {
            out.insert(name.to_owned(), Value::Null);
        }
        None => {}
    }
}

/// A value in one of the types that its place allows; none when it cannot be had in any.
fn shaped(value: Value, schema: &Value) -> Option<Value> {
    let kinds = kinds(schema);
    let may = |kind: &str| kinds.is_empty() || kinds.contains(&kind);
    match value {
        Value::String(text) if may("string") => Some(Value::String(text)),
        // In stock or not: what comes later is not.
        Value::String(text) if may("boolean") => {
            let is_known =
                ["InStock", "OutOfStock", "PreOrder", "BackOrder", "Discontinued"].contains(&text.as_str());
            is_known.then(|| Value::Bool(text == "InStock"))
        }
        Value::String(text) if may("number") || may("integer") => {
            let number = normalize::value("price", text.into(), true)?;
            shaped(number, schema)
        }
        Value::Number(number) if may("number") => Some(Value::Number(number)),
        Value::Number(number) if may("integer") => {
            let whole = number
                .as_f64()
                .filter(|number| number.fract() == 0.0 && number.abs() < 9e15)?;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "whole and in range by the filter before it"
            )]
            Some(Value::Number(Number::from(whole as i64)))
        }
        Value::Number(number) if may("string") => Some(Value::String(number.to_string())),
        Value::Array(list) if may("array") => Some(Value::Array(list)),
        Value::Array(list) if may("string") => {
            let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            (!texts.is_empty()).then(|| Value::String(texts.join(", ")))
        }
        Value::String(_) | Value::Number(_) if may("array") => Some(Value::Array(vec![value])),
        Value::Object(map) if may("object") => Some(Value::Object(map)),
        Value::Bool(truth) if may("boolean") => Some(Value::Bool(truth)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
