//! Where on a page stands who wrote it?

use page::Page;
use page::dom::{Edge, Node};

use super::names::{self, names};
use crate::provenance::{Found, Source};

/// Longer texts are no bylines.
const MAX_TEXT: usize = 140;
/// An element with more nodes than this is no byline.
const MAX_NODES: usize = 40;
/// Elements after the title within which a byline is the page's.
const NEAR: usize = 120;

/// The author that the page shows, best marked first.
pub(super) fn read(page: &Page) -> Option<Found<String>> {
    let body = page.dom().body()?;
    let mut best: Option<(i32, Found<String>)> = None;
    let mut since_title: Option<usize> = None;
    let title = page
        .dom()
        .by_tag("h1")
        .find(|node| !node.text().is_empty())
        .map(Node::id);
    let mut skip: Option<Node<'_>> = None;
    // The last short text, which may say what the next one is.
    let mut label = "";
    for edge in body.traverse() {
        let node = match edge {
            Edge::Open(node) => node,
            Edge::Close(node) => {
                if skip == Some(node) {
                    skip = None;
                }
                continue;
            }
        };
        if skip.is_some() {
            continue;
        }
        if let Some(text) = node.text_value() {
            let named = names::is_written_by(label);
            let sure = if named {
                Some(34)
            } else {
                is_byline(text).then_some(30)
            };
            if !text.trim().is_empty() {
                label = if text.len() <= 30 { text.trim() } else { "" };
            }
            let weight = near(since_title).and_then(|bonus| Some(sure? + bonus));
            let found =
                weight.and_then(|weight| Some((weight, shown(text, Source::selector(css(node.parent()?)))?)));
            keep(&mut best, found);
            continue;
        }
        if !node.is_element() {
            continue;
        }
        if let Some(since) = &mut since_title {
            *since += 1;
        }
        if node.is("h1") && since_title.is_none_or(|since| since > 40) {
            since_title = Some(0);
        }
        let mark = format!("{} {}", node.class(), node.id_attr()).to_ascii_lowercase();
        let holds_title = title.is_some_and(|title| node.id() < title && title < node.end());
        if !holds_title && is_elsewhere(node, &mark) {
            skip = Some(node);
            continue;
        }
        if let Some(name) = node.attr("data-author").or(node.attr("author")) {
            let found = shown(name, Source::selector(format!("{}[data-author]", css(node))));
            keep(
                &mut best,
                found.map(|found| (40 + near(since_title).unwrap_or(-15), found)),
            );
        }
        if let Some(weight) = weight(node, &mark) {
            if node.end().index() - node.id().index() > MAX_NODES {
                continue;
            }
            let text = node.text();
            if text.len() > MAX_TEXT {
                continue;
            }
            let found = shown(&text, Source::selector(css(node)));
            keep(
                &mut best,
                found.map(|found| (weight + near(since_title).unwrap_or(-15), found)),
            );
        }
    }
    best.map(|(_, found)| found)
}

/// Of equals the first stays.
fn keep(best: &mut Option<(i32, Found<String>)>, next: Option<(i32, Found<String>)>) {
    if let Some(next) = next
        && best.as_ref().is_none_or(|best| next.0 > best.0)
    {
        *best = Some(next);
    }
}

fn near(since_title: Option<usize>) -> Option<i32> {
    match since_title? {
        0..=30 => Some(15),
        31..=NEAR => Some(5),
        _ => None,
    }
}

fn shown(text: &str, source: Source) -> Option<Found<String>> {
    let names = names(text);
    (!names.is_empty()).then(|| Found::new(names.join(", "), source))
}

/// Comments, footers, menus and lists of other pages.
fn is_elsewhere(node: Node<'_>, mark: &str) -> bool {
    matches!(
        node.tag(),
        "footer" | "nav" | "aside" | "script" | "style" | "noscript" | "form"
    ) || [
        "comment",
        "related",
        "recent",
        "sidebar",
        "widget",
        "footer",
        "menu",
        "popular",
        "teaser",
        "testimonial",
        "quote",
    ]
    .iter()
    .any(|word| mark.contains(word))
        && !mark.contains("no-comment")
        && !node.is("body")
        && !node.is("article")
        && !node.is("main")
}

/// How surely an element is marked as the author.
fn weight(node: Node<'_>, mark: &str) -> Option<i32> {
    let has = |words: &[&str]| words.iter().any(|word| mark.contains(word));
    if node.attr("itemprop").is_some_and(|properties| {
        properties
            .split_ascii_whitespace()
            .any(|property| property == "author" || property == "creator")
    }) {
        return Some(60);
    }
    if node.attr("rel").is_some_and(|relations| {
        relations
            .split_ascii_whitespace()
            .any(|relation| relation == "author")
    }) {
        return Some(58);
    }
    if has(&[
        "author-bio",
        "author_bio",
        "authorbio",
        "author-desc",
        "author-image",
        "author-avatar",
        "author-social",
        "author-title",
        "author-job",
        "about-author",
        "author-box",
    ]) {
        return None;
    }
    if has(&[
        "author-name",
        "author_name",
        "authorname",
        "author__name",
        "byline-name",
        "byline__name",
        "byline__author",
        "post-author",
        "entry-author",
        "article-author",
        "article__author",
    ]) {
        return Some(54);
    }
    if has(&[
        "author",
        "byline",
        "autor",
        "written-by",
        "writtenby",
        "writer",
        "auteur",
    ]) {
        return Some(46);
    }
    let href = node.attr("href").unwrap_or("");
    if node.is("a")
        && [
            "/author/",
            "/authors/",
            "/autor/",
            "/writer/",
            "/contributor/",
            "/people/",
            "/profile/",
        ]
        .iter()
        .any(|part| href.contains(part))
    {
        return Some(44);
    }
    has(&[
        "username",
        "user-name",
        "poster",
        "post-user",
        "postuser",
        "creator",
    ])
    .then_some(24)
}

/// A text that begins as bylines do.
fn is_byline(text: &str) -> bool {
    let text = text.trim();
    text.len() <= MAX_TEXT
        && [
            "By ",
            "by ",
            "BY ",
            "Written by",
            "Posted by",
            "Von ",
            "von ",
            "Par ",
            "Por ",
            "Author:",
            "Autor:",
            "Di ",
            "Door ",
        ]
        .iter()
        .any(|start| text.starts_with(start) && text.len() > start.len() + 2)
        && text
            .split_whitespace()
            .nth(1)
            .is_some_and(|word| word.starts_with(char::is_uppercase) || word == "by")
}

fn css(node: Node<'_>) -> String {
    match node.classes().next() {
        Some(class) => format!("{}.{class}", node.tag()),
        None => node.tag().to_owned(),
    }
}
