//! ARIA roles of elements (the mappings of HTML-AAM, as far as they help to act).

use page::dom::Node;

use super::form_state::{FormControl, control, input_type};

/// The role of an element in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AriaRole {
    pub(super) name: String,
    /// Whether the element is named by its content, so that the content is not shown again.
    pub(super) is_named_by_content: bool,
    /// Whether the element can be acted on, and so gets a ref.
    pub(super) is_interactive: bool,
}

impl AriaRole {
    /// A role that is neither named by content nor interactive.
    fn new(name: &str) -> AriaRole {
        AriaRole {
            name: name.to_owned(),
            is_named_by_content: false,
            is_interactive: false,
        }
    }

    fn interactive(name: &str, is_named_by_content: bool) -> AriaRole {
        AriaRole {
            is_named_by_content,
            is_interactive: true,
            ..AriaRole::new(name)
        }
    }
}

/// Roles that are named by their content.
const NAMED_BY_CONTENT: &[&str] = &[
    "button",
    "checkbox",
    "heading",
    "link",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "switch",
    "tab",
    "tooltip",
    "treeitem",
];

/// Roles of elements that can be acted on.
const INTERACTIVE: &[&str] = &[
    "button",
    "checkbox",
    "combobox",
    "link",
    "listbox",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
    "treeitem",
];

/// Roles of elements that follow from their tag alone.
const TAG_ROLES: &[(&str, &str)] = &[
    ("ul", "list"),
    ("ol", "list"),
    ("menu", "list"),
    ("li", "listitem"),
    ("dl", "list"),
    ("dt", "term"),
    ("dd", "definition"),
    ("table", "table"),
    ("tr", "row"),
    ("td", "cell"),
    ("th", "columnheader"),
    ("img", "img"),
    ("nav", "navigation"),
    ("main", "main"),
    ("header", "banner"),
    ("footer", "contentinfo"),
    ("aside", "complementary"),
    ("article", "article"),
    ("fieldset", "group"),
    ("details", "group"),
    ("figure", "figure"),
    ("dialog", "dialog"),
    ("iframe", "iframe"),
    ("frame", "iframe"),
    ("hr", "separator"),
    ("progress", "progressbar"),
    ("meter", "meter"),
    ("blockquote", "blockquote"),
    ("p", "paragraph"),
    ("video", "video"),
    ("audio", "audio"),
    ("canvas", "canvas"),
    ("object", "object"),
    ("embed", "embed"),
];

/// The role of an element; none for one that only groups or styles its content.
pub(super) fn role(node: Node<'_>) -> Option<AriaRole> {
    if !node.is_html() {
        return (node.tag() == "svg").then(|| AriaRole::new("img"));
    }
    let explicit = node
        .attr("role")
        .and_then(|roles| roles.split_ascii_whitespace().next())
        .map(str::to_ascii_lowercase);
    let native = native_role(node);
    match (explicit.as_deref(), native) {
        // A form control keeps its role.
        (_, Some(native)) if control(node).is_some() => Some(native),
        (Some("none" | "presentation" | "generic" | "text"), native) => {
            native.filter(|role| role.is_interactive)
        }
        (Some(name), native) => Some(AriaRole {
            is_named_by_content: NAMED_BY_CONTENT.contains(&name),
            is_interactive: INTERACTIVE.contains(&name) || native.is_some_and(|role| role.is_interactive),
            name: name.to_owned(),
        }),
        (None, native) => native,
    }
}

fn native_role(node: Node<'_>) -> Option<AriaRole> {
    if let Some(kind) = control(node) {
        return control_role(node, kind);
    }
    let has = |name: &str| node.attr(name).is_some();
    match node.tag() {
        "a" | "area" if has("href") => Some(AriaRole::interactive("link", true)),
        "summary" => Some(AriaRole::interactive("button", true)),
        "form" => Some(AriaRole::interactive("form", false)),
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Some(AriaRole {
            is_named_by_content: true,
            ..AriaRole::new("heading")
        }),
        "section" if has("aria-label") || has("aria-labelledby") => Some(AriaRole::new("region")),
        "pre" if !node.parent().is_some_and(|parent| parent.is("pre")) => Some(AriaRole::new("code")),
        tag => {
            let (_, name) = TAG_ROLES.iter().find(|(known, _)| *known == tag)?;
            Some(AriaRole::new(name))
        }
    }
}

fn control_role(node: Node<'_>, kind: FormControl) -> Option<AriaRole> {
    let name = match kind {
        FormControl::Checkbox => "checkbox",
        FormControl::Radio => "radio",
        FormControl::Select if node.attr("multiple").is_some() || is_long(node) => "listbox",
        FormControl::Select => "combobox",
        FormControl::File
        | FormControl::Submit
        | FormControl::Image
        | FormControl::Reset
        | FormControl::Button => return Some(AriaRole::interactive("button", true)),
        FormControl::Hidden => return None,
        FormControl::Output => return Some(AriaRole::new("status")),
        FormControl::Text if node.is("textarea") => "textbox",
        FormControl::Text => match input_type(node).as_str() {
            "number" => "spinbutton",
            "range" => "slider",
            "search" => "searchbox",
            _ => "textbox",
        },
    };
    Some(AriaRole::interactive(name, false))
}

fn is_long(select: Node<'_>) -> bool {
    let size = select.attr("size").and_then(|size| size.parse::<u32>().ok());
    size.is_some_and(|size| size > 1)
}
