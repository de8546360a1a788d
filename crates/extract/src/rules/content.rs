//! Which part of a page is what it is about, and what is furniture around it?
//!
//! One reading, used for text and Markdown alike: the page is cut into blocks of text ([`outline`]), each block gets a
//! probability of being content, and what is left is put together again as roots with a set of nodes to leave out, so
//! that headings, lists, tables and code inside survive as such.

pub(crate) mod block;
pub(crate) mod context;
mod features;
mod hand;
mod hints;
pub(crate) mod outline;
mod pick;
#[cfg(test)]
mod tests;

use super::kind::{Kind, Signals};
use context::Context;
use features::Table;
use hints::Hints;
use outline::Outline;
use page::Page;
use page::dom::{NodeId, NodeSet};

/// The main content of a page.
#[derive(Clone, Debug)]
pub struct Content {
    /// What kind of page it is.
    pub kind: Kind,
    /// The elements that hold the content, in document order, none inside another. Empty when there is no content.
    pub roots: Vec<NodeId>,
    /// Nodes inside the roots that are no content.
    pub skip: NodeSet,
    /// How sure the reading is: the mean probability of the words kept, 0 to 1.
    pub confidence: f32,
}

/// Parts of the reading that can be turned off, to measure what each adds.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Treat kinds of page differently.
    pub kind: bool,
    /// Use the learned weights; without them plain rules decide.
    pub learned: bool,
    /// Listen to class names and to the words of the text.
    pub words: bool,
    /// Compare with the page's own title, description and `articleBody`.
    pub hints: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            kind: true,
            learned: true,
            words: true,
            hints: true,
        }
    }
}

/// Finds the main content of a page. Linear in the page's size; the same page always gives the same answer.
pub fn find(page: &Page) -> Content {
    find_with(page, &Options::default())
}

/// Finds the main content with parts of the reading turned off.
pub fn find_with(page: &Page, options: &Options) -> Content {
    let reading = Reading::new(page, options);
    let chances = reading.chances(options);
    pick::content(page, &reading.outline, reading.signals.best(), &chances)
}

/// The text of the content, a line for each block.
pub fn text(page: &Page, content: &Content) -> String {
    let mut out = String::new();
    for root in &content.roots {
        let text = page::text::render(page.dom().node(*root), &content.skip);
        if !out.is_empty() && !text.is_empty() {
            out.push_str("\n\n");
        }
        out.push_str(&text);
    }
    out
}

/// What is known of a page before anything is decided.
struct Reading<'a> {
    outline: Outline<'a>,
    context: Context,
    hints: Hints,
    signals: Signals,
}

impl<'a> Reading<'a> {
    fn new(page: &'a Page, options: &Options) -> Reading<'a> {
        let outline = Outline::read(page.dom(), options.words);
        let context = Context::read(&outline);
        let hints = if options.hints {
            Hints::read(page, &outline)
        } else {
            Hints::default()
        };
        let signals = if options.kind {
            Signals::read(page, &outline, &context)
        } else {
            Signals::default()
        };
        Reading {
            outline,
            context,
            hints,
            signals,
        }
    }

    /// How likely each block is content, 0 to 1.
    fn chances(&self, _options: &Options) -> Vec<f32> {
        hand::chances(&self.outline, &self.context, &self.hints)
    }
}

/// The blocks of a page with the numbers that describe them: what the weights are learned from.
#[derive(Debug, serde::Serialize)]
pub struct Described {
    /// The kind the rules see.
    pub kind: Kind,
    /// The text of each block.
    pub texts: Vec<String>,
    /// The names of the numbers.
    pub names: Vec<String>,
    /// A row of numbers for each block.
    pub rows: Vec<Vec<f32>>,
}

/// Describes every block of a page, for learning.
pub fn describe(page: &Page, options: &Options) -> Described {
    let reading = Reading::new(page, options);
    let mut table = Table::new(true);
    features::fill(
        &mut table,
        &reading.outline,
        &reading.context,
        &reading.hints,
        &reading.signals,
    );
    Described {
        kind: reading.signals.best(),
        texts: reading
            .outline
            .blocks
            .iter()
            .map(|it| reading.outline.text_of(it).to_owned())
            .collect(),
        rows: table.rows().map(<[f32]>::to_vec).collect(),
        names: table.names,
    }
}
