//! Features of a candidate list, for ranking the list a reader came for above menus and filters.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::counts::ElementCounts;
use super::flat_tree::{FlatTree, Span};
use super::regions::Region;
use super::shapes::{SpanShapes, alikeness, inner_repetition, parts};
use super::span_texts::SpanTexts;

/// Most records of one candidate that are compared.
const SAMPLE: usize = 60;
/// An element with more than this share of the page's text says nothing about a part of it.
const WHOLE_PAGE: f32 = 0.9;
/// Text of one record beyond this many characters adds no mass.
const ENOUGH_CHARS: u32 = 600;

/// How many measures there are.
pub(super) const COUNT: usize = 42;

/// The measures of one candidate, each with its name.
pub(super) type FeatureVector = [(&'static str, f32); COUNT];

/// What is known of the page as a whole.
#[derive(Debug)]
pub(super) struct PageBaseline {
    chars: f32,
    heaviest: f32,
    /// What was read of the records of the candidates before: many candidates share them.
    texts: SpanTexts,
    shapes: SpanShapes,
}

impl PageBaseline {
    /// Looks at the whole page once; `query` are the words that were searched for.
    pub(super) fn of(tree: &FlatTree<'_>, candidates: &[Vec<Span>], query: Vec<String>) -> PageBaseline {
        let chars = tree.counts(tree.all()).chars.max(1) as f32;
        let heaviest = candidates
            .iter()
            .map(|spans| mass(tree, spans))
            .fold(1.0, f32::max);
        PageBaseline {
            chars,
            heaviest,
            texts: SpanTexts::new(query),
            shapes: SpanShapes::default(),
        }
    }
}

fn mass(tree: &FlatTree<'_>, spans: &[Span]) -> f32 {
    spans
        .iter()
        .map(|span| tree.counts(*span).chars.min(ENOUGH_CHARS) as f32)
        .sum()
}

/// Evenly spread members, at most `SAMPLE`.
fn sample(spans: &[Span]) -> Vec<Span> {
    let step = spans.len().div_ceil(SAMPLE).max(1);
    spans.iter().step_by(step).copied().collect()
}

/// The element that holds all the spans.
pub(super) fn container(tree: &FlatTree<'_>, spans: &[Span]) -> u32 {
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else {
        return 0;
    };
    let mut at = tree.element(first.from).map_or(0, |element| element.parent);
    while at != 0 && tree.subtree(at).to < last.to {
        at = tree.element(at).map_or(0, |element| element.parent);
    }
    at
}

/// Measures a candidate.
pub(super) fn measure(tree: &FlatTree<'_>, baseline: &mut PageBaseline, spans: &[Span]) -> FeatureVector {
    let sampled = sample(spans);
    let counts: Vec<ElementCounts> = sampled.iter().map(|span| tree.counts(*span)).collect();
    let size = size_features(tree, baseline, spans, &counts);
    let content = content_features(tree, baseline, &sampled, &counts);
    let shapes = &mut baseline.shapes;
    let alike = alikeness(tree, shapes, spans, 1);
    let likeness = [
        ("alike", alike),
        ("rhythm", alikeness(tree, shapes, spans, 2) - alike),
        ("inner", inner_repetition(tree, &sampled)),
        ("parts", parts(tree, shapes, &sampled)),
    ];
    let regions = region_features(tree, baseline, spans, &sampled);
    let mut features = [("", 0.0); COUNT];
    let measured = size.iter().chain(&content).chain(&likeness).chain(&regions);
    for (slot, feature) in features.iter_mut().zip(measured) {
        *slot = *feature;
    }
    features
}

/// The share of records that pass a test.
fn share(counts: &[ElementCounts], test: impl Fn(&ElementCounts) -> bool) -> f32 {
    counts.iter().filter(|record| test(record)).count() as f32 / counts.len().max(1) as f32
}

/// The mean of a count over the records.
fn mean(counts: &[ElementCounts], count: impl Fn(&ElementCounts) -> u32) -> f32 {
    counts.iter().map(|record| count(record) as f32).sum::<f32>() / counts.len().max(1) as f32
}

/// How many records there are, and how much text.
fn size_features(
    tree: &FlatTree<'_>,
    baseline: &PageBaseline,
    spans: &[Span],
    counts: &[ElementCounts],
) -> [(&'static str, f32); 8] {
    let n = counts.len().max(1) as f32;
    let chars = mean(counts, |record| record.chars);
    let squares = counts.iter().map(|record| (record.chars as f32 - chars).powi(2));
    let spread = (squares.sum::<f32>() / n).sqrt();
    let all: f32 = spans.iter().map(|span| tree.counts(*span).chars as f32).sum();
    let holder = container(tree, spans);
    let held = tree.counts(tree.subtree(holder)).chars.max(1) as f32;
    let last = spans.last().map_or(0, |span| span.to);
    let upto = tree.counts(Span { from: 0, to: last }).chars as f32;
    [
        ("records", (spans.len() as f32).ln()),
        ("few", (4.0 - spans.len() as f32).max(0.0)),
        ("mass", mass(tree, spans) / baseline.heaviest),
        ("words", mean(counts, |record| record.words).ln_1p()),
        ("tiny", share(counts, |record| record.words < 4)),
        ("unevenness", spread / chars.max(1.0)),
        ("container_share", all / held),
        ("stop", upto / baseline.chars),
    ]
}

/// What the records hold.
fn content_features(
    tree: &FlatTree<'_>,
    baseline: &mut PageBaseline,
    sampled: &[Span],
    counts: &[ElementCounts],
) -> [(&'static str, f32); 15] {
    let share = |test: fn(&ElementCounts) -> bool| share(counts, test);
    let mean = |count: fn(&ElementCounts) -> u32| mean(counts, count);
    let is_bare = |record: &ElementCounts| {
        record.links + record.images + record.headings + record.prices + record.dates == 0
    };
    let chars = mean(|record| record.chars);
    let (distinct, matching_query) = texts(tree, &mut baseline.texts, sampled);
    [
        ("linked", share(|record| record.links > 0)),
        ("distinct_links", distinct_links(tree, sampled)),
        ("links", mean(|record| record.links).ln_1p()),
        ("link_text", mean(|record| record.link_chars) / chars.max(1.0)),
        (
            "in_link",
            share(|record| record.links == 0 && record.link_chars > 0),
        ),
        ("imaged", share(|record| record.images > 0)),
        ("images", mean(|record| record.images).min(8.0)),
        ("headed", share(|record| record.headings > 0)),
        ("headings", mean(|record| record.headings).min(8.0)),
        ("priced", share(|record| record.prices > 0)),
        ("dated", share(|record| record.dates > 0)),
        ("controls", mean(|record| record.controls).min(8.0)),
        ("bare", share(is_bare)),
        ("distinct_texts", distinct),
        ("query", matching_query),
    ]
}

/// The tags of the records, and the regions of the page they are in or name themselves.
fn region_features(
    tree: &FlatTree<'_>,
    baseline: &PageBaseline,
    spans: &[Span],
    sampled: &[Span],
) -> [(&'static str, f32); 15] {
    let around = surroundings(tree, container(tree, spans), baseline.chars);
    let lies = |flag: Region| f32::from(u8::from(around.has(flag)));
    let own: Vec<Region> = sampled
        .iter()
        .filter_map(|span| tree.element(span.from))
        .map(|element| element.region)
        .collect();
    let n = sampled.len().max(1) as f32;
    let are = |flag: Region| own.iter().filter(|region| region.has(flag)).count() as f32 / n;
    let first = spans.first().map_or(0, |span| span.from);
    let is_tag = |tag: &str| f32::from(u8::from(tree.tag(first) == tag));
    [
        ("table_rows", is_tag("tr")),
        ("list_items", is_tag("li")),
        ("in_menu", lies(Region::MENU)),
        ("in_edge", lies(Region::EDGE)),
        ("in_aside", lies(Region::ASIDE)),
        ("in_main", lies(Region::MAIN)),
        ("in_list", lies(Region::LIST)),
        ("in_advert", lies(Region::ADVERT)),
        ("in_overlay", lies(Region::OVERLAY)),
        ("is_item", are(Region::ITEM)),
        ("is_list", are(Region::LIST)),
        ("is_menu", are(Region::MENU.and(Region::EDGE))),
        ("is_filter", are(Region::FILTER)),
        ("is_aside", are(Region::ASIDE)),
        ("is_advert", are(Region::ADVERT)),
    ]
}

/// What the names of the elements around say, as far as they stand for a part of the page.
fn surroundings(tree: &FlatTree<'_>, holder: u32, page: f32) -> Region {
    let mut region = Region::default();
    let mut at = holder;
    while at != 0 {
        let Some(element) = tree.element(at) else { break };
        if tree.counts(tree.subtree(at)).chars as f32 <= WHOLE_PAGE * page {
            region = region.and(element.region);
        }
        at = element.parent;
    }
    region
}

/// How many of the records lead somewhere of their own.
fn distinct_links(tree: &FlatTree<'_>, spans: &[Span]) -> f32 {
    let firsts: HashSet<&str, RandomState> = spans
        .iter()
        .filter_map(|span| tree.links(*span).first())
        .map(|link| link.1)
        .collect();
    firsts.len() as f32 / spans.len().max(1) as f32
}

/// How many of the records have a text of their own, and how many have a word that was searched for.
fn texts(tree: &FlatTree<'_>, texts: &mut SpanTexts, spans: &[Span]) -> (f32, f32) {
    let n = spans.len().max(1) as f32;
    let texts: Vec<_> = spans.iter().map(|span| texts.of(tree, *span)).collect();
    let matching_query = texts.iter().filter(|text| text.matches_query).count() as f32 / n;
    let distinct: HashSet<u32, RandomState> = texts.iter().map(|text| text.number).collect();
    (distinct.len() as f32 / n, matching_query)
}
