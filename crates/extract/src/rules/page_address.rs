//! The public address of a page: the one it was read from or, for a saved page, the one it gives itself.

use std::borrow::Cow;

use page::Page;
use url::{Host, Url};

/// The address that readers know a page by. A page read from a file or from a machine without a name in the domain name
/// system is known by its own `<link rel="canonical">` or `og:url`, unless this names the first page of a site, which
/// templates write on every page.
pub(crate) fn of(page: &Page) -> Option<Cow<'_, Url>> {
    page.url()
        .filter(|url| is_public(url))
        .map(Cow::Borrowed)
        .or_else(|| own(page).map(Cow::Owned))
}

/// Whether an address names a site: `www.example.com`, not `localhost` or `127.0.0.1`.
fn is_public(url: &Url) -> bool {
    matches!(url.host(), Some(Host::Domain(name)) if name.contains('.'))
}

/// The address that a page gives as its own, in `<link rel="canonical">` or `og:url`. The first page of a site is none, as templates
/// write that one on every page.
pub fn own(page: &Page) -> Option<Url> {
    let dom = page.dom();
    let canonical = dom
        .by_tag("link")
        .filter(|link| {
            link.attr("rel")
                .is_some_and(|relation| relation.eq_ignore_ascii_case("canonical"))
        })
        .filter_map(|link| link.attr("href"));
    let shared = dom
        .by_tag("meta")
        .filter(|meta| meta.attr("property").or(meta.attr("name")) == Some("og:url"))
        .filter_map(|meta| meta.attr("content"));
    canonical
        .chain(shared)
        .filter_map(|address| Url::parse(address.trim()).ok())
        .find(|url| is_public(url) && (url.path() != "/" || url.query().is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(url: Option<&str>, head: &str) -> Option<String> {
        let page = Page::new(head, url.and_then(|url| Url::parse(url).ok()));
        of(&page).map(|url| url.to_string())
    }

    #[test]
    fn a_saved_page_is_known_by_the_address_it_gives_itself() {
        let canonical = "<link rel=Canonical href='https://shop.example/p/kettle'>";
        let shared = "<meta property='og:url' content='https://shop.example/p/kettle'>";
        let expected = Some("https://shop.example/p/kettle".to_owned());
        assert_eq!(address(None, canonical), expected);
        assert_eq!(address(None, shared), expected);
        assert_eq!(
            address(Some("http://127.0.0.1:8080/kettle.html"), shared),
            expected
        );
        assert_eq!(address(Some("http://localhost/kettle.html"), canonical), expected);
        assert_eq!(
            address(Some("https://other.example/kettle"), canonical),
            Some("https://other.example/kettle".to_owned())
        );
    }

    #[test]
    fn the_first_page_of_a_site_is_no_address_of_another_page() {
        assert_eq!(
            address(None, "<link rel=canonical href='https://shop.example/'>"),
            None
        );
        assert_eq!(address(None, "<link rel=canonical href='/p/kettle'>"), None);
        assert_eq!(address(None, "<p>Nothing</p>"), None);
    }
}
