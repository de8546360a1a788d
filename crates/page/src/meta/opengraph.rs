//! The Open Graph protocol. <https://ogp.me>

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::references::prefixes;
use crate::dom::Node;
use crate::page::Page;

/// Prefixes that need no declaration: those of ogp.me, and `product`, which many shops use.
const KNOWN_PREFIXES: [(&str, &str); 7] = [
    ("og", "http://ogp.me/ns#"),
    ("music", "http://ogp.me/ns/music#"),
    ("video", "http://ogp.me/ns/video#"),
    ("article", "http://ogp.me/ns/article#"),
    ("book", "http://ogp.me/ns/book#"),
    ("profile", "http://ogp.me/ns/profile#"),
    ("product", "http://ogp.me/ns/product#"),
];

/// The most properties that are kept.
const MAX_PROPERTIES: usize = 1_000;

/// The page's Open Graph object, `{"namespace", "properties": [[name, content]]}`, in a list; the list is empty when
/// the page has none.
pub fn opengraph(page: &Page) -> Vec<Value> {
    let mut namespace = Map::new();
    let roots = || page.dom().by_tag("html").chain(page.dom().head());
    for node in roots() {
        declare_prefixes(node, &mut namespace);
    }
    let mut properties = Vec::new();
    for node in page.dom().by_tag("meta") {
        let (Some(name), Some(content)) = (node.attr("property"), node.attr("content")) else {
            continue;
        };
        let name = with_prefix(name.trim(), &namespace);
        let Some((prefix, _)) = name.split_once(':') else {
            continue;
        };
        if let Some((_, iri)) = KNOWN_PREFIXES.iter().find(|(known, _)| *known == prefix) {
            namespace.insert(prefix.to_owned(), json!(iri));
        } else if !namespace.contains_key(prefix) {
            // Older pages declare prefixes as XML does.
            let xmlns = format!("xmlns:{prefix}");
            let Some(iri) = roots().find_map(|root| root.attr(&xmlns)) else {
                continue;
            };
            namespace.insert(prefix.to_owned(), json!(iri.trim()));
        }
        let property = json!([name, content]);
        if properties.len() < MAX_PROPERTIES && !properties.contains(&property) {
            properties.push(property);
        }
    }
    if properties.is_empty() {
        Vec::new()
    } else {
        vec![json!({"namespace": namespace, "properties": properties})]
    }
}

/// A property that is written as a full IRI gets its prefix.
fn with_prefix<'a>(name: &'a str, namespace: &Map<String, Value>) -> Cow<'a, str> {
    if !name.contains("//") {
        return Cow::Borrowed(name);
    }
    let known = KNOWN_PREFIXES.iter().map(|(prefix, iri)| (*prefix, *iri));
    let declared = namespace
        .iter()
        .filter_map(|(prefix, iri)| Some((prefix.as_str(), iri.as_str()?)));
    // The longest namespace fits best: `http://ogp.me/ns#` and `http://ogp.me/ns/article#` differ late.
    let best = known
        .chain(declared)
        .filter_map(|(prefix, iri)| Some((prefix, name.strip_prefix(iri)?)));
    match best.min_by_key(|(_, rest)| rest.len()) {
        Some((prefix, rest)) => Cow::Owned(format!("{prefix}:{rest}")),
        None => Cow::Borrowed(name),
    }
}

/// Reads `prefix="og: http://ogp.me/ns# fb: ..."`.
fn declare_prefixes(node: Node<'_>, namespace: &mut Map<String, Value>) {
    for (prefix, iri) in prefixes(node.attr("prefix").unwrap_or("")) {
        // The name is its last run of letters: the part of `songkick-concerts` that counts is `concerts`.
        let start = prefix
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
            .map_or(0, |at| at + 1);
        if let Some(name) = prefix.get(start..).filter(|name| !name.is_empty()) {
            namespace.insert(name.to_owned(), json!(iri));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_and_known_prefixes_count() {
        let html = r#"<html prefix="fb: http://fb/ns#"><head><meta property="og:title" content="T">
            <meta property="fb:app_id" content="1"><meta property="http://ogp.me/ns#title" content="U"><meta property="al:web" content="x"></head></html>"#;
        let expected = json!([{"namespace": {"fb": "http://fb/ns#", "og": "http://ogp.me/ns#"},
            "properties": [["og:title", "T"], ["fb:app_id", "1"], ["og:title", "U"]]}]);
        assert_eq!(Value::Array(opengraph(&Page::new(html, None))), expected);
    }
}
