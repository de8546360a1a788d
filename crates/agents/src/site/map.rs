//! The map of a site: addresses from site maps, feeds and links, without reading the pages.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use browser::fetch::{FetchedBody, fetch};
use net::{CancellationToken, RobotsMode};
use page::Page;
use page::sitemap::ListKind;
use tokio::time::Instant;
use url::Url;
use wire::Code;
use wire::error::ErrorBody;
use wire::site::{AddressSource, MapRequest, MappedAddress, SiteMap};

use super::address;
use super::fetch::SiteFetcher;
use super::scope::SiteScope;
use super::sitemaps::SitemapReader;
use crate::error_codes;
use crate::scrape;
use crate::services::AgentServices;

/// Longest time of one map.
const TIME: Duration = Duration::from_secs(60);
/// Longest time for one page.
const PAGE_TIME: Duration = Duration::from_secs(20);
/// Most addresses that are looked at; of these, as many are given as were asked for.
const MAX_ADDRESSES: usize = 500_000;
/// Most pages that are read for their links.
const MAX_PAGES: usize = 200;
/// Pages that are read at once.
const AT_ONCE: usize = 6;
/// Most feeds of the start page.
const MAX_FEEDS: usize = 5;

/// A map in the making.
struct Mapping<'a> {
    request: &'a MapRequest,
    scope: SiteScope,
    fetcher: SiteFetcher<'a>,
    deadline: Instant,
    links: Vec<MappedAddress>,
    places: HashMap<[u8; 16], usize>,
    notes: Vec<String>,
    sitemaps: u64,
}

/// Where an address was found, and what was said about it.
struct Finding<'a> {
    source: AddressSource,
    found_in: &'a Url,
    last_modified: &'a str,
    title: &'a str,
}

/// Checks the patterns of a request.
///
/// # Errors
/// When one does not compile, or the address is none.
fn checked(request: &MapRequest) -> Result<(Url, SiteScope), ErrorBody> {
    let start = scrape::address(&request.url)
        .map_err(|error| ErrorBody::new(error.code, format!("url: {}", error.message)))?;
    let scope = SiteScope::new(&start, &request.include, &request.exclude, request.subdomains)?;
    Ok((start, scope))
}

/// Checks a request before it is stored.
///
/// # Errors
/// As [`map`], as far as that can be said without asking the site.
pub fn check(services: &AgentServices, request: &MapRequest) -> Result<(), ErrorBody> {
    checked(request)?;
    services.allow_address("url", &request.url)
}

/// Maps a site. Dropping the future stops the work.
///
/// # Errors
/// When the request cannot be used, or neither the start page nor a site map can be had.
pub async fn map(services: &AgentServices, request: &MapRequest) -> Result<SiteMap, ErrorBody> {
    let (start, scope) = checked(request)?;
    let cancel = CancellationToken::new();
    let _stop = cancel.clone().drop_guard();
    let mut mapping = Mapping {
        request,
        scope,
        fetcher: SiteFetcher { services, cancel },
        deadline: Instant::now() + TIME,
        links: Vec::new(),
        places: HashMap::new(),
        notes: Vec::new(),
        sitemaps: 0,
    };
    mapping.collect(&start).await?;
    Ok(mapping.into_map(&start))
}

fn net_error(error: net::Error) -> ErrorBody {
    let error = browser::Error::Net(error);
    ErrorBody::new(error_codes::browser_code(&error), error.to_string())
}

impl Mapping<'_> {
    async fn collect(&mut self, start: &Url) -> Result<(), ErrorBody> {
        let granted = self.fetcher.grants(start);
        let client = self.fetcher.services.client.clone();
        let robots = client
            .robots(start, granted, &self.fetcher.cancel)
            .await
            .map_err(net_error)?;
        if !robots.allows(start) {
            let text = "robots.txt forbids the start page, or cannot be read; nothing else was fetched";
            return Err(ErrorBody::new(Code::RobotsDenied, text));
        }
        let mut reader = SitemapReader::new(self.fetcher.clone(), start, &robots.sitemaps);
        let (page, failure) = match self.page(start.clone()).await {
            Ok(page) => (page, None),
            Err(error) => (None, Some(error)),
        };
        let finding = |source| Finding {
            source,
            found_in: start,
            last_modified: "",
            title: "",
        };
        if page.is_some() {
            self.add(start, &finding(AddressSource::Start));
        }
        let mut next = VecDeque::new();
        if let Some((at, page)) = &page {
            next.extend(
                self.take_links(at, page, AddressSource::Page)
                    .into_iter()
                    .map(|url| (url, 1)),
            );
            reader.add(feeds(page).into_iter());
        }
        self.sitemaps(&mut reader).await;
        if self.request.depth > 0 {
            self.walk(start, next).await;
        }
        match failure {
            Some(error) if self.links.is_empty() => Err(error),
            Some(error) => {
                self.notes
                    .push(format!("the start page was not read: {}", error.message));
                Ok(())
            }
            None => Ok(()),
        }
    }

    async fn sitemaps(&mut self, reader: &mut SitemapReader<'_>) {
        loop {
            let next = tokio::time::timeout_at(self.deadline, reader.next()).await;
            let Ok(next) = next else {
                self.notes
                    .push(format!("{} s were not enough for all site maps", TIME.as_secs()));
                break;
            };
            let Some(files) = next else { break };
            for file in files {
                let source = match file.kind {
                    ListKind::Feed => AddressSource::Feed,
                    ListKind::Pages | ListKind::Index => AddressSource::Sitemap,
                };
                for entry in &file.entries {
                    let Ok(url) = file.url.join(&entry.url) else {
                        continue;
                    };
                    let finding = Finding {
                        source,
                        found_in: &file.url,
                        last_modified: &entry.last_modified,
                        title: &entry.title,
                    };
                    self.add(&url, &finding);
                }
            }
        }
        self.sitemaps = reader.read;
        self.notes.append(&mut reader.notes);
    }

    /// Follows links, level by level, within the limits of time and pages.
    async fn walk(&mut self, start: &Url, mut next: VecDeque<(Url, u32)>) {
        let mut seen = HashSet::from([address::key(start)]);
        let mut read = 1;
        while !next.is_empty() {
            let mut level = Vec::new();
            while level.len() < AT_ONCE
                && let Some((url, depth)) = next.pop_front()
            {
                if depth < self.request.depth + 1 && seen.insert(address::key(&url)) {
                    level.push((url, depth));
                }
            }
            level.truncate(MAX_PAGES - read);
            read += level.len();
            let fetched = futures_util::future::join_all(level.into_iter().map(|(url, depth)| {
                let page = self.page(url);
                async move { (depth, page.await) }
            }));
            let Ok(fetched) = tokio::time::timeout_at(self.deadline, fetched).await else {
                self.notes.push(format!(
                    "{} s were not enough to follow all links",
                    TIME.as_secs()
                ));
                return;
            };
            for (depth, page) in fetched {
                if let Ok(Some((at, page))) = page {
                    let links = self.take_links(&at, &page, AddressSource::Walk);
                    next.extend(links.into_iter().map(|url| (url, depth + 1)));
                }
            }
        }
    }

    /// A page of the site; none when the address leads elsewhere or to something else.
    async fn page(&self, url: Url) -> Result<Option<(Url, std::sync::Arc<Page>)>, ErrorBody> {
        let mut request = self.fetcher.request(url, PAGE_TIME).map_err(net_error)?;
        request.robots = RobotsMode::Obey;
        request.pause = Some(Duration::ZERO);
        let fetched = fetch(&self.fetcher.services.client, request).await;
        let fetched =
            fetched.map_err(|error| ErrorBody::new(error_codes::browser_code(&error), error.to_string()))?;
        if let Some(status) = fetched.visit.status.filter(|status| !(200..300).contains(status)) {
            let text = format!("the site answered with status {status}");
            return Err(ErrorBody::new(Code::UpstreamError, text));
        }
        let is_inside = self.scope.is_inside(&fetched.visit.url);
        Ok(match fetched.body {
            FetchedBody::Page(page) if is_inside => Some((fetched.visit.url, page)),
            _ => None,
        })
    }

    /// Takes in the links of a page, and gives those of the site.
    fn take_links(&mut self, at: &Url, page: &Page, source: AddressSource) -> Vec<Url> {
        let mut inside = Vec::new();
        for link in page::links::links(page) {
            let finding = Finding {
                source,
                found_in: at,
                last_modified: "",
                title: &link.text,
            };
            self.add(&link.url, &finding);
            if let Ok(url) = address::clean(&link.url)
                && self.scope.is_inside(&url)
            {
                inside.push(url);
            }
        }
        inside
    }

    fn add(&mut self, url: &Url, finding: &Finding<'_>) {
        let Ok(url) = address::clean(url) else { return };
        if !self.scope.wants(&url) {
            return;
        }
        let key = address::key(&url).0;
        let told = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        if let Some(known) = self.places.get(&key).and_then(|place| self.links.get_mut(*place)) {
            // The same address without what tracks a reader.
            if url.as_str().len() < known.url.len() {
                known.url = url.into();
            }
            if !known.sources.contains(&finding.source) {
                known.sources.push(finding.source);
            }
            known.last_modified = known.last_modified.take().or_else(|| told(finding.last_modified));
            known.title = known.title.take().or_else(|| told(finding.title));
            return;
        }
        if self.links.len() >= MAX_ADDRESSES {
            let note = format!("more than {MAX_ADDRESSES} addresses; the others were not looked at");
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
            return;
        }
        self.places.insert(key, self.links.len());
        self.links.push(MappedAddress {
            url: url.into(),
            sources: vec![finding.source],
            found_in: (finding.source != AddressSource::Start).then(|| finding.found_in.to_string()),
            last_modified: told(finding.last_modified),
            title: told(finding.title),
        });
    }

    fn into_map(self, start: &Url) -> SiteMap {
        let mut links = match &self.request.search {
            Some(words) => ranked(self.links, words),
            None => self.links,
        };
        let found = links.len() as u64;
        let mut notes = self.notes;
        if found > u64::from(self.request.limit) {
            let given = self.request.limit;
            notes.push(format!(
                "{found} addresses were found, of which the first {given} are listed"
            ));
        }
        links.truncate(usize::try_from(self.request.limit).unwrap_or(usize::MAX));
        SiteMap {
            url: start.to_string(),
            links,
            found,
            sitemaps: self.sitemaps,
            notes,
        }
    }
}

/// The feeds that a page names.
fn feeds(page: &Page) -> Vec<Url> {
    let is_feed = |kind: &str| kind.contains("rss+xml") || kind.contains("atom+xml");
    let links = page.dom().by_tag("link");
    let feeds = links.filter(|link| link.attr("type").is_some_and(is_feed));
    let urls = feeds.filter_map(|link| page.absolute(link.attr("href")?));
    urls.take(MAX_FEEDS).collect()
}

/// The addresses that share words with what is searched for, those with the most first.
fn ranked(links: Vec<MappedAddress>, words: &str) -> Vec<MappedAddress> {
    let wanted: HashSet<String> = locale::words::terms(words).into_iter().collect();
    let hits = |link: &MappedAddress| {
        let text = format!("{} {}", link.title.as_deref().unwrap_or_default(), link.url);
        let words: HashSet<String> = locale::words::terms(&text).into_iter().collect();
        wanted.intersection(&words).count()
    };
    let mut ranked: Vec<(usize, MappedAddress)> = links.into_iter().map(|link| (hits(&link), link)).collect();
    ranked.retain(|(hits, _)| *hits > 0);
    ranked.sort_by_key(|(hits, link)| (std::cmp::Reverse(*hits), link.url.len()));
    ranked.into_iter().map(|(_, link)| link).collect()
}
