//! Boxes and promotional tiles among the entries of a list: a box of links to other entries ("Recently viewed"), and a tile that has
//! the look of an entry, few of the parts that the others have, and leads to another part of the site ("Buy a gift card").

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use page::dom::Node;
use url::Url;

use super::Row;
use super::elements::{MAX_ELEMENTS, nodes};
use crate::rules::lines::is_hidden;
use crate::rules::visible_page::VisiblePage;

/// Fewest entries among which a tile can be told.
const FEWEST: usize = 5;
/// Of how many entries at most one is a box or a tile: where more seem to be, they are entries of another kind.
const ONE_OF: usize = 4;
/// Fewest links of a box.
const LINKS: usize = 2;
/// Of ten entries, as many have a part that a list has in common, or lead to the same part of the site.
const OF_TEN: usize = 8;
/// Fewest parts in common that a tile lacks, and their share of all of them, in per cent.
const LACKED: usize = 3;
const LACKED_SHARE: usize = 50;

/// Leaves out the rows that are boxes of links or promotional tiles; none where many seem to be.
pub(super) fn leave_out(view: &VisiblePage<'_>, rows: &mut Vec<Row>) {
    if rows.len() < FEWEST {
        return;
    }
    // Where most entries have headings that lead nowhere, one with a list of links is an entry with several dates.
    let leads_nowhere = rows.iter().filter(|row| has_plain_heading(view, row)).count();
    if leads_nowhere * 2 < rows.len() {
        leave_out_few(rows, |row| is_box_of_links(view, row));
    }
    let tiles = Tiles::of(view, rows);
    leave_out_few(rows, |row| tiles.has(view, row));
}

/// Leaves out the rows that something holds of, where they are few.
fn leave_out_few(rows: &mut Vec<Row>, holds: impl Fn(&Row) -> bool) {
    let are: Vec<bool> = rows.iter().map(holds).collect();
    let count = are.iter().filter(|is| **is).count();
    if count * ONE_OF <= rows.len() {
        let mut are = are.into_iter();
        rows.retain(|_| !are.next().unwrap_or_default());
    }
}

/// Whether an entry has a heading, and none that is or holds a link.
fn has_plain_heading(view: &VisiblePage<'_>, row: &Row) -> bool {
    let headings = nodes(view, &row.elements).take(MAX_ELEMENTS).filter(is_heading);
    let is_linked = |heading: Node<'_>| {
        heading.closest("a").is_some() || heading.descendants().any(|inner| inner.is("a"))
    };
    let mut linked = headings.map(is_linked).peekable();
    linked.peek().is_some() && !linked.any(|is_linked| is_linked)
}

fn is_heading(node: &Node<'_>) -> bool {
    matches!(node.tag(), "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Whether an entry has a heading that leads nowhere, and all of its links stand in the items of one list: one in each, which it
/// begins with, and each to a place of its own.
fn is_box_of_links(view: &VisiblePage<'_>, row: &Row) -> bool {
    let mut links = nodes(view, &row.elements)
        .take(MAX_ELEMENTS)
        .filter(|node| node.is("a") && node.attr("href").is_some());
    let mut list = None;
    let mut targets: HashSet<&str, RandomState> = HashSet::default();
    let mut items: HashSet<_, RandomState> = HashSet::default();
    let are_listed = links.all(|link| {
        let Some(item) = link.closest("li").filter(|item| {
            let is_first = link.text().trim().len() > 1 && item.text().trim().starts_with(link.text().trim());
            is_first && row.elements.iter().any(|root| item.is_inside(*root))
        }) else {
            return false;
        };
        let parent = item.parent().map(Node::id);
        let is_new = items.insert(item.id()) && targets.insert(link.attr("href").unwrap_or_default());
        is_new && *list.get_or_insert(parent) == parent
    });
    let has_heading = || {
        nodes(view, &row.elements)
            .take(MAX_ELEMENTS)
            .any(|node| is_heading(&node))
    };
    are_listed && items.len() >= LINKS && has_heading()
}

/// What tells promotional tiles from the entries of a list.
struct Tiles {
    /// The elements that most entries have, by name and class.
    common: HashSet<String, RandomState>,
    /// The beginning of the addresses of most entries.
    place: Option<String>,
    /// Whether most addresses end with a number.
    are_numbered: bool,
    /// The fields that most entries have.
    fields: Vec<fn(&Row) -> bool>,
}

/// Fields that the entries of a list have each.
const FIELDS: [fn(&Row) -> bool; 8] = [
    |row| row.price.is_some() || row.salary.is_some(),
    |row| row.date.is_some(),
    |row| row.rating.is_some(),
    |row| row.image.is_some(),
    |row| row.company.is_some(),
    |row| row.location.is_some(),
    |row| row.author.is_some(),
    |row| !row.facts.is_empty(),
];

impl Tiles {
    fn of(view: &VisiblePage<'_>, rows: &[Row]) -> Tiles {
        let is_most = |count: usize| count * 10 >= rows.len() * OF_TEN;
        let mut counts: HashMap<String, usize, RandomState> = HashMap::default();
        for part in rows.iter().flat_map(|row| parts(view, row)) {
            *counts.entry(part).or_default() += 1;
        }
        counts.retain(|_, count| is_most(*count));
        let mut places: HashMap<String, usize, RandomState> = HashMap::default();
        let addresses = rows.iter().filter_map(|row| row.url.as_deref());
        for place in addresses.flat_map(places_of) {
            *places.entry(place).or_default() += 1;
        }
        let fields = FIELDS.into_iter();
        Tiles {
            common: counts.into_keys().collect(),
            place: places
                .into_iter()
                .filter(|(_, count)| is_most(*count))
                .map(|(place, _)| place)
                .max_by_key(String::len),
            are_numbered: is_most(
                rows.iter()
                    .filter(|row| row.url.as_deref().is_some_and(is_numbered))
                    .count(),
            ),
            fields: fields
                .filter(|has| is_most(rows.iter().filter(|row| has(row)).count()))
                .collect(),
        }
    }

    /// Whether an entry leads elsewhere than most, lacks a field that most have, and has at most half of the parts that they have in
    /// common.
    fn has(&self, view: &VisiblePage<'_>, row: &Row) -> bool {
        let (Some(place), Some(address)) = (&self.place, row.url.as_deref()) else {
            return false;
        };
        // An address with a number is that of an entry of another kind, as those of the others are: `/house/9` beside `/flat/12`.
        let is_entry = self.are_numbered && is_numbered(address);
        let leads_elsewhere = !is_entry && !places_of(address).any(|own| own == *place);
        if !leads_elsewhere || !self.fields.iter().any(|has| !has(row)) {
            return false;
        }
        let own = parts(view, row);
        let lacked = self.common.iter().filter(|part| !own.contains(*part)).count();
        lacked >= LACKED && lacked * 100 >= self.common.len() * LACKED_SHARE
    }
}

/// The elements within an entry that are shown, by name and class; those of drawings are left out.
fn parts(view: &VisiblePage<'_>, row: &Row) -> HashSet<String, RandomState> {
    let nodes = nodes(view, &row.elements).take(MAX_ELEMENTS);
    nodes
        .filter(|node| node.is_element() && !is_hidden(*node) && node.closest("svg").is_none())
        .filter(|node| !row.elements.contains(&node.id()))
        .map(|node| format!("{} {}", node.tag(), node.class()))
        .collect()
}

/// Whether the last part of the path of an address has a number.
fn is_numbered(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let last = path.trim_end_matches('/').rsplit('/').next();
    last.is_some_and(|last| last.contains(|c: char| c.is_ascii_digit()))
}

/// The beginnings of an address by its directories, without that of the whole site.
fn places_of(address: &str) -> impl Iterator<Item = String> {
    let url = Url::parse(address).ok();
    let path = url.as_ref().map(|url| url.path().to_owned()).unwrap_or_default();
    let host = url
        .as_ref()
        .and_then(Url::host_str)
        .unwrap_or_default()
        .to_owned();
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).skip(1).collect();
    ends.into_iter()
        .filter_map(move |end| Some(format!("{host}{}/", path.get(..end)?)))
}

#[cfg(test)]
mod tests {
    use page::Page;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn titles(other: &str) -> Vec<String> {
        let entry = |n: usize| {
            format!(
                "<article><h3><a href=/flat/{n}>Flat number {n} in the old town</a></h3><p class=area><i>{n}0 m²</i> <time>{n} March 2025</time></p>\
                 <p class=price><b>£{n}50</b></p></article>"
            )
        };
        let html = format!(
            "<main><h1>Flats</h1><div>{}{other}{}</div></main>",
            (1..4).map(entry).collect::<String>(),
            (4..8).map(entry).collect::<String>()
        );
        let page = Page::new(&html, "https://flats.example/rent".parse().ok());
        rows::read(&VisiblePage::of(&page))
            .into_iter()
            .filter_map(|row| row.title)
            .collect()
    }

    #[test]
    fn a_tile_with_few_parts_that_leads_elsewhere_is_no_entry() {
        let tile = |address: &str| {
            format!(
                "<article><h3><a href={address}>Letting a flat of your own</a></h3><p>Now for £99 only.</p></article>"
            )
        };
        assert_eq!(titles(&tile("/landlords")).len(), 7);
        // An entry may lack what the others say.
        assert_eq!(titles(&tile("/flat/99")).len(), 8);
        let whole = "<article><h3><a href=/house/9>House number 9 on the hill</a></h3><p class=area><i>90 m²</i> <time>9 March 2025</time></p>\
             <p class=price><b>on request</b></p></article>";
        assert_eq!(titles(whole).len(), 8);
        // The number in its address says that it is one of the entries, although it states little.
        let bare =
            "<article><h3><a href=/house/9>House on the hill</a></h3><p>Price on request</p></article>";
        assert_eq!(titles(bare).len(), 8);
    }

    #[test]
    fn an_entry_with_links_to_several_dates_is_no_box() {
        let course = |n: usize| {
            let dates = match n {
                3 => "<p>Two dates:</p><ul><li><a href=/c/31>Book 3 May</a></li><li><a href=/c/32>Book 9 May</a></li></ul>".to_owned(),
                _ => format!("<p>Starts on {n} June. <a href=/c/{n}>Book</a></p>"),
            };
            format!("<article><h3>Course number {n}</h3>{dates}</article>")
        };
        let html: String = (1..6).map(course).collect();
        let page = Page::new(
            format!("<main><h1>Courses</h1><div>{html}</div></main>"),
            "https://school.example/".parse().ok(),
        );
        assert_eq!(rows::read(&VisiblePage::of(&page)).len(), 5);
    }

    #[test]
    fn a_box_of_links_to_other_entries_is_no_entry() {
        let links = "<article><h3>Also looked at</h3><ul><li><a href=/flat/11>Flat 11</a> <b>£150</b></li><li><a href=/flat/12>Flat 12</a> \
             <b>£250</b></li></ul></article>";
        assert_eq!(titles(links).len(), 7);
        // Its own link is that of an entry.
        let linked = "<article><h3><a href=/flat/10>Flat number 10</a></h3><p class=area><i>10 m²</i></p><p class=price><b>£150</b></p><ul><li>\
             <a href=/flat/10/plan>Plan</a></li><li><a href=/flat/10/map>Map</a></li></ul></article>";
        assert_eq!(titles(linked).len(), 8);
    }
}
