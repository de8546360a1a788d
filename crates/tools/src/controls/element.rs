//! Elements of a page as output of tools.

use std::collections::BTreeMap;

use locale::truncate;
use page::dom::{Node, Selector};
use serde::Serialize;

use crate::error::Error;

// The name that the category `browser` uses.
pub(crate) use self::parse_selector as selector;

/// Longest text and attribute value of an element, in characters.
const MAX_TEXT: usize = 2_000;

/// An element of a page as a tool's output.
#[derive(Debug, Serialize)]
pub(crate) struct ElementOutput {
    tag: String,
    id: Option<String>,
    classes: Vec<String>,
    text: String,
    attributes: BTreeMap<String, String>,
}

/// Describes an element.
pub(crate) fn element(node: Node<'_>) -> ElementOutput {
    let attributes = node.attrs().filter(|(name, _)| !matches!(*name, "class" | "id"));
    ElementOutput {
        tag: node.tag().to_owned(),
        id: Some(node.id_attr())
            .filter(|it| !it.is_empty())
            .map(str::to_owned),
        classes: node.classes().map(str::to_owned).collect(),
        text: truncate(&node.text(), MAX_TEXT),
        attributes: attributes
            .map(|(name, value)| (name.to_owned(), truncate(value, MAX_TEXT)))
            .collect(),
    }
}

/// Parses the CSS selector of a parameter.
///
/// # Errors
/// When it is no selector; the error names the parameter.
pub(crate) fn parse_selector(parameter: &'static str, css: &str) -> Result<Selector, Error> {
    Selector::parse(css).map_err(|error| {
        Error::param(
            parameter,
            format!("{error}; write a CSS selector such as `article h2`"),
        )
    })
}

/// The error for a selector whose matching takes too many steps.
fn too_costly<E: std::fmt::Display>(parameter: &'static str) -> impl FnOnce(E) -> Error {
    move |error| Error::param(parameter, error.to_string())
}

/// Every element within a node that the selector of a parameter matches.
///
/// # Errors
/// When matching takes too many steps; the error names the parameter.
pub(crate) fn select_all<'p>(
    parameter: &'static str,
    within: Node<'p>,
    selector: &Selector,
) -> Result<Vec<Node<'p>>, Error> {
    within.select_all(selector).map_err(too_costly(parameter))
}

/// The first element within a node that the selector of a parameter matches.
///
/// # Errors
/// As [`select_all`].
pub(crate) fn select_first<'p>(
    parameter: &'static str,
    within: Node<'p>,
    selector: &Selector,
) -> Result<Option<Node<'p>>, Error> {
    within.select_first(selector).map_err(too_costly(parameter))
}

/// Parses a selector that is part of the program.
pub(crate) fn fixed_selector(css: &str) -> Option<Selector> {
    Selector::parse(css).ok()
}

/// The first element within a node that a fixed selector matches.
pub(crate) fn first_within<'p>(node: Node<'p>, css: &str) -> Option<Node<'p>> {
    let selector = fixed_selector(css)?;
    node.descendants()
        .filter(|it| it.is_element())
        .find(|it| selector.matches(*it))
}
