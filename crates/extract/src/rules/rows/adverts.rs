//! Advertisements among the entries of a list, which look like entries and lead away from the site.

use page::dom::Node;
use url::Url;

use super::Row;
use super::elements::{MAX_ELEMENTS, nodes};
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Of how many entries at least one may be an advertisement: where more seem to be, the list is one of offers of others.
const ONE_OF: usize = 4;

/// What marks an advertisement, alone in an element.
#[rustfmt::skip]
const MARKS: [&str; 9] = [
    "advertisement", "advert", "ad", "anzeige", "werbung", "reklama", "publicité", "publicidad", "advertentie",
];

/// What marks an entry for which somebody pays. It is an advertisement where it leads to other sites, and most entries do not: else
/// the site sells that entry as well.
#[rustfmt::skip]
const PAID_MARKS: [&str; 10] = [
    "sponsored", "promoted", "paid", "gesponsert", "bezahlt", "sponsorowane", "promowane", "sponsorisé", "patrocinado", "gesponsord",
];

/// Headings of boxes that stand among the entries of a list and are none. An entry that is called so has a link.
#[rustfmt::skip]
const BOXES: [&str; 21] = [
    "filter", "filters", "filter by", "filter results", "refine by", "refine your search", "sort by", "recently viewed", "filtern", "filtern nach",
    "ergebnisse filtern", "suche verfeinern", "zuletzt angesehen", "filtry", "filtruj", "filtruj wyniki", "ostatnio oglądane", "filtrer", "filtros",
    "filtrar", "filtri",
];

/// Leaves out the rows that are advertisements, and boxes beside the entries.
pub(super) fn leave_out(view: &VisiblePage<'_>, rows: &mut Vec<Row>) {
    rows.retain(|row| {
        let title = row.title.as_deref().unwrap_or_default();
        let title = title.trim_end_matches([':', ' ', '…']).to_lowercase();
        row.url.is_some() || !BOXES.contains(&title.as_str())
    });
    let mut are_adverts = among(view, rows).into_iter();
    rows.retain(|_| !are_adverts.next().unwrap_or_default());
}

/// Which rows are advertisements; none where many seem to be.
fn among(view: &VisiblePage<'_>, rows: &[Row]) -> Vec<bool> {
    let links: Vec<Option<EntryLinks>> = rows.iter().map(|row| EntryLinks::of(view, row)).collect();
    let foreign = links.iter().flatten().filter(|links| links.are_foreign).count();
    let is_own_list = foreign * ONE_OF <= rows.len();
    let is_advert: Vec<bool> = rows
        .iter()
        .zip(&links)
        .map(|(row, links)| {
            links
                .as_ref()
                .is_some_and(|links| is_advert(view, row, links, is_own_list))
        })
        .collect();
    let count = is_advert.iter().filter(|is_advert| **is_advert).count();
    if count * ONE_OF <= rows.len() {
        is_advert
    } else {
        vec![false; rows.len()]
    }
}

/// Where the links of an entry lead.
struct EntryLinks {
    /// Whether all of them, or some, are said to be paid for.
    are_paid: bool,
    is_one_paid: bool,
    /// Whether all lead to other sites; where the site of the page is not known, none does.
    are_foreign: bool,
}

impl EntryLinks {
    /// The links of an entry; `None` where it has none.
    fn of(view: &VisiblePage<'_>, row: &Row) -> Option<EntryLinks> {
        let mut links = first_nodes(view, row)
            .filter(|node| node.is("a") && node.attr("href").is_some())
            .peekable();
        links.peek()?;
        let own = view.page.url().and_then(Url::host_str);
        let mut found = EntryLinks {
            are_paid: true,
            is_one_paid: false,
            are_foreign: true,
        };
        for link in links {
            found.are_paid &= is_paid(link);
            found.is_one_paid |= is_paid(link);
            let target = link.attr("href").and_then(|href| view.page.absolute(href));
            let host = target.as_ref().and_then(Url::host_str);
            found.are_foreign &=
                target.is_some() && own.is_some_and(|own| !host.is_some_and(|host| is_of_site(host, own)));
        }
        Some(found)
    }
}

/// Whether a host is the one of a page, with or without `www.`, or one of them belongs to the other: `shop.example.com` to `example.com`.
fn is_of_site(host: &str, own: &str) -> bool {
    let bare = |host: &str| host.trim_start_matches("www.").to_owned();
    let (host, own) = (bare(host), bare(own));
    let belongs =
        |inner: &str, outer: &str| inner.strip_suffix(outer).is_some_and(|rest| rest.ends_with('.'));
    host == own || belongs(&host, &own) || belongs(&own, &host)
}

fn first_nodes<'p>(view: &VisiblePage<'p>, row: &Row) -> impl Iterator<Item = Node<'p>> {
    nodes(view, &row.elements).take(MAX_ELEMENTS)
}

/// Whether all links of an entry are paid for, or its links lead to other sites and a word in it marks an advertisement. In a list of
/// the site's own entries, one link that is paid for, or a mark that the entry is, says it as well.
fn is_advert(view: &VisiblePage<'_>, row: &Row, links: &EntryLinks, is_own_list: bool) -> bool {
    // What an entry is called marks nothing: "Ad" is a given name, too.
    let title = row.title.as_deref().map(str::to_lowercase);
    let is_title = |node: Node<'_>| title.is_some() && title == Some(squeeze(&node.text()).to_lowercase());
    let is_marked =
        |marks: &[&str]| first_nodes(view, row).any(|node| is_mark(node, marks) && !is_title(node));
    let is_paid = || links.is_one_paid || is_marked(&PAID_MARKS);
    links.are_paid || (links.are_foreign && (is_marked(&MARKS) || (is_own_list && is_paid())))
}

fn is_paid(link: Node<'_>) -> bool {
    let mut relations = link.attr("rel").unwrap_or_default().split_ascii_whitespace();
    relations.any(|relation| relation.eq_ignore_ascii_case("sponsored"))
}

fn is_mark(node: Node<'_>, marks: &[&str]) -> bool {
    let is_small = node.end().index() - node.id().index() <= 3;
    is_small && marks.contains(&squeeze(&node.text()).to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use page::Page;
    use url::Url;

    use crate::rules::rows;
    use crate::rules::visible_page::VisiblePage;

    fn titles(advert: &str) -> Vec<String> {
        let entry = |n: usize| {
            format!(
                "<article><h2><a href=/flat/{n}>Flat number {n} in the old town</a></h2><p>£{n}50 a month</p></article>"
            )
        };
        let html = format!(
            "<main>{}{advert}{}</main>",
            (1..4).map(entry).collect::<String>(),
            (4..8).map(entry).collect::<String>()
        );
        let page = Page::new(&html, Url::parse("https://flats.example/rent").ok());
        rows::read(&VisiblePage::of(&page))
            .into_iter()
            .filter_map(|row| row.title)
            .collect()
    }

    #[test]
    fn a_box_of_filters_is_no_entry() {
        let filters = "<article><h2>Filter by:</h2><p>Your budget from £80 a month</p></article>";
        assert_eq!(titles(filters).len(), 7);
    }

    #[test]
    fn what_others_pay_for_is_no_entry() {
        let advert = |mark: &str, link: &str| {
            format!(
                "<article>{mark}<h2><a {link}>Moving soon? Hire a van of ours</a></h2><p>from £39 a day</p></article>"
            )
        };
        assert_eq!(
            titles(&advert(
                "",
                "href=https://vans.example/a rel='sponsored nofollow'"
            ))
            .len(),
            7
        );
        assert_eq!(
            titles(&advert(
                "<span>Advertisement</span>",
                "href=https://vans.example/a"
            ))
            .len(),
            7
        );
        assert_eq!(
            titles(&advert("<span>Sponsored</span>", "href=/flat/99")).len(),
            8
        );
        assert_eq!(
            titles(&advert("<span>Sponsored</span>", "href=https://vans.example/a")).len(),
            7
        );
        assert_eq!(titles(&advert("", "href=https://vans.example/a")).len(), 8);
    }

    #[test]
    fn an_entry_of_the_site_under_another_of_its_names_is_one() {
        let own = |address: &str| {
            titles(&format!(
                "<article><span>Promoted</span><h2><a href='{address}'>Flat number 9 by the lake</a></h2><p>£950 a month</p></article>"
            ))
            .len()
        };
        assert_eq!(own("https://www.flats.example/flat/9"), 8);
        assert_eq!(own("https://rent.flats.example/flat/9"), 8);
        assert_eq!(own("https://otherflats.example/flat/9"), 7);
        // Where nobody knows the address of a page, no link leads away from its site.
        let html: String = (1..8)
            .map(|n| {
                let mark = if n == 3 { "<span>Promoted</span>" } else { "" };
                format!(
                    "<article>{mark}<h2><a href=https://flats.example/flat/{n}>Flat number {n} in town</a></h2><p>£{n}50 a month</p></article>"
                )
            })
            .collect();
        let page = Page::new(format!("<main>{html}</main>"), None);
        assert_eq!(rows::read(&VisiblePage::of(&page)).len(), 7);
    }

    #[test]
    fn the_name_of_an_entry_is_no_mark() {
        let painter = |(n, name): (usize, &str)| {
            format!(
                "<article><h3><a href='https://museum.example/p/{n}'>{name}</a></h3><p>Painter number {n} of the old school</p></article>"
            )
        };
        let names = ["Ad", "Jan Steen", "Piet Dam", "Kees Zon", "Bert Oss"];
        let html: String = names.into_iter().enumerate().map(painter).collect();
        let page = Page::new(
            format!("<main><h1>Painters</h1>{html}</main>"),
            Url::parse("https://art.example/painters").ok(),
        );
        assert_eq!(rows::read(&VisiblePage::of(&page)).len(), 5);
    }
}
