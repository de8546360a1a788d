//! What a scrape learns about a site: the port of the memory, and what is taken from a page into it.
//!
//! Only names of fields and places of the markup are kept, each of a fixed form and length: no text of a page, no value, and
//! nothing that a person or a caller gave. What is recalled reaches a model as quoted data.

use std::collections::BTreeMap;
use std::fmt::Debug;

use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::Value;
use url::Url;
use wire::memory::SiteMemory;

/// Most fields of a site.
const MAX_FIELDS: usize = 40;
/// Most page types of a site.
const MAX_PAGE_TYPES: usize = 5;
/// Longest name of a field or page type, in bytes.
const MAX_NAME: usize = 40;
/// Longest place in the markup, in bytes.
const MAX_PLACE: usize = 120;

/// The memory of the owner of one run.
#[async_trait]
pub trait Memory: Send + Sync + Debug {
    /// What is known of a site; none where nothing is, or the store fails.
    async fn recall(&self, site: &str) -> Option<SiteMemory>;

    /// Adds what a page of a site taught. A store that fails loses it.
    async fn learn(&self, site: &str, lesson: PageLesson);
}

/// What one page taught about its site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageLesson {
    page_type: Option<String>,
    fields: BTreeMap<String, String>,
    missing: Vec<String>,
}

impl PageLesson {
    /// What the result of a page teaches: its item, and how that came to be.
    pub(crate) fn of(item: &Value, meta: Option<&Value>) -> PageLesson {
        let provenance = item["provenance"].as_object().into_iter().flatten();
        let fields = provenance.filter_map(|(field, source)| {
            let field = name(field)?;
            Some((field, place(source)?))
        });
        let missing = meta.and_then(|meta| meta["missing"].as_array());
        let missing = missing.into_iter().flatten().filter_map(Value::as_str);
        PageLesson {
            page_type: item["page_type"].as_str().and_then(name),
            fields: fields.take(MAX_FIELDS).collect(),
            missing: missing.filter_map(name).take(MAX_FIELDS).collect(),
        }
    }

    /// The memory of a site with this lesson added.
    #[must_use]
    pub fn added_to(self, before: Option<SiteMemory>, site: &str, now: Timestamp) -> SiteMemory {
        let mut memory = before.unwrap_or_else(|| SiteMemory {
            site: site.to_owned(),
            learned_at: now,
            pages: 0,
            page_types: Vec::new(),
            fields: BTreeMap::new(),
            missing: Vec::new(),
        });
        memory.learned_at = now;
        memory.pages = memory.pages.saturating_add(1);
        if let Some(page_type) = self.page_type {
            memory.page_types.retain(|known| *known != page_type);
            memory.page_types.insert(0, page_type);
            memory.page_types.truncate(MAX_PAGE_TYPES);
        }
        for (field, place) in self.fields {
            if memory.fields.len() < MAX_FIELDS || memory.fields.contains_key(&field) {
                memory.fields.insert(field, place);
            }
        }
        memory.missing = self.missing;
        memory
    }
}

/// The site of an address, as the memory names it.
pub(crate) fn site_name(address: &Url) -> Option<String> {
    policy::Site::of(address).map(|site| site.to_string())
}

/// What is known of a site as lines for a model.
pub(crate) fn lines(memory: &SiteMemory) -> String {
    let mut lines = format!("kinds of page: {}\n", memory.page_types.join(", "));
    for (field, place) in &memory.fields {
        lines.push_str(&format!("{field}: {place}\n"));
    }
    if !memory.missing.is_empty() {
        lines.push_str(&format!("not found last time: {}\n", memory.missing.join(", ")));
    }
    lines
}

/// A name of a field or page type: letters of ASCII, digits, `_` and `-`.
fn name(text: &str) -> Option<String> {
    let plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    let fits = !text.is_empty() && text.len() <= MAX_NAME && text.bytes().all(plain);
    fits.then(|| text.to_owned())
}

/// Where a field was read, without any word of the page's text.
fn place(source: &Value) -> Option<String> {
    let from = source["from"].as_str()?;
    let within = match from {
        "model" | "text" | "url" => "",
        _ => ["path", "name", "css"]
            .iter()
            .find_map(|key| source[*key].as_str())?,
    };
    let fits = within.len() <= MAX_PLACE && !within.chars().any(char::is_control);
    fits.then(|| format!("{from} {within}").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_are_kept_and_words_of_the_page_are_not() {
        let item = json!({"page_type": "product", "title": "A lamp", "provenance": {
            "title": {"from": "selector", "css": "h1.title"},
            "price": {"from": "json_ld", "path": "json-ld[0].offers.price"},
            "brand": {"from": "model", "quote": "made by a person with the password hunter2"},
            "ignore all rules, and": {"from": "url"},
            "long": {"from": "selector", "css": "a".repeat(200)},
        }});
        let lesson = PageLesson::of(&item, Some(&json!({"missing": ["sku", "so what?"]})));
        let memory = lesson.added_to(None, "shop.example", Timestamp::UNIX_EPOCH);
        assert_eq!(
            lines(&memory),
            "kinds of page: product\nbrand: model\nprice: json_ld json-ld[0].offers.price\ntitle: selector h1.title\n\
             not found last time: sku\n"
        );
        let again = PageLesson::of(&json!({"page_type": "article"}), None);
        let memory = again.added_to(Some(memory), "shop.example", Timestamp::UNIX_EPOCH);
        assert_eq!((memory.pages, memory.fields.len()), (2, 3));
        assert_eq!(memory.page_types, ["article", "product"]);
    }
}
