//! Snapshots of pages as they come from the server.

use std::collections::HashSet;

use page::Page;
use page::dom::{Edge, Node, NodeId};

use super::accessible_names::{LabelIndex, is_hidden, squeeze};
use super::form_state::{FormControl, FormState, control, input_type, is_disabled, option_text, options};
use super::roles::{AriaRole, role};
use crate::snapshot::{Ref, Snapshot, SnapshotElement};

/// Most descendants that are searched for one that can be acted on.
const MAX_SEARCHED: usize = 300;

/// Takes a snapshot. `assign_ref` gives each element that can be acted on its ref.
pub(super) fn snapshot(
    page: &Page,
    title: &str,
    fields: &FormState,
    assign_ref: &mut dyn FnMut(Node<'_>) -> Ref,
) -> Snapshot {
    let mut builder = SnapshotBuilder {
        page,
        labels: LabelIndex::of(page),
        fields,
        assign_ref,
        nodes: Vec::new(),
        depth: 0,
        text: String::new(),
        open_labels: 0,
    };
    let root = page.dom().body().unwrap_or(page.dom().root());
    let mut walk = root.traverse();
    while let Some(edge) = walk.next() {
        match edge {
            Edge::Close(node) => builder.close(node),
            Edge::Open(node) if node != root && is_left_out(node) => walk.leave_out(),
            Edge::Open(node) => {
                if !builder.open(node) {
                    walk.leave_out();
                }
            }
        }
    }
    builder.flush();
    Snapshot {
        url: page.url().cloned(),
        title: title.to_owned(),
        nodes: fold(builder.nodes),
        ..Snapshot::default()
    }
}

/// Whether an element is not shown, or is shown as the name of another one only.
fn is_left_out(node: Node<'_>) -> bool {
    node.text_value().is_none()
        && (is_hidden(node) || matches!(node.tag(), "caption" | "legend" | "figcaption"))
}

fn has_interactive(node: Node<'_>) -> bool {
    let mut inner = node
        .descendants()
        .take(MAX_SEARCHED)
        .filter(|inner| *inner != node);
    inner.any(|inner| {
        inner.is_element() && role(inner).is_some_and(|role| role.is_interactive) && !is_hidden(inner)
    })
}

struct SnapshotBuilder<'a> {
    page: &'a Page,
    labels: LabelIndex,
    fields: &'a FormState,
    assign_ref: &'a mut dyn FnMut(Node<'_>) -> Ref,
    nodes: Vec<SnapshotElement>,
    depth: u16,
    /// Text since the last element or block.
    text: String,
    /// Labels of fields that are open; their text is the name of the field.
    open_labels: usize,
}

impl SnapshotBuilder<'_> {
    /// An element or a text begins. Returns whether its content is to be visited.
    fn open(&mut self, node: Node<'_>) -> bool {
        if let Some(text) = node.text_value() {
            if self.open_labels == 0 {
                self.text.push_str(text);
            }
            return true;
        }
        if node.is("label") && self.labels.is_name(node) {
            self.flush();
            self.open_labels += 1;
        }
        let Some(role) = role(node) else {
            if node.is_block() || node.is("br") {
                self.flush();
            }
            return true;
        };
        self.flush();
        self.push(node, role)
    }

    fn close(&mut self, node: Node<'_>) {
        if role(node).is_some() {
            self.flush();
            self.depth = self.depth.saturating_sub(1);
        } else if node.is_block() {
            self.flush();
        }
        if node.is("label") && self.labels.is_name(node) {
            self.open_labels = self.open_labels.saturating_sub(1);
        }
    }

    /// Adds an element. Returns whether its content is to be visited.
    fn push(&mut self, node: Node<'_>, role: AriaRole) -> bool {
        // The content of a heading with a link in it is shown, or the link could not be followed.
        let shows_content = role.is_named_by_content && !role.is_interactive && has_interactive(node);
        let by_content = role.is_named_by_content && !shows_content;
        let mut element = SnapshotElement {
            depth: self.depth,
            name: self.labels.name(node, by_content),
            target: role.is_interactive.then(|| (self.assign_ref)(node)),
            states: states(node, self.fields),
            value: value(node, self.fields),
            link: link(self.page, node),
            role: role.name,
            pinned: false,
        };
        if element.role == "form" && element.name.is_empty() {
            element.name = node.attr("name").unwrap_or_default().to_owned();
        }
        self.nodes.push(element);
        if node.is("select") {
            self.push_options(node);
        }
        let is_closed = by_content || control(node).is_some() || !node.is_html() || node.is("iframe");
        if !is_closed {
            self.depth = self.depth.saturating_add(1);
        }
        !is_closed
    }

    fn flush(&mut self) {
        let name = squeeze(&self.text);
        self.text.clear();
        if !name.is_empty() {
            self.nodes.push(SnapshotElement {
                depth: self.depth,
                role: "text".to_owned(),
                name,
                ..SnapshotElement::default()
            });
        }
    }

    /// Adds the options of a select field. They are chosen by their text, so they need no refs.
    fn push_options(&mut self, select: Node<'_>) {
        let chosen: HashSet<NodeId> = self.fields.chosen(select).into_iter().map(Node::id).collect();
        for option in options(select) {
            let mut states = Vec::new();
            if chosen.contains(&option.id()) {
                states.push("selected".to_owned());
            }
            if option.attr("disabled").is_some() {
                states.push("disabled".to_owned());
            }
            self.nodes.push(SnapshotElement {
                depth: self.depth.saturating_add(1),
                role: "option".to_owned(),
                name: option_text(option),
                states,
                ..SnapshotElement::default()
            });
        }
    }
}

/// Joins each element that holds one text and nothing else with that text.
fn fold(nodes: Vec<SnapshotElement>) -> Vec<SnapshotElement> {
    let mut folded: Vec<SnapshotElement> = Vec::with_capacity(nodes.len());
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
        // An empty container is left out.
        let bare =
            node.name.is_empty() && node.target.is_none() && node.value.is_none() && node.states.is_empty();
        let leaf = rest.peek().is_none_or(|next| next.depth <= node.depth);
        if !(bare && leaf && EMPTY_ROLES.contains(&node.role.as_str())) {
            folded.push(node);
        }
    }
    folded
}

/// Roles of elements that are left out when they have no content.
const EMPTY_ROLES: &[&str] = &[
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

fn states(node: Node<'_>, fields: &FormState) -> Vec<String> {
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
            matches!(kind, FormControl::Checkbox | FormControl::Radio) && fields.is_checked(node),
        );
        flag("disabled", is_disabled(node));
        flag("required", node.attr("required").is_some());
        flag("readonly", node.attr("readonly").is_some());
        flag("multiline", node.is("textarea"));
        flag("multiple", node.attr("multiple").is_some());
        flag("file", kind == FormControl::File);
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
    if kind == Some(FormControl::Text) && node.is("input") {
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

/// The value of a field; of a password or a code only whether there is one.
fn value(node: Node<'_>, fields: &FormState) -> Option<String> {
    let value = match control(node)? {
        FormControl::Text => fields.value(node),
        FormControl::Select => fields
            .chosen(node)
            .into_iter()
            .map(option_text)
            .collect::<Vec<_>>()
            .join(", "),
        FormControl::File => fields
            .files(node)
            .iter()
            .filter_map(|path| path.file_name())
            .map(|file| file.to_string_lossy())
            .collect::<Vec<_>>()
            .join(", "),
        _ => return None,
    };
    if is_secret(node) {
        return (!value.is_empty()).then(|| "•".repeat(8));
    }
    (!value.is_empty()).then_some(value)
}

/// What `autocomplete` says of fields whose value is not shown, as `isSecret` in `chromium/snapshot.js` has it.
const SECRET_AUTOCOMPLETE: [&str; 4] = ["current-password", "new-password", "one-time-code", "cc-csc"];

/// Whether the value of a field is shown to nobody.
fn is_secret(node: Node<'_>) -> bool {
    let autocomplete = node.attr("autocomplete").unwrap_or_default().to_ascii_lowercase();
    let is_named = |word: &str| SECRET_AUTOCOMPLETE.contains(&word);
    (node.is("input") && input_type(node) == "password")
        || autocomplete.split_ascii_whitespace().any(is_named)
}

/// The target of a link, from the root where it stays on the site.
fn link(page: &Page, node: Node<'_>) -> Option<String> {
    let href = match node.tag() {
        "a" | "area" => node.attr("href")?,
        "iframe" | "frame" => node.attr("src")?,
        _ => return None,
    };
    let Some(url) = page.absolute(href) else {
        return Some(href.trim().to_owned());
    };
    match page.url().is_some_and(|base| base.origin() == url.origin()) {
        true => Some(url[url::Position::BeforePath..].to_owned()),
        false => Some(url.to_string()),
    }
}
