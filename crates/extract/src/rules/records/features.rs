//! What can be measured of a candidate, so that the list a reader came for can be told from menus and filters?

use std::collections::HashSet;

use super::candidates::{Candidate, Kind};
use super::outline::{Counts, Outline, Span};
use super::signs::Place;

/// Most records of one candidate that are looked at closely.
const SAMPLE: usize = 60;
/// Most records of one candidate whose shapes are compared, and most elements of each.
const SHAPES: (usize, usize) = (10, 80);
/// An element with more than this share of the page's text says nothing about a part of it.
const WHOLE_PAGE: f32 = 0.9;

/// Names of the measures, in order.
pub(super) const NAMES: [&str; COUNT] = [
    "records",
    "page_share",
    "words",
    "unevenness",
    "linked",
    "distinct_links",
    "links",
    "link_text",
    "imaged",
    "headed",
    "headings",
    "images",
    "priced",
    "dated",
    "controls",
    "alike",
    "elements",
    "container_share",
    "start",
    "stop",
    "depth",
    "in_menu",
    "in_edge",
    "in_aside",
    "in_filter",
    "in_main",
    "in_list",
    "in_advert",
    "in_overlay",
    "in_comment",
    "is_item",
    "is_list",
    "is_menu",
    "is_filter",
    "is_aside",
    "is_advert",
    "classed",
    "cousins",
    "everywhere",
    "runs",
    "distinct_texts",
    "opens_with_link",
    "typed",
    "mass",
    "query",
    "sibling_share",
    "middle",
    "wrapped",
    "inner",
    "neighbour_words",
    "table_rows",
    "list_items",
    "tiny",
    "one_parent",
    "chars_per_element",
    "parts",
    "rhythm",
    "bare",
    "few",
    "in_link",
];
/// How many measures there are.
pub(super) const COUNT: usize = 60;

/// The measures of one candidate.
pub(super) type Features = [f32; COUNT];

/// What is known of the page as a whole.
#[derive(Debug)]
pub(super) struct Setting {
    total: Counts,
    heaviest: f32,
    query: Vec<String>,
}

impl Setting {
    /// Looks at the whole page once.
    pub(super) fn of(outline: &Outline<'_>, candidates: &[Candidate], query: Vec<String>) -> Setting {
        let total = outline.counts(outline.all());
        let heaviest = candidates
            .iter()
            .map(|it| mass(outline, &it.spans))
            .fold(1.0, f32::max);
        Setting {
            total,
            heaviest,
            query,
        }
    }
}

fn mass(outline: &Outline<'_>, spans: &[Span]) -> f32 {
    spans
        .iter()
        .map(|it| outline.counts(*it).chars.min(600) as f32)
        .sum()
}

/// Evenly spread members, at most `most`.
fn sample(spans: &[Span], most: usize) -> impl Iterator<Item = Span> + '_ {
    let step = spans.len().div_ceil(most.max(1)).max(1);
    spans.iter().step_by(step).copied()
}

/// The element that holds all the spans.
pub(super) fn container(outline: &Outline<'_>, spans: &[Span]) -> u32 {
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else {
        return 0;
    };
    let mut at = outline.element(first.from).map_or(0, |it| it.parent);
    while at != 0 && outline.subtree(at).to < last.to {
        at = outline.element(at).map_or(0, |it| it.parent);
    }
    at
}

/// Measures a candidate.
pub(super) fn measure(outline: &Outline<'_>, setting: &Setting, candidate: &Candidate) -> Features {
    let spans = &candidate.spans;
    let sampled: Vec<Span> = sample(spans, SAMPLE).collect();
    let n = sampled.len().max(1) as f32;
    let counts: Vec<Counts> = sampled.iter().map(|it| outline.counts(*it)).collect();
    let share = |test: &dyn Fn(&Counts) -> bool| counts.iter().filter(|it| test(it)).count() as f32 / n;
    let mean = |of: &dyn Fn(&Counts) -> u32| counts.iter().map(|it| of(it) as f32).sum::<f32>() / n;
    let page = setting.total.chars.max(1) as f32;

    let chars = mean(&|it| it.chars);
    let spread = (counts
        .iter()
        .map(|it| (it.chars as f32 - chars).powi(2))
        .sum::<f32>()
        / n)
        .sqrt();
    let mut lengths: Vec<u32> = counts.iter().map(|it| it.chars).collect();
    lengths.sort_unstable();
    let middle = lengths.get(lengths.len() / 2).copied().unwrap_or(0) as f32;

    let all: f32 = spans.iter().map(|it| outline.counts(*it).chars as f32).sum();
    let holder = container(outline, spans);
    let held = outline.counts(outline.subtree(holder));
    let first = spans.first().map_or(0, |it| it.from);
    let last = spans.last().map_or(0, |it| it.to);
    let before = outline.counts(Span { from: 0, to: first }).chars as f32 / page;
    let upto = outline.counts(Span { from: 0, to: last }).chars as f32 / page;

    let around = surroundings(outline, holder, page);
    let own: Vec<Place> = sampled
        .iter()
        .map(|it| outline.element(it.from).map(|it| it.place).unwrap_or_default())
        .collect();
    let owned = |flag: Place| own.iter().filter(|it| it.has(flag)).count() as f32 / n;
    let flag = |flag: Place| f32::from(u8::from(around.has(flag)));
    let is = |kind: Kind| f32::from(u8::from(candidate.kind == kind));

    let links = distinct_links(outline, &sampled);
    let siblings = outline
        .children(holder)
        .take(2000)
        .filter(|at| outline.counts(outline.subtree(*at)).words > 0)
        .count();
    let parent = |it: &Span| outline.element(it.from).map_or(0, |it| it.parent);
    let wrapped = sampled
        .iter()
        .filter(|it| outline.counts(outline.subtree(parent(it))).chars == outline.counts(**it).chars);
    let words = texts(outline, setting, &sampled);
    let tag = outline.tag(first);
    let alike = alikeness(outline, spans, 1);
    let elements = sampled.iter().map(|it| (it.to - it.from) as f32).sum::<f32>() / n;

    [
        (spans.len() as f32).ln(),
        all / page,
        mean(&|it| it.words).ln_1p(),
        spread / chars.max(1.0),
        share(&|it| it.links > 0),
        links,
        mean(&|it| it.links).ln_1p(),
        mean(&|it| it.link_chars) / chars.max(1.0),
        share(&|it| it.images > 0),
        share(&|it| it.headings > 0),
        mean(&|it| it.headings).min(8.0),
        mean(&|it| it.images).min(8.0),
        share(&|it| it.prices > 0),
        share(&|it| it.dates > 0),
        mean(&|it| it.controls).min(8.0),
        alike,
        elements.ln(),
        all / held.chars.max(1) as f32,
        before,
        upto,
        outline.element(first).map_or(0.0, |it| f32::from(it.depth)),
        flag(Place::MENU),
        flag(Place::EDGE),
        flag(Place::ASIDE),
        flag(Place::FILTER),
        flag(Place::MAIN),
        flag(Place::LIST),
        flag(Place::ADVERT),
        flag(Place::OVERLAY),
        flag(Place::COMMENT),
        owned(Place::ITEM),
        owned(Place::LIST),
        owned(Place::MENU.and(Place::EDGE)),
        owned(Place::FILTER),
        owned(Place::ASIDE),
        owned(Place::ADVERT),
        is(Kind::Classed),
        is(Kind::Cousins),
        is(Kind::Everywhere),
        is(Kind::Runs),
        words.distinct,
        words.opens_with_link,
        share(&|it| it.items > 0),
        mass(outline, spans) / setting.heaviest,
        words.query,
        spans.len() as f32 / siblings.max(1) as f32,
        middle / chars.max(1.0),
        wrapped.count() as f32 / n,
        inner_repetition(outline, &sampled),
        neighbour_words(outline, spans),
        f32::from(u8::from(tag == "tr")),
        f32::from(u8::from(tag == "li")),
        share(&|it| it.words < 4),
        f32::from(u8::from(sampled.iter().all(|it| parent(it) == holder))),
        chars / elements.max(1.0),
        parts(outline, &sampled),
        alikeness(outline, spans, 2) - alike,
        share(&|it| it.links + it.images + it.headings + it.prices + it.dates == 0),
        (4.0 - spans.len() as f32).max(0.0),
        share(&|it| it.links == 0 && it.link_chars > 0),
    ]
}

/// What the names of the elements around say, as far as they stand for a part of the page.
fn surroundings(outline: &Outline<'_>, holder: u32, page: f32) -> Place {
    let mut place = Place::default();
    let mut at = holder;
    while at != 0 {
        let Some(element) = outline.element(at) else { break };
        if outline.counts(outline.subtree(at)).chars as f32 <= WHOLE_PAGE * page {
            place = place.and(element.place);
        }
        at = element.parent;
    }
    place
}

/// How many of the records lead somewhere of their own.
fn distinct_links(outline: &Outline<'_>, spans: &[Span]) -> f32 {
    let firsts: HashSet<&str> = spans
        .iter()
        .filter_map(|it| outline.links(*it).first())
        .map(|it| it.1)
        .collect();
    firsts.len() as f32 / spans.len().max(1) as f32
}

struct Texts {
    distinct: f32,
    opens_with_link: f32,
    query: f32,
}

fn texts(outline: &Outline<'_>, setting: &Setting, spans: &[Span]) -> Texts {
    let n = spans.len().max(1) as f32;
    let mut distinct = HashSet::new();
    let mut asked = 0usize;
    let mut linked = 0usize;
    for span in spans {
        let text = outline.text(*span, 300).to_lowercase();
        if setting.query.iter().any(|it| text.contains(it.as_str())) {
            asked += 1;
        }
        distinct.insert(text);
        linked += usize::from(outline.opens_with_link(*span));
    }
    Texts {
        distinct: distinct.len() as f32 / n,
        opens_with_link: linked as f32 / n,
        query: asked as f32 / n,
    }
}

/// Mean overlap of the shapes (tags and classes by depth) of records a given step apart.
fn alikeness(outline: &Outline<'_>, spans: &[Span], apart: usize) -> f32 {
    let pairs = spans.len().saturating_sub(apart);
    // Neighbours, not every tenth: in a list of alternating rows those would all be of one kind.
    let step = pairs.div_ceil(SHAPES.0).max(1);
    let overlaps = spans.windows(apart + 1).step_by(step).filter_map(|it| match it {
        [a, .., b] => Some(overlap(&shape(outline, *a), &shape(outline, *b))),
        _ => None,
    });
    let (sum, n) = overlaps.fold((0.0, 0.0), |(sum, n), it| (sum + it, n + 1.0));
    if n > 0.0 { sum / n } else { 0.0 }
}

pub(super) fn shape(outline: &Outline<'_>, span: Span) -> Vec<u32> {
    let top = outline.element(span.from).map_or(0, |it| it.depth);
    let mut shape = Vec::new();
    for at in (span.from..span.to).take(SHAPES.1) {
        let Some(element) = outline.element(at) else { break };
        let place = u32::from(element.depth.saturating_sub(top).min(255)) << 24;
        shape.push(place | (element.tag & 0xff_ffff));
        // The class of the record itself often only counts: odd, even, last.
        if at > span.from {
            shape.extend(
                outline
                    .tokens(at)
                    .first()
                    .map(|it| place | 0x80_0000 | (it & 0x7f_ffff)),
            );
        }
    }
    shape.sort_unstable();
    shape
}

pub(super) fn overlap(a: &[u32], b: &[u32]) -> f32 {
    let (mut at, mut to, mut shared) = (0, 0, 0usize);
    while let (Some(x), Some(y)) = (a.get(at), b.get(to)) {
        shared += usize::from(x == y);
        at += usize::from(x <= y);
        to += usize::from(y <= x);
    }
    shared as f32 / (a.len() + b.len() - shared).max(1) as f32
}

/// How often, on average, the most frequent kind of child with text repeats within a record:
/// a record with many alike parts is rather a list itself.
fn inner_repetition(outline: &Outline<'_>, spans: &[Span]) -> f32 {
    let mut sum = 0.0;
    for span in spans.iter().take(SHAPES.0) {
        let mut keys: Vec<(u32, u32)> = (span.from..span.to)
            .take(SHAPES.1)
            .filter(|at| outline.counts(outline.subtree(*at)).words >= 4)
            .filter_map(|at| Some((outline.element(at)?.tag, outline.tokens(at).first().copied()?)))
            .collect();
        keys.sort_unstable();
        sum += keys.chunk_by(|a, b| a == b).map(|it| it.len()).max().unwrap_or(1) as f32;
    }
    sum / spans.len().clamp(1, SHAPES.0) as f32
}

/// How far the records fall into parts that are alike and each lead somewhere: the cells of
/// a row of products. Such a record is rather several records.
fn parts(outline: &Outline<'_>, spans: &[Span]) -> f32 {
    let mut sum = 0.0;
    for span in spans.iter().take(SHAPES.0) {
        let mut level: Vec<u32> = outline.neighbours(*span).collect();
        while let [only] = level.as_slice() {
            level = outline
                .children(*only)
                .filter(|at| outline.counts(outline.subtree(*at)).words > 0)
                .collect();
        }
        let shapes: Vec<Vec<u32>> = level
            .iter()
            .take(SHAPES.0)
            .map(|at| outline.subtree(*at))
            .map(|it| {
                if outline.counts(it).links > 0 {
                    shape(outline, it)
                } else {
                    Vec::new()
                }
            })
            .collect();
        let alike = shapes
            .windows(2)
            .filter(|it| matches!(it, [a, b] if !a.is_empty() && overlap(a, b) >= 0.7))
            .count();
        sum += alike as f32 / shapes.len().saturating_sub(1).max(1) as f32;
    }
    sum / spans.len().clamp(1, SHAPES.0) as f32
}

/// Words between the records that belong to none of them, for each record.
fn neighbour_words(outline: &Outline<'_>, spans: &[Span]) -> f32 {
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else {
        return 0.0;
    };
    let between = outline
        .counts(Span {
            from: first.from,
            to: last.to,
        })
        .words;
    let inside: u32 = spans.iter().map(|it| outline.counts(*it).words).sum();
    (between.saturating_sub(inside) as f32 / spans.len().max(1) as f32).ln_1p()
}
