//! What an element is for (the role mappings of HTML-AAM, as far as they help to act).

use page::dom::Node;

use super::fields::{Control, control, input_type};

/// How an element appears in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Role {
    pub(super) word: String,
    /// Whether its name is what is inside, so that the inside is not shown again.
    pub(super) named_by_content: bool,
    /// Whether it can be acted on, and so gets a ref.
    pub(super) acts: bool,
}

/// Roles that are named by what is inside.
const BY_CONTENT: &[&str] = &[
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

/// Roles that an element can be acted on by.
const ACTING: &[&str] = &[
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

/// The role of an element; none for one that only groups its content or sets it apart.
pub(super) fn role(node: Node<'_>) -> Option<Role> {
    if !node.is_html() {
        return (node.tag() == "svg").then(|| plain("img"));
    }
    let said = node
        .attr("role")
        .and_then(|roles| roles.split_ascii_whitespace().next())
        .map(str::to_ascii_lowercase);
    let native = native(node);
    match (said.as_deref(), native) {
        // A field stays what it is, whatever it is called.
        (_, Some(native)) if control(node).is_some() => Some(native),
        (Some("none" | "presentation" | "generic" | "text"), native) => native.filter(|role| role.acts),
        (Some(said), native) => Some(Role {
            named_by_content: BY_CONTENT.contains(&said),
            acts: ACTING.contains(&said) || native.is_some_and(|role| role.acts),
            word: said.to_owned(),
        }),
        (None, native) => native,
    }
}

fn native(node: Node<'_>) -> Option<Role> {
    if let Some(kind) = control(node) {
        let word = match kind {
            Control::Checkbox => "checkbox",
            Control::Radio => "radio",
            Control::Select if node.attr("multiple").is_some() || is_long(node) => "listbox",
            Control::Select => "combobox",
            Control::File | Control::Submit | Control::Image | Control::Reset | Control::Button => "button",
            Control::Hidden => return None,
            Control::Output => return Some(plain("status")),
            Control::Text => match input_type(node).as_str() {
                _ if node.is("textarea") => "textbox",
                "number" => "spinbutton",
                "range" => "slider",
                "search" => "searchbox",
                _ => "textbox",
            },
        };
        return Some(Role {
            word: word.to_owned(),
            named_by_content: word == "button",
            acts: true,
        });
    }
    let word = match node.tag() {
        "a" | "area" if node.attr("href").is_some() => {
            return Some(Role {
                word: "link".to_owned(),
                named_by_content: true,
                acts: true,
            });
        }
        "summary" => {
            return Some(Role {
                word: "button".to_owned(),
                named_by_content: true,
                acts: true,
            });
        }
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
            return Some(Role {
                word: "heading".to_owned(),
                named_by_content: true,
                acts: false,
            });
        }
        "form" => {
            return Some(Role {
                word: "form".to_owned(),
                named_by_content: false,
                acts: true,
            });
        }
        "ul" | "ol" | "menu" => "list",
        "li" => "listitem",
        "dl" => "list",
        "dt" => "term",
        "dd" => "definition",
        "table" => "table",
        "tr" => "row",
        "td" => "cell",
        "th" => "columnheader",
        "img" => "img",
        "nav" => "navigation",
        "main" => "main",
        "header" => "banner",
        "footer" => "contentinfo",
        "aside" => "complementary",
        "article" => "article",
        "section" if node.attr("aria-label").is_some() || node.attr("aria-labelledby").is_some() => "region",
        "fieldset" | "details" => "group",
        "figure" => "figure",
        "dialog" => "dialog",
        "iframe" | "frame" => "iframe",
        "hr" => "separator",
        "progress" => "progressbar",
        "meter" => "meter",
        "blockquote" => "blockquote",
        "p" => "paragraph",
        "pre" | "code" if !node.parent().is_some_and(|outer| outer.is("pre")) && node.is("pre") => "code",
        "video" | "audio" | "canvas" | "object" | "embed" => return Some(plain(node.tag())),
        _ => return None,
    };
    Some(plain(word))
}

fn plain(word: &str) -> Role {
    Role {
        word: word.to_owned(),
        named_by_content: false,
        acts: false,
    }
}

fn is_long(select: Node<'_>) -> bool {
    select
        .attr("size")
        .and_then(|size| size.parse::<u32>().ok())
        .is_some_and(|size| size > 1)
}
