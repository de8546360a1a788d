//! Which members of a list are no records: headings, separators, adverts between them?

use super::counts::Counts;
use super::outline::{Outline, Span};
use super::shapes::{overlap, shape};
use super::signs::Place;

/// A list shorter than this has no majority to judge by.
const JUDGEABLE: usize = 4;
/// Members whose shape shares less than this with the typical one are strange.
const STRANGE: f32 = 0.34;

/// Keeps the members that are records, in order.
pub(super) fn repair(outline: &Outline<'_>, spans: &[Span]) -> Vec<Span> {
    if spans.len() < JUDGEABLE {
        return spans.to_vec();
    }
    let counts: Vec<Counts> = spans.iter().map(|span| outline.counts(*span)).collect();
    let linked = counts.iter().filter(|own| own.links > 0).count() * 5 >= counts.len() * 4;
    let mut words: Vec<u32> = counts.iter().map(|own| own.words).collect();
    words.sort_unstable();
    let middle = words.get(words.len() / 2).copied().unwrap_or(0);
    let adverts = spans.iter().filter(|span| is_advert(outline, **span)).count();
    let few_adverts = adverts * 3 < spans.len();
    let typical = typical_shape(outline, spans, &counts, middle);
    let kept: Vec<Span> = spans
        .iter()
        .zip(&counts)
        .filter(|(span, own)| {
            let strange = || overlap(&shape(outline, **span), &typical) < STRANGE;
            let bare = linked && own.links == 0 && own.words * 3 <= middle.max(3);
            let heading = is_heading_row(outline, **span);
            let advert = few_adverts && is_advert(outline, **span);
            !(heading || (bare || advert) && strange())
        })
        .map(|pair| *pair.0)
        .collect();
    if kept.len() * 2 < spans.len() {
        spans.to_vec()
    } else {
        kept
    }
}

/// The shape of the member whose length is nearest to the middle.
fn typical_shape(outline: &Outline<'_>, spans: &[Span], counts: &[Counts], middle: u32) -> Vec<u32> {
    let nearest = spans
        .iter()
        .zip(counts)
        .min_by_key(|pair| pair.1.words.abs_diff(middle));
    nearest.map(|pair| shape(outline, *pair.0)).unwrap_or_default()
}

fn is_advert(outline: &Outline<'_>, span: Span) -> bool {
    outline
        .neighbours(span)
        .filter_map(|at| outline.element(at))
        .any(|element| element.place.has(Place::ADVERT))
}

/// A table row of nothing but header cells.
fn is_heading_row(outline: &Outline<'_>, span: Span) -> bool {
    let is_row = outline.tag(span.from) == "tr";
    let mut cells = outline
        .children(span.from)
        .map(|at| outline.tag(at))
        .filter(|tag| matches!(*tag, "td" | "th"))
        .peekable();
    is_row && cells.peek().is_some() && cells.all(|tag| tag == "th")
}
