//! Values of the fields of an item and of texts of a page, in the types that a place of a schema allows.

use serde_json::{Map, Number, Value};

use super::numbers::NumberReader;
use super::schema_shape::kinds;
use crate::fields::{PageType, amount_in_currency, fold, named};
use crate::normalize;
use crate::rules::product::rating;

/// The value of a property from the fields of an item or of an entry of its list.
pub(super) fn field_value(
    fields: &Map<String, Value>,
    name: &str,
    page_type: PageType,
    property: &Value,
    numbers: &NumberReader,
) -> Option<Value> {
    let field = named(name, page_type);
    let shaped = |value: Value| shaped(of_field(value, &field, property, numbers)?, property);
    let own = fields.get(&field).or_else(|| fields.get(name));
    if let Some(value) = own {
        let value = match (field.as_str(), value.as_str()) {
            // Several authors are one text in an item.
            ("author", Some(text)) if is_list(property) => {
                text.split(", ").map(str::to_owned).collect::<Value>()
            }
            // So are the hours of all days.
            ("hours", Some(text)) if is_list(property) => text.split("; ").map(str::to_owned).collect(),
            ("location", Some(text)) if is_town(name) => town(text, page_type)?.into(),
            _ => value.clone(),
        };
        return shaped(value);
    }
    // An amount in a currency is one only where the page states that currency.
    if let Some((field, code)) = amount_in_currency(name) {
        let is_of_currency = fields.get("currency").and_then(Value::as_str) == Some(code);
        let amount = fields.get(&field).filter(|_| is_of_currency)?;
        return shaped(amount.clone());
    }
    // Entries of a list have one day, whatever it is called.
    let day = is_day(&field).then(|| fields.get("date")).flatten()?;
    shaped(day.clone())
}

/// Whether a field is the day that an entry of a list has as its `date`.
pub(super) fn is_day(field: &str) -> bool {
    matches!(field, "date_published" | "date_posted" | "start_date")
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
    /// The town before its state or province and, where there is one, its code: "1200 Main Street, Springfield, IL 62701".
    static TOWN_BEFORE_STATE = r"(?:^|,\s*)(?P<town>\p{Lu}[^,\d]*\p{Ll}[^,\d]*?),?\s+[A-Z]{2,3}\.?,?\s+(?:\d{4,5}(?:-\d{4})?|[A-Z]\d[A-Z]\s?\d[A-Z]\d)\s*(?:$|,)|^[^,]*\d[^,]*,(?:[^,]+,)?\s*(?P<alone>\p{Lu}[^,\d]*\p{Ll}[^,\d]*),\s*[A-Z]{2}\s*$";
}

/// What stands behind the place of a job that can be done elsewhere, too.
const REMOTE: &str = "; Remote";

/// The town in a place: beside its code; else the whole place, where it is no address and not the venue of an event.
pub(super) fn town(place: &str, page_type: PageType) -> Option<String> {
    let place = place.strip_suffix(REMOTE).unwrap_or(place);
    if let Some(found) = TOWN_BEFORE_STATE.captures(place) {
        let town = found.name("town").or_else(|| found.name("alone"))?;
        return Some(town.as_str().trim().to_owned());
    }
    if let Some(found) = TOWN_BESIDE_CODE.captures(place) {
        let town = found.name("behind").or_else(|| found.name("before"))?;
        return Some(town.as_str().trim().to_owned());
    }
    let is_address = place.contains(|c: char| c.is_ascii_digit());
    let is_venue = page_type == PageType::Event && place.contains(',');
    (!is_address && !is_venue).then(|| place.to_owned())
}

/// Whether a property is named as a label is written, but for case, spaces, marks and accents.
pub(super) fn is_label(label: &str, name: &str) -> bool {
    let letters = letters(name);
    label.trim() == name.trim() || (!letters.is_empty() && spellings(label).contains(&letters))
}

/// A name without case, spaces and marks.
pub(super) fn letters(name: &str) -> String {
    fold(name).replace('_', "")
}

/// The [`letters`] of a label: as written, without accents, and with umlauts and ß as those write them whose keyboard has none.
pub(super) fn spellings(label: &str) -> [String; 3] {
    let own = letters(label);
    let plain = locale::fold_diacritics(&own);
    let written = own
        .replace('ä', "ae")
        .replace('ö', "oe")
        .replace('ü', "ue")
        .replace('ß', "ss");
    [own, plain, written]
}

/// Fields that are a length of time, in minutes where they are numbers.
const TIMES: [&str; 5] = ["prep_time", "cook_time", "total_time", "duration", "runtime"];

/// [`written`], beside a label that means a field: a rating is the number before its scale, and a length of time its minutes.
pub(super) fn written_of_field(
    text: &str,
    field: &str,
    schema: &Value,
    numbers: &NumberReader,
) -> Option<Value> {
    let kinds = kinds(schema);
    let is_number = kinds.iter().any(|kind| matches!(*kind, "number" | "integer"));
    let rating = || {
        let rating = rating::spelled(text).or_else(|| rating::rating_in(text))?;
        normalize::from_decimal(&rating)
    };
    let number = match field {
        _ if !is_number || kinds.contains(&"string") => None,
        "rating" => rating(),
        field if TIMES.contains(&field) => numbers.minutes_of_field(text),
        _ => None,
    };
    match number {
        Some(number) => shaped(number, schema),
        None => written(text, schema, numbers),
    }
}

/// What the page writes beside a label, in one of the types that its place allows.
pub(super) fn written(text: &str, schema: &Value, numbers: &NumberReader) -> Option<Value> {
    let kinds = kinds(schema);
    let may = |kind: &str| kinds.contains(&kind);
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if kinds.is_empty() || may("string") {
        return Some(Value::String(in_spelling_of_enum(text, schema).to_owned()));
    }
    if may("number") || may("integer") {
        return shaped(numbers.only_number(text)?, schema);
    }
    if may("boolean") {
        return answer(text).map(Value::Bool);
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

/// The parts of a value in a place for a list of texts or numbers; none in another place.
pub(super) fn written_parts(parts: &[String], schema: &Value, numbers: &NumberReader) -> Option<Value> {
    let inner = schema.get("items").unwrap_or(&Value::Null);
    let list = parts.iter().filter_map(|part| written(part, inner, numbers));
    let list: Vec<Value> = list.collect();
    (is_list(schema) && !list.is_empty()).then_some(Value::Array(list))
}

/// Yes or no, as a text says it: "Yes (south)", "✓", "not allowed".
fn answer(text: &str) -> Option<bool> {
    #[rustfmt::skip]
    const YES: [&str; 27] = [
        "yes", "true", "ja", "tak", "oui", "sí", "si", "sì", "sim", "✓", "✔", "✅", "☑", "included", "available", "allowed", "inklusive", "inbegriffen",
        "enthalten", "vorhanden", "erlaubt", "inclus", "compris", "incluido", "dostępny", "dostępne", "dozwolone",
    ];
    #[rustfmt::skip]
    const NO: [&str; 14] = [
        "no", "false", "nein", "nie", "non", "não", "not included", "not available", "not allowed", "✗", "✘", "✕", "✖", "❌",
    ];
    let lower = text.to_lowercase();
    // A remark in brackets says more of the answer.
    let lower = lower
        .split('(')
        .next()
        .unwrap_or_default()
        .trim()
        .replace('\u{fe0f}', "");
    let is_one = |answers: &[&str]| answers.contains(&lower.as_str());
    (is_one(&YES) || is_one(&NO)).then(|| is_one(&YES))
}

/// A text as the `enum` of its place spells it, where that has it but for case and accents.
fn in_spelling_of_enum<'t>(text: &'t str, schema: &'t Value) -> &'t str {
    let allowed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let mut allowed = allowed.filter_map(Value::as_str);
    let folded = locale::fold_diacritics(text.trim());
    let is_text = |allowed: &&str| locale::fold_diacritics(allowed) == folded;
    allowed
        .clone()
        .find(|allowed| *allowed == text)
        .or_else(|| allowed.find(is_text))
        .unwrap_or(text)
}

pub(super) fn keep(out: &mut Map<String, Value>, name: &str, value: Option<Value>, property: &Value) {
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

/// A value of a field, as the number that its text is where the place holds numbers and no texts. Amounts of money may stand among words,
/// in ranges and with periods.
fn of_field(value: Value, field: &str, property: &Value, numbers: &NumberReader) -> Option<Value> {
    const MONEY: [&str; 5] = ["price", "old_price", "unit_price", "instalment", "salary"];
    let kinds = kinds(property);
    let is_text = kinds.is_empty()
        || kinds
            .iter()
            .any(|kind| matches!(*kind, "string" | "boolean" | "array"));
    let is_number = kinds.iter().any(|kind| matches!(*kind, "number" | "integer"));
    match value {
        Value::String(text) if is_number && !is_text => match MONEY.contains(&field) {
            true => normalize::value("price", text.into(), true),
            false if TIMES.contains(&field) => numbers.minutes_of_field(&text),
            false => numbers.number_of_field(&text),
        },
        other => Some(other),
    }
}

/// A value in one of the types that its place allows; none when it cannot be had in any.
fn shaped(value: Value, schema: &Value) -> Option<Value> {
    let kinds = kinds(schema);
    let may = |kind: &str| kinds.is_empty() || kinds.contains(&kind);
    match value {
        Value::String(text) if may("string") => {
            Some(Value::String(in_spelling_of_enum(&text, schema).to_owned()))
        }
        // In stock or not: what comes later is not.
        Value::String(text) if may("boolean") => {
            let is_known =
                ["InStock", "OutOfStock", "PreOrder", "BackOrder", "Discontinued"].contains(&text.as_str());
            is_known.then(|| Value::Bool(text == "InStock"))
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
