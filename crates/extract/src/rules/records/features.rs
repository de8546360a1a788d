//! What can be measured of a candidate, so that the list a reader came for can be told from menus and filters?

use std::collections::HashSet;

use super::counts::Counts;
use super::outline::{Outline, Span};
use super::shapes::{alikeness, inner_repetition, parts};
use super::signs::Place;

/// Most records of one candidate that are looked at closely.
const SAMPLE: usize = 60;
/// An element with more than this share of the page's text says nothing about a part of it.
const WHOLE_PAGE: f32 = 0.9;
/// Text of one record beyond this many characters adds no mass.
const ENOUGH_CHARS: u32 = 600;

/// How many measures there are.
pub(super) const COUNT: usize = 42;

/// The measures of one candidate, each with its name.
pub(super) type Features = [(&'static str, f32); COUNT];

/// What is known of the page as a whole.
#[derive(Debug)]
pub(super) struct Setting {
    chars: f32,
    heaviest: f32,
    query: Vec<String>,
}

impl Setting {
    /// Looks at the whole page once; `query` are the words that were searched for.
    pub(super) fn of(outline: &Outline<'_>, candidates: &[Vec<Span>], query: Vec<String>) -> Setting {
        let chars = outline.counts(outline.all()).chars.max(1) as f32;
        let heaviest = candidates.iter().map(|spans| mass(outline, spans)).fold(1.0, f32::max);
        Setting {
            chars,
            heaviest,
            query,
        }
    }
}

fn mass(outline: &Outline<'_>, spans: &[Span]) -> f32 {
    spans
        .iter()
        .map(|span| outline.counts(*span).chars.min(ENOUGH_CHARS) as f32)
        .sum()
}

/// Evenly spread members, at most `SAMPLE`.
fn sample(spans: &[Span]) -> Vec<Span> {
    let step = spans.len().div_ceil(SAMPLE).max(1);
    spans.iter().step_by(step).copied().collect()
}

/// The element that holds all the spans.
pub(super) fn container(outline: &Outline<'_>, spans: &[Span]) -> u32 {
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else {
        return 0;
    };
    let mut at = outline.element(first.from).map_or(0, |element| element.parent);
    while at != 0 && outline.subtree(at).to < last.to {
        at = outline.element(at).map_or(0, |element| element.parent);
    }
    at
}

/// Measures a candidate.
pub(super) fn measure(outline: &Outline<'_>, setting: &Setting, spans: &[Span]) -> Features {
    let sampled = sample(spans);
    let n = sampled.len().max(1) as f32;
    let counts: Vec<Counts> = sampled.iter().map(|span| outline.counts(*span)).collect();
    let share = |test: &dyn Fn(&Counts) -> bool| counts.iter().filter(|own| test(own)).count() as f32 / n;
    let mean = |of: &dyn Fn(&Counts) -> u32| counts.iter().map(|own| of(own) as f32).sum::<f32>() / n;

    let chars = mean(&|record| record.chars);
    let spread = (counts
        .iter()
        .map(|record| (record.chars as f32 - chars).powi(2))
        .sum::<f32>()
        / n)
        .sqrt();
    let all: f32 = spans.iter().map(|span| outline.counts(*span).chars as f32).sum();
    let holder = container(outline, spans);
    let held = outline.counts(outline.subtree(holder)).chars.max(1) as f32;
    let first = spans.first().map_or(0, |span| span.from);
    let last = spans.last().map_or(0, |span| span.to);
    let upto = outline.counts(Span { from: 0, to: last }).chars as f32;

    let around = surroundings(outline, holder, setting.chars);
    let lies = |flag: Place| f32::from(u8::from(around.has(flag)));
    let own: Vec<Place> = sampled
        .iter()
        .filter_map(|span| outline.element(span.from))
        .map(|element| element.place)
        .collect();
    let are = |flag: Place| own.iter().filter(|place| place.has(flag)).count() as f32 / n;
    let is_tag = |tag: &str| f32::from(u8::from(outline.tag(first) == tag));

    let (distinct, asked) = texts(outline, setting, &sampled);
    let alike = alikeness(outline, spans, 1);
    [
        ("records", (spans.len() as f32).ln()),
        ("few", (4.0 - spans.len() as f32).max(0.0)),
        ("mass", mass(outline, spans) / setting.heaviest),
        ("words", mean(&|record| record.words).ln_1p()),
        ("tiny", share(&|record| record.words < 4)),
        ("unevenness", spread / chars.max(1.0)),
        ("container_share", all / held),
        ("stop", upto / setting.chars),
        // What is in the records.
        ("linked", share(&|record| record.links > 0)),
        ("distinct_links", distinct_links(outline, &sampled)),
        ("links", mean(&|record| record.links).ln_1p()),
        ("link_text", mean(&|record| record.link_chars) / chars.max(1.0)),
        ("in_link", share(&|record| record.links == 0 && record.link_chars > 0)),
        ("imaged", share(&|record| record.images > 0)),
        ("images", mean(&|record| record.images).min(8.0)),
        ("headed", share(&|record| record.headings > 0)),
        ("headings", mean(&|record| record.headings).min(8.0)),
        ("priced", share(&|record| record.prices > 0)),
        ("dated", share(&|record| record.dates > 0)),
        ("controls", mean(&|record| record.controls).min(8.0)),
        (
            "bare",
            share(&|record| record.links + record.images + record.headings + record.prices + record.dates == 0),
        ),
        ("distinct_texts", distinct),
        ("query", asked),
        // How alike they are.
        ("alike", alike),
        ("rhythm", alikeness(outline, spans, 2) - alike),
        ("inner", inner_repetition(outline, &sampled)),
        ("parts", parts(outline, &sampled)),
        // What the page calls them and the place they are in.
        ("table_rows", is_tag("tr")),
        ("list_items", is_tag("li")),
        ("in_menu", lies(Place::MENU)),
        ("in_edge", lies(Place::EDGE)),
        ("in_aside", lies(Place::ASIDE)),
        ("in_main", lies(Place::MAIN)),
        ("in_list", lies(Place::LIST)),
        ("in_advert", lies(Place::ADVERT)),
        ("in_overlay", lies(Place::OVERLAY)),
        ("is_item", are(Place::ITEM)),
        ("is_list", are(Place::LIST)),
        ("is_menu", are(Place::MENU.and(Place::EDGE))),
        ("is_filter", are(Place::FILTER)),
        ("is_aside", are(Place::ASIDE)),
        ("is_advert", are(Place::ADVERT)),
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
        .filter_map(|span| outline.links(*span).first())
        .map(|link| link.1)
        .collect();
    firsts.len() as f32 / spans.len().max(1) as f32
}

/// How many of the records have a text of their own, and how many have a word that was searched for.
fn texts(outline: &Outline<'_>, setting: &Setting, spans: &[Span]) -> (f32, f32) {
    let n = spans.len().max(1) as f32;
    let texts: Vec<String> = spans
        .iter()
        .map(|span| outline.text(*span, 300).to_lowercase())
        .collect();
    let asked = texts
        .iter()
        .filter(|text| setting.query.iter().any(|word| text.contains(word.as_str())));
    let asked = asked.count() as f32 / n;
    let distinct: HashSet<String> = texts.into_iter().collect();
    (distinct.len() as f32 / n, asked)
}
