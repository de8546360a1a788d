//! Where is the plan to run: an address, and the page there as far as it is known.

use page::Page;
use page::dom::Selector;
use url::Url;

use super::facts::Site;

/// The page that an instruction is about.
#[derive(Clone, Copy, Default)]
pub struct Place<'a> {
    /// Its address.
    pub url: Option<&'a Url>,
    /// The page, when it is open already: its markup tells which site's reader understands it, wherever it lies.
    pub page: Option<&'a Page>,
}

impl<'a> From<Option<&'a Url>> for Place<'a> {
    fn from(url: Option<&'a Url>) -> Self {
        Place { url, page: None }
    }
}

/// Marks that only pages of these sites have, or copies of them.
const MARKS: [(Site, &str); 4] = [
    (
        Site::HackerNews,
        "tr.athing .titleline, tr.athing .storylink, tr.athing td.title",
    ),
    (Site::Reddit, ".thing[data-fullname^=\"t3_\"], shreddit-post"),
    (
        Site::Ceneo,
        ".cat-prod-row__name, .cat-prod-box__name, .js_category-list-item[data-pid]",
    ),
    (
        Site::Amazon,
        "[data-component-type=\"s-search-result\"][data-asin]",
    ),
];

/// The site whose markup a page has.
pub(super) fn of_markup(page: &Page) -> Option<Site> {
    let has = |css: &str| Selector::parse(css).is_ok_and(|it| page.dom().select(&it).next().is_some());
    MARKS.iter().find(|(_, css)| has(css)).map(|(site, _)| *site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_known_by_its_markup_and_not_by_its_address() {
        let site = |html: &str| of_markup(&Page::new(html.to_owned(), None));
        let story = "<table><tr class=athing id=1><td class=title><span class=titleline><a href=x>T</a></span></td></tr></table>";
        assert_eq!(site(story), Some(Site::HackerNews));
        assert_eq!(site("<shreddit-post></shreddit-post>"), Some(Site::Reddit));
        assert_eq!(site("<div class=titleline>Hacker News</div>"), None);
    }
}
