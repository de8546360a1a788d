//! The formats that a schema asks of its texts: days, times and moments as ISO 8601.

use std::collections::HashSet;

use page::Page;
use serde_json::Value;

use super::schema_shape::{kinds, properties};
use crate::rules::published;

/// Puts days, times and moments in the format that a schema asks for. What cannot be had in it is left out, and is among the
/// unfilled properties where no entry of a list has it, among the withheld ones where some have it.
pub(super) fn apply(
    page: &Page,
    data: &mut Value,
    schema: &Value,
    unfilled: &mut Vec<String>,
    withheld: &mut Vec<String>,
) {
    let reader = FormatReader {
        page,
        now: jiff::Zoned::now().datetime(),
    };
    reader.apply(data, schema, "", unfilled, withheld);
    for names in [unfilled, withheld] {
        let mut known = HashSet::new();
        names.retain(|name| known.insert(name.clone()));
    }
}

struct FormatReader<'p> {
    page: &'p Page,
    now: jiff::civil::DateTime,
}

impl FormatReader<'_> {
    fn apply(
        &self,
        value: &mut Value,
        schema: &Value,
        path: &str,
        unfilled: &mut Vec<String>,
        withheld: &mut Vec<String>,
    ) {
        match value {
            Value::Array(list) => {
                let inner = schema.get("items").unwrap_or(&Value::Null);
                let mut lost = Vec::new();
                for entry in &mut *list {
                    self.apply(entry, inner, path, &mut lost, withheld);
                }
                let is_nowhere = |name: &String| {
                    let own = name.strip_prefix(path).unwrap_or(name);
                    !list
                        .iter()
                        .any(|entry| entry.get(own).is_some_and(|value| !value.is_null()))
                };
                let (nowhere, somewhere): (Vec<_>, Vec<_>) = lost.into_iter().partition(is_nowhere);
                unfilled.extend(nowhere);
                withheld.extend(somewhere);
            }
            Value::Object(map) => {
                for (name, property) in properties(schema) {
                    let Some(place) = map.get_mut(name) else { continue };
                    let own = format!("{path}{name}");
                    let format = property.get("format").and_then(Value::as_str);
                    let formatted = match (format, place.as_str()) {
                        (Some("date"), Some(text)) => Some(self.day(text)),
                        (Some("date-time"), Some(text)) => Some(self.moment(text)),
                        // What is no time in figures stays as the page has it.
                        (Some("time"), Some(text)) => time(text).map(Some),
                        _ => None,
                    };
                    match formatted {
                        Some(Some(text)) => *place = Value::String(text),
                        Some(None) => {
                            unfilled.push(own);
                            if kinds(property).contains(&"null") {
                                *place = Value::Null;
                            } else {
                                map.remove(name);
                            }
                        }
                        None => self.apply(place, property, &format!("{own}."), unfilled, withheld),
                    }
                }
            }
            _ => {}
        }
    }

    /// The day of a text, as `2026-10-02`.
    fn day(&self, text: &str) -> Option<String> {
        published::day_in(self.page, text, self.now).map(|found| found.date.to_string())
    }

    /// The day of a text with its time, as `2026-10-02T08:00:00`; with the offset where the text has one.
    fn moment(&self, text: &str) -> Option<String> {
        let found = published::day_in(self.page, text, self.now)?;
        found.time.map(|_| found.to_string())
    }
}

/// The time that a text is, as `19:30:00`: "19:30 Uhr".
fn time(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = ["Uhr", "uhr", "h"]
        .iter()
        .find_map(|word| text.strip_suffix(word));
    let bare = bare.unwrap_or(text).trim_end();
    let mut parts = bare.split([':', '.']).map(str::parse::<i8>);
    let (hour, minute) = (parts.next()?.ok()?, parts.next()?.ok()?);
    let second = parts.next().transpose().ok()?.unwrap_or(0);
    let time = jiff::civil::Time::new(hour, minute, second, 0).ok()?;
    Some(time.strftime("%H:%M:%S").to_string())
}
