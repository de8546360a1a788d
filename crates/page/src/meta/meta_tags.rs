//! The `<meta>` elements of a page, Twitter cards and Dublin Core.

use serde_json::{Map, Value, json};

use crate::dom::Node;
use crate::page::Page;

/// One `<meta>` with a name and a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag<'a> {
    /// `name`, `property`, `http-equiv` or `itemprop`, as written.
    pub name: &'a str,
    /// The content, as written.
    pub content: &'a str,
}

/// Every `<meta>` that has a name and a content, in order, wherever it stands. One with both a name and a property
/// comes twice. The content of some stands in `value`. Properties of reviews and comments are left out: their author and their
/// day are not the page's.
pub fn tags(page: &Page) -> Vec<Tag<'_>> {
    let mut out = Vec::new();
    for node in page.dom().by_tag("meta") {
        let Some(content) = node.attr("content").or_else(|| node.attr("value")) else {
            continue;
        };
        if node.attr("itemprop").is_some() && is_of_opinion(node) {
            continue;
        }
        let mut last = "";
        for attribute in ["property", "name", "http-equiv", "itemprop"] {
            if let Some(name) = node
                .attr(attribute)
                .map(str::trim)
                .filter(|name| !name.is_empty() && *name != last)
            {
                out.push(Tag { name, content });
                last = name;
            }
        }
    }
    out
}

/// Whether an element is a property of a review or a comment.
fn is_of_opinion(node: Node<'_>) -> bool {
    let mut kinds = node.ancestors().filter_map(|above| {
        above.attr("itemscope")?;
        above.attr("itemtype")?.rsplit('/').next()
    });
    match kinds.next() {
        Some("Review" | "UserReview" | "Comment" | "UserComments") => true,
        // Of goods people ask; a page that is one question is about it.
        Some("Question" | "Answer") => kinds.any(|kind| kind == "Product"),
        _ => false,
    }
}

/// Every `<meta>` with a `name` or `http-equiv`, by name: one content stands alone, several stand in a list. Those
/// with a `property` are found in [`opengraph`](super::opengraph()) and [`rdfa`](super::rdfa()).
pub fn meta(page: &Page) -> Map<String, Value> {
    let named = |node: Node<'_>| node.attr("name").or(node.attr("http-equiv")).is_some();
    let nodes = page.dom().by_tag("meta").filter(|node| named(*node));
    collect(nodes.filter_map(|node| {
        let name = node.attr("name").or(node.attr("http-equiv"))?.trim();
        Some(Tag {
            name,
            content: node.attr("content")?,
        })
        .filter(|tag| !tag.name.is_empty())
    }))
}

/// The tags of Twitter's cards, by name.
pub fn twitter(page: &Page) -> Map<String, Value> {
    collect(tags(page).into_iter().filter(|tag| {
        tag.name
            .get(..8)
            .is_some_and(|prefix| prefix.eq_ignore_ascii_case("twitter:"))
    }))
}

fn collect<'a>(tags: impl Iterator<Item = Tag<'a>>) -> Map<String, Value> {
    let mut out = Map::new();
    for tag in tags {
        match out.get_mut(tag.name) {
            None => {
                out.insert(tag.name.to_owned(), json!(tag.content));
            }
            Some(Value::Array(list)) => list.push(json!(tag.content)),
            Some(one) => *one = json!([one.take(), tag.content]),
        }
    }
    out
}

/// The elements of Dublin Core's first vocabulary, version 1.1.
const ELEMENTS: &str = "\
    contributor coverage creator date description format identifier language publisher relation rights source \
    subject title type";
/// The properties of DCMI Metadata Terms that are no elements too.
const TERMS: &str = "\
    abstract accessRights accrualMethod accrualPeriodicity accrualPolicy alternative audience available \
    bibliographicCitation conformsTo created dateAccepted dateCopyrighted dateSubmitted educationLevel extent \
    hasFormat hasPart hasVersion instructionalMethod isFormatOf isPartOf isReferencedBy isReplacedBy isRequiredBy \
    issued isVersionOf license mediator medium modified provenance references replaces requires rightsHolder \
    spatial tableOfContents temporal valid";

/// Dublin Core in `<meta>` and `<link>`: `{"namespaces", "elements", "terms"}`.
pub fn dublincore(page: &Page) -> Value {
    let mut namespaces = Map::new();
    let mut elements = Vec::new();
    let mut terms = Vec::new();
    let links = || page.dom().by_tag("link");
    for node in links() {
        let (rel, href) = (
            node.attr("rel").unwrap_or(""),
            node.attr("href").unwrap_or("").trim(),
        );
        if let Some(name) = rel.strip_prefix("schema.")
            && matches!(
                href,
                "http://purl.org/dc/terms/" | "http://purl.org/dc/elements/1.1/"
            )
        {
            namespaces.insert(name.to_owned(), json!(href));
        }
    }
    let named = page
        .dom()
        .by_tag("meta")
        .map(|node| (node, "name"))
        .chain(links().map(|node| (node, "rel")));
    for (node, attribute) in named {
        let Some(name) = node.attr(attribute) else {
            continue;
        };
        let last = name.rsplit('.').next().unwrap_or(name);
        if let Some(term) = find_word(ELEMENTS, last) {
            elements.push(described(
                node,
                &format!("http://purl.org/dc/elements/1.1/{term}"),
            ));
        } else if let Some(term) = find_word(TERMS, last) {
            terms.push(described(node, &format!("http://purl.org/dc/terms/{term}")));
        }
    }
    json!({"namespaces": namespaces, "elements": elements, "terms": terms})
}

/// The word of a list that is `name` but for case.
fn find_word(list: &'static str, name: &str) -> Option<&'static str> {
    list.split_ascii_whitespace()
        .find(|word| word.eq_ignore_ascii_case(name))
}

fn described(node: Node<'_>, uri: &str) -> Value {
    let mut out: Map<String, Value> = node
        .attrs()
        .map(|(name, value)| (name.to_owned(), json!(value)))
        .collect();
    out.insert("URI".to_owned(), json!(uri));
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_by_any_of_their_names() {
        let page = Page::new(
            r#"<meta name="author" content="A"><meta name="author" content="B"><meta property="og:title" content="T">
            <meta name="twitter:card" content="summary"><meta charset="utf-8"><meta name="DC.title" content="D">"#,
            None,
        );
        let all = Value::Object(meta(&page));
        assert_eq!(all["author"], json!(["A", "B"]));
        assert_eq!(
            tags(&page)[2],
            Tag {
                name: "og:title",
                content: "T"
            }
        );
        assert_eq!(Value::Object(twitter(&page)), json!({"twitter:card": "summary"}));
        let uri = "http://purl.org/dc/elements/1.1/title";
        assert_eq!(
            dublincore(&page)["elements"],
            json!([{"name": "DC.title", "content": "D", "URI": uri}])
        );
    }

    #[test]
    fn a_review_has_tags_of_its_own_and_some_contents_are_values() {
        let page = Page::new(
            r#"<meta name="og:title" value="T"><div itemscope itemtype="https://schema.org/Review"><meta itemprop="author" content="A"></div>
            <div itemscope itemtype="https://schema.org/Recipe"><meta itemprop="author" content="B"></div>"#,
            None,
        );
        let told: Vec<(&str, &str)> = tags(&page).iter().map(|tag| (tag.name, tag.content)).collect();
        assert_eq!(told, [("og:title", "T"), ("author", "B")]);
    }
}
