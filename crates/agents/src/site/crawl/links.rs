//! The addresses on a page that a crawl goes on with, and how soon.

use std::collections::HashSet;

use page::Page;
use url::Url;
use wire::frontier::NewAddress;

use super::plan::FollowRules;
use crate::site::address::{self, NotFollowed};

/// Most links of one page.
const MAX_LINKS: usize = 5_000;
/// What a link away from the start costs; more than everything else can make good, but a matching text.
const PER_DEPTH: i64 = 1_000;
/// What each word of the instructions in the text or path of a link is worth.
const PER_TERM: i64 = 700;
/// Most words that count.
const MAX_TERMS: usize = 4;
/// What each parameter of the query costs.
const PER_PARAMETER: i64 = 40;
/// What each segment of the path costs.
const PER_SEGMENT: i64 = 5;
/// What a link costs that the site does not stand for.
const NO_FOLLOW: i64 = 50_000;

/// The addresses of a page.
#[derive(Debug, Default)]
pub(super) struct FoundAddresses {
    pub(super) addresses: Vec<NewAddress>,
    /// Addresses that were left out since they look endless.
    pub(super) endless: u64,
    /// Addresses of the site that were left out since they are named as pictures, archives, programs and the like.
    pub(super) files: u64,
    /// Addresses of the site that its patterns leave out.
    pub(super) unwanted: u64,
}

/// Collects the addresses of a page at a depth.
pub(super) fn found(page: &Page, rules: &FollowRules, depth: u32) -> FoundAddresses {
    let mut found = FoundAddresses::default();
    if depth >= rules.depth {
        return found;
    }
    let mut seen = HashSet::new();
    let named = page.dom().by_tag("link").filter(|link| {
        let relations = link.attr("rel").unwrap_or_default();
        relations.split_ascii_whitespace().any(|it| {
            ["canonical", "next", "prev"]
                .iter()
                .any(|named| it.eq_ignore_ascii_case(named))
        })
    });
    let named: Vec<Url> = named
        .filter_map(|link| page.absolute(link.attr("href")?))
        .collect();
    for url in named {
        found.add(&url, "", 0, rules, depth + 1, &mut seen);
    }
    for link in page::links::links(page).into_iter().take(MAX_LINKS) {
        let is_disowned = link
            .rel
            .split_ascii_whitespace()
            .any(|it| it.eq_ignore_ascii_case("nofollow"));
        let cost = if is_disowned { NO_FOLLOW } else { 0 };
        found.add(&link.url, &link.text, cost, rules, depth + 1, &mut seen);
    }
    found
}

impl FoundAddresses {
    fn add(
        &mut self,
        url: &Url,
        text: &str,
        cost: i64,
        rules: &FollowRules,
        depth: u32,
        seen: &mut HashSet<String>,
    ) {
        match address::clean(url) {
            Ok(url) if rules.scope.wants(&url) => {
                if seen.insert(url.as_str().to_owned()) {
                    let score = score(&url, text, depth, rules) - cost;
                    self.addresses.push(new_address(&url, depth, score));
                }
            }
            Ok(url) => {
                let is_new = rules.scope.is_inside(&url) && seen.insert(url.as_str().to_owned());
                self.unwanted += u64::from(is_new);
            }
            Err(NotFollowed::NoPage) => {}
            Err(NotFollowed::Endless) => self.endless += 1,
            Err(NotFollowed::File) if rules.scope.wants(url) && seen.insert(url.as_str().to_owned()) => {
                self.files += 1;
            }
            Err(NotFollowed::File) => {}
        }
    }
}

/// An address as the frontier takes it.
pub(super) fn new_address(url: &Url, depth: u32, score: i64) -> NewAddress {
    NewAddress {
        key: address::key(url),
        url: url.as_str().to_owned(),
        host: url.host_str().unwrap_or_default().to_owned(),
        depth,
        score,
        group: address::series(url),
    }
}

/// How soon an address is read: nearer to the start first, then what the instructions name, then the simpler address.
pub(super) fn score(url: &Url, text: &str, depth: u32, rules: &FollowRules) -> i64 {
    let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let parameters = count(url.query_pairs().count().min(20));
    let segments = count(url.path().split('/').count().min(20));
    let terms = if rules.terms.is_empty() {
        0
    } else {
        let words = locale::words::terms(&format!("{text} {}", url.path()));
        let hits: HashSet<String> = words
            .into_iter()
            .filter(|word| rules.terms.contains(word))
            .collect();
        count(hits.len().min(MAX_TERMS))
    };
    terms * PER_TERM - i64::from(depth) * PER_DEPTH - parameters * PER_PARAMETER - segments * PER_SEGMENT
}
