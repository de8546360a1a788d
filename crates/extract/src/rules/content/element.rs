//! OutlineElement: the elements of a page that can hold blocks of text, in document order.

use super::super::{overlays, vocabulary};
use super::hashing::{HashMap64, hash};
use page::dom::{Node, NodeId};
use std::collections::HashMap;

/// No element: the parent of the first one.
pub(crate) const NONE: u32 = u32::MAX;

/// What an element is by its tag, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BlockTag {
    Other,
    P,
    Heading(u8),
    Li,
    List,
    Dl,
    Dt,
    Dd,
    Table,
    Cell,
    HeadCell,
    Pre,
    Quote,
    Figure,
    Caption,
    Link,
    Button,
    Label,
    Form,
    Nav,
    Header,
    Footer,
    Aside,
    Main,
    Article,
    Section,
    Div,
    Span,
    Time,
    Details,
    Summary,
    Address,
    Dialog,
    Noscript,
    Bold,
    Code,
    Break,
    Rule,
    Image,
    Unseen,
}

impl BlockTag {
    fn of(node: Node<'_>) -> BlockTag {
        match node.tag() {
            "div" if overlays::is_of_archive(node.id_attr()) => BlockTag::Unseen,
            "div" => BlockTag::Div,
            "span" => BlockTag::Span,
            "a" if is_permalink(node) => BlockTag::Unseen,
            "a" => BlockTag::Link,
            "p" => BlockTag::P,
            "li" => BlockTag::Li,
            "ul" | "ol" | "menu" => BlockTag::List,
            "br" => BlockTag::Break,
            "h1" => BlockTag::Heading(1),
            "h2" => BlockTag::Heading(2),
            "h3" => BlockTag::Heading(3),
            "h4" => BlockTag::Heading(4),
            "h5" => BlockTag::Heading(5),
            "h6" => BlockTag::Heading(6),
            "b" | "strong" => BlockTag::Bold,
            "code" | "kbd" | "samp" => BlockTag::Code,
            "pre" => BlockTag::Pre,
            "dl" => BlockTag::Dl,
            "dt" => BlockTag::Dt,
            "dd" => BlockTag::Dd,
            "table" => BlockTag::Table,
            "td" => BlockTag::Cell,
            "th" => BlockTag::HeadCell,
            "blockquote" => BlockTag::Quote,
            "figure" => BlockTag::Figure,
            "figcaption" | "caption" => BlockTag::Caption,
            "button" => BlockTag::Button,
            "label" => BlockTag::Label,
            "form" | "fieldset" => BlockTag::Form,
            "nav" => BlockTag::Nav,
            "header" => BlockTag::Header,
            "footer" => BlockTag::Footer,
            "aside" => BlockTag::Aside,
            "main" => BlockTag::Main,
            "article" => BlockTag::Article,
            "section" => BlockTag::Section,
            "time" => BlockTag::Time,
            "details" => BlockTag::Details,
            "summary" => BlockTag::Summary,
            "address" => BlockTag::Address,
            "dialog" => BlockTag::Dialog,
            "noscript" => BlockTag::Noscript,
            "hr" => BlockTag::Rule,
            "img" | "picture" => BlockTag::Image,
            "select" | "textarea" | "option" | "datalist" | "svg" | "iframe" | "object" | "canvas"
            | "audio" | "video" | "map" => BlockTag::Unseen,
            _ if node.is_hidden_by_tag() => BlockTag::Unseen,
            _ => BlockTag::Other,
        }
    }
}

/// Whether a link is the sign behind a heading or a term of documentation that leads to its own place.
fn is_permalink(node: Node<'_>) -> bool {
    let mut children = node.children();
    let (first, second) = (children.next(), children.next());
    let text = first.and_then(Node::text_value).unwrap_or_default().trim();
    second.is_none()
        && matches!(text, "¶" | "#" | "§" | "🔗" | "\u{f0c1}")
        && node.attr("href").is_some_and(|href| href.contains('#'))
}

/// One element that is not a mere part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutlineElement<'a> {
    pub(crate) node: Node<'a>,
    pub(crate) tag: BlockTag,
    pub(crate) parent: u32,
    pub(crate) depth: u16,
    /// The blocks inside: `from..to` of the blocks of the outline.
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// What its own names say, bits of the class-name groups of the vocabulary.
    pub(crate) class_bits: u64,
    /// Whether a style or an attribute hides it, from eyes or from ears.
    pub(crate) hidden: bool,
    /// Whether a style or an attribute hides it from eyes.
    pub(crate) unseen: bool,
    /// Tag and classes as one number: elements of one template agree in it.
    pub(crate) signature: u64,
    /// How many children of the same parent have this signature.
    pub(crate) alike: u32,
    /// Whether it or something inside breaks the line.
    pub(crate) breaks: bool,
}

/// The elements under `root` in document order, with what their names say.
pub(super) fn elements<'a>(root: Node<'a>, names: bool) -> Vec<OutlineElement<'a>> {
    let mut elements: Vec<OutlineElement<'a>> = Vec::new();
    let mut open: Vec<(NodeId, u32)> = Vec::new();
    let mut known_names: HashMap<&'a str, u64> = HashMap::new();
    let mut walk = root.descendants();
    let mut next = Some(root);
    while let Some(node) = next {
        if node.is_element() || node == root {
            while open.last().is_some_and(|(end, _)| node.id() >= *end) {
                open.pop();
            }
            let tag = BlockTag::of(node);
            let mut element = OutlineElement {
                node,
                tag,
                parent: open.last().map_or(NONE, |(_, id)| *id),
                depth: open.len() as u16,
                from: 0,
                to: 0,
                class_bits: 0,
                hidden: false,
                unseen: false,
                signature: 0,
                alike: 1,
                breaks: node == root
                    || node.is_block()
                    || matches!(
                        tag,
                        BlockTag::Rule | BlockTag::Caption | BlockTag::Summary | BlockTag::Noscript
                    ),
            };
            if tag == BlockTag::Unseen {
                element.breaks = false;
                walk.leave_out(node);
            } else {
                read_names(&mut element, &mut known_names, names);
                open.push((node.end(), elements.len() as u32));
            }
            elements.push(element);
        }
        next = walk.next();
    }
    for id in (0..elements.len()).rev() {
        if let Some(element) = elements.get(id).copied()
            && element.breaks
            && let Some(parent) = elements.get_mut(element.parent as usize)
        {
            parent.breaks = true;
        }
    }
    let unread = vocabulary::class_bit("unread");
    for element in &mut elements {
        if !element.breaks && (element.class_bits & unread != 0 || element.unseen) {
            element.tag = BlockTag::Unseen;
        }
    }
    count_alike(&mut elements);
    elements
}

/// Reads the names of an element: what they say, whether they hide it, and its signature.
fn read_names<'a>(element: &mut OutlineElement<'a>, known_names: &mut HashMap<&'a str, u64>, names: bool) {
    let mut signature = hash(element.node.tag().bytes());
    for (attr, value) in element.node.attrs() {
        match attr {
            "class" => signature ^= hash(value.bytes().filter(|b| !b.is_ascii_digit())).rotate_left(7),
            "hidden" => element.unseen = true,
            "aria-hidden" => element.hidden |= value == "true",
            "style" => element.unseen |= hides(value),
            "role" if value == "banner" => {
                element.class_bits |= vocabulary::class_bit("header");
                continue;
            }
            _ => {}
        }
        if names && is_name(attr) {
            element.class_bits |= *known_names
                .entry(value)
                .or_insert_with(|| vocabulary::class_bits(value));
        }
    }
    element.hidden |= element.unseen;
    element.signature = signature;
}

/// Whether an attribute says what an element is for.
pub(super) fn is_name(attr: &str) -> bool {
    matches!(
        attr,
        "class"
            | "id"
            | "role"
            | "itemprop"
            | "data-testid"
            | "data-component"
            | "aria-label"
            | "data-test"
            | "data-qa"
    )
}

fn hides(style: &str) -> bool {
    let mut style = style.chars().filter(|c| !c.is_whitespace());
    let plain: String = style.by_ref().take(200).flat_map(char::to_lowercase).collect();
    plain.contains("display:none") || plain.contains("visibility:hidden")
}

fn count_alike(elements: &mut [OutlineElement<'_>]) {
    let key = |element: &OutlineElement<'_>| {
        element.signature ^ u64::from(element.parent).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    let mut counts: HashMap64<u64, u32> = HashMap64::default();
    for element in elements.iter() {
        *counts.entry(key(element)).or_default() += 1;
    }
    for element in elements.iter_mut() {
        element.alike = counts.get(&key(element)).copied().unwrap_or(1);
    }
}
