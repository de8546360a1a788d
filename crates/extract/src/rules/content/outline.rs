//! What blocks of text does a page have, and in which elements do they lie?
//!
//! The tree is read once into flat lists: the elements that can hold blocks, in document order, and the blocks, each
//! a run of siblings whose text is read as one piece. Everything later works on these lists.

use super::super::words;
use super::block::{Block, Measure};
use super::echo::HashKeyed;
use page::dom::{Dom, Node, NodeId};
use std::collections::HashMap;

/// No element: the parent of the first one.
pub(crate) const NONE: u32 = u32::MAX;
/// Most blocks of a page that are looked at; what comes after is left out of the content.
const MAX_BLOCKS: usize = 60_000;

/// What an element is by its tag, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tag {
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

impl Tag {
    fn of(node: Node<'_>) -> Tag {
        match node.tag() {
            "div" => Tag::Div,
            "span" => Tag::Span,
            "a" => Tag::Link,
            "p" => Tag::P,
            "li" => Tag::Li,
            "ul" | "ol" | "menu" => Tag::List,
            "br" => Tag::Break,
            "h1" => Tag::Heading(1),
            "h2" => Tag::Heading(2),
            "h3" => Tag::Heading(3),
            "h4" => Tag::Heading(4),
            "h5" => Tag::Heading(5),
            "h6" => Tag::Heading(6),
            "b" | "strong" => Tag::Bold,
            "code" | "kbd" | "samp" => Tag::Code,
            "pre" => Tag::Pre,
            "dl" => Tag::Dl,
            "dt" => Tag::Dt,
            "dd" => Tag::Dd,
            "table" => Tag::Table,
            "td" => Tag::Cell,
            "th" => Tag::HeadCell,
            "blockquote" => Tag::Quote,
            "figure" => Tag::Figure,
            "figcaption" | "caption" => Tag::Caption,
            "button" => Tag::Button,
            "label" => Tag::Label,
            "form" | "fieldset" => Tag::Form,
            "nav" => Tag::Nav,
            "header" => Tag::Header,
            "footer" => Tag::Footer,
            "aside" => Tag::Aside,
            "main" => Tag::Main,
            "article" => Tag::Article,
            "section" => Tag::Section,
            "time" => Tag::Time,
            "details" => Tag::Details,
            "summary" => Tag::Summary,
            "address" => Tag::Address,
            "dialog" => Tag::Dialog,
            "noscript" => Tag::Noscript,
            "hr" => Tag::Rule,
            "img" | "picture" => Tag::Image,
            "select" | "textarea" | "option" | "datalist" | "svg" | "iframe" | "object" | "canvas"
            | "audio" | "video" | "map" => Tag::Unseen,
            _ if node.is_hidden_by_tag() => Tag::Unseen,
            _ => Tag::Other,
        }
    }
}

/// One element that is not a mere part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    pub(crate) node: Node<'a>,
    pub(crate) tag: Tag,
    pub(crate) parent: u32,
    pub(crate) depth: u16,
    /// The blocks inside: `from..to` of [`Outline::blocks`].
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// What its own names say, bits of [`words::MARKS`].
    pub(crate) marks: u64,
    /// Whether a style or an attribute hides it, from eyes or from ears.
    pub(crate) hidden: bool,
    /// Whether a style or an attribute hides it from eyes.
    unseen: bool,
    /// Tag and classes as one number: elements of one template agree in it.
    pub(crate) signature: u64,
    /// How many children of the same parent have this signature.
    pub(crate) alike: u32,
    /// Whether it or something inside breaks the line.
    pub(super) breaks: bool,
}

/// The page as lists of elements and blocks.
pub(crate) struct Outline<'a> {
    pub(crate) elements: Vec<Element<'a>>,
    pub(crate) blocks: Vec<Block>,
    /// The text of all blocks, one after the other.
    pub(crate) text: String,
}

impl<'a> Outline<'a> {
    /// Reads the outline of a page. With `names` off, class names and the words of the text say nothing.
    pub(crate) fn read(dom: &'a Dom, names: bool) -> Outline<'a> {
        let root = dom.body().unwrap_or(dom.root());
        let elements = elements(root, names);
        let mut outline = Outline {
            elements,
            blocks: Vec::new(),
            text: String::new(),
        };
        outline.cut(root, names);
        outline.choose_noscript();
        outline
    }

    /// The words a block is made of, white space collapsed.
    pub(crate) fn text_of(&self, block: &Block) -> &str {
        self.text
            .get(block.from as usize..block.to as usize)
            .unwrap_or("")
    }

    /// The element and those around it, nearest first.
    pub(crate) fn around(&self, element: u32) -> impl Iterator<Item = (u32, &Element<'a>)> + '_ {
        let mut at = element;
        std::iter::from_fn(move || {
            let id = at;
            let element = self.elements.get(id as usize)?;
            at = element.parent;
            Some((id, element))
        })
    }

    /// Cuts the text into blocks and tells each element which ones it holds.
    fn cut(&mut self, root: Node<'a>, names: bool) {
        let mut index = 0usize;
        let mut open: Vec<(NodeId, u32)> = Vec::new();
        let mut measure = Measure::new(names);
        let mut walk = root.descendants();
        let mut next = Some(root);
        while let Some(node) = next {
            while let Some(&(end, id)) = open.last() {
                if node.id() < end {
                    break;
                }
                open.pop();
                self.close(id, &mut measure);
            }
            if let Some(text) = node.text_value() {
                if measure.is_top(node) {
                    measure.top(node.id());
                }
                measure.push(text, &mut self.text);
            } else if let Some(element) = self.elements.get(index).filter(|element| element.node == node).copied() {
                let id = index as u32;
                index += 1;
                if element.tag == Tag::Image || element.tag == Tag::Unseen && matches!(node.tag(), "iframe" | "video") {
                    measure.image();
                }
                if element.tag == Tag::Unseen {
                    if measure.is_top(node) {
                        measure.top(node.id());
                    }
                    walk.leave_out(node);
                    // What lies inside a part of a line that is not read has been listed.
                    while self
                        .elements
                        .get(index)
                        .is_some_and(|element| element.node.id() < node.end())
                    {
                        index += 1;
                    }
                } else {
                    if element.breaks {
                        self.flush(&mut measure);
                        measure.enter(id, node);
                    } else if measure.is_top(node) {
                        measure.top(node.id());
                    }
                    measure.open(&element);
                    if element.tag == Tag::Break && measure.second_break() {
                        self.flush(&mut measure);
                    }
                    if let Some(element) = self.elements.get_mut(index - 1) {
                        element.from = self.blocks.len() as u32;
                    }
                    open.push((node.end(), id));
                }
            }
            next = walk.next();
        }
        while let Some((_, id)) = open.pop() {
            self.close(id, &mut measure);
        }
        self.flush(&mut measure);
    }

    fn close(&mut self, id: u32, measure: &mut Measure) {
        let Some(element) = self.elements.get(id as usize).copied() else {
            return;
        };
        if element.breaks {
            self.flush(measure);
            measure.close(&element);
            match self.elements.get(element.parent as usize) {
                Some(parent) => measure.enter(element.parent, parent.node),
                None => measure.enter(id, element.node),
            }
        } else {
            measure.close(&element);
        }
        if let Some(element) = self.elements.get_mut(id as usize) {
            element.to = self.blocks.len() as u32;
        }
    }

    fn flush(&mut self, measure: &mut Measure) {
        if let Some(block) = measure.finish(&mut self.text)
            && self.blocks.len() < MAX_BLOCKS
        {
            self.blocks.push(block);
        }
    }

    /// `<noscript>` is what a page without scripts would show. Where it holds most of the words (pages drawn by
    /// scripts that carry a plain copy for crawlers) it is the page; elsewhere it is left out.
    fn choose_noscript(&mut self) {
        let inside: Vec<bool> = self
            .blocks
            .iter()
            .map(|block| self.around(block.element).any(|(_, element)| element.tag == Tag::Noscript))
            .collect();
        let words = |side: bool| -> u32 {
            self.blocks
                .iter()
                .zip(&inside)
                .filter(|(_, in_noscript)| **in_noscript == side)
                .map(|(block, _)| block.words)
                .sum()
        };
        if !inside.contains(&true) || words(true) > 60 && words(true) > words(false) {
            return;
        }
        let mut kept = Vec::with_capacity(inside.len() + 1);
        let mut count = 0;
        for in_noscript in &inside {
            kept.push(count);
            count += u32::from(!in_noscript);
        }
        kept.push(count);
        for element in &mut self.elements {
            element.from = kept.get(element.from as usize).copied().unwrap_or(count);
            element.to = kept.get(element.to as usize).copied().unwrap_or(count);
        }
        let mut inside = inside.iter();
        self.blocks.retain(|_| !inside.next().copied().unwrap_or(false));
    }
}

/// The elements under `root` in document order, with what their names say.
fn elements<'a>(root: Node<'a>, names: bool) -> Vec<Element<'a>> {
    let mut elements: Vec<Element<'a>> = Vec::new();
    let mut open: Vec<(NodeId, u32)> = Vec::new();
    let mut known: HashMap<&'a str, u64> = HashMap::new();
    let mut walk = root.descendants();
    let mut next = Some(root);
    while let Some(node) = next {
        if node.is_element() || node == root {
            while open.last().is_some_and(|(end, _)| node.id() >= *end) {
                open.pop();
            }
            let tag = Tag::of(node);
            let mut element = Element {
                node,
                tag,
                parent: open.last().map_or(NONE, |(_, id)| *id),
                depth: open.len() as u16,
                from: 0,
                to: 0,
                marks: 0,
                hidden: false,
                unseen: false,
                signature: 0,
                alike: 1,
                breaks: node == root
                    || node.is_block()
                    || matches!(tag, Tag::Rule | Tag::Caption | Tag::Summary | Tag::Noscript),
            };
            if tag == Tag::Unseen {
                element.breaks = false;
                walk.leave_out(node);
            } else {
                name(&mut element, &mut known, names);
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
    let unread = words::mark("unread");
    for element in &mut elements {
        if !element.breaks && (element.marks & unread != 0 || element.unseen) {
            element.tag = Tag::Unseen;
        }
    }
    count_alike(&mut elements);
    elements
}

/// Reads the names of an element: what they say, whether they hide it, and its signature.
fn name<'a>(element: &mut Element<'a>, known: &mut HashMap<&'a str, u64>, names: bool) {
    let mut signature = hash(element.node.tag().bytes());
    for (attr, value) in element.node.attrs() {
        match attr {
            "class" => signature ^= hash(value.bytes().filter(|b| !b.is_ascii_digit())).rotate_left(7),
            "hidden" => element.unseen = true,
            "aria-hidden" => element.hidden |= value == "true",
            "style" => element.unseen |= hides(value),
            "role" if value == "banner" => {
                element.marks |= words::mark("header");
                continue;
            }
            _ => {}
        }
        let speaks = matches!(
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
        );
        if names && speaks {
            element.marks |= *known.entry(value).or_insert_with(|| words::marks(value));
        }
    }
    element.hidden |= element.unseen;
    element.signature = signature;
}

fn hides(style: &str) -> bool {
    let mut style = style.chars().filter(|c| !c.is_whitespace());
    let plain: String = style.by_ref().take(200).flat_map(char::to_lowercase).collect();
    plain.contains("display:none") || plain.contains("visibility:hidden")
}

fn count_alike(elements: &mut [Element<'_>]) {
    let key = |element: &Element<'_>| element.signature ^ u64::from(element.parent).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut counts: HashKeyed<u64, u32> = HashKeyed::default();
    for element in elements.iter() {
        *counts.entry(key(element)).or_default() += 1;
    }
    for element in elements.iter_mut() {
        element.alike = counts.get(&key(element)).copied().unwrap_or(1);
    }
}

/// FNV-1a, enough to tell templates apart.
pub(crate) fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
