//! Advertisements among the entries of a list, which look like entries and lead away from the site.

use page::dom::Node;

use super::Row;
use super::elements::MAX_ELEMENTS;
use crate::rules::visible_page::{VisiblePage, squeeze};

/// Of how many entries at least one may be an advertisement: where more seem to be, the list is one of offers of others.
const ONE_OF: usize = 4;

/// What marks an advertisement, alone in an element. "Sponsored" does not: the site sells that entry as well.
#[rustfmt::skip]
const MARKS: [&str; 9] = [
    "advertisement", "advert", "ad", "anzeige", "werbung", "reklama", "publicité", "publicidad", "advertentie",
];

/// Leaves out the rows that are advertisements.
pub(super) fn leave_out(view: &VisiblePage<'_>, rows: &mut Vec<Row>) {
    let mut are_adverts = among(view, rows).into_iter();
    rows.retain(|_| !are_adverts.next().unwrap_or_default());
}

/// Which rows are advertisements; none where many seem to be.
pub(super) fn among(view: &VisiblePage<'_>, rows: &[Row]) -> Vec<bool> {
    let is_advert: Vec<bool> = rows.iter().map(|row| is_advert(view, row)).collect();
    let count = is_advert.iter().filter(|is_advert| **is_advert).count();
    if count * ONE_OF <= rows.len() {
        is_advert
    } else {
        vec![false; rows.len()]
    }
}

/// Whether all links of an entry are paid for, or a word in it marks an advertisement and its links lead to other sites.
fn is_advert(view: &VisiblePage<'_>, row: &Row) -> bool {
    let elements = || {
        let roots = row.elements.iter().map(|root| view.dom().node(*root));
        roots
            .flat_map(|root| std::iter::once(root).chain(root.descendants()))
            .take(MAX_ELEMENTS)
    };
    let mut links = elements()
        .filter(|node| node.is("a") && node.attr("href").is_some())
        .peekable();
    if links.peek().is_none() {
        return false;
    }
    let host = view.page.url().and_then(|url| url.host_str());
    let (mut are_paid, mut are_foreign) = (true, true);
    for link in links {
        are_paid &= is_paid(link);
        let target = link.attr("href").and_then(|href| view.page.absolute(href));
        are_foreign &= target.is_some_and(|target| target.host_str() != host);
    }
    are_paid || (are_foreign && elements().any(is_mark))
}

fn is_paid(link: Node<'_>) -> bool {
    let mut relations = link.attr("rel").unwrap_or_default().split_ascii_whitespace();
    relations.any(|relation| relation.eq_ignore_ascii_case("sponsored"))
}

fn is_mark(node: Node<'_>) -> bool {
    let is_small = node.end().index() - node.id().index() <= 3;
    is_small && MARKS.contains(&squeeze(&node.text()).to_lowercase().as_str())
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
        assert_eq!(titles(&advert("", "href=https://vans.example/a")).len(), 8);
    }
}
