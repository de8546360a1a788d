//! What is taken from an answer?
//!
//! Only what the page holds, and only where nothing is yet.

use serde_json::{Map, Value};

use super::Course;
use crate::asking::answer::{Answer, Said};
use crate::asking::{check, fields};
use crate::fields::{PageType, canonical};
use crate::mode::Mode;
use crate::normalize;
use crate::provenance::Source;
use locale::price;

/// Most entries of a list that are kept.
const MOST_ITEMS: usize = 1000;
/// Longest text of a field, in bytes: one that is longer is a model that did not stop.
const LONGEST: usize = 20_000;
/// Longest name of a field that a model may invent, in characters.
const LONGEST_NAME: usize = 40;
/// Most words of such a name: one with more is a sentence of the page.
const WORDS: usize = 4;

impl Course {
    /// Adds what an answer says and the page holds. Gives the number of values that were dropped.
    pub(super) fn take(&mut self, answer: &Answer, asked: &[String]) -> u32 {
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
            .map(|it| canonical(it, page_type))
            .collect();
        for said in &answer.said {
            let field = canonical(&said.name, page_type);
            if !self.may_take(&field, asked) {
                continue;
            }
            if said.value.as_str().is_some_and(normalize::is_placeholder)
                && !said
                    .quote
                    .as_ref()
                    .is_some_and(|it| self.material.ground.holds(it) && is_name(&field))
            {
                denied.push(field);
                continue;
            }
            if self.item.has(&field) {
                continue;
            }
            if said.value.as_str().is_some_and(|it| it.len() > LONGEST) {
                dropped += 1;
                continue;
            }
            let support = check::support(
                &self.material.ground,
                &field,
                &said.value,
                said.quote.as_deref(),
                self.now,
            );
            match support {
                Some(quote) => self.put(&field, said, quote),
                None => dropped += 1,
            }
        }
        denied.sort();
        denied.dedup();
        for field in denied
            .into_iter()
            .filter(|it| asked.contains(it) && !self.item.has(it))
        {
            *self.denied.entry(field).or_default() += 1;
        }
        dropped + self.take_entries(&answer.items)
    }

    fn may_take(&self, field: &str, asked: &[String]) -> bool {
        let words = field.split('_').count();
        let short = !field.is_empty() && field.chars().count() <= LONGEST_NAME && words <= WORDS;
        let open = self.mode != Mode::LlmFixed && self.request.fields.is_empty();
        short
            && fields::may_tell(field)
            && (open || asked.iter().any(|it| it == field) || self.is_wanted(field))
    }

    fn is_wanted(&self, field: &str) -> bool {
        let wanted = fields::wanted(self.mode, self.item.page_type, &self.request);
        wanted.iter().any(|it| it == field)
    }

    fn put(&mut self, field: &str, said: &Said, quote: String) {
        let value = match &said.value {
            Value::String(text) if check::is_date(field) => {
                let date = check::date(text, self.now).or_else(|| check::date(&quote, self.now));
                date.map_or_else(
                    || text.clone(),
                    |it| it.time.map_or_else(|| it.date.to_string(), |_| it.to_string()),
                )
                .into()
            }
            other => other.clone(),
        };
        // The line of the page tells the currency; a quote may have lost its sign.
        let line = self.material.ground.line(&quote).unwrap_or(&quote).to_owned();
        let source = Source::Model { quote };
        if self.item.put_as(field, value, source.clone()) && field == "price" && !self.item.has("currency") {
            let written = said.value.as_str().unwrap_or_default();
            let currency = price::read(&line, &price::Hints::default()).currency.or_else(|| {
                let currency = price::read(written, &price::Hints::default()).currency?;
                self.material.ground.text().contains(currency).then_some(currency)
            });
            if let Some(currency) = currency {
                let code = price::iso(currency, None).unwrap_or(currency).to_owned();
                self.item.put_as("currency", code, source);
            }
        }
    }

    /// Adds entries of a list: fields to those that are known by their titles, and new ones. Values that the page does not
    /// hold are dropped and counted.
    fn take_entries(&mut self, entries: &[Map<String, Value>]) -> u32 {
        if !self.entries {
            return 0;
        }
        let mut dropped = 0;
        for entry in entries.iter().take(MOST_ITEMS) {
            let mut kept = Map::new();
            for (name, value) in entry.iter().filter(|(_, it)| !it.is_null()) {
                let field = canonical(name, PageType::Other);
                if field == "url" {
                    continue;
                }
                match check::support(&self.material.ground, &field, value, None, self.now) {
                    Some(_) => {
                        if let Some(value) = normalize::value(&field, value.clone(), PageType::Other, true) {
                            kept.insert(field, value);
                        }
                    }
                    None => dropped += 1,
                }
            }
            let Some(title) = kept.get("title").or_else(|| kept.values().next()).cloned() else {
                continue;
            };
            let same = |it: &Map<String, Value>| it.values().any(|it| *it == title);
            let known = self.item.items.iter().position(same);
            let room = self.item.items.len() < MOST_ITEMS;
            match known.and_then(|it| self.item.items.get_mut(it)) {
                Some(known) => {
                    for (field, value) in kept {
                        known.entry(field).or_insert(value);
                    }
                }
                None if room => {
                    let link = title.as_str().and_then(|title| {
                        let mut links = self.material.links.iter();
                        links.find(|(text, _)| text.eq_ignore_ascii_case(title))
                    });
                    if let Some((_, url)) = link {
                        kept.insert("url".to_owned(), url.clone().into());
                    }
                    self.item.items.push(kept);
                }
                None => {}
            }
        }
        dropped
    }
}

/// Whether a field holds a name, which can be a word that elsewhere says that there is nothing.
fn is_name(field: &str) -> bool {
    matches!(field, "title" | "name" | "location")
}
