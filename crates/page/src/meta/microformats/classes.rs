//! Classes that mark items and their properties, in version 2 and in the classic microformats.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::dom::Node;

const CLASSIC: &str = include_str!("classic.txt");

/// How the value of a property is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PropertyKind {
    Text,
    Link,
    Time,
    Markup,
}

/// A property class: how its value is read, and its name.
pub(super) type Property<'a> = (PropertyKind, &'a str);

/// A classic microformat.
struct ClassicFormat {
    /// The root class of version 2.
    root: &'static str,
    properties: HashMap<&'static str, Property<'static>>,
}

static FORMATS: LazyLock<HashMap<&'static str, ClassicFormat>> = LazyLock::new(|| {
    let lines = CLASSIC.lines().filter(|line| !line.starts_with('#'));
    let formats = lines.filter_map(|line| {
        let (head, properties) = line.split_once(": ")?;
        let (class, root) = head.split_once(' ')?;
        let properties = properties
            .split(' ')
            .filter_map(|word| match word.split_once('=') {
                Some((class, property)) => Some((class, self::property(property)?)),
                None => Some((word, (PropertyKind::Text, word))),
            });
        let properties = properties.collect();
        Some((class, ClassicFormat { root, properties }))
    });
    formats.collect()
});

/// The letters that root classes of classic formats begin with.
static FIRST_LETTERS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut letters: Vec<u8> = FORMATS.keys().filter_map(|class| class.bytes().next()).collect();
    letters.sort_unstable();
    letters.dedup();
    letters
});

fn is_classic_root(class: &str) -> bool {
    class
        .bytes()
        .next()
        .is_some_and(|first| FIRST_LETTERS.contains(&first))
        && FORMATS.contains_key(class)
}

/// The kind of an item: the classes of version 2 that it has, and its classic formats when it has none of version 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ItemClasses<'a> {
    /// Sorted, without repetitions.
    pub(super) types: Vec<&'a str>,
    /// Root classes of classic formats; empty in version 2.
    classic: Vec<&'a str>,
}

impl<'a> ItemClasses<'a> {
    /// What an element inside `outer` is an item of; `None` when it is none.
    pub(super) fn of(node: Node<'a>, outer: Option<&ItemClasses<'_>>) -> Option<ItemClasses<'a>> {
        let mut types: Vec<&str> = node.classes().filter(is_root).collect();
        let mut classic = Vec::new();
        if types.is_empty() {
            // What a classic review is about may have no root of its own.
            let is_review =
                outer.is_some_and(|outer| outer.classic.iter().any(|class| class.starts_with("hreview")));
            classic = node
                .classes()
                .filter(|class| *class != "item" && is_classic_root(class))
                .collect();
            if classic.is_empty() && is_review {
                classic = node.classes().filter(|class| *class == "item").collect();
            }
            types = classic
                .iter()
                .filter_map(|class| Some(FORMATS.get(class)?.root))
                .collect();
        }
        types.sort_unstable();
        types.dedup();
        (!types.is_empty()).then_some(ItemClasses { types, classic })
    }

    pub(super) fn is_classic(&self) -> bool {
        !self.classic.is_empty()
    }

    /// The properties of the item that an element inside it states.
    pub(super) fn properties(&self, node: Node<'a>) -> Vec<Property<'a>> {
        if !self.is_classic() {
            return node.classes().filter_map(property).collect();
        }
        let formats = || self.classic.iter().filter_map(|class| FORMATS.get(class));
        let find = |class: &str| formats().find_map(|format| format.properties.get(class).copied());
        let mut found: Vec<Property<'a>> = node.classes().filter_map(find).collect();
        for relation in node.attr("rel").unwrap_or("").split_ascii_whitespace() {
            let property = match relation {
                "bookmark" | "principles" => find(relation),
                "tag" => find("category"),
                _ => None,
            };
            found.extend(property.filter(|property| !found.contains(property)));
        }
        found
    }
}

/// Whether an element is marked as an item.
pub(super) fn is_item(node: Node<'_>) -> bool {
    node.classes().any(|class| is_root(&class))
}

fn is_root(class: &&str) -> bool {
    class.strip_prefix("h-").is_some_and(is_name)
}

fn property(class: &str) -> Option<Property<'_>> {
    let (prefix, name) = class.split_once('-')?;
    let kind = match prefix {
        "p" => PropertyKind::Text,
        "u" => PropertyKind::Link,
        "dt" => PropertyKind::Time,
        "e" => PropertyKind::Markup,
        _ => return None,
    };
    is_name(name).then_some((kind, name))
}

/// Lower-case words joined by `-`; before them a vendor prefix that may hold digits.
fn is_name(name: &str) -> bool {
    let words = |text: &str| {
        text.split('-')
            .all(|word| !word.is_empty() && word.bytes().all(|c| c.is_ascii_lowercase()))
    };
    let is_vendor = |prefix: &str| {
        !prefix.is_empty()
            && prefix
                .bytes()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    words(name)
        || name
            .split_once('-')
            .is_some_and(|(prefix, rest)| is_vendor(prefix) && words(rest))
}
