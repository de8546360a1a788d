//! FlatTree: the visible elements of a page in document order, with running totals.
//!
//! Elements stand in document order, so a subtree, or a run of neighbouring
//! siblings, is one range; every count over a range is two look-ups in running
//! totals. That keeps the search for records linear in the size of the page.

use std::ops::Range;

use page::dom::NodeId;

use super::counts::ElementCounts;
use super::regions;

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
pub(super) struct FlatElement {
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
    pub(super) region: regions::Region,
    /// Range of its class names.
    pub(super) tokens: (u32, u32),
    /// Range of its pieces of text.
    pub(super) pieces: (u32, u32),
}

/// What stands before a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextGap {
    /// Nothing: the text goes on within a word.
    None,
    /// The border of an inline element that often stands for white space.
    Soft,
    /// White space, or the border of a block.
    Hard,
}

/// A text node and what stands before it.
#[derive(Debug)]
pub(super) struct TextPiece<'a> {
    pub(super) text: &'a str,
    pub(super) gap: TextGap,
}

/// The page laid out flat.
#[derive(Debug)]
pub(super) struct FlatTree<'a> {
    pub(super) elements: Vec<FlatElement>,
    pub(super) totals: Vec<ElementCounts>,
    pub(super) tokens: Vec<u32>,
    pub(super) pieces: Vec<TextPiece<'a>>,
    pub(super) links: Vec<(u32, &'a str)>,
    pub(super) tags: Vec<&'a str>,
}

impl<'a> FlatTree<'a> {
    /// How many elements there are.
    pub(super) fn len(&self) -> u32 {
        self.elements.len() as u32
    }

    /// The element at a place, if there is one.
    pub(super) fn element(&self, at: u32) -> Option<&FlatElement> {
        self.elements.get(at as usize)
    }

    /// The subtree of an element.
    pub(super) fn subtree(&self, at: u32) -> Span {
        let to = self.element(at).map_or(at, |element| element.end);
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
    pub(super) fn counts(&self, span: Span) -> ElementCounts {
        match (
            self.totals.get(span.to as usize),
            self.totals.get(span.from as usize),
        ) {
            (Some(to), Some(from)) => to.minus(from),
            _ => ElementCounts::default(),
        }
    }

    /// The tag name of an element.
    pub(super) fn tag(&self, at: u32) -> &'a str {
        self.element(at)
            .and_then(|element| self.tags.get(element.tag as usize))
            .copied()
            .unwrap_or("")
    }

    /// Numbers of the class names of an element and of its numbered id, as the page spells them.
    pub(super) fn tokens(&self, at: u32) -> &[u32] {
        let range = self.element(at).map_or((0, 0), |element| element.tokens);
        self.tokens.get(range.0 as usize..range.1 as usize).unwrap_or(&[])
    }

    /// The links of a range, by place and target, in order.
    pub(super) fn links(&self, span: Span) -> &[(u32, &'a str)] {
        let from = self.links.partition_point(|link| link.0 < span.from);
        let to = self.links.partition_point(|link| link.0 < span.to);
        self.links.get(from..to).unwrap_or(&[])
    }

    /// The visible text of a range, white space collapsed, at most `limit` bytes or little more.
    pub(super) fn text(&self, span: Span, limit: usize) -> String {
        let pieces = self.pieces.get(self.piece_range(span)).unwrap_or(&[]);
        let mut length = 0;
        for piece in pieces {
            length += piece.text.len() + 1;
            if length >= limit {
                break;
            }
        }
        let mut out = String::with_capacity(length.min(limit));
        for piece in pieces {
            if out.len() >= limit {
                break;
            }
            push(&mut out, piece);
        }
        out
    }

    fn piece_range(&self, span: Span) -> Range<usize> {
        let from = self.element(span.from).map_or(0, |element| element.pieces.0);
        let last = self.neighbours(span).last();
        let to = last
            .and_then(|at| self.element(at))
            .map_or(from, |element| element.pieces.1);
        from as usize..to.max(from) as usize
    }
}

/// Whether white space stands between two texts at the border of an inline element.
fn is_set_apart(text: &str, behind: &str) -> bool {
    let starts = behind.chars().next();
    let mut ends = text.chars().rev().filter(|c| !c.is_whitespace());
    let (last, before) = (ends.next(), ends.next());
    let in_words = starts.is_some_and(char::is_alphanumeric) && last.is_some_and(char::is_alphanumeric);
    // `39 €` and `34 €` are two prices, `$` and `34` are one.
    let prices = starts.is_some_and(|c| c.is_ascii_digit())
        && last.is_some_and(locale::price::is_sign)
        && before.is_some_and(|c| c.is_ascii_digit());
    in_words || prices
}

fn push(out: &mut String, piece: &TextPiece<'_>) {
    let wide = match piece.gap {
        TextGap::Hard => true,
        TextGap::Soft => is_set_apart(out, piece.text),
        TextGap::None => false,
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
