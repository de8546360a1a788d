//! Removal of members of a list that are no records: headings, separators, adverts between them.

use super::counts::ElementCounts;
use super::flat_tree::{FlatTree, Span};
use super::regions::Region;
use super::shapes::{overlap, shape};

/// A list shorter than this has no majority to judge by.
const JUDGEABLE: usize = 4;
/// Members whose shape shares less than this with the typical one are strange.
const STRANGE: f32 = 0.34;

/// Of how many rows at most one is a line across the table: where more are, they say something of the entries.
const FEW_LINES: usize = 5;

/// Keeps the members that are records, in order.
pub(super) fn repair(tree: &FlatTree<'_>, spans: &[Span]) -> Vec<Span> {
    if spans.len() < JUDGEABLE {
        // A row of headings shows without others beside it.
        let rows: Vec<Span> = spans
            .iter()
            .copied()
            .filter(|span| !is_heading_row(tree, *span))
            .collect();
        return if rows.is_empty() { spans.to_vec() } else { rows };
    }
    let counts: Vec<ElementCounts> = spans.iter().map(|span| tree.counts(*span)).collect();
    let linked = counts.iter().filter(|own| own.links > 0).count() * 5 >= counts.len() * 4;
    let mut words: Vec<u32> = counts.iter().map(|own| own.words).collect();
    words.sort_unstable();
    let middle = words.get(words.len() / 2).copied().unwrap_or(0);
    let adverts = spans.iter().filter(|span| is_advert(tree, **span)).count();
    let few_adverts = adverts * 3 < spans.len();
    // A line across the table of threads says who reads them.
    let is_line = |span: &Span| linked && tree.counts(*span).links == 0 && is_row_of_one_cell(tree, *span);
    let lines = spans.iter().filter(|span| is_line(span)).count();
    let are_lines_few = lines * FEW_LINES <= spans.len();
    let typical = typical_shape(tree, spans, &counts, middle);
    let kept: Vec<Span> = spans
        .iter()
        .zip(&counts)
        .filter(|(span, own)| {
            let strange = || overlap(&shape(tree, **span), &typical) < STRANGE;
            let bare = linked && own.links == 0 && own.words * 3 <= middle.max(3);
            let heading = is_heading_row(tree, **span) || (are_lines_few && is_line(span));
            let advert = few_adverts && is_advert(tree, **span);
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

/// Records that are each the one list or table of an element with a heading of its own, or the part of one that opens: these
/// elements. Other records stay as they are.
pub(super) fn with_headings(tree: &FlatTree<'_>, spans: Vec<Span>) -> Vec<Span> {
    let is_list = |span: &Span| matches!(tree.tag(span.from), "dl" | "ul" | "table" | "tbody");
    if !are_single_elements(tree, &spans) {
        return spans;
    }
    let are_lists = spans.iter().all(is_list);
    let places: Vec<u32> = spans.iter().map(|span| span.from).collect();
    let Some(parents) = parents_of_each(tree, &places) else {
        return spans;
    };
    let has = |tags: &'static [&str]| {
        move |at: &u32| tree.children(*at).any(|child| tags.contains(&tree.tag(child)))
    };
    let are_most = |parents: &[u32], is: &dyn Fn(&u32) -> bool| {
        parents.iter().filter(|at| is(at)).count() * 5 >= parents.len() * 4
    };
    let lift = |parents: Vec<u32>| parents.into_iter().map(|at| tree.subtree(at)).collect();
    if are_lists && are_most(&parents, &has(&["h1", "h2", "h3", "h4", "h5", "h6"])) {
        return lift(parents);
    }
    if are_most(&parents, &has(&["summary"])) {
        return lift(parents);
    }
    match parents_of_each(tree, &parents) {
        Some(outer) if are_most(&outer, &has(&["summary"])) => lift(outer),
        _ => spans,
    }
}

/// Most words that the box around an entry has beside it: a badge, or what one can do with it.
const BOX_WORDS: u32 = 6;
/// Most elements between an entry and the box that is a sibling of the other boxes.
const BOX_DEPTH: usize = 3;

/// Records that are the words of a box with a picture or a badge beside them: these boxes, where they are siblings. Other records
/// stay as they are.
pub(super) fn with_boxes(tree: &FlatTree<'_>, spans: Vec<Span>) -> Vec<Span> {
    if spans.len() < JUDGEABLE || !are_single_elements(tree, &spans) {
        return spans;
    }
    let adds_little = |(at, span): (&u32, &Span)| {
        let (own, whole) = (tree.counts(*span), tree.counts(tree.subtree(*at)));
        whole.words <= own.words + BOX_WORDS && whole.links <= own.links + 1 && whole.prices == own.prices
    };
    let parent_of = |at: &u32| parent_of(tree, *at);
    let mut places: Vec<u32> = spans.iter().map(|span| span.from).collect();
    let mut boxes = None;
    for _ in 0..BOX_DEPTH {
        let Some(parents) = places.iter().map(parent_of).collect::<Option<Vec<u32>>>() else {
            break;
        };
        let are_apart = parents.windows(2).all(|pair| matches!(pair, [a, b] if a < b));
        if !are_apart || !parents.iter().zip(&spans).all(adds_little) {
            break;
        }
        let holder = parents.first().and_then(parent_of);
        if parents.iter().all(|at| parent_of(at) == holder) {
            boxes = Some(parents.clone());
        }
        places = parents;
    }
    match boxes {
        Some(boxes) => boxes.into_iter().map(|at| tree.subtree(at)).collect(),
        None => spans,
    }
}

/// Whether each record is one element.
fn are_single_elements(tree: &FlatTree<'_>, spans: &[Span]) -> bool {
    spans.iter().all(|span| {
        let element = tree.element(span.from);
        element.is_some_and(|element| element.end == span.to)
    })
}

fn parent_of(tree: &FlatTree<'_>, at: u32) -> Option<u32> {
    tree.element(at).map(|element| element.parent)
}

/// How many times as many words as the longest entry a featured one may have.
const FEATURED: u32 = 2;

/// Records that are all the articles of one element, with those right before that element: the newest story, larger than the others. An
/// article with a heading of the first level is what the page is about.
pub(super) fn with_featured(tree: &FlatTree<'_>, spans: Vec<Span>) -> Vec<Span> {
    let is_article = |at: u32| tree.tag(at) == "article";
    if spans.len() < 2
        || !are_single_elements(tree, &spans)
        || !spans.iter().all(|span| is_article(span.from))
    {
        return spans;
    }
    let mut holders = spans.iter().map(|span| parent_of(tree, span.from));
    let Some(Some(holder)) = holders.next() else {
        return spans;
    };
    if holders.any(|other| other != Some(holder)) {
        return spans;
    }
    let Some(outer) = parent_of(tree, holder) else {
        return spans;
    };
    let longest = spans.iter().map(|span| tree.counts(*span).words).max();
    let most = longest.unwrap_or_default() * FEATURED;
    let is_featured = |at: &u32| {
        let span = tree.subtree(*at);
        let counts = tree.counts(span);
        let has_heading = |level: &str| (span.from..span.to).any(|at| tree.tag(at) == level);
        is_article(*at)
            && counts.links > 0
            && counts.headings > 0
            && counts.words <= most
            && !has_heading("h1")
    };
    let siblings = tree.children(outer).take_while(|at| *at != holder);
    let before: Vec<u32> = siblings.collect();
    let featured = before.iter().rev().take_while(|at| is_featured(at)).count();
    let first = before.len().saturating_sub(featured);
    let featured = before.into_iter().skip(first).map(|at| tree.subtree(at));
    featured.chain(spans).collect()
}

/// The parents of elements, each of another one, where these are siblings.
fn parents_of_each(tree: &FlatTree<'_>, places: &[u32]) -> Option<Vec<u32>> {
    let parent_of = |at: &u32| parent_of(tree, *at);
    let parents = places.iter().map(parent_of).collect::<Option<Vec<u32>>>()?;
    let are_apart = parents.windows(2).all(|pair| matches!(pair, [a, b] if a != b));
    let holder = parents.first().and_then(parent_of)?;
    let are_siblings = parents.iter().all(|at| parent_of(at) == Some(holder));
    (are_apart && are_siblings).then_some(parents)
}

/// The shape of the member whose length is nearest to the middle.
fn typical_shape(tree: &FlatTree<'_>, spans: &[Span], counts: &[ElementCounts], middle: u32) -> Vec<u32> {
    let nearest = spans
        .iter()
        .zip(counts)
        .min_by_key(|pair| pair.1.words.abs_diff(middle));
    nearest.map(|pair| shape(tree, *pair.0)).unwrap_or_default()
}

fn is_advert(tree: &FlatTree<'_>, span: Span) -> bool {
    tree.neighbours(span)
        .filter_map(|at| tree.element(at))
        .any(|element| element.region.has(Region::ADVERT))
}

/// A table row of one cell that stands in for several.
fn is_row_of_one_cell(tree: &FlatTree<'_>, span: Span) -> bool {
    let mut cells = tree
        .children(span.from)
        .filter(|at| matches!(tree.tag(*at), "td" | "th"));
    let is_one = tree.tag(span.from) == "tr" && cells.next().is_some() && cells.next().is_none();
    is_one && tree.element(span.from).is_some_and(|row| row.end == span.to)
}

/// A table row of nothing but header cells.
fn is_heading_row(tree: &FlatTree<'_>, span: Span) -> bool {
    let is_row = tree.tag(span.from) == "tr";
    let mut cells = tree
        .children(span.from)
        .map(|at| tree.tag(at))
        .filter(|tag| matches!(*tag, "td" | "th"))
        .peekable();
    is_row && cells.peek().is_some() && cells.all(|tag| tag == "th")
}
