//! Those who wrote a page with the one that is stated.

use page::Page;
use page::dom::Node;

use super::super::visible_page::squeeze;
use super::byline::{
    MAX_TEXT, MOST_AROUND, NEAR, byline_text, css, is_byline, is_elsewhere, leads_to_author,
};
use super::names::{self, names};
use crate::provenance::{FieldSource, Sourced};

/// All authors that the page shows near a title, when the one that is stated is among several: of a line that begins as bylines do,
/// or of a few elements that are each marked as an author.
pub(super) fn with_others(page: &Page, stated: &str) -> Option<Sourced<String>> {
    let last = stated.split_whitespace().next_back()?;
    let dom = page.dom();
    let body = dom.body()?;
    let is_near = |node: &Node<'_>| {
        let mut titles = dom.by_tag("h1").take(MAX_TITLES);
        titles.any(|title| title.end() <= node.id() && node.id().index() - title.end().index() <= 2 * NEAR)
    };
    let mut named = body
        .descendants()
        .filter(|node| node.text_value().is_some_and(|text| text.contains(last)) && is_near(node))
        .take(MAX_NAMED);
    let near = named.find_map(|node| all_around(node, stated));
    near.or_else(|| {
        let alone = body
            .descendants()
            .filter(|node| node.text_value().is_some_and(|text| text.trim() == stated));
        let mut lists = alone.take(MAX_NAMED);
        lists.find_map(|node| in_alike(node).filter(|_| is_below_label(node)))
    })
}

/// Whether the short text before a list of names says that it names authors.
fn is_below_label(name: Node<'_>) -> bool {
    let mut labels = name.ancestors().take(MOST_AROUND).filter_map(|node| {
        let siblings = node.parent()?.children();
        let before = siblings.take_while(|child| child.id() < node.id());
        before.filter(|child| child.is_element()).last()
    });
    labels.any(|label| names::is_written_by(&squeeze(&label.text())))
}

/// Most headings after which a byline is looked for.
const MAX_TITLES: usize = 20;
/// Most texts with the name of an author around which others are looked for.
const MAX_NAMED: usize = 6;

/// The authors that a small box around a text names, the stated one among them.
fn all_around(text: Node<'_>, stated: &str) -> Option<Sourced<String>> {
    let is_stated = |name: &String| name == stated || name.ends_with(&format!(" {stated}"));
    let is_byline_box = |node: &Node<'_>| {
        let names = format!("{} {}", node.class(), node.id_attr()).to_ascii_lowercase();
        let longest = if is_written_by_box(*node) {
            MAX_BOX
        } else {
            MAX_TEXT
        };
        !is_elsewhere(*node, &names) && !node.is("h1") && node.text().len() <= longest
    };
    let boxes = text.ancestors().take(8).take_while(is_byline_box);
    let each = boxes.into_iter().find_map(|node| {
        let by_paths = is_written_by_box(node);
        let marked = node.descendants().filter(|inner| {
            let rel = inner.attr("rel").unwrap_or_default();
            rel.split(' ').any(|word| word == "author") || by_paths && leads_to_author(*inner)
        });
        let mut found: Vec<String> = Vec::new();
        for name in marked.flat_map(|inner| names(&inner.text())) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
        if found.len() < 2 {
            found = in_line(node);
        }
        let are_persons = found
            .iter()
            .all(|name| name.contains(' ') && names::is_shown_name(name));
        let is_whole = found.len() > 1 && are_persons && found.iter().any(is_stated);
        is_whole.then(|| Sourced::new(found.join(", "), FieldSource::selector(css(node))))
    });
    // A list at the side names all who write for the site.
    let is_at_side = || {
        text.ancestors().any(|node| {
            let names = format!("{} {}", node.class(), node.id_attr()).to_ascii_lowercase();
            is_elsewhere(node, &names)
        })
    };
    each.or_else(|| {
        let all = in_alike(text).filter(|all| all.value.split(", ").any(|name| name == stated));
        all.filter(|_| !is_at_side())
    })
}

/// Longest text of a box that says of each author who they are.
const MAX_BOX: usize = 3 * MAX_TEXT;
/// Words before those who did something else to a text than write it.
#[rustfmt::skip]
const OTHER_ROLES: &[&str] = &[
    "reviewed by", "edited by", "checked by", "translated by", "illustrated by", "photo", "foto", "geprüft", "übersetz", "traduit",
    "traducid", "traduzid", "tradott", "vertaald", "tłumacz", "zdjęcia",
];

/// Whether a small box begins with the words for who wrote the page, and names no other role: "Written by <a>Ann Onym</a>, ten years
/// of gardening".
fn is_written_by_box(node: Node<'_>) -> bool {
    let lower = squeeze(&node.text()).to_lowercase();
    let mut starts = ["written by ", "by ", "geschrieben von ", "von "].iter();
    let begins = lower.len() <= MAX_BOX && starts.any(|start| lower.starts_with(start));
    begins && !names_other_role(&lower)
}

/// Whether a text in lower case names somebody who did something else to a page than write it.
fn names_other_role(lower: &str) -> bool {
    OTHER_ROLES.iter().any(|role| lower.contains(role))
}

/// The names in elements of one template of which one holds a name, where all of them hold one name and nothing else.
fn in_alike(name: Node<'_>) -> Option<Sourced<String>> {
    let own = squeeze(&name.text());
    let holds_more = |node: &Node<'_>| {
        let mut elements = node.children().filter(|child| child.is_element());
        elements.next().is_some() && elements.next().is_some()
    };
    let parent = name.ancestors().take(MOST_AROUND + 1).find(holds_more)?;
    if names_other_role(&parent.text().to_lowercase()) {
        return None;
    }
    let alike: Vec<Node<'_>> = parent.children().filter(|child| child.is_element()).collect();
    let first = alike.first()?;
    let mut found: Vec<String> = Vec::new();
    for node in &alike {
        let text = squeeze(&node.text());
        let is_one = text.contains(' ') && names::is_shown_name(&text) && names(&text) == [text.as_str()];
        if (node.tag(), node.class()) != (first.tag(), first.class()) || !is_one {
            return None;
        }
        if !found.contains(&text) {
            found.push(text);
        }
    }
    let is_several = (2..=names::MAX_AUTHORS).contains(&found.len()) && found.contains(&own);
    is_several.then(|| Sourced::new(found.join(", "), FieldSource::selector(css(parent))))
}

/// The names in a line that begins as bylines do. What stands behind a comma is a name where it has an element of its own, else
/// mostly a role or a place.
fn in_line(node: Node<'_>) -> Vec<String> {
    let line = byline_text(node);
    if !is_byline(&line) {
        return Vec::new();
    }
    let parts: Vec<String> = node
        .descendants()
        .filter(|inner| inner.is_element())
        .map(|inner| squeeze(&inner.text()))
        .collect();
    let first = names(line.split(',').next().unwrap_or_default());
    let found: Vec<String> = line.split(',').flat_map(names).collect();
    let is_apart = |name: &String| first.contains(name) || parts.contains(name);
    if found.iter().all(is_apart) {
        found
    } else {
        Vec::new()
    }
}
