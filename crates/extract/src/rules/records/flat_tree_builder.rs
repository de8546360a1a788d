//! FlatTreeBuilder: lays out the visible part of a page flat.

use std::collections::HashMap;

use page::dom::{Dom, Edge, Node, NodeId};

use super::counts::{self, ElementCounts};
use super::flat_tree::{FlatElement, FlatTree, TextGap, TextPiece};
use super::regions;

/// Most elements that are read; what comes later in the page is left out.
const MAX_ELEMENTS: usize = 400_000;

/// A page with fewer words than this shows next to nothing.
const FEW_WORDS: u32 = 100;

/// Lays out the visible part of the body.
///
/// A page that shows next to nothing without scripts may say what it has to say in
/// `<noscript>`; then that is read too.
pub(super) fn read(dom: &Dom) -> FlatTree<'_> {
    let seen = build(dom.body(), false);
    if seen.counts(seen.all()).words >= FEW_WORDS || dom.by_tag("noscript").next().is_none() {
        return seen;
    }
    let all = build(dom.body(), true);
    if all.counts(all.all()).words > FEW_WORDS {
        all
    } else {
        seen
    }
}

/// Lays out a body; with `noscript` also what is only meant for browsers without scripts.
fn build<'a>(body: Option<Node<'a>>, noscript: bool) -> FlatTree<'a> {
    let mut maker = FlatTreeBuilder::new();
    if let Some(body) = body {
        maker.walk(body, noscript);
    }
    maker.finish()
}

struct Interner<'a> {
    known: HashMap<&'a str, u32>,
    list: Vec<&'a str>,
}

impl<'a> Interner<'a> {
    fn number(&mut self, word: &'a str) -> u32 {
        let next = self.list.len() as u32;
        *self.known.entry(word).or_insert_with(|| {
            self.list.push(word);
            next
        })
    }
}

struct FlatTreeBuilder<'a> {
    elements: Vec<FlatElement>,
    own: Vec<ElementCounts>,
    tokens: Vec<u32>,
    pieces: Vec<TextPiece<'a>>,
    links: Vec<(u32, &'a str)>,
    tags: Interner<'a>,
    names: Interner<'a>,
    open: Vec<u32>,
    open_links: u32,
    gap: TextGap,
}

impl<'a> FlatTreeBuilder<'a> {
    fn new() -> Self {
        let interner = || Interner {
            known: HashMap::new(),
            list: Vec::new(),
        };
        FlatTreeBuilder {
            elements: Vec::new(),
            own: Vec::new(),
            tokens: Vec::new(),
            pieces: Vec::new(),
            links: Vec::new(),
            tags: interner(),
            names: interner(),
            open: Vec::new(),
            open_links: 0,
            gap: TextGap::Hard,
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
                        if (regions::is_unseen(node) && !(noscript && node.is("noscript")))
                            || self.elements.len() >= MAX_ELEMENTS
                        {
                            self.gap = TextGap::Hard;
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
                .is_some_and(|numbers| !numbers.contains(&number))
            {
                self.tokens.push(number);
            }
        }
        if let Some(stem) = regions::numbered_stem(node.id_attr()) {
            let number = self.names.number(stem);
            self.tokens.push(number);
        }
        let pieces = self.pieces.len() as u32;
        self.elements.push(FlatElement {
            node: node.id(),
            parent: self.open.last().copied().unwrap_or(0),
            end: at + 1,
            tag: self.tags.number(tag),
            depth: self.open.len().min(usize::from(u16::MAX)) as u16,
            region: regions::Region::of(node),
            tokens: (first, self.tokens.len() as u32),
            pieces: (pieces, pieces),
        });
        let mut own = counts::own_counts(node);
        if tag == "a" {
            if let Some(target) = node.attr("href").filter(|href| regions::is_target(href)) {
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
            | "bdi" => TextGap::Soft,
            _ => TextGap::Hard,
        };
        if self.gap != TextGap::Hard {
            self.gap = gap;
        }
    }

    fn text(&mut self, text: &'a str) {
        if text.trim().is_empty() {
            if !text.is_empty() {
                self.gap = TextGap::Hard;
            }
            return;
        }
        let gap = std::mem::replace(&mut self.gap, TextGap::None);
        self.pieces.push(TextPiece { text, gap });
        let own = self.open.last().and_then(|at| self.own.get_mut(*at as usize));
        if let Some(own) = own {
            counts::count_text(text, self.open_links > 0, own);
        }
    }

    fn finish(self) -> FlatTree<'a> {
        let mut totals = Vec::with_capacity(self.own.len() + 1);
        let mut sum = ElementCounts::default();
        totals.push(sum);
        for own in &self.own {
            sum.add(own);
            totals.push(sum);
        }
        FlatTree {
            elements: self.elements,
            totals,
            tokens: self.tokens,
            pieces: self.pieces,
            links: self.links,
            tags: self.tags.list,
        }
    }
}
