//! The name of the site as the heading that leads to its front page.

use page::Page;

use super::super::site::bare;
use super::super::title_marks::MARKS;
use super::super::visible_page::squeeze;

/// Most links from the top of a page that are looked at.
const MAX_LINKS: usize = 100;

/// The name of the site in a heading that is all a link to its front page, or in such a link of the header of the page, with which
/// `<title>` ends behind another part, and that part.
pub(super) fn linked_name(page: &Page, document: &str) -> Option<(String, String)> {
    let is_front = |href: &str| match page.absolute(href) {
        Some(url) => url.path().len() <= 1 && url.query().is_none() && url.fragment().is_none(),
        None => href.trim() == "/",
    };
    if page.url().is_some_and(|url| url.path().len() <= 1) {
        return None;
    }
    let headings = page.dom().by_tag("h1").filter(|node| {
        let link = node.descendants().find(|inner| inner.is("a"));
        let href = link.and_then(|link| link.attr("href"));
        href.is_some_and(is_front) && link.is_some_and(|link| squeeze(&link.text()) == squeeze(&node.text()))
    });
    let links = page.dom().by_tag("a").take(MAX_LINKS).filter(|link| {
        let is_in_header = || link.ancestors().any(|outer| outer.is("header"));
        link.attr("href").is_some_and(is_front) && is_in_header()
    });
    let own_part = |name: String| {
        let before = document
            .strip_suffix(name.as_str())
            .filter(|_| !name.is_empty())?;
        let is_part =
            MARKS.iter().any(|mark| before.ends_with(mark)) && before.contains(char::is_alphanumeric);
        let own = before.trim_end_matches(|c: char| !c.is_alphanumeric() && !"?!.)\"”»%".contains(c));
        is_part.then(|| (bare(&name), own.to_owned()))
    };
    let heading = headings.take(1).find_map(|node| own_part(squeeze(&node.text())));
    heading.or_else(|| links.into_iter().find_map(|link| own_part(squeeze(&link.text()))))
}
