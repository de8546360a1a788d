//! A list that goes on under further headings: the events of November in one section of a page and those of December in the next.

use super::dated_parts;
use super::flat_tree::{FlatTree, Span};
use super::regions::Region;
use super::selection_headings::names_selection;
use super::shapes::{overlap, shape};

/// Longest heading of a part of a list, in bytes.
const LONGEST_HEADING: usize = 40;
/// Most parts of a list.
const MOST_PARTS: usize = 400;
/// Most words of the name of a part: "Research & development".
const NAME_WORDS: usize = 4;
/// Most words beside a heading in an element that holds it: the number of entries.
const BESIDE: u32 = 4;
/// Most elements before the heading in such an element.
const HEADER_ELEMENTS: usize = 12;
/// Fewest words of an entry without a heading of its own.
const MEMBER_WORDS: u32 = 4;
/// First entries of a part that are compared, and what two of them share where they are built alike.
const COMPARED: usize = 3;
const ALIKE: f32 = 0.6;
/// Most elements of a table in which its headings are looked for, and most headings.
const TABLE_ELEMENTS: usize = 400;
const MOST_COLUMNS: usize = 40;

/// The records with those of the parts of their list that follow or precede: the list stands under a heading in an element whose
/// siblings have such a heading and such a list, too, or right below one heading of several. Headings are alike where all are days or
/// months, or differ in their numbers alone; names of parts, such as places or departments, head entries that are built alike. What is
/// recommended beside results is another list.
pub(super) fn with_parts(tree: &FlatTree<'_>, spans: Vec<Span>) -> Vec<Span> {
    parts(tree, &spans).unwrap_or(spans)
}

/// One part of a list.
struct ListPart {
    /// The element whose children, or whose rows, are its entries.
    list: u32,
    /// The tag and the text of the heading above it.
    heading: Option<(u32, String)>,
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
    let list = match tree.tag(first.parent) {
        "tbody" => tree.element(first.parent)?.parent,
        _ => first.parent,
    };
    if !is_one_list || list == 0 {
        return None;
    }
    let parts = in_elements(tree, list).or_else(|| below_headings(tree, list))?;
    let own = parts.iter().find(|part| part.list == list)?;
    let (own_tag, own_heading) = own.heading.as_ref()?;
    let are_all_headed = parts.iter().all(|part| part.heading.is_some());
    let can_be_named =
        are_all_headed && is_name(own_heading) && is_content(tree, list) && are_told(tree, spans);
    let mut all: Vec<Span> = Vec::new();
    let mut count = 0;
    for part in &parts {
        if part.list == list {
            all.extend_from_slice(spans);
            count += 1;
            continue;
        }
        let Some((tag, heading)) = &part.heading else {
            continue;
        };
        let members = members_of(tree, part.list, first.tag);
        let is_named = || {
            can_be_named
                && tag == own_tag
                && is_name(heading)
                && are_told(tree, &members)
                && are_built_alike(tree, (list, spans), (part.list, &members))
        };
        if are_alike(own_heading, heading) || is_named() {
            all.extend(members);
            count += 1;
        }
    }
    (count > 1).then_some(all)
}

/// The lists in the siblings of the element that holds a list and its heading, each of which is alike and holds one such list.
fn in_elements(tree: &FlatTree<'_>, list: u32) -> Option<Vec<ListPart>> {
    let part = tree.element(list)?.parent;
    let whole = tree.element(part).filter(|_| part != 0)?.parent;
    heading_before(tree, part, list)?;
    let mut parts = Vec::new();
    for other in tree.children(whole).take(MOST_PARTS) {
        if !is_same_kind(tree, other, part) {
            continue;
        }
        let mut lists = tree.children(other).filter(|at| is_same_kind(tree, *at, list));
        if let (Some(list), None) = (lists.next(), lists.next()) {
            let heading = heading_before(tree, other, list);
            parts.push(ListPart { list, heading });
        }
    }
    (parts.len() > 1).then_some(parts)
}

/// The lists that stand beside a list, each with the heading between it and the one before.
fn below_headings(tree: &FlatTree<'_>, list: u32) -> Option<Vec<ListPart>> {
    let whole = tree.element(list)?.parent;
    let mut parts = Vec::new();
    let mut heading = None;
    for child in tree.children(whole) {
        if is_same_kind(tree, child, list) {
            let heading = heading.take();
            parts.push(ListPart { list: child, heading });
        } else if let Some(found) = heading_in(tree, child) {
            heading = Some(found);
        }
    }
    (1..=MOST_PARTS)
        .contains(&parts.len().saturating_sub(1))
        .then_some(parts)
}

fn is_same_kind(tree: &FlatTree<'_>, one: u32, other: u32) -> bool {
    tree.tag(one) == tree.tag(other) && tree.tokens(one) == tree.tokens(other)
}

/// The members of a list with a tag, which show something: the rows of a table, or children.
fn members_of(tree: &FlatTree<'_>, list: u32, tag: u32) -> Vec<Span> {
    let is_group = |at: &u32| matches!(tree.tag(*at), "tbody" | "thead" | "tfoot");
    let mut members = Vec::new();
    for child in tree.children(list) {
        match is_group(&child) {
            true => members.extend(tree.children(child)),
            false => members.push(child),
        }
    }
    let is_member = |at: &u32| tree.element(*at).is_some_and(|member| member.tag == tag);
    let spans = members.into_iter().filter(is_member).map(|at| tree.subtree(at));
    spans.filter(|span| tree.counts(*span).words > 0).collect()
}

/// The heading of a part before its list.
fn heading_before(tree: &FlatTree<'_>, part: u32, list: u32) -> Option<(u32, String)> {
    let mut before = tree.children(part).take_while(|at| *at < list);
    before.find_map(|at| heading_in(tree, at))
}

/// The tag and the text of an element that is a heading, or holds one and nothing else.
fn heading_in(tree: &FlatTree<'_>, at: u32) -> Option<(u32, String)> {
    let is_heading = |at: &u32| matches!(tree.tag(*at), "h2" | "h3" | "h4" | "h5" | "h6");
    let span = tree.subtree(at);
    let heading = match is_heading(&at) {
        true => at,
        false if tree.counts(span).headings == 1 => {
            let heading = (span.from..span.to).take(HEADER_ELEMENTS).find(is_heading)?;
            let beside = tree.counts(span).words - tree.counts(tree.subtree(heading)).words;
            Some(heading).filter(|_| beside <= BESIDE)?
        }
        false => return None,
    };
    let text = tree.text(tree.subtree(heading), LONGEST_HEADING + 1);
    let text = text.trim().to_owned();
    let tag = tree.element(heading)?.tag;
    (!text.is_empty() && text.len() <= LONGEST_HEADING).then_some((tag, text))
}

/// Whether a heading can be the name of a part of a list: a few words, and neither a question nor a selection.
fn is_name(heading: &str) -> bool {
    heading.split_whitespace().count() <= NAME_WORDS
        && !heading.ends_with(['?', '!', '…', ':'])
        && !names_selection(heading)
}

/// Whether a list stands in the content of a page and not in a menu, a footer or beside the content, as the names of the elements
/// around it say.
fn is_content(tree: &FlatTree<'_>, list: u32) -> bool {
    let outside = Region::MENU
        .and(Region::EDGE)
        .and(Region::ASIDE)
        .and(Region::FILTER)
        .and(Region::OVERLAY);
    let mut at = list;
    while let Some(element) = tree.element(at).filter(|_| at != 0) {
        if element.region.has(outside) && !matches!(tree.tag(at), "html" | "body") {
            return false;
        }
        at = element.parent;
    }
    true
}

/// Whether most members of a list say what an entry does: cells of a row, a price, or a link with more words than a menu has.
fn are_told(tree: &FlatTree<'_>, members: &[Span]) -> bool {
    let is_told = |span: &&Span| {
        let counts = tree.counts(**span);
        tree.tag(span.from) == "tr"
            || counts.prices > 0
            || (counts.links > 0 && (counts.headings > 0 || counts.words >= MEMBER_WORDS))
    };
    !members.is_empty() && members.iter().filter(is_told).count() * 5 >= members.len() * 4
}

/// Whether the members of two lists are built alike: as many cells in the rows of two tables under the same headings of columns, or
/// much the same elements.
fn are_built_alike(tree: &FlatTree<'_>, one: (u32, &[Span]), other: (u32, &[Span])) -> bool {
    let is_row = |span: &Span| tree.tag(span.from) == "tr";
    if one.1.iter().all(is_row) {
        let columns = |members: &[Span]| {
            let most = members.iter().map(|row| tree.children(row.from).count());
            most.max().unwrap_or_default()
        };
        return columns(one.1) == columns(other.1) && heads_of(tree, one.0) == heads_of(tree, other.0);
    }
    let shapes = |members: &[Span]| -> Vec<Vec<u32>> {
        let first = members.iter().take(COMPARED);
        first.map(|span| shape(tree, *span)).collect()
    };
    let (own, others) = (shapes(one.1), shapes(other.1));
    let mut pairs = own
        .iter()
        .flat_map(|own| others.iter().map(move |other| (own, other)));
    pairs.any(|(own, other)| overlap(own, other) >= ALIKE)
}

/// The texts of the cells with headings of a table, in their order.
fn heads_of(tree: &FlatTree<'_>, table: u32) -> Vec<String> {
    let Span { from, to } = tree.subtree(table);
    let is_head = |at: &u32| {
        let row = tree.element(*at).map(|cell| cell.parent);
        let is_row_of_heads = |row| tree.children(row).all(|cell| tree.tag(cell) == "th");
        tree.tag(*at) == "th" && row.is_some_and(is_row_of_heads)
    };
    let heads = (from..to).take(TABLE_ELEMENTS).filter(is_head).take(MOST_COLUMNS);
    heads
        .map(|cell| tree.text(tree.subtree(cell), LONGEST_HEADING).trim().to_owned())
        .collect()
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

    fn texts(html: &str) -> Vec<String> {
        let page = Page::new(html, "https://town.example/".parse().ok());
        let groups = records::find(&page);
        let records = groups.into_iter().next().map(|group| group.records);
        records
            .unwrap_or_default()
            .into_iter()
            .map(|record| record.text)
            .collect()
    }

    #[test]
    fn a_list_goes_on_under_the_names_of_its_parts() {
        assert_eq!(count("Berlin", "Munich"), 12);
        assert_eq!(count("Concerts & shows", "Readings"), 12);
        assert_eq!(count("Concerts", "Most visited"), 8);
        assert_eq!(count("Concerts", "What do guests say?"), 8);
        let menu = |class: &str| {
            let part = |name: &str, count: usize| {
                let entries: String = (0..count)
                    .map(|at| format!("<li><a href='/{name}/{at}'>All about the {name} number {at}</a></li>"))
                    .collect();
                format!("<section class='{class}'><h2>{name}</h2><ul>{entries}</ul></section>")
            };
            texts(&format!("<main>{}{}</main>", part("Rivers", 9), part("Lakes", 6))).len()
        };
        assert_eq!((menu("part"), menu("widget")), (15, 9));
    }

    #[test]
    fn tables_with_the_same_columns_under_headings_are_one_list() {
        let table = |name: &str, columns: &str, dishes: usize| {
            let rows: String = (1..=dishes)
                .map(|at| format!("<tr><td>{name} dish {at}</td><td>{at} l</td><td>£{at}.50</td></tr>"))
                .collect();
            format!("<h2>{name}</h2><table><tr>{columns}</tr>{rows}</table>")
        };
        let columns = "<th>Dish</th><th>Size</th><th>Price</th>";
        let both = |other: &str| {
            let html = format!(
                "<main>{}{}</main>",
                table("Starters", columns, 9),
                table("Mains", other, 5)
            );
            texts(&html)
        };
        let rows = both(columns);
        assert_eq!(rows.len(), 14, "{rows:?}");
        assert_eq!(rows.last().map(String::as_str), Some("Mains dish 5 5 l £5.50"));
        assert_eq!(both("<th>Room</th><th>Volume</th><th>Rent</th>").len(), 9);
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
