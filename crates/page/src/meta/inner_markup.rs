//! The content of an element as XML.

use std::collections::BTreeMap;

use crate::dom::{Edge, Node};

/// The content of an element as XML without namespaces.
pub(super) fn inner_markup(node: Node<'_>) -> String {
    xml_literal(node, std::iter::empty())
}

/// The content of an element as XML; outermost elements declare the namespaces in force.
pub(super) fn xml_literal<'a>(node: Node<'a>, outer: impl Iterator<Item = Node<'a>>) -> String {
    let mut spaces = BTreeMap::new();
    for node in outer {
        spaces.extend(
            node.attrs()
                .filter(|(name, _)| *name == "xmlns" || name.starts_with("xmlns:")),
        );
    }
    let mut out = String::new();
    let mut depth = 0usize;
    for edge in node.traverse() {
        match edge {
            Edge::Open(inner) | Edge::Close(inner) if inner == node => {}
            Edge::Open(inner) => {
                if let Some(text) = inner.text_value() {
                    escape(text, &mut out);
                    continue;
                }
                out.push('<');
                out.push_str(inner.tag());
                if depth == 0 {
                    for (name, value) in &spaces {
                        attribute(name, value, &mut out);
                    }
                }
                for (name, value) in inner.attrs().filter(|(name, _)| !spaces.contains_key(name)) {
                    attribute(name, value, &mut out);
                }
                depth += 1;
                out.push_str(if inner.first_child().is_none() { "/>" } else { ">" });
            }
            Edge::Close(inner) => {
                if !inner.is_element() {
                    continue;
                }
                depth = depth.saturating_sub(1);
                if inner.first_child().is_some() {
                    out.push_str("</");
                    out.push_str(inner.tag());
                    out.push('>');
                }
            }
        }
    }
    out
}

fn attribute(name: &str, value: &str, out: &mut String) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    out.push_str(
        &value
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;"),
    );
    out.push('"');
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            other => out.push(other),
        }
    }
}
