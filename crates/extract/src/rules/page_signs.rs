//! What tells job postings, recipes and events without markup: the short lines such pages have in common.
//!
//! The words are those that sites write above the parts of such a page, in English, German, Polish, French and Spanish.

mod event;
mod job;
mod recipe;

pub(super) use event::is_event;
pub(super) use job::is_posting;
pub(super) use recipe::has_ingredients;

use page::dom::NodeId;

use super::visible_page::VisiblePage;

/// Most words of a line that is a heading, a label or a button.
const MOST_WORDS: usize = 9;
/// Most bytes of such a line.
const MOST_BYTES: usize = 120;

/// A short line of a page.
#[derive(Clone, Copy)]
struct ShortLine<'t> {
    text: &'t str,
    /// The element that holds the beginning of the line.
    element: NodeId,
}

/// The lines of a page that are short enough for a heading, a label or a button.
fn short_lines<'v>(view: &'v VisiblePage<'_>) -> impl Iterator<Item = ShortLine<'v>> {
    view.lines.iter().filter_map(|line| {
        let text = view.lines.line_text(line).trim();
        let element = view.lines.segments(line).first()?.element;
        let is_short = text.len() <= MOST_BYTES && text.split_whitespace().count() <= MOST_WORDS;
        is_short.then_some(ShortLine { text, element })
    })
}

/// Whether a line leads elsewhere or stands among what every page of a site has.
fn is_of_site(view: &VisiblePage<'_>, line: ShortLine<'_>) -> bool {
    let node = view.dom().node(line.element);
    std::iter::once(node)
        .chain(node.ancestors())
        .any(|outer| matches!(outer.tag(), "a" | "nav" | "footer" | "option"))
}

/// Whether a line stands in the menu or at the foot of a site.
fn is_in_frame(view: &VisiblePage<'_>, line: ShortLine<'_>) -> bool {
    let node = view.dom().node(line.element);
    let mut around = std::iter::once(node).chain(node.ancestors());
    // An article may have a foot of its own.
    let frame = around.find(|outer| matches!(outer.tag(), "nav" | "footer" | "main" | "article"));
    frame.is_some_and(|frame| match frame.tag() {
        "nav" => true,
        "footer" => !frame
            .ancestors()
            .any(|outer| matches!(outer.tag(), "main" | "article")),
        _ => false,
    })
}

/// How many of the groups have a line.
fn groups_with_a_line(groups: &[bool]) -> usize {
    groups.iter().filter(|found| **found).count()
}
