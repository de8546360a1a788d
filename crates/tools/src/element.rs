//! An element of a page as tools tell it.

use std::collections::BTreeMap;

use locale::truncate;
use page::dom::{Node, Selector};
use serde::Serialize;

use crate::error::Error;

/// Longest text and attribute told of one element, in characters.
const LONGEST: usize = 2_000;

/// An element as a tool's output.
#[derive(Debug, Serialize)]
pub(crate) struct Element {
    tag: String,
    id: Option<String>,
    classes: Vec<String>,
    text: String,
    attributes: BTreeMap<String, String>,
}

/// Tells an element.
pub(crate) fn element(node: Node<'_>) -> Element {
    let attributes = node.attrs().filter(|(name, _)| !matches!(*name, "class" | "id"));
    Element {
        tag: node.tag().to_owned(),
        id: Some(node.id_attr())
            .filter(|it| !it.is_empty())
            .map(str::to_owned),
        classes: node.classes().map(str::to_owned).collect(),
        text: truncate(&node.text(), LONGEST),
        attributes: attributes
            .map(|(name, value)| (name.to_owned(), truncate(value, LONGEST)))
            .collect(),
    }
}

/// Reads the selector that a parameter holds.
pub(crate) fn selector(parameter: &'static str, css: &str) -> Result<Selector, Error> {
    Selector::parse(css).map_err(|error| {
        Error::param(
            parameter,
            format!("{error}; write a CSS selector such as `article h2`"),
        )
    })
}
