//! What does a page say about itself for machines? Structured data in the shapes of the Python library extruct,
//! and one way to walk it wherever it was written.

mod json;
mod jsonld;
mod microdata;
mod microformats;
mod opengraph;
mod rdfa;
mod state;
mod tags;
mod things;

use serde::Serialize;
use serde_json::{Map, Value};

pub use jsonld::jsonld;
pub use microdata::microdata;
pub use microformats::microformats;
pub use opengraph::opengraph;
pub use rdfa::rdfa;
pub use state::{State, state};
pub use tags::{Tag, dublincore, meta, tags, twitter};
pub use things::{Format, Prop, Thing, Things};

use crate::Page;

/// Everything a page says about itself, as `extract --to metadata` prints it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metadata {
    /// JSON-LD objects.
    #[serde(rename = "json-ld")]
    pub jsonld: Vec<Value>,
    /// Microdata items.
    pub microdata: Vec<Value>,
    /// RDFa as expanded JSON-LD.
    pub rdfa: Vec<Value>,
    /// The Open Graph object, if any.
    pub opengraph: Vec<Value>,
    /// Twitter's tags by name.
    pub twitter: Map<String, Value>,
    /// Every `<meta>` by name.
    pub meta: Map<String, Value>,
    /// Dublin Core elements and terms.
    pub dublincore: Vec<Value>,
    /// Microformats, version 2.
    pub microformat: Vec<Value>,
}

impl Metadata {
    /// Reads all formats.
    pub fn read(page: &Page) -> Metadata {
        Metadata {
            jsonld: jsonld(page),
            microdata: microdata(page),
            rdfa: rdfa(page),
            opengraph: opengraph(page),
            twitter: twitter(page),
            meta: meta(page),
            dublincore: vec![dublincore(page)],
            microformat: microformats(page),
        }
    }
}

/// The absolute form of a reference. One that is absolute already keeps its spelling, one that cannot be resolved too.
fn absolute(page: &Page, href: &str) -> String {
    let href = href.trim();
    let has_scheme = href.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    if has_scheme {
        return href.to_owned();
    }
    page.absolute(href)
        .map_or_else(|| href.to_owned(), |url| url.to_string())
}

/// The pairs of a `prefix` attribute: `og: http://ogp.me/ns# fb: ...`.
fn prefixes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut words = text.split_ascii_whitespace();
    std::iter::from_fn(move || {
        loop {
            let prefix = words.next()?;
            if let Some(name) = prefix.strip_suffix(':') {
                return Some((name, words.next()?));
            }
            // `og:http://...` without a space.
            if let Some((name, iri)) = prefix.split_once(':').filter(|(_, iri)| iri.contains("://")) {
                return Some((name, iri));
            }
        }
    })
}

/// Turns the character references of HTML into characters, once.
pub fn decode_entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    // As the value of an attribute the text can neither open an element nor end early.
    let html = format!("<meta content=\"{}\">", text.replace('"', "&quot;"));
    let dom = crate::dom::Dom::parse(&html);
    let decoded = dom.by_tag("meta").find_map(|node| node.attr("content"));
    decoded.unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_become_characters_once() {
        assert_eq!(
            decode_entities("Tom &amp; \"J&eacute;r&#244;me\" &amp;amp; <b>"),
            "Tom & \"Jérôme\" &amp; <b>"
        );
    }

    #[test]
    fn an_absolute_reference_keeps_its_spelling() {
        let page = Page::new("", "https://a.example/b/".parse().ok());
        assert_eq!(absolute(&page, "http://x.example"), "http://x.example");
        assert_eq!(absolute(&page, " c?d#e "), "https://a.example/b/c?d#e");
        assert_eq!(absolute(&Page::new("", None), "c"), "c");
    }

    #[test]
    fn prefixes_are_read_with_and_without_a_space() {
        let got: Vec<_> = prefixes("og: http://ogp.me/ns#  fb:http://fb/ junk x:").collect();
        assert_eq!(got, [("og", "http://ogp.me/ns#"), ("fb", "http://fb/")]);
    }
}
