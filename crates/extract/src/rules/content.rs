//! Which part of a page is what it is about, and what is furniture around it?
//!
//! One reading, used for text and Markdown alike: the page is cut into blocks of text ([`outline`]), each block gets a
//! probability of being content, and what is left is put together again as roots with a set of nodes to leave out, so
//! that headings, lists, tables and code inside survive as such.

pub(crate) mod block;
mod company;
pub(crate) mod context;
mod echo;
mod features;
pub(crate) mod forest;
mod hand;
mod hints;
pub(crate) mod outline;
mod pick;
mod settle;
#[cfg(test)]
mod tests;

use super::kind::{Kind, Signals};
use context::Context;
use echo::Words;
use features::{Table, Whole};
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
    /// How high a chance must be, as a part of what is usual: 1 for text to quote from, less ([`GENEROUS`]) to lose
    /// little of the page's structure.
    pub strictness: f32,
}

/// The strictness at which little of a page's structure is lost and most of its furniture is still left out.
pub const GENEROUS: f32 = 0.15;

impl Default for Options {
    fn default() -> Options {
        Options {
            kind: true,
            learned: true,
            words: true,
            hints: true,
            strictness: 1.0,
        }
    }
}

/// Finds the main content of a page. Linear in the page's size; the same page always gives the same answer.
pub fn find(page: &Page) -> Content {
    find_with(page, &Options::default())
}

/// The main content as Markdown, cut less strictly than text is: a heading or list that is lost costs a reader of
/// Markdown more than a little furniture that is kept.
pub fn main_markdown(page: &Page) -> String {
    let options = Options {
        strictness: GENEROUS,
        ..Options::default()
    };
    markdown(page, &find_with(page, &options))
}

/// Finds the main content with parts of the reading turned off.
pub fn find_with(page: &Page, options: &Options) -> Content {
    let reading = Reading::new(page, options);
    let chances = reading.chances(options);
    let kept = settle::settle(
        &reading.outline,
        &reading.context,
        &reading.words,
        &reading.signals,
        &chances,
        options.strictness,
    );
    pick::content(page, &reading.outline, reading.signals.best(), &chances, &kept)
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

/// The content as Markdown, with its headings, links, lists, tables and code.
pub fn markdown(page: &Page, content: &Content) -> String {
    let roots: Vec<_> = content.roots.iter().map(|root| page.dom().node(*root)).collect();
    let options = page::markdown::Options {
        skip: content.skip.clone(),
        ..page::markdown::Options::default()
    };
    page::markdown::render(page, &roots, &options)
}

/// What is known of a page before anything is decided.
struct Reading<'a> {
    outline: Outline<'a>,
    context: Context,
    hints: Hints,
    signals: Signals,
    words: Words,
}

impl<'a> Reading<'a> {
    fn new(page: &'a Page, options: &Options) -> Reading<'a> {
        let outline = Outline::read(page.dom(), options.words);
        let context = Context::read(&outline);
        let words = Words::read(&outline);
        let hints = if options.hints {
            Hints::read(page, &words, outline.blocks.len())
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
            words,
        }
    }

    /// How likely each block is content, 0 to 1.
    fn chances(&self, options: &Options) -> Vec<f32> {
        let Some(weights) = forest::weights().filter(|_| options.learned) else {
            return hand::chances(&self.outline, &self.context, &self.hints);
        };
        let (first, whole) = self.first(false);
        if weights.first.columns != first.width {
            return whole.hand;
        }
        let chances: Vec<f32> = first.rows().map(|row| weights.first.chance(row)).collect();
        let second = self.second(&whole, &chances, false);
        let mut both = Vec::with_capacity(first.width + second.width);
        let join = |(second, first): (&[f32], &[f32])| {
            both.clear();
            both.extend_from_slice(second);
            both.extend_from_slice(first);
            weights.second.chance(&both)
        };
        second.rows().zip(first.rows()).map(join).collect()
    }

    /// The first look: numbers of each block as it stands.
    fn first(&self, naming: bool) -> (Table, Whole) {
        let mut table = Table::new(naming);
        let whole = Whole {
            paths: company::paths(&self.outline),
            echoes: echo::echoes(&self.words, self.outline.blocks.len()),
            hand: hand::chances(&self.outline, &self.context, &self.hints),
        };
        features::fill(
            &mut table,
            &self.outline,
            &self.context,
            &self.hints,
            &self.signals,
            &whole,
        );
        (table, whole)
    }

    /// The second look: numbers of the company each block is in.
    fn second(&self, whole: &Whole, chances: &[f32], naming: bool) -> Table {
        let mut table = Table::new(naming);
        company::fill(&mut table, &self.outline, &self.context, &whole.paths, chances);
        table
    }
}

/// The blocks of a page with the numbers that describe them: what the weights are learned from.
#[derive(Debug, serde::Serialize)]
pub struct Described {
    /// The kind the page is taken for.
    pub kind: Kind,
    /// What speaks for one kind or another.
    pub evidence: Vec<f32>,
    /// The text of each block.
    pub texts: Vec<String>,
    /// The names of the numbers.
    pub names: Vec<String>,
    /// A row of numbers for each block.
    pub rows: Vec<Vec<f32>>,
}

/// Describes every block of a page, for learning: the numbers of the first look, or, given what the first look thought
/// of each block, the numbers of the second. The chances of the kinds can be given, too.
pub fn describe(page: &Page, options: &Options, chances: Option<&[f32]>, kinds: Option<&[f32]>) -> Described {
    let mut reading = Reading::new(page, options);
    for (chance, given) in reading.signals.chances.iter_mut().zip(kinds.unwrap_or_default()) {
        *chance = *given;
    }
    let (mut table, whole) = reading.first(true);
    if let Some(chances) = chances {
        table = reading.second(&whole, chances, true);
    }
    Described {
        kind: reading.signals.best(),
        evidence: reading.signals.evidence.values.clone(),
        texts: reading
            .outline
            .blocks
            .iter()
            .map(|block| reading.outline.text_of(block).to_owned())
            .collect(),
        rows: table.rows().map(<[f32]>::to_vec).collect(),
        names: table.names,
    }
}
