//! What a field completion accepts from an answer.
//!
//! Only what the page holds, and only where nothing is yet.

use serde_json::{Map, Value};

use super::FieldCompletion;
use crate::fields::{PageType, canonical};
use crate::llm_extraction::answer::{FieldAnswer, StatedValue};
use crate::llm_extraction::evidence::DayReader;
use crate::llm_extraction::{evidence, wanted_fields};
use crate::normalize;
use crate::provenance::FieldSource;
use crate::rules::visible_page::words;
use locale::price;

/// Most entries of a list that are kept.
const MOST_ITEMS: usize = 1000;
/// Longest text of a field, in bytes: one that is longer is a model that did not stop.
const LONGEST: usize = 20_000;
/// Longest name of a field that a model may invent, in characters.
const LONGEST_NAME: usize = 40;
/// Most words of such a name: one with more is a sentence of the page.
const WORDS: usize = 4;

impl FieldCompletion {
    /// Adds the values of an answer that the page supports. Returns the number of values that were dropped.
    pub(super) fn accept(&mut self, answer: &FieldAnswer, asked: &[String]) -> u32 {
        if let Some(page_type) = answer.page_type
            && self.item.page_type == PageType::Other
        {
            self.item.page_type = page_type;
        }
        let page_type = self.item.page_type;
        let mut dropped = 0;
        let mut denied: Vec<String> = answer
            .unavailable
            .iter()
            .map(|field| canonical(field, page_type))
            .collect();
        for stated in &answer.stated {
            let field = canonical(&stated.name, page_type);
            if !self.may_accept(&field, asked) {
                continue;
            }
            if stated.value.as_str().is_some_and(normalize::is_placeholder)
                && !stated
                    .quote
                    .as_ref()
                    .is_some_and(|quote| self.input.ground.holds(quote) && is_name(&field))
            {
                denied.push(field);
                continue;
            }
            if self.item.has(&field) {
                continue;
            }
            if stated.value.as_str().is_some_and(|text| text.len() > LONGEST) {
                dropped += 1;
                continue;
            }
            let support = evidence::support(
                &self.input.ground,
                &field,
                &stated.value,
                stated.quote.as_deref(),
                self.days(),
            );
            match support {
                Some(quote) => self.put(&field, stated, quote),
                None => dropped += 1,
            }
        }
        let is_named_and_unread = !self.request.fields.is_empty() && self.has_unread();
        denied.sort();
        denied.dedup();
        for field in denied
            .into_iter()
            .filter(|field| asked.contains(field) && !self.item.has(field))
        {
            // A field that the request names is looked for in every part of the page.
            if is_named_and_unread {
                continue;
            }
            *self.denied.entry(field).or_default() += 1;
        }
        dropped + self.accept_entries(&answer.items)
    }

    fn may_accept(&self, field: &str, asked: &[String]) -> bool {
        let words = field.split('_').count();
        let short = !field.is_empty() && field.chars().count() <= LONGEST_NAME && words <= WORDS;
        let open = !self.mode.has_fixed_fields() && self.request.fields.is_empty();
        short
            && wanted_fields::may_state(field)
            && (open || asked.iter().any(|name| name == field) || self.is_wanted(field))
    }

    fn days(&self) -> DayReader<'_> {
        DayReader {
            locale: &self.input.date_locale,
            now: self.now,
        }
    }

    fn is_wanted(&self, field: &str) -> bool {
        let wanted = wanted_fields::wanted(self.mode, self.item.page_type, &self.request);
        wanted.iter().any(|name| name == field)
    }

    fn put(&mut self, field: &str, stated: &StatedValue, quote: String) {
        let value = match &stated.value {
            Value::String(text) if evidence::is_date(field) => {
                let days = self.days();
                // A value that has words, and no day in them, is not the day beside them.
                let in_quote = || {
                    days.read(field, &quote)
                        .filter(|_| !text.contains(char::is_alphabetic))
                };
                let date = days.read(field, text).or_else(in_quote);
                date.map_or_else(
                    || text.clone(),
                    |moment| {
                        moment
                            .time
                            .map_or_else(|| moment.date.to_string(), |_| moment.to_string())
                    },
                )
                .into()
            }
            other => other.clone(),
        };
        // The line of the page tells the currency; a quote may have lost its sign.
        let line = self.input.ground.line(&quote).unwrap_or(&quote).to_owned();
        let source = FieldSource::Model { quote };
        if self.item.put_as(field, value, source.clone()) && field == "price" && !self.item.has("currency") {
            let written = stated.value.as_str().unwrap_or_default();
            let currency = price::read(&line, &price::PriceHints::default())
                .currency
                .or_else(|| {
                    let currency = price::read(written, &price::PriceHints::default()).currency?;
                    self.input.ground.text().contains(currency).then_some(currency)
                });
            if let Some(currency) = currency {
                let code = price::iso(currency, None).unwrap_or(currency).to_owned();
                self.item.put_as("currency", code, source);
            }
        }
    }

    /// Adds entries of a list: fields to those that are known by their titles, and new ones. Values that the page does not
    /// hold are dropped and counted.
    fn accept_entries(&mut self, entries: &[Map<String, Value>]) -> u32 {
        if !self.entries {
            return 0;
        }
        let mut dropped = 0;
        for entry in entries.iter().take(MOST_ITEMS) {
            let mut accepted = Map::new();
            for (name, value) in entry.iter().filter(|(_, value)| !value.is_null()) {
                let field = canonical(name, PageType::Other);
                if field == "url" {
                    continue;
                }
                match evidence::support(&self.input.ground, &field, value, None, self.days()) {
                    Some(_) => {
                        if let Some(value) = normalize::value(&field, value.clone(), true) {
                            accepted.insert(field, value);
                        }
                    }
                    None => dropped += 1,
                }
            }
            let Some(title) = accepted
                .get("title")
                .or_else(|| accepted.values().next())
                .cloned()
            else {
                continue;
            };
            let known = self
                .item
                .items
                .iter()
                .position(|known| is_same_entry(known, &accepted));
            let room = self.item.items.len() < MOST_ITEMS;
            match known.and_then(|index| self.item.items.get_mut(index)) {
                Some(known) => {
                    for (field, value) in accepted {
                        known.entry(field).or_insert(value);
                    }
                }
                None if room => {
                    let link = title.as_str().and_then(|title| {
                        let mut links = self.input.links.iter();
                        links.find(|(text, _)| text.eq_ignore_ascii_case(title))
                    });
                    if let Some((_, url)) = link {
                        accepted.insert("url".to_owned(), url.clone().into());
                    }
                    self.item.items.push(accepted);
                }
                None => {}
            }
        }
        dropped
    }
}

/// Whether an entry of an answer is one that the list has: of the same title or, where one of them has none, of another text that both
/// have, and without a value that contradicts it.
fn is_same_entry(known: &Map<String, Value>, entry: &Map<String, Value>) -> bool {
    let shared = || {
        let both = entry
            .iter()
            .filter_map(|(field, value)| Some((field, known.get(field)?, value)));
        both.filter(|(_, known, value)| !known.is_null() && !value.is_null())
    };
    let is_named = match (known.get("title"), entry.get("title")) {
        (Some(known), Some(title)) => known == title,
        _ => shared().any(|(_, known, value)| known.is_string() && known == value),
    };
    is_named && !shared().any(|(field, known, value)| contradict(field, known, value))
}

/// Fields that a model writes in its own words, or of which a thing may have several.
const NOT_TELLING_APART: [&str; 5] = ["availability", "description", "image", "summary", "text"];

/// Whether two values of a field are those of two things: texts with other digits or without a common word. One text may be a part of
/// the other, and a day may be written in many ways.
fn contradict(field: &str, known: &Value, value: &Value) -> bool {
    match (known, value) {
        (Value::String(known), Value::String(value)) => {
            let (known, value) = (known.to_lowercase(), value.to_lowercase());
            let is_open = evidence::is_date(field) || NOT_TELLING_APART.contains(&field);
            !is_open && !is_part(&known, &value) && are_of_two(&known, &value)
        }
        (Value::Number(known), Value::Number(value)) => known.as_f64() != value.as_f64(),
        _ => false,
    }
}

/// Whether one of two texts is a part of the other.
fn is_part(one: &str, other: &str) -> bool {
    one.contains(other) || other.contains(one)
}

/// Whether texts that are no parts of each other have other digits or, where one of them has none, no word in common.
fn are_of_two(one: &str, other: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (digits, others) = (digits(one), digits(other));
    match digits.is_empty() || others.is_empty() {
        true => {
            let others = words(other);
            !words(one).iter().any(|word| others.contains(word))
        }
        false => !is_part(&digits, &others),
    }
}

/// Whether a field holds a name, which can be a word that elsewhere says that there is nothing.
fn is_name(field: &str) -> bool {
    matches!(field, "title" | "name" | "location")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_in_other_words_are_of_the_same_entry_and_others_are_not() {
        let is_same = |known: Value, value: Value| {
            let entry = |rest: Value| {
                let mut entry = rest.as_object().cloned().unwrap_or_default();
                entry.insert("title".to_owned(), "Cook".into());
                entry
            };
            is_same_entry(&entry(known), &entry(value))
        };
        for (known, value) in [
            (
                json!({"description": "Town hall, door 3"}),
                json!({"description": "A day at work"}),
            ),
            (
                json!({"company": "Acme Ltd."}),
                json!({"company": "Acme Limited"}),
            ),
            (json!({"location": "LS1 Leeds"}), json!({"location": "Leeds LS1"})),
            (json!({"image": "/a.png"}), json!({"image": "/b.jpg"})),
        ] {
            assert!(is_same(known.clone(), value), "{known}");
        }
        for (known, value) in [
            (json!({"company": "Acme"}), json!({"company": "Quern"})),
            (json!({"salary": "30 an hour"}), json!({"salary": "45 an hour"})),
            (json!({"location": "Room 1"}), json!({"location": "Room 2"})),
            (json!({"price": 5}), json!({"price": 6})),
        ] {
            assert!(!is_same(known.clone(), value), "{known}");
        }
    }
}
