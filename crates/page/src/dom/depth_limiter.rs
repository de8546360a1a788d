//! A limit on nesting between tokenizer and tree builder.
//!
//! The tree builder searches its stack of open elements for most tags, so its time grows with
//! the square of the nesting depth. The limiter knows the depth and, beyond [`MAX_DEPTH`], leaves out
//! start tags together with the end tags that belong to them; text passes. Elements that hold
//! no others (void ones, and those of raw text, which switch the tokenizer's state) always pass.

use super::arena::{Dom, MAX_DEPTH, Truncation};
use super::arena_builder::ArenaSink;
use crate::tag::is_one_of;
use html5ever::interface::Tracer;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, local_name};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// Passes tokens on to the tree builder, except tags that nest too deep.
pub(super) struct DepthLimiter {
    builder: TreeBuilder<u32, ArenaSink>,
    /// The depth when it was last counted, and how many elements there were then.
    counted: Cell<(usize, usize)>,
    /// Known to be at the limit; an end tag that passes makes it unknown.
    full: Cell<bool>,
    dropped: RefCell<DroppedElements>,
    flattened: Cell<usize>,
    noscript: RefCell<Option<OpenNoscript>>,
}

/// A `<noscript>` that is open. A browser with scripting on takes it as text up to its end tag, so
/// pages may hold anything there; nothing inside may reach beyond its end.
struct OpenNoscript {
    /// In the head, where other elements would end the head.
    head: bool,
    open: Vec<LocalName>,
    /// An element of raw text that is open, such as a style: its tag is left out, and with it what it holds.
    raw: Option<LocalName>,
}

/// Most elements open in a `<noscript>`.
const MAX_NOSCRIPT_DEPTH: usize = 64;

/// Elements left out that are still open.
#[derive(Default)]
struct DroppedElements {
    open: Vec<LocalName>,
    count: HashMap<LocalName, usize>,
}

impl DroppedElements {
    fn push(&mut self, name: LocalName) {
        *self.count.entry(name.clone()).or_default() += 1;
        self.open.push(name);
    }

    /// Closes the innermost element of that name and what is open inside it.
    fn close(&mut self, name: &LocalName) -> bool {
        if self.count.get(name).is_none_or(|count| *count == 0) {
            self.open.clear();
            self.count.clear();
            return false;
        }
        while let Some(last) = self.open.pop() {
            if let Some(count) = self.count.get_mut(&last) {
                *count = count.saturating_sub(1);
            }
            if last == *name {
                break;
            }
        }
        true
    }
}

/// Counts the open elements of the tree builder.
struct DepthCounter(Cell<usize>);

impl Tracer for DepthCounter {
    type Handle = u32;

    fn trace_handle(&self, _: &u32) {
        self.0.set(self.0.get() + 1);
    }
}

impl DepthLimiter {
    /// A limiter before a new tree builder, for a page of that many bytes.
    pub(super) fn for_bytes(bytes: usize) -> DepthLimiter {
        let options = TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        };
        let builder = TreeBuilder::new(ArenaSink::new(bytes), options);
        DepthLimiter {
            builder,
            counted: Cell::new((0, 0)),
            full: Cell::new(false),
            dropped: RefCell::default(),
            flattened: Cell::new(0),
            noscript: RefCell::new(None),
        }
    }

    /// Whether there are more elements than the budget allows.
    pub(super) fn is_over(&self) -> bool {
        self.builder.sink.is_over()
    }

    /// The tree that was built.
    pub(super) fn into_dom(self, truncation: Option<Truncation>) -> Dom {
        let truncation = if self.is_over() {
            Some(Truncation::Elements)
        } else {
            truncation
        };
        let flattened = self.flattened.get();
        self.builder.sink.into_dom(truncation, flattened)
    }

    /// Whether one more element would lie too deep. Each element made since the last count may
    /// have deepened the stack by one; only when that could reach the limit it is counted anew.
    fn is_full(&self) -> bool {
        if self.full.get() {
            return true;
        }
        let made = self.builder.sink.made();
        let (depth, at) = self.counted.get();
        if depth + (made - at) < MAX_DEPTH {
            return false;
        }
        let counter = DepthCounter(Cell::new(0));
        self.builder.trace_handles(&counter);
        let depth = counter.0.get();
        self.counted.set((depth, made));
        self.full.set(depth >= MAX_DEPTH);
        self.full.get()
    }

    /// Whether this tag is left out.
    fn drops_tag(&self, tag: &Tag) -> bool {
        match tag.kind {
            TagKind::StartTag => {
                if !self.is_full() || always_passes(&tag.name) {
                    return false;
                }
                if tag.self_closing
                    && self
                        .builder
                        .adjusted_current_node_present_but_not_in_html_namespace()
                {
                    return false;
                }
                self.flattened.set(self.flattened.get() + 1);
                self.dropped.borrow_mut().push(tag.name.clone());
                true
            }
            TagKind::EndTag => {
                let mut dropped = self.dropped.borrow_mut();
                if !dropped.open.is_empty() && dropped.close(&tag.name) {
                    return true;
                }
                self.full.set(false);
                false
            }
        }
    }

    /// Whether a tag inside a `<noscript>` is left out.
    fn drops_in_noscript(&self, tag: &Tag, line: u64) -> bool {
        let mut state = self.noscript.borrow_mut();
        let Some(noscript) = state.as_mut() else {
            return false;
        };
        let head_only = matches!(
            tag.name,
            local_name!("link") | local_name!("meta") | local_name!("base")
        );
        if let Some(raw) = &noscript.raw
            && tag.name != local_name!("noscript")
        {
            if tag.kind == TagKind::EndTag && tag.name == *raw {
                noscript.raw = None;
            }
            return true;
        }
        match tag.kind {
            TagKind::EndTag if tag.name == local_name!("noscript") => {
                for name in std::mem::take(&mut noscript.open).into_iter().rev() {
                    let _ = self.builder.process_token(Token::TagToken(end_tag(name)), line);
                }
                *state = None;
                false
            }
            _ if noscript.head => !(head_only && tag.kind == TagKind::StartTag),
            TagKind::StartTag => {
                // Raw text without its end tag would swallow the rest of the page.
                let swallows = always_passes(&tag.name) && !is_void(&tag.name);
                if is_raw(&tag.name) {
                    noscript.raw = Some(tag.name.clone());
                }
                if swallows
                    || tag.name == local_name!("noscript")
                    || noscript.open.len() >= MAX_NOSCRIPT_DEPTH
                {
                    return true;
                }
                if !is_void(&tag.name) {
                    noscript.open.push(tag.name.clone());
                }
                false
            }
            TagKind::EndTag => match noscript.open.iter().rposition(|name| *name == tag.name) {
                Some(at) => {
                    noscript.open.truncate(at);
                    false
                }
                None => true,
            },
        }
    }
}

fn end_tag(name: LocalName) -> Tag {
    Tag {
        kind: TagKind::EndTag,
        name,
        self_closing: false,
        attrs: Vec::new(),
        had_duplicate_attributes: false,
    }
}

/// Elements that cannot nest: void ones, raw text, and those that only merge attributes.
fn always_passes(name: &LocalName) -> bool {
    is_void(name)
        || is_one_of!(
            name,
            "script" "style" "textarea" "title" "iframe" "noembed" "noframes" "xmp" "plaintext" "html" "head" "body"
        )
}

/// Elements whose text is no text of the page.
fn is_raw(name: &LocalName) -> bool {
    is_one_of!(name, "script" "style" "title" "iframe" "noembed" "noframes")
}

/// Elements that have no inside.
pub(super) fn is_void(name: &LocalName) -> bool {
    is_one_of!(
        name,
        "area" "base" "br" "col" "embed" "hr" "img" "input" "link" "meta" "param" "source" "track" "wbr"
    )
}

impl TokenSink for DepthLimiter {
    type Handle = u32;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<u32> {
        if self.builder.sink.is_over() && !matches!(token, Token::EOFToken) {
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &token {
            if self.noscript.borrow().is_some() && self.drops_in_noscript(tag, line) {
                return TokenSinkResult::Continue;
            }
            if self.drops_tag(tag) {
                return TokenSinkResult::Continue;
            }
            if tag.name == local_name!("noscript") && tag.kind == TagKind::StartTag {
                let result = self.builder.process_token(token, line);
                let head = !self.builder.sink.has_body();
                *self.noscript.borrow_mut() = Some(OpenNoscript {
                    head,
                    open: Vec::new(),
                    raw: None,
                });
                return result;
            }
        } else if let Token::CharacterTokens(text) = &token
            && self
                .noscript
                .borrow()
                .as_ref()
                .is_some_and(|noscript| noscript.head || noscript.raw.is_some())
            && !text.bytes().all(|byte| byte.is_ascii_whitespace())
        {
            return TokenSinkResult::Continue;
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}
