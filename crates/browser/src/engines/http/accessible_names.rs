//! Accessible names of elements (a part of "Accessible Name and Description Computation" of WAI-ARIA).

use std::cell::RefCell;
use std::collections::HashMap;

use page::Page;
use page::dom::{Edge, Node, NodeId};

use super::form_state::{FormControl, control, input_type, option_text};

/// About the most bytes of a name.
const MAX_NAME: usize = 400;

/// Most nodes that are visited for one name.
const MAX_NODES: usize = 2000;

/// The elements of a page that name others.
pub(super) struct LabelIndex {
    by_id: HashMap<String, NodeId>,
    by_control: HashMap<String, Vec<NodeId>>,
    /// Texts of elements that name others: one may name many.
    contents: RefCell<HashMap<NodeId, String>>,
}

impl LabelIndex {
    pub(super) fn of(page: &Page) -> LabelIndex {
        let mut labels = LabelIndex {
            by_id: HashMap::new(),
            by_control: HashMap::new(),
            contents: RefCell::default(),
        };
        for node in page.dom().nodes().filter(|node| node.is_element()) {
            if !node.id_attr().is_empty() {
                labels.by_id.entry(node.id_attr().to_owned()).or_insert(node.id());
            }
            if let Some(id) = node.attr("for").filter(|_| node.is("label")) {
                labels
                    .by_control
                    .entry(id.to_owned())
                    .or_default()
                    .push(node.id());
            }
        }
        labels
    }

    /// The name of an element; empty when nothing names it. `from_content` says whether its role is named by
    /// what is inside.
    pub(super) fn name(&self, node: Node<'_>, from_content: bool) -> String {
        let from_text = || Some(content(node)).filter(|text| from_content && !text.is_empty());
        self.labelled_by(node)
            .or_else(|| clean(node.attr("aria-label")))
            .or_else(|| self.native(node))
            .or_else(from_text)
            .or_else(|| clean(node.attr("title")))
            .or_else(|| clean(node.attr("placeholder")))
            .unwrap_or_default()
    }

    fn labelled_by(&self, node: Node<'_>) -> Option<String> {
        let ids = node.attr("aria-labelledby")?;
        let mut contents = self.contents.borrow_mut();
        let mut name = String::new();
        for id in ids
            .split_ascii_whitespace()
            .take(8)
            .filter_map(|id| self.by_id.get(id))
        {
            if name.len() < MAX_NAME {
                name.push_str(
                    contents
                        .entry(*id)
                        .or_insert_with(|| content(node.dom().node(*id))),
                );
                name.push(' ');
            }
        }
        clean(Some(&name))
    }

    /// Whether a label's text is the name of a field, and need not be shown again.
    pub(super) fn is_name(&self, label: Node<'_>) -> bool {
        match label.attr("for") {
            Some(id) => self
                .by_id
                .get(id)
                .is_some_and(|id| control(label.dom().node(*id)).is_some()),
            None => label
                .descendants()
                .take(MAX_NODES)
                .any(|inner| control(inner).is_some()),
        }
    }

    fn native(&self, node: Node<'_>) -> Option<String> {
        let dom = node.dom();
        match (control(node), node.tag()) {
            (Some(FormControl::Submit | FormControl::Reset | FormControl::Button), "input") => {
                clean(node.attr("value")).or_else(|| match input_type(node).as_str() {
                    "submit" => Some("Submit".to_owned()),
                    "reset" => Some("Reset".to_owned()),
                    _ => None,
                })
            }
            (Some(FormControl::Image), _) => clean(node.attr("alt")).or_else(|| clean(node.attr("value"))),
            (Some(_), "button") => None,
            (Some(_), _) => {
                // Of several elements with the same id, labels refer to the first.
                let first = self.by_id.get(node.id_attr()) == Some(&node.id());
                let named = self
                    .by_control
                    .get(node.id_attr())
                    .filter(|_| first)
                    .into_iter()
                    .flatten();
                let mut texts: Vec<String> = named.take(4).map(|label| content(dom.node(*label))).collect();
                // A label around several fields names the first.
                if let Some(label) = node.closest("label")
                    && label.descendants().find(|inner| control(*inner).is_some()) == Some(node)
                {
                    texts.push(content(label));
                }
                clean(Some(&texts.join(" ")))
            }
            (None, "img" | "area") => clean(node.attr("alt")),
            (None, "fieldset") => inside(node, "legend"),
            (None, "table") => inside(node, "caption"),
            (None, "figure") => inside(node, "figcaption"),
            (None, "svg") => inside(node, "title"),
            _ => None,
        }
    }
}

fn inside(node: Node<'_>, tag: &str) -> Option<String> {
    let named = node.children().find(|child| child.is(tag))?;
    clean(Some(&content(named)))
}

/// The text of an element, with the texts of its images and without its fields.
pub(super) fn content(node: Node<'_>) -> String {
    let mut text = String::new();
    let mut walk = node.traverse();
    let mut steps = 0;
    while let Some(edge) = walk.next() {
        steps += 1;
        let Edge::Open(inner) = edge else {
            if let Edge::Close(inner) = edge
                && inner.is_block()
            {
                text.push(' ');
            }
            continue;
        };
        if text.len() > MAX_NAME || steps > MAX_NODES {
            break;
        }
        if let Some(run) = inner.text_value() {
            text.push_str(run);
        } else if inner != node && is_hidden(inner) {
            walk.leave_out();
        } else if inner.is("img") {
            text.push_str(&format!(" {} ", inner.attr("alt").unwrap_or_default()));
        } else if let Some(label) = inner.attr("aria-label").filter(|_| inner != node) {
            text.push_str(&format!(" {label} "));
            walk.leave_out();
        } else if inner != node
            && control(inner).is_some_and(|kind| !matches!(kind, FormControl::Submit | FormControl::Button))
        {
            walk.leave_out();
        } else if inner.is("option") {
            text.push_str(&option_text(inner));
            walk.leave_out();
        } else if inner.is_block() || inner.is("br") {
            text.push(' ');
        }
    }
    squeeze(&text)
}

/// Whether the element is hidden, as far as that is known without style sheets.
pub(super) fn is_hidden(node: Node<'_>) -> bool {
    INVISIBLE_TAGS.contains(&node.tag())
        || node.attr("hidden").is_some()
        || node.attr("aria-hidden") == Some("true")
        || (node.is("input") && control(node) == Some(FormControl::Hidden))
        || node.attr("style").is_some_and(hides)
}

/// Elements that never show their content. `noscript` is not among them: this engine runs no scripts.
const INVISIBLE_TAGS: &[&str] = &[
    "script", "style", "template", "head", "title", "meta", "link", "base", "datalist", "noembed",
    "noframes", "param", "source", "track", "rp",
];

fn hides(style: &str) -> bool {
    style.split(';').any(|rule| {
        let (name, value) = rule.split_once(':').unwrap_or_default();
        let value = value.trim().to_ascii_lowercase();
        let value = value.split_ascii_whitespace().next().unwrap_or_default();
        match name.trim().to_ascii_lowercase().as_str() {
            "display" => value == "none",
            "visibility" => value == "hidden" || value == "collapse",
            _ => false,
        }
    })
}

/// White space collapsed, ends trimmed.
pub(super) fn squeeze(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}

fn clean(text: Option<&str>) -> Option<String> {
    text.map(squeeze).filter(|text| !text.is_empty())
}
