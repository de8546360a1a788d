//! The page that an instruction is about, and the known sites it can belong to.

use page::Page;
use page::dom::Selector;
use url::Url;

use super::facts::{Entity, KnownSite};

/// The page that an instruction is about.
#[derive(Clone, Copy, Default)]
pub struct PlanTarget<'a> {
    /// Its address.
    pub url: Option<&'a Url>,
    /// The page, when it is open already: its markup decides which site's tools can read it, at any address.
    pub page: Option<&'a Page>,
}

impl<'a> From<Option<&'a Url>> for PlanTarget<'a> {
    fn from(url: Option<&'a Url>) -> Self {
        PlanTarget { url, page: None }
    }
}

/// Selectors that match only on pages of these sites, or copies of them.
const MARKUP: [(KnownSite, &str); 4] = [
    (
        KnownSite::HackerNews,
        "tr.athing .titleline, tr.athing .storylink, tr.athing td.title",
    ),
    (KnownSite::Reddit, ".thing[data-fullname^=\"t3_\"], shreddit-post"),
    (
        KnownSite::Ceneo,
        ".cat-prod-row__name, .cat-prod-box__name, .js_category-list-item[data-pid]",
    ),
    (
        KnownSite::Amazon,
        "[data-component-type=\"s-search-result\"][data-asin]",
    ),
];

/// Names of the sites in instructions, and their hosts.
const NAMES: [(KnownSite, &[&str], &str); 4] = [
    (KnownSite::Ceneo, &["ceneo"], "ceneo.pl"),
    (KnownSite::Amazon, &["amazon"], ""),
    (
        KnownSite::HackerNews,
        &["hacker news", "hackernews", "ycombinator"],
        "news.ycombinator.com",
    ),
    (KnownSite::Reddit, &["reddit", "subreddit"], "reddit.com"),
];

/// Words of an instruction that name a known site.
pub(super) const SITE_NAMES: [&str; 8] = [
    "ceneo",
    "amazon",
    "hacker",
    "hackernews",
    "ycombinator",
    "reddit",
    "subreddit",
    "hn",
];

/// A site with tools of its own, as callers see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SiteTools {
    /// Its id.
    pub id: &'static str,
    /// Names that an instruction can call it by.
    pub names: &'static [&'static str],
    /// Its host; none where it has one in every country.
    pub host: Option<&'static str>,
    tool: &'static str,
}

impl SiteTools {
    /// `{"id", "names", "host", "tools"}`, with the tools that are there.
    pub fn json(&self, registry: &tools::Registry) -> serde_json::Value {
        let tools: Vec<&str> = registry.find(self.tool).iter().map(|tool| tool.id()).collect();
        serde_json::json!({"id": self.id, "names": self.names, "host": self.host, "tools": tools})
    }
}

/// The sites that have tools of their own.
pub fn known_sites() -> impl Iterator<Item = SiteTools> {
    NAMES.iter().map(|(site, names, host)| {
        let (id, tool) = match site {
            KnownSite::Ceneo => ("ceneo", "extraction.products_ceneo"),
            KnownSite::Amazon => ("amazon", "extraction.products_amazon"),
            KnownSite::HackerNews => ("hacker_news", "extraction.articles_hn"),
            KnownSite::Reddit => ("reddit", "extraction.articles_reddit"),
        };
        SiteTools {
            id,
            names,
            host: Some(*host).filter(|host| !host.is_empty()),
            tool,
        }
    })
}

/// The known site that an instruction names, else the first that one of the addresses belongs to. An address may be a bare
/// domain.
pub fn matching_site(instruction: &str, addresses: &[String]) -> Option<SiteTools> {
    let of_address = |address: &String| {
        let url = Url::parse(address).ok().filter(Url::has_host);
        let url = url.or_else(|| Url::parse(&format!("https://{address}")).ok())?;
        site_of("", Some(&url))
    };
    let site = site_of(instruction, None).or_else(|| addresses.iter().find_map(of_address))?;
    let at = NAMES.iter().position(|(named, ..)| *named == site)?;
    known_sites().nth(at)
}

/// The site whose markup a page has.
pub(super) fn site_of_markup(page: &Page) -> Option<KnownSite> {
    let matches = |css: &str| {
        let selector = Selector::parse(css);
        selector.is_ok_and(|selector| page.dom().select(&selector).next().is_some())
    };
    MARKUP.iter().find(|(_, css)| matches(css)).map(|(site, _)| *site)
}

/// The site that an instruction names or an address belongs to.
pub(super) fn site_of(instruction: &str, url: Option<&Url>) -> Option<KnownSite> {
    let instruction = instruction.to_lowercase();
    let host = url.and_then(Url::host_str).unwrap_or_default();
    let is_on = |site: KnownSite, domain: &str| match site {
        // Amazon has a domain in every country.
        KnownSite::Amazon => host.split('.').any(|label| label == "amazon"),
        _ => host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
    };
    let named = NAMES.iter().find(|(site, names, domain)| {
        names.iter().any(|name| instruction.contains(name)) || is_on(*site, domain)
    });
    named.map(|(site, ..)| *site)
}

/// What the pages of a site list.
pub(super) fn listed_by(site: KnownSite) -> Entity {
    match site {
        KnownSite::Ceneo | KnownSite::Amazon => Entity::Products,
        KnownSite::HackerNews | KnownSite::Reddit => Entity::Articles,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_known_by_its_markup_and_not_by_its_address() {
        let site = |html: &str| site_of_markup(&Page::new(html.to_owned(), None));
        let story = "<table><tr class=athing id=1><td class=title><span class=titleline><a href=x>T</a></span></td></tr></table>";
        assert_eq!(site(story), Some(KnownSite::HackerNews));
        assert_eq!(site("<shreddit-post></shreddit-post>"), Some(KnownSite::Reddit));
        assert_eq!(site("<div class=titleline>Hacker News</div>"), None);
    }

    #[test]
    fn a_site_is_matched_by_its_name_then_by_addresses() {
        let id = |instruction: &str, addresses: &[&str]| {
            let addresses: Vec<String> = addresses.iter().map(|it| (*it).to_owned()).collect();
            matching_site(instruction, &addresses).map(|site| site.id)
        };
        assert_eq!(
            id("top stories of Hacker News", &["https://reddit.com/"]),
            Some("hacker_news")
        );
        assert_eq!(
            id("posts", &["https://a.example/", "old.reddit.com/r/rust"]),
            Some("reddit")
        );
        assert_eq!(id("laptops", &["amazon.de:443"]), Some("amazon"));
        assert_eq!(id("", &["https://www.ceneo.pl/Laptopy"]), Some("ceneo"));
        assert_eq!(id("posts", &["https://notreddit.com/", "not an address"]), None);
        assert_eq!(id("", &[]), None);
    }
}
