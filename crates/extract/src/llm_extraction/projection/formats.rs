//! The formats that a schema asks of its texts: days, times and moments as ISO 8601, addresses.

use std::collections::HashSet;

use locale::dates::DateHints;
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
                        (Some("time"), Some(text)) => Some(self.time(text)),
                        (Some("uri" | "url"), Some(text)) => Some(address(text)),
                        (Some("email"), Some(text)) => Some(mail_address(text)),
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

    /// The time of a text that states one, as `19:30:00`.
    fn time(&self, text: &str) -> Option<String> {
        let is_span = text.contains(['-', '–', '—']);
        let found = locale::dates::parse(text, self.now, &DateHints::default()).filter(|_| !is_span)?;
        found.time.map(|time| time.strftime("%H:%M:%S").to_string())
    }
}

/// An absolute address; none where a text has no scheme.
fn address(text: &str) -> Option<String> {
    let text = text.trim();
    let is_address = url::Url::parse(text).is_ok() && !text.contains(char::is_whitespace);
    is_address.then(|| text.to_owned())
}

/// The one address of mail that a text is.
fn mail_address(text: &str) -> Option<String> {
    let text = text.trim();
    let (name, host) = text.split_once('@')?;
    let is_address = !name.is_empty()
        && host.contains('.')
        && !text.contains(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    is_address.then(|| text.to_owned())
}
