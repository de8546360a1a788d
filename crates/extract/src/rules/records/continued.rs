//! A list that goes on under further headings: the events of November in one section of a page and those of December in the next.

use super::dated_parts;
use super::flat_tree::{FlatTree, Span};

/// Longest heading of a part of a list, in bytes.
const LONGEST_HEADING: usize = 40;
/// Most parts of a list.
const MOST_PARTS: usize = 400;

/// The records with those of the parts of their list that follow or precede: the list stands under a heading in an element whose
/// siblings have such a heading and such a list, too. Headings are alike where all are days or months, or differ in their numbers alone:
/// what is recommended beside results is another list.
pub(super) fn with_parts(tree: &FlatTree<'_>, spans: Vec<Span>) -> Vec<Span> {
    parts(tree, &spans).unwrap_or(spans)
}

fn parts(tree: &FlatTree<'_>, spans: &[Span]) -> Option<Vec<Span>> {
    let first = tree.element(spans.first()?.from)?;
    let is_one_list = spans.iter().all(|span| {
        tree.element(span.from).is_some_and(|element| {
            element.parent == first.parent
                && element.tag == first.tag
                && tree.subtree(span.from).to == span.to
        })
    });
    let list = first.parent;
    let part = tree.element(list).filter(|_| is_one_list && list != 0)?.parent;
    let whole = tree.element(part).filter(|_| part != 0)?.parent;
    let own_heading = heading_before(tree, part, list)?;
    let mut all: Vec<Span> = Vec::new();
    let mut count = 0;
    let mut has_own = false;
    for other in tree.children(whole).take(MOST_PARTS) {
        if other == part {
            all.extend_from_slice(spans);
            (count, has_own) = (count + 1, true);
            continue;
        }
        let is_alike = tree.tag(other) == tree.tag(part) && tree.tokens(other) == tree.tokens(part);
        let lists = tree.children(other).filter(|at| {
            is_alike && tree.tag(*at) == tree.tag(list) && tree.tokens(*at) == tree.tokens(list)
        });
        let lists: Vec<u32> = lists.collect();
        let [other_list] = lists.as_slice() else { continue };
        let heading = heading_before(tree, other, *other_list);
        if heading.is_some_and(|heading| are_alike(&own_heading, &heading)) {
            let members = tree
                .children(*other_list)
                .filter(|at| tree.element(*at).is_some_and(|member| member.tag == first.tag));
            let members = members.map(|at| tree.subtree(at));
            all.extend(members.filter(|span| tree.counts(*span).words > 0));
            count += 1;
        }
    }
    (has_own && count > 1).then_some(all)
}

/// The text of the heading of a part before its list.
fn heading_before(tree: &FlatTree<'_>, part: u32, list: u32) -> Option<String> {
    let mut before = tree.children(part).take_while(|at| *at < list);
    let heading = before.find(|at| matches!(tree.tag(*at), "h2" | "h3" | "h4" | "h5" | "h6"))?;
    let text = tree
        .text(tree.subtree(heading), LONGEST_HEADING + 1)
        .trim()
        .to_owned();
    (!text.is_empty() && text.len() <= LONGEST_HEADING).then_some(text)
}

/// Whether two headings name parts of one list.
fn are_alike(one: &str, other: &str) -> bool {
    let without_numbers = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphabetic());
        letters.flat_map(char::to_lowercase).collect()
    };
    // A month and a day of the week are words, and no more stand in such a heading: "Offers until 30 November" is none.
    let words = |text: &str| {
        text.split(|c: char| !c.is_alphabetic())
            .filter(|word| !word.is_empty())
            .count()
    };
    let is_date = |text: &str| words(text) <= 2 && dated_parts::read(text).is_some();
    let (same, other_letters) = (without_numbers(one), without_numbers(other));
    (is_date(one) && is_date(other)) || (!same.is_empty() && same == other_letters)
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::records;

    fn count(first: &str, second: &str) -> usize {
        let part = |heading: &str, from: usize, to: usize| {
            let entries: String = (from..to)
                .map(|at| format!("<li><h3><a href='/e/{at}'>Evening number {at}</a></h3><p>Town hall, door {at}</p></li>"))
                .collect();
            format!("<section><h2>{heading}</h2><ul>{entries}</ul></section>")
        };
        let html = format!("<main>{}{}</main>", part(first, 1, 9), part(second, 9, 13));
        let page = Page::new(html, "https://town.example/events".parse().ok());
        records::find(&page)[0].records.len()
    }

    #[test]
    fn a_list_goes_on_under_headings_of_its_kind() {
        assert_eq!(count("November 2025", "December 2025"), 12);
        assert_eq!(count("Level 1", "Level 2"), 12);
        assert_eq!(count("Search results", "You may also like"), 8);
        assert_eq!(
            count("Fixtures from 30 November 2025", "Results up to 29 November 2025"),
            8
        );
    }
}
