//! What does the page weigh, element by element, once its nesting is laid out flat?
//!
//! Elements stand in document order, so a subtree, or a run of neighbouring
//! siblings, is one range; every count over a range is two look-ups in running
//! totals. That keeps the search for records linear in the size of the page.

use std::collections::HashMap;
use std::ops::Range;

use page::dom::{Dom, Edge, Node, NodeId};

use super::signs;

/// Most elements that are looked at; what comes later in the page is left out.
const MAX_ELEMENTS: usize = 400_000;

/// A page with fewer words than this shows next to nothing.
const FEW_WORDS: u32 = 100;

/// A range of the outline: one subtree, or several siblings that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Span {
    /// First element.
    pub(super) from: u32,
    /// One past the last element.
    pub(super) to: u32,
}

/// One element of the outline.
#[derive(Debug, Clone)]
pub(super) struct Element {
    /// The node in the page.
    pub(super) node: NodeId,
    /// Place of the parent in the outline; the first element is its own parent.
    pub(super) parent: u32,
    /// One past the last element of the subtree.
    pub(super) end: u32,
    /// Number of the tag name.
    pub(super) tag: u32,
    /// How deep it lies.
    pub(super) depth: u16,
    /// What kind of place its own names say it is.
    pub(super) place: signs::Place,
    tokens: (u32, u32),
    pieces: (u32, u32),
}

/// What can be counted over a range.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Characters of visible text.
    pub(super) chars: u32,
    /// Words of visible text.
    pub(super) words: u32,
    /// Characters of visible text inside links.
    pub(super) link_chars: u32,
    /// Links with a target.
    pub(super) links: u32,
    /// Images, as tags or as backgrounds.
    pub(super) images: u32,
    /// Headings.
    pub(super) headings: u32,
    /// Pieces of text that look like a price.
    pub(super) prices: u32,
    /// Pieces of text or elements that look like a date.
    pub(super) dates: u32,
    /// Form controls: inputs, check boxes, buttons.
    pub(super) controls: u32,
}

macro_rules! each_count {
    ($with:ident) => {
        $with!(
            chars, words, link_chars, links, images, headings, prices, dates, controls
        )
    };
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        macro_rules! sum { ($($f:ident),*) => { $(self.$f = self.$f.saturating_add(other.$f);)* } }
        each_count!(sum);
    }

    fn minus(&self, other: &Counts) -> Counts {
        macro_rules! rest { ($($f:ident),*) => { Counts { $($f: self.$f.saturating_sub(other.$f)),* } } }
        each_count!(rest)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Soft,
    Hard,
}

#[derive(Debug)]
struct Piece<'a> {
    text: &'a str,
    gap: Gap,
}

/// The page laid out flat.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    elements: Vec<Element>,
    totals: Vec<Counts>,
    tokens: Vec<u32>,
    pieces: Vec<Piece<'a>>,
    links: Vec<(u32, &'a str)>,
    tags: Vec<&'a str>,
}

struct Words<'a> {
    known: HashMap<&'a str, u32>,
    list: Vec<&'a str>,
}

impl<'a> Words<'a> {
    fn number(&mut self, word: &'a str) -> u32 {
        let next = self.list.len() as u32;
        *self.known.entry(word).or_insert_with(|| {
            self.list.push(word);
            next
        })
    }
}

impl<'a> Outline<'a> {
    /// Lays out the visible part of the body.
    ///
    /// A page that shows next to nothing without scripts may say what it has to say in
    /// `<noscript>`; then that is read too.
    pub(super) fn of(dom: &'a Dom) -> Outline<'a> {
        let seen = Outline::laid_out(dom, false);
        if seen.counts(seen.all()).words >= FEW_WORDS || dom.by_tag("noscript").next().is_none() {
            return seen;
        }
        let all = Outline::laid_out(dom, true);
        if all.counts(all.all()).words > FEW_WORDS {
            all
        } else {
            seen
        }
    }

    fn laid_out(dom: &'a Dom, noscript: bool) -> Outline<'a> {
        let mut maker = Maker::new();
        if let Some(body) = dom.body() {
            maker.walk(body, noscript);
        }
        maker.finish()
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> u32 {
        self.elements.len() as u32
    }

    /// The element at a place, if there is one.
    pub(super) fn element(&self, at: u32) -> Option<&Element> {
        self.elements.get(at as usize)
    }

    /// The subtree of an element.
    pub(super) fn subtree(&self, at: u32) -> Span {
        let to = self.element(at).map_or(at, |it| it.end);
        Span { from: at, to }
    }

    /// The whole outline.
    pub(super) fn all(&self) -> Span {
        Span {
            from: 0,
            to: self.len(),
        }
    }

    /// The children of an element, in order.
    pub(super) fn children(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        let Span { from, to } = self.subtree(at);
        self.neighbours(Span {
            from: from.saturating_add(1),
            to,
        })
    }

    /// The outermost elements of a range, in order.
    pub(super) fn neighbours(&self, span: Span) -> impl Iterator<Item = u32> + '_ {
        let mut next = span.from;
        std::iter::from_fn(move || {
            let at = next;
            if at >= span.to {
                return None;
            }
            next = self.element(at)?.end.max(at + 1);
            Some(at)
        })
    }

    /// What a range weighs.
    pub(super) fn counts(&self, span: Span) -> Counts {
        match (
            self.totals.get(span.to as usize),
            self.totals.get(span.from as usize),
        ) {
            (Some(to), Some(from)) => to.minus(from),
            _ => Counts::default(),
        }
    }

    /// The tag name of an element.
    pub(super) fn tag(&self, at: u32) -> &'a str {
        self.element(at)
            .and_then(|it| self.tags.get(it.tag as usize))
            .copied()
            .unwrap_or("")
    }

    /// Numbers of the class names of an element and of its numbered id, as the page spells them.
    pub(super) fn tokens(&self, at: u32) -> &[u32] {
        let range = self.element(at).map_or((0, 0), |it| it.tokens);
        self.tokens.get(range.0 as usize..range.1 as usize).unwrap_or(&[])
    }

    /// The links of a range, by place and target, in order.
    pub(super) fn links(&self, span: Span) -> &[(u32, &'a str)] {
        let from = self.links.partition_point(|it| it.0 < span.from);
        let to = self.links.partition_point(|it| it.0 < span.to);
        self.links.get(from..to).unwrap_or(&[])
    }

    /// The visible text of a range, white space collapsed, at most `limit` bytes or little more.
    pub(super) fn text(&self, span: Span, limit: usize) -> String {
        let mut out = String::new();
        for piece in self.pieces.get(self.piece_range(span)).unwrap_or(&[]) {
            if out.len() >= limit {
                break;
            }
            push(&mut out, piece);
        }
        out
    }

    fn piece_range(&self, span: Span) -> Range<usize> {
        let from = self.element(span.from).map_or(0, |it| it.pieces.0);
        let last = self.neighbours(span).last();
        let to = last
            .and_then(|it| self.element(it))
            .map_or(from, |it| it.pieces.1);
        from as usize..to.max(from) as usize
    }
}

fn push(out: &mut String, piece: &Piece<'_>) {
    let starts = piece.text.chars().next();
    let mut ends = out.chars().rev().filter(|it| !it.is_whitespace());
    let (last, before) = (ends.next(), ends.next());
    let in_words = starts.is_some_and(char::is_alphanumeric) && last.is_some_and(char::is_alphanumeric);
    // `39 €` and `34 €` are two prices, `$` and `34` are one.
    let prices = starts.is_some_and(|it| it.is_ascii_digit())
        && last.is_some_and(signs::is_currency)
        && before.is_some_and(|it| it.is_ascii_digit());
    let wide = match piece.gap {
        Gap::Hard => true,
        Gap::Soft => in_words || prices,
        Gap::None => false,
    };
    if (wide || piece.text.starts_with(char::is_whitespace)) && !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
    for (at, word) in piece.text.split_whitespace().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        out.push_str(word);
    }
    if piece.text.ends_with(char::is_whitespace) && !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

struct Maker<'a> {
    elements: Vec<Element>,
    own: Vec<Counts>,
    tokens: Vec<u32>,
    pieces: Vec<Piece<'a>>,
    links: Vec<(u32, &'a str)>,
    tags: Words<'a>,
    names: Words<'a>,
    open: Vec<u32>,
    open_links: u32,
    gap: Gap,
}

impl<'a> Maker<'a> {
    fn new() -> Self {
        let words = || Words {
            known: HashMap::new(),
            list: Vec::new(),
        };
        Maker {
            elements: Vec::new(),
            own: Vec::new(),
            tokens: Vec::new(),
            pieces: Vec::new(),
            links: Vec::new(),
            tags: words(),
            names: words(),
            open: Vec::new(),
            open_links: 0,
            gap: Gap::Hard,
        }
    }

    fn walk(&mut self, body: Node<'a>, noscript: bool) {
        let mut skipped: Option<NodeId> = None;
        for edge in body.traverse() {
            match edge {
                Edge::Open(node) => {
                    if skipped.is_some() {
                        continue;
                    }
                    if let Some(text) = node.text_value() {
                        self.text(text);
                    } else if node.is_element() {
                        if (signs::is_unseen(node) && !(noscript && node.is("noscript")))
                            || self.elements.len() >= MAX_ELEMENTS
                        {
                            self.gap = Gap::Hard;
                            skipped = Some(node.id());
                        } else {
                            self.open(node);
                        }
                    }
                }
                Edge::Close(node) => match skipped {
                    Some(id) if id == node.id() => skipped = None,
                    Some(_) => {}
                    None if node.is_element() => self.close(node),
                    None => {}
                },
            }
        }
    }

    fn open(&mut self, node: Node<'a>) {
        let at = self.elements.len() as u32;
        let tag = node.tag();
        let first = self.tokens.len() as u32;
        for class in node.classes() {
            let number = self.names.number(class);
            if self
                .tokens
                .get(first as usize..)
                .is_some_and(|it| !it.contains(&number))
            {
                self.tokens.push(number);
            }
        }
        if let Some(stem) = signs::numbered_stem(node.id_attr()) {
            let number = self.names.number(stem);
            self.tokens.push(number);
        }
        let pieces = self.pieces.len() as u32;
        self.elements.push(Element {
            node: node.id(),
            parent: self.open.last().copied().unwrap_or(0),
            end: at + 1,
            tag: self.tags.number(tag),
            depth: self.open.len().min(usize::from(u16::MAX)) as u16,
            place: signs::Place::of(node),
            tokens: (first, self.tokens.len() as u32),
            pieces: (pieces, pieces),
        });
        let mut own = signs::own_counts(node);
        if tag == "a" {
            if let Some(target) = node.attr("href").filter(|it| signs::is_target(it)) {
                self.links.push((at, target));
                own.links = 1;
            }
            self.open_links += 1;
        }
        self.own.push(own);
        self.open.push(at);
        self.widen(tag);
    }

    fn close(&mut self, node: Node<'a>) {
        let Some(at) = self.open.pop() else { return };
        let end = self.elements.len() as u32;
        if let Some(element) = self.elements.get_mut(at as usize) {
            element.end = end;
            element.pieces.1 = self.pieces.len() as u32;
        }
        if node.is("a") {
            self.open_links = self.open_links.saturating_sub(1);
        }
        self.widen(node.tag());
    }

    fn widen(&mut self, tag: &str) {
        let gap = match tag {
            "b" | "i" | "em" | "strong" | "u" | "font" | "mark" | "wbr" | "sub" | "small" | "big" => return,
            "span" | "a" | "sup" | "s" | "del" | "ins" | "abbr" | "cite" | "code" | "time" | "data" | "q"
            | "bdi" => Gap::Soft,
            _ => Gap::Hard,
        };
        if self.gap != Gap::Hard {
            self.gap = gap;
        }
    }

    fn text(&mut self, text: &'a str) {
        if text.trim().is_empty() {
            if !text.is_empty() {
                self.gap = Gap::Hard;
            }
            return;
        }
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        self.pieces.push(Piece { text, gap });
        let own = self.open.last().and_then(|at| self.own.get_mut(*at as usize));
        if let Some(own) = own {
            signs::count_text(text, self.open_links > 0, own);
        }
    }

    fn finish(self) -> Outline<'a> {
        let mut totals = Vec::with_capacity(self.own.len() + 1);
        let mut sum = Counts::default();
        totals.push(sum);
        for own in &self.own {
            sum.add(own);
            totals.push(sum);
        }
        Outline {
            elements: self.elements,
            totals,
            tokens: self.tokens,
            pieces: self.pieces,
            links: self.links,
            tags: self.tags.list,
        }
    }
}
