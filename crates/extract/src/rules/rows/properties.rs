//! What the markup of an entry calls its texts: `<span itemprop="programmingLanguage">Go</span>`, `<address>12 Market Place</address>`.

use page::dom::Node;
use serde_json::{Map, Value};

use crate::rules::author;
use crate::rules::lines::is_hidden;
use crate::rules::visible_page::squeeze;

/// Longest text of a property, in characters.
const LONGEST: usize = 120;
/// Most nodes of an entry that are looked at.
const MAX_NODES: usize = 600;
/// Properties of schema.org that are read as fields of a row, or hold others.
#[rustfmt::skip]
const FIELDS: [&str; 34] = [
    "name", "headline", "title", "url", "image", "thumbnailUrl", "contentUrl", "logo", "description", "text", "articleBody", "abstract",
    "price", "priceCurrency", "lowPrice", "highPrice", "availability", "offers", "author", "creator", "datePublished", "dateModified",
    "dateCreated", "startDate", "endDate", "ratingValue", "reviewCount", "ratingCount", "bestRating", "worstRating", "aggregateRating",
    "itemListElement", "position", "item",
];

/// Adds what is shown of the properties of an entry that are no fields of a row.
pub(super) fn add(root: Node<'_>, facts: &mut Map<String, Value>) {
    for node in root.descendants().take(MAX_NODES) {
        // An address may also be who wrote the entry.
        let is_byline = || author::is_entry_byline(&node.text()) || node.class().contains("author");
        let of_element = (node.is("address") && !is_byline()).then_some("address");
        let Some(name) = node.attr("itemprop").map(str::trim).or(of_element) else {
            continue;
        };
        let is_plain =
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic()) && !FIELDS.contains(&name);
        if !is_plain || node.attr("itemscope").is_some() || is_hidden(node) {
            continue;
        }
        let text = squeeze(&node.text());
        let label = words_of(name);
        let is_known = facts.keys().any(|known| known.eq_ignore_ascii_case(&label));
        if !is_known && text.contains(char::is_alphanumeric) && text.chars().count() <= LONGEST {
            facts.insert(label, text.into());
        }
    }
}

/// The words of a name that is written in one: "programming language".
fn words_of(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    #[test]
    fn a_property_that_is_no_field_is_a_fact_by_its_name() {
        let entry = |name: &str, language: &str| {
            format!(
                "<li><h3 itemprop=name><a href=/r/{name}>{name}</a></h3><p>Does what {name} is for.</p>\
                 <span itemprop=programmingLanguage>{language}</span></li>"
            )
        };
        let html = format!(
            "<h1>Projects</h1><ul>{}{}{}</ul>",
            entry("kite", "Go"),
            entry("quill", "Rust"),
            entry("moor", "Go")
        );
        let page = Page::new(html, "https://code.example/".parse().ok());
        let languages: Vec<_> = rows::read(&VisiblePage::of(&page))
            .into_iter()
            .map(|row| serde_json::Value::Object(row.facts))
            .collect();
        let fact = |language: &str| serde_json::json!({"programming language": language});
        assert_eq!(languages, [fact("Go"), fact("Rust"), fact("Go")]);
    }

    #[test]
    fn the_address_of_an_entry_is_a_fact() {
        let entry = |name: &str, street: &str| {
            format!(
                "<li><h3><a href=/m/{name}>{name}</a></h3><address>{street}, Hexham</address><p>What {name} does.</p></li>"
            )
        };
        let html = format!(
            "<h1>Members</h1><ul>{}{}{}</ul>",
            entry("Alder", "12 Market Place"),
            entry("Finch", "3 Mill Lane"),
            entry("Reed", "9 Quay")
        );
        let page = Page::new(html, "https://town.example/".parse().ok());
        let rows = rows::read(&VisiblePage::of(&page));
        let address = rows[1].facts.get("address").and_then(serde_json::Value::as_str);
        assert_eq!(address, Some("3 Mill Lane, Hexham"));
    }
}
