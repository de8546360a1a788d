//! Main content of a page, without menus, adverts and other boilerplate.
//!
//! One reading, used for text and Markdown alike: the page is cut into blocks of text ([`outline`]), each block gets a
//! probability of being content, and what is left is put together again as roots with a set of nodes to leave out, so
//! that headings, lists, tables and code inside survive as such.

mod assembly;
mod block;
mod copies;
pub(crate) mod decision_forest;
pub(crate) mod element;
mod feature_table;
mod features;
mod hashing;
mod heuristics;
mod lead;
mod metadata_overlap;
mod neighbours;
mod notes;
pub(crate) mod outline;
mod repetition;
mod selection;
pub(crate) mod siblings;
mod surroundings;
mod templates;
#[cfg(test)]
mod tests;
pub(crate) mod totals;

use super::page_kind::{KindSignals, PageKind};
use super::title;
use feature_table::FeatureTable;
use features::SharedFeatures;
use metadata_overlap::MetadataOverlap;
use outline::BlockOutline;
use page::Page;
use page::dom::NodeSet;
use page::meta::Metadata;

pub use assembly::MainContent;
use repetition::BlockWords;
use siblings::SiblingGroups;
use totals::PageTotals;

/// Parts of the extraction that can be turned off, to measure what each adds.
#[derive(Clone, Copy, Debug)]
pub struct ContentOptions {
    /// Treat kinds of page differently.
    pub kind: bool,
    /// Use the learned weights; without them plain rules decide.
    pub learned: bool,
    /// Use class names and the words of the text.
    pub vocabulary: bool,
    /// Compare with the page's own title, description and `articleBody`.
    pub metadata: bool,
    /// Factor on the probability from which a block is kept: 1 for text to quote from, less ([`GENEROUS`]) to lose
    /// little of the page's structure.
    pub strictness: f32,
}

/// The strictness at which little of a page's structure is lost and most of the boilerplate is still left out.
pub const GENEROUS: f32 = 0.15;

/// The strictness for Markdown before the first block that it keeps, and behind the last: there stand menus, recommendations and
/// notices, and within the content its own headings and lists. On 308 pages of seven kinds (fidelity to the page's structure and F1
/// of the text) no difference gives 0.858 and 0.821, 0.5 gives 0.848 and 0.843, and 1 gives 0.827 and 0.857. Of 216 phrases of
/// boilerplate on 72 pages nobody had tuned to, 75 were kept without a difference and 27 with 0.5; no phrase of the content is lost.
const AT_EDGES: f32 = 0.5;

impl Default for ContentOptions {
    fn default() -> ContentOptions {
        ContentOptions {
            kind: true,
            learned: true,
            vocabulary: true,
            metadata: true,
            strictness: 1.0,
        }
    }
}

/// Finds the main content of a page. Linear in the page's size; the same page always gives the same answer.
pub fn find(page: &Page) -> MainContent {
    find_with(page, &ContentOptions::default())
}

/// The main content as Markdown, cut less strictly than what is quoted from is: a heading or list that is lost costs a
/// reader more than a little boilerplate that is kept. It holds all of the strict content, and the page's title, and the price of the
/// page's product. A page without main content is shown whole rather than not at all;
/// one that shows nothing is empty, whatever its title.
pub fn main_markdown(page: &Page) -> String {
    let reading = GenerousReading::of_main(page);
    let markdown = match reading.has_content() {
        true => reading.markdown(&reading.kept),
        false => page::markdown::render_page(page),
    };
    match reading.title {
        None if !markdown.trim().is_empty() => with_title(page, markdown),
        _ => markdown,
    }
}

/// The main content as text, a line for each block: what [`find`] finds, and on the page of a product its name and its price.
/// A page without main content is shown whole rather than not at all.
pub fn main_text(page: &Page) -> String {
    let mut reading = GenerousReading::of_main(page);
    reading.leave_out_prose();
    match reading.has_content() {
        true => text(page, &reading.content(&reading.kept)),
        false => whole_text(page),
    }
}

/// All text of a page that is no script and no style, a line for each block.
pub fn whole_text(page: &Page) -> String {
    let body = page.dom().body();
    body.map(|body| page::text::render(body, &NodeSet::new(page.dom())))
        .unwrap_or_default()
}

/// A page as its watchers read it, as Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WatchedPage {
    /// What they may wait for: the page's title, the main content, and each other block that no tag or class name marks as
    /// something beside it, such as a menu, an advertisement or a recommendation. Whether such a block is there follows from its
    /// own place alone, so that an edit elsewhere does not add or remove it. Empty for a page without text.
    pub content: String,
    /// All blocks that can be seen, each written as in the content.
    pub all: String,
}

/// Reads a page for its watchers.
pub fn watched(page: &Page) -> WatchedPage {
    let mut reading = GenerousReading::new(page);
    let GenerousReading { analysis, kept, .. } = &mut reading;
    surroundings::keep_unmarked(&analysis.outline, &analysis.totals, kept);
    let everything = vec![true; reading.kept.len()];
    let (content, all) = (reading.markdown(&reading.kept), reading.markdown(&everything));
    let content = match reading.title {
        None if !content.trim().is_empty() => with_title(page, content),
        _ => content,
    };
    WatchedPage { content, all }
}

/// The Markdown under a heading with the title of a page that shows no heading.
fn with_title(page: &Page, markdown: String) -> String {
    let Some(title) = title::title(page, &Metadata::read(page)) else {
        return markdown;
    };
    let title = title.value.replace('&', "&amp;").replace('<', "&lt;");
    let heading = page::markdown::render_page(&Page::new(format!("<h1>{title}</h1>"), None));
    format!("{heading}\n\n{markdown}").trim_end().to_owned()
}

/// Finds the main content with parts of the extraction turned off.
pub fn find_with(page: &Page, options: &ContentOptions) -> MainContent {
    let analysis = ContentAnalysis::new(page, options);
    let probabilities = analysis.probabilities(options);
    analysis.content(page, options, &probabilities)
}

/// The main content when these are the probabilities of the blocks and of the kinds of page: what other weights, such as those
/// learned without a page's host, make of the page.
pub fn find_given(
    page: &Page,
    options: &ContentOptions,
    probabilities: &[f32],
    kinds: &[f32],
) -> MainContent {
    let mut analysis = ContentAnalysis::new(page, options);
    analysis.signals.set(kinds);
    analysis.content(page, options, probabilities)
}

/// The text of the content, a line for each block.
pub fn text(page: &Page, content: &MainContent) -> String {
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
pub fn markdown(page: &Page, content: &MainContent) -> String {
    let roots: Vec<_> = content.roots.iter().map(|root| page.dom().node(*root)).collect();
    let options = page::markdown::MarkdownOptions {
        skip: content.skip.clone(),
        ..page::markdown::MarkdownOptions::default()
    };
    page::markdown::render(page, &roots, &options)
}

/// A page read with little strictness, as Markdown is made of.
struct GenerousReading<'a> {
    page: &'a Page,
    analysis: ContentAnalysis<'a>,
    probabilities: Vec<f32>,
    /// Which blocks are kept; that of the title always.
    kept: Vec<bool>,
    /// The block of the page's title; none where the page shows no heading.
    title: Option<usize>,
}

impl<'a> GenerousReading<'a> {
    fn new(page: &'a Page) -> Self {
        let options = ContentOptions {
            strictness: GENEROUS,
            ..ContentOptions::default()
        };
        let analysis = ContentAnalysis::new(page, &options);
        let probabilities = analysis.probabilities(&options);
        let mut kept = analysis.kept(&options, &probabilities);
        let title = lead::keep_title(&analysis.totals, &analysis.overlap, &mut kept);
        Self {
            page,
            analysis,
            probabilities,
            kept,
            title,
        }
    }

    /// The main content: without the edges, and with the price of the page's product.
    fn of_main(page: &'a Page) -> Self {
        let mut reading = Self::new(page);
        reading.leave_out_edges();
        let Self {
            analysis,
            kept,
            title,
            ..
        } = &mut reading;
        if analysis.signals.best() == PageKind::Product
            && let Some(title) = *title
        {
            lead::keep_price(&analysis.outline, &analysis.siblings, title, kept);
        }
        notes::keep(page, &analysis.outline, kept);
        reading
    }

    /// Leaves out what a strict reading leaves out, but for the name of a product and its price: the words of the rest are often
    /// boilerplate, and an article is its text.
    fn leave_out_prose(&mut self) {
        let strict = self
            .analysis
            .kept(&ContentOptions::default(), &self.probabilities);
        if !strict.contains(&true) {
            return;
        }
        let is_product = self.analysis.signals.best() == PageKind::Product;
        let outline = &self.analysis.outline;
        for (at, block) in outline.blocks.iter().enumerate() {
            if let (Some(kept), Some(is_strict)) = (self.kept.get_mut(at), strict.get(at)) {
                let is_figure = self.title == Some(at) || (*kept && lead::is_figure(outline, block));
                *kept = *is_strict || (is_product && is_figure);
            }
        }
        notes::keep(self.page, outline, &mut self.kept);
    }

    /// Whether a block is kept beside that of the title.
    fn has_content(&self) -> bool {
        let mut kept = (0..).zip(&self.kept);
        kept.any(|(at, is_kept)| *is_kept && self.title != Some(at))
    }

    /// Leaves out what stands before the content and behind it, as far as [`AT_EDGES`] tells where it begins and ends.
    fn leave_out_edges(&mut self) {
        let options = ContentOptions {
            strictness: AT_EDGES,
            ..ContentOptions::default()
        };
        let content = self.analysis.kept(&options, &self.probabilities);
        let ends = content.iter().position(|is_content| *is_content);
        let Some((first, last)) = ends.zip(content.iter().rposition(|is_content| *is_content)) else {
            return;
        };
        for (at, is_kept) in self.kept.iter_mut().enumerate() {
            *is_kept &= (first..=last).contains(&at) || self.title == Some(at);
        }
    }

    /// These blocks as Markdown.
    fn markdown(&self, kept: &[bool]) -> String {
        markdown(self.page, &self.content(kept))
    }

    fn content(&self, kept: &[bool]) -> MainContent {
        let ContentAnalysis { outline, signals, .. } = &self.analysis;
        assembly::assemble(self.page, outline, signals.best(), &self.probabilities, kept)
    }
}

/// A page before any block is rated.
struct ContentAnalysis<'a> {
    outline: BlockOutline<'a>,
    totals: PageTotals,
    overlap: MetadataOverlap,
    signals: KindSignals,
    words: BlockWords,
    siblings: SiblingGroups,
}

impl<'a> ContentAnalysis<'a> {
    fn new(page: &'a Page, options: &ContentOptions) -> ContentAnalysis<'a> {
        let outline = BlockOutline::read(page.dom(), options.vocabulary);
        let totals = PageTotals::read(&outline);
        let words = BlockWords::read(&outline);
        let overlap = if options.metadata {
            MetadataOverlap::read(page, &words, outline.blocks.len())
        } else {
            MetadataOverlap::default()
        };
        let siblings = SiblingGroups::read(&outline, &totals);
        let signals = if options.kind {
            KindSignals::read(page, &outline, &totals, &siblings)
        } else {
            KindSignals::default()
        };
        ContentAnalysis {
            outline,
            totals,
            overlap,
            signals,
            words,
            siblings,
        }
    }

    /// Which blocks are kept, given how likely each is.
    fn kept(&self, options: &ContentOptions, probabilities: &[f32]) -> Vec<bool> {
        selection::select(
            &self.outline,
            &self.totals,
            &self.words,
            &self.signals,
            probabilities,
            options.strictness,
        )
    }

    /// The content, given how likely each block is.
    fn content(&self, page: &Page, options: &ContentOptions, probabilities: &[f32]) -> MainContent {
        let kept = self.kept(options, probabilities);
        let mut content = assembly::assemble(page, &self.outline, self.signals.best(), probabilities, &kept);
        content.kind_probability = self.signals.certainty();
        content.kind_probabilities = self.signals.probabilities;
        content
    }

    /// How likely each block is content, 0 to 1.
    fn probabilities(&self, options: &ContentOptions) -> Vec<f32> {
        let Some(weights) = decision_forest::weights().filter(|_| options.learned) else {
            return heuristics::probabilities(&self.outline, &self.totals, &self.overlap);
        };
        let (first, shared) = self.first(false);
        if weights.first.columns != first.width {
            return shared.heuristic;
        }
        let probabilities: Vec<f32> = first.rows().map(|row| weights.first.probability(row)).collect();
        let second = self.second(&shared, &probabilities, false);
        let mut both = Vec::with_capacity(first.width + second.width);
        let join = |(second, first): (&[f32], &[f32])| {
            both.clear();
            both.extend_from_slice(second);
            both.extend_from_slice(first);
            weights.second.probability(&both)
        };
        second.rows().zip(first.rows()).map(join).collect()
    }

    /// The features of the first pass.
    fn first(&self, naming: bool) -> (FeatureTable, SharedFeatures) {
        let mut table = FeatureTable::new(naming);
        let shared = SharedFeatures {
            paths: neighbours::paths(&self.outline),
            repeated_shares: repetition::repeated_shares(&self.words, self.outline.blocks.len()),
            heuristic: heuristics::probabilities(&self.outline, &self.totals, &self.overlap),
        };
        features::fill(
            &mut table,
            &self.outline,
            &self.totals,
            &self.overlap,
            &self.signals,
            &self.siblings,
            &shared,
        );
        (table, shared)
    }

    /// The features of the second pass: the probabilities of the neighbours.
    fn second(&self, shared: &SharedFeatures, probabilities: &[f32], naming: bool) -> FeatureTable {
        let mut table = FeatureTable::new(naming);
        neighbours::fill(
            &mut table,
            &self.outline,
            &self.totals,
            &self.siblings,
            &shared.paths,
            probabilities,
        );
        table
    }
}

/// The blocks of a page with the numbers that describe them: what the weights are learned from.
#[derive(Debug, serde::Serialize)]
pub struct BlockDescriptions {
    /// The kind the page is taken for.
    pub kind: PageKind,
    /// Evidence for the kinds of page.
    pub evidence: Vec<f32>,
    /// How many numbers of the evidence, the first ones, are of the address of the page.
    pub of_address: usize,
    /// How many numbers of the evidence, the next ones, are of its markup.
    pub of_markup: usize,
    /// The text of each block.
    pub texts: Vec<String>,
    /// The names of the numbers.
    pub names: Vec<String>,
    /// A row of numbers for each block.
    pub rows: Vec<Vec<f32>>,
}

/// Describes every block of a page for training: the features of the first pass or, given its probabilities, those of the
/// second. The probabilities of the kinds can be given, too.
pub fn describe(
    page: &Page,
    options: &ContentOptions,
    probabilities: Option<&[f32]>,
    kinds: Option<&[f32]>,
) -> BlockDescriptions {
    let mut analysis = ContentAnalysis::new(page, options);
    analysis.signals.set(kinds.unwrap_or_default());
    let (mut table, shared) = analysis.first(true);
    if let Some(probabilities) = probabilities {
        table = analysis.second(&shared, probabilities, true);
    }
    BlockDescriptions {
        kind: analysis.signals.best(),
        evidence: analysis.signals.evidence.values.clone(),
        of_address: analysis.signals.evidence.of_address,
        of_markup: analysis.signals.evidence.of_markup,
        texts: analysis
            .outline
            .blocks
            .iter()
            .map(|block| analysis.outline.text_of(block).to_owned())
            .collect(),
        rows: table.rows().map(<[f32]>::to_vec).collect(),
        names: table.names,
    }
}
