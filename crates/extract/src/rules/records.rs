//! Which records does a list page show, and where does each begin and end?
//!
//! Results of a search, products of a grid, threads of a forum: first every set of alike
//! elements is a candidate (`candidates`, `runs`), then each is measured (`features`) and
//! ranked (`weights`), and at last the borders of the best are repaired (`repair`) and each
//! record is read field by field (`fields`).

use page::Page;
use page::dom::{Node, NodeId};
use serde_json::{Map, Value};

mod candidates;
mod columns;
mod counts;
mod features;
mod fields;
mod layout;
mod likeness;
mod outline;
mod repair;
mod runs;
mod shapes;
mod signs;
mod weights;

use outline::{Outline, Span};

/// Most bytes of text kept of one record.
const MAX_TEXT: usize = 20_000;

/// Most records kept of one group.
const MAX_RECORDS: usize = 5_000;

/// Which parts of the search are on; all are, except to measure what one adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Look for records that span several siblings.
    pub runs: bool,
    /// Look for grids: records under neighbouring parents.
    pub cousins: bool,
    /// Look for lists cut into several containers.
    pub everywhere: bool,
    /// Leave out members that are no records.
    pub repair: bool,
    /// Read the fields of each record.
    pub fields: bool,
    /// Most groups that are given back.
    pub groups: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            runs: true,
            cousins: true,
            everywhere: true,
            repair: true,
            fields: true,
            groups: 10,
        }
    }
}

/// One record of a list.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Record {
    /// The elements that hold it: one, or several siblings.
    #[serde(skip)]
    pub roots: Vec<NodeId>,
    /// Its visible text, white space collapsed.
    pub text: String,
    /// What it says, read from the places that all records of the list share: `title`, `url`, `image`, `price`
    /// (as written), `rating`, `date`, `author`, `company`, `location`, `description`.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// Records that belong together.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Group {
    /// The records, as they stand in the page.
    pub records: Vec<Record>,
    /// How sure we are that this is the list a reader came for; only good for comparing.
    pub score: f32,
    /// The element that holds all records.
    #[serde(skip)]
    pub container: NodeId,
}

/// Finds the lists of a page, the one a reader came for first.
pub fn find(page: &Page) -> Vec<Group> {
    find_with(page, &Options::default())
}

/// As [`find`], with parts switched off or more groups asked for.
pub fn find_with(page: &Page, options: &Options) -> Vec<Group> {
    ranked(page, options).into_iter().map(|ranked| ranked.1).collect()
}

/// The groups, each with what was measured of it by name: the food of a training of the ranking.
pub fn ranked(page: &Page, options: &Options) -> Vec<(Vec<(&'static str, f32)>, Group)> {
    let outline = Outline::of(page.dom());
    let candidates = candidates::find(&outline, options);
    let setting = features::Setting::of(&outline, &candidates, query(page));
    let mut scored: Vec<(f32, features::Features, &[Span])> = Vec::new();
    for spans in &candidates {
        let features = features::measure(&outline, &setting, spans);
        scored.push((score(&features), features, spans));
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.truncate(options.groups);
    let group = |score, spans| group(page, &outline, spans, score, options);
    scored
        .into_iter()
        .map(|(score, features, spans)| (features.to_vec(), group(score, spans)))
        .collect()
}

fn score(features: &features::Features) -> f32 {
    features
        .iter()
        .zip(weights::WEIGHTS)
        .map(|(measure, weight)| measure.1 * weight.1)
        .sum()
}

fn group(page: &Page, outline: &Outline<'_>, spans: &[Span], score: f32, options: &Options) -> Group {
    let spans = if options.repair {
        repair::repair(outline, spans)
    } else {
        spans.to_vec()
    };
    let spans = spans.get(..MAX_RECORDS).unwrap_or(&spans);
    let fields = if options.fields {
        fields::read(page, outline, spans)
    } else {
        vec![Map::new(); spans.len()]
    };
    let records = spans.iter().zip(fields).map(|(span, fields)| Record {
        roots: outline
            .neighbours(*span)
            .filter_map(|element| outline.element(element))
            .map(|element| element.node)
            .collect(),
        text: outline.text(*span, MAX_TEXT).trim_end().to_owned(),
        fields,
    });
    let container = features::container(outline, spans);
    let container = outline
        .element(container)
        .map_or(page.dom().root().id(), |element| element.node);
    Group {
        records: records.collect(),
        score,
        container,
    }
}

/// What was searched for: the words in the page's filled search box.
fn query(page: &Page) -> Vec<String> {
    let is_box =
        |input: &Node<'_>| !matches!(input.attr("type"), Some(kind) if !matches!(kind, "text" | "search" | ""));
    let mut words: Vec<String> = Vec::new();
    for value in page
        .dom()
        .by_tag("input")
        .filter(is_box)
        .filter_map(|input| input.attr("value"))
        .take(20)
    {
        let new = value
            .split(|c: char| !c.is_alphanumeric())
            .filter(|it| it.chars().count() > 2)
            .map(str::to_lowercase);
        words.extend(new.take(8));
    }
    words.truncate(12);
    words
}

#[cfg(test)]
mod tests;
