//! From a page and its fields to a snapshot.

use std::collections::HashSet;

use page::Page;
use page::dom::{Edge, Node, NodeId};

use super::fields::{Control, Fields, control, input_type, is_disabled, option_text, options};
use super::names::{Labels, is_unseen, squeeze};
use super::roles::role;
use crate::snapshot::{Element, Ref, Snapshot};

/// Takes a snapshot. `refer` gives each element that can be acted on its ref.
pub(super) fn snapshot(
    page: &Page,
    title: &str,
    fields: &Fields,
    refer: &mut dyn FnMut(Node<'_>) -> Ref,
) -> Snapshot {
    let labels = Labels::of(page);
    let mut view = View {
        nodes: Vec::new(),
        depth: 0,
        run: String::new(),
        muted: 0,
    };
    let root = page.dom().body().unwrap_or(page.dom().root());
    let mut walk = root.traverse();
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Close(node) => {
                if role(node).is_some() {
                    view.flush();
                    view.depth = view.depth.saturating_sub(1);
                } else if node.is_block() {
                    view.flush();
                }
                if node.is("label") && labels.is_name(node) {
                    view.muted = view.muted.saturating_sub(1);
                }
            }
            Edge::Open(node) => {
                if let Some(run) = node.text_value() {
                    if view.muted == 0 {
                        view.run.push_str(run);
                    }
                    continue;
                }
                if node != root
                    && (is_unseen(node) || matches!(node.tag(), "caption" | "legend" | "figcaption"))
                {
                    walk.leave_out();
                    continue;
                }
                if node.is("label") && labels.is_name(node) {
                    view.flush();
                    view.muted += 1;
                }
                let Some(role) = role(node) else {
                    if node.is_block() || node.is("br") {
                        view.flush();
                    }
                    continue;
                };
                view.flush();
                // A heading that holds a link is shown by what it holds, or the link could not be followed.
                let holds = role.named_by_content && !role.acts && holds_acting(node);
                let by_content = role.named_by_content && !holds;
                let mut element = Element {
                    depth: view.depth,
                    name: labels.name(node, by_content),
                    target: role.acts.then(|| refer(node)),
                    states: states(node, fields),
                    value: value(node, fields),
                    link: link(page, node),
                    role: role.word,
                    pinned: false,
                };
                if element.role == "form" && element.name.is_empty() {
                    element.name = node.attr("name").unwrap_or_default().to_owned();
                }
                view.nodes.push(element);
                if node.is("select") {
                    view.options(node, fields);
                }
                let closed = by_content || control(node).is_some() || !node.is_html();
                if closed || node.is("iframe") {
                    walk.leave_out();
                } else {
                    view.depth = view.depth.saturating_add(1);
                }
            }
        }
    }
    view.flush();
    Snapshot {
        url: page.url().cloned(),
        title: title.to_owned(),
        nodes: fold(view.nodes),
        ..Snapshot::default()
    }
}

/// Most descendants looked at for something to act on.
const LOOKED: usize = 300;

fn holds_acting(node: Node<'_>) -> bool {
    let mut inner = node.descendants().take(LOOKED).filter(|inner| *inner != node);
    inner.any(|inner| inner.is_element() && role(inner).is_some_and(|it| it.acts) && !is_unseen(inner))
}

struct View {
    nodes: Vec<Element>,
    depth: u16,
    /// Text met since the last element or block.
    run: String,
    /// How many labels of fields we are in; their text is told as the fields' names.
    muted: usize,
}

impl View {
    fn flush(&mut self) {
        let name = squeeze(&self.run);
        self.run.clear();
        if !name.is_empty() {
            self.nodes.push(Element {
                depth: self.depth,
                role: "text".to_owned(),
                name,
                ..Element::default()
            });
        }
    }

    /// The options of a select field. They are chosen by their text, so they need no refs.
    fn options(&mut self, select: Node<'_>, fields: &Fields) {
        let chosen: HashSet<NodeId> = fields.chosen(select).into_iter().map(Node::id).collect();
        for option in options(select) {
            let mut states = Vec::new();
            if chosen.contains(&option.id()) {
                states.push("selected".to_owned());
            }
            if option.attr("disabled").is_some() {
                states.push("disabled".to_owned());
            }
            self.nodes.push(Element {
                depth: self.depth.saturating_add(1),
                role: "option".to_owned(),
                name: option_text(option),
                states,
                ..Element::default()
            });
        }
    }
}

/// An element that holds one text and nothing else is written on one line.
fn fold(nodes: Vec<Element>) -> Vec<Element> {
    let mut folded: Vec<Element> = Vec::with_capacity(nodes.len());
    let mut rest = nodes.into_iter().peekable();
    while let Some(mut node) = rest.next() {
        let empty = node.name.is_empty() && node.value.is_none() && node.role != "text";
        if empty
            && rest
                .peek()
                .is_some_and(|child| child.role == "text" && child.depth == node.depth + 1)
        {
            let Some(child) = rest.next() else { break };
            match rest.peek() {
                Some(next) if next.depth > node.depth => {
                    folded.push(node);
                    folded.push(child);
                    continue;
                }
                _ => node.name = child.name,
            }
        }
        // A container with nothing to show says nothing.
        let bare =
            node.name.is_empty() && node.target.is_none() && node.value.is_none() && node.states.is_empty();
        let leaf = rest.peek().is_none_or(|next| next.depth <= node.depth);
        if !(bare && leaf && HOLLOW.contains(&node.role.as_str())) {
            folded.push(node);
        }
    }
    folded
}

/// Roles that mean nothing without content.
const HOLLOW: &[&str] = &[
    "listitem",
    "list",
    "paragraph",
    "group",
    "figure",
    "banner",
    "contentinfo",
    "complementary",
    "img",
    "row",
    "table",
    "article",
];

fn states(node: Node<'_>, fields: &Fields) -> Vec<String> {
    let mut states = Vec::new();
    let mut flag = |word: &str, on: bool| {
        if on {
            states.push(word.to_owned());
        }
    };
    let kind = control(node);
    if let Some(kind) = kind {
        flag(
            "checked",
            matches!(kind, Control::Checkbox | Control::Radio) && fields.is_checked(node),
        );
        flag("disabled", is_disabled(node));
        flag("required", node.attr("required").is_some());
        flag("readonly", node.attr("readonly").is_some());
        flag("multiline", node.is("textarea"));
        flag("multiple", node.attr("multiple").is_some());
        flag("file", kind == Control::File);
    }
    let aria = |name: &str| {
        node.attr(name)
            .filter(|value| !matches!(*value, "" | "false" | "undefined"))
    };
    for (name, word) in [
        ("aria-checked", "checked"),
        ("aria-disabled", "disabled"),
        ("aria-pressed", "pressed"),
        ("aria-selected", "selected"),
        ("aria-invalid", "invalid"),
        ("aria-current", "current"),
    ] {
        flag(word, aria(name).is_some());
    }
    match node.attr("aria-expanded") {
        Some("true") => flag("expanded", true),
        Some("false") => flag("collapsed", true),
        _ => flag("expanded", node.is("details") && node.attr("open").is_some()),
    }
    let level = node.attr("aria-level").or_else(|| {
        node.tag()
            .strip_prefix('h')
            .filter(|level| level.len() == 1 && node.is_html())
    });
    if let Some(level) = level.and_then(|level| level.parse::<u8>().ok()) {
        states.push(format!("level={level}"));
    }
    if kind == Some(Control::Text) && node.is("input") {
        let kind = input_type(node);
        if matches!(
            kind.as_str(),
            "date"
                | "time"
                | "month"
                | "week"
                | "datetime-local"
                | "color"
                | "email"
                | "tel"
                | "url"
                | "password"
        ) {
            states.push(format!("type={kind}"));
        }
    }
    states
}

/// The value of a field. A password is not told, only that there is one.
fn value(node: Node<'_>, fields: &Fields) -> Option<String> {
    let value = match control(node)? {
        Control::Text => fields.value(node),
        Control::Select => fields
            .chosen(node)
            .into_iter()
            .map(option_text)
            .collect::<Vec<_>>()
            .join(", "),
        Control::File => fields
            .files(node)
            .iter()
            .filter_map(|path| path.file_name())
            .map(|file| file.to_string_lossy())
            .collect::<Vec<_>>()
            .join(", "),
        _ => return None,
    };
    if node.is("input") && input_type(node) == "password" {
        return (!value.is_empty()).then(|| "•".repeat(8));
    }
    (!value.is_empty()).then_some(value)
}

/// Where a link leads, short where it stays on the site.
fn link(page: &Page, node: Node<'_>) -> Option<String> {
    let href = match node.tag() {
        "a" | "area" => node.attr("href")?,
        "iframe" | "frame" => node.attr("src")?,
        _ => return None,
    };
    let Some(url) = page.absolute(href) else {
        return Some(href.trim().to_owned());
    };
    match page.url().is_some_and(|here| here.origin() == url.origin()) {
        true => Some(url[url::Position::BeforePath..].to_owned()),
        false => Some(url.to_string()),
    }
}
