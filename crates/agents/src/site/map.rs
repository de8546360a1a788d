//! The map of a site: addresses from site maps, feeds and links, without reading the pages.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use browser::fetch::{FetchedBody, fetch};
use net::{CancellationToken, RobotsMode};
use page::Page;
use page::sitemap::ListKind;
use tokio::time::Instant;
use url::Url;
use wire::Code;
use wire::error::ErrorBody;
use wire::frontier::AddressKey;
use wire::site::{AddressSource, MapRequest, MappedAddress, SiteMap};

use super::address;
use super::fetch::SiteFetcher;
use super::scope::SiteScope;
use super::sitemaps::{SitemapFile, SitemapReader, is_passing, may_pass};
use crate::error_codes;
use crate::scrape;
use crate::services::AgentServices;

/// Longest time for all site maps and for following links, once the start page was read.
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
    fetcher: SiteFetcher<'a>,
    deadline: Instant,
    found: AddressList,
    notes: Vec<String>,
    sitemaps: u64,
    /// Why a part of the site is not in the map although it may be there.
    gap: Option<String>,
}

/// A page that could not be had.
struct PageFailure {
    error: ErrorBody,
    /// Whether it may be there later.
    may_pass: bool,
}

/// The addresses of a site that were found so far. Adding to it is computing that takes long on a large page, so that it goes
/// to a thread that may compute, and comes back.
struct AddressList {
    scope: Arc<SiteScope>,
    links: Vec<MappedAddress>,
    places: HashMap<[u8; 16], usize>,
    /// Whether addresses were left out, because there are too many.
    is_cut: bool,
}

/// The pages whose links are followed, in the order in which they were found; each address once, and no more than are read.
struct PageQueue {
    waiting: VecDeque<(Url, u32)>,
    known: HashSet<AddressKey>,
    /// How many links lie between the start page and the last pages that are read.
    depth: u32,
    /// Whether pages were left out, because there are too many.
    is_cut: bool,
}

impl PageQueue {
    /// The queue behind the start page, which has been read.
    fn new(start: &Url, depth: u32) -> Self {
        Self {
            waiting: VecDeque::new(),
            known: HashSet::from([address::key(start)]),
            depth,
            is_cut: false,
        }
    }

    /// Adds the links of a page, which are at that depth.
    fn add(&mut self, links: Vec<Url>, depth: u32) {
        if depth > self.depth {
            return;
        }
        for url in links {
            let key = address::key(&url);
            if self.known.contains(&key) {
                continue;
            }
            if self.known.len() >= MAX_PAGES {
                self.is_cut = true;
                return;
            }
            self.known.insert(key);
            self.waiting.push_back((url, depth));
        }
    }

    /// The pages that are read next, all at once.
    fn take(&mut self) -> Vec<(Url, u32)> {
        let count = self.waiting.len().min(AT_ONCE);
        self.waiting.drain(..count).collect()
    }
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
    let (map, _) = map_with_gap(services, request).await?;
    Ok(map)
}

/// Maps a site whose site maps and start page can be read now, so that what is not in its map is not there.
///
/// # Errors
/// As [`map`], and when a part could not be read for a reason that may pass.
pub(crate) async fn whole_map(services: &AgentServices, request: &MapRequest) -> Result<SiteMap, ErrorBody> {
    match map_with_gap(services, request).await? {
        (map, None) => Ok(map),
        (_, Some(gap)) => {
            let text = format!("a part of the site was not read, and what it lists is not known: {gap}");
            Err(ErrorBody::new(Code::TaskExecutionFailed, text))
        }
    }
}

/// Maps a site. The second value says why a part is left out that may be there.
async fn map_with_gap(
    services: &AgentServices,
    request: &MapRequest,
) -> Result<(SiteMap, Option<String>), ErrorBody> {
    let (start, scope) = checked(request)?;
    let cancel = CancellationToken::new();
    let _stop = cancel.clone().drop_guard();
    let mut mapping = Mapping {
        request,
        fetcher: SiteFetcher { services, cancel },
        deadline: Instant::now() + TIME,
        found: AddressList::new(Arc::new(scope)),
        notes: Vec::new(),
        sitemaps: 0,
        gap: None,
    };
    mapping.collect(&start).await?;
    let gap = mapping.gap.take();
    Ok((mapping.into_map(&start).await?, gap))
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
        let mut queue = PageQueue::new(start, self.request.depth);
        if let Some((at, page)) = page {
            let finding = Finding {
                source: AddressSource::Start,
                found_in: start,
                last_modified: "",
                title: "",
            };
            self.found.add(start, &finding);
            reader.add(feeds(&page).into_iter());
            queue.add(self.take_links(at, page, AddressSource::Page).await?, 1);
        }
        self.sitemaps(&mut reader).await?;
        self.walk(queue).await?;
        match failure {
            Some(failure) if self.found.links.is_empty() => Err(failure.error),
            Some(failure) => {
                let note = format!("the start page was not read: {}", failure.error.message);
                if failure.may_pass {
                    self.miss(note.clone());
                }
                self.notes.push(note);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Notes why a part of the site is not in the map although it may be there.
    fn miss(&mut self, reason: String) {
        self.gap.get_or_insert(reason);
    }

    async fn sitemaps(&mut self, reader: &mut SitemapReader<'_>) -> Result<(), ErrorBody> {
        loop {
            let next = tokio::time::timeout_at(self.deadline, reader.next()).await;
            let Ok(next) = next else {
                let note = format!("{} s were not enough for all site maps", TIME.as_secs());
                self.miss(note.clone());
                self.notes.push(note);
                break;
            };
            let Some(files) = next else { break };
            let add = move |found: &mut AddressList| {
                files.iter().for_each(|file| found.add_file(file));
            };
            self.compute(add).await?;
        }
        self.sitemaps = reader.read;
        if let Some(url) = reader.missed.take() {
            self.miss(format!("{url} cannot be had now"));
        }
        self.notes.append(&mut reader.notes);
        Ok(())
    }

    /// Follows links, level by level, within the limits of time and pages.
    async fn walk(&mut self, mut queue: PageQueue) -> Result<(), ErrorBody> {
        loop {
            let pages = queue.take();
            if pages.is_empty() {
                break;
            }
            let fetched = futures_util::future::join_all(pages.into_iter().map(|(url, depth)| {
                let page = self.page(url);
                async move { (depth, page.await) }
            }));
            let Ok(fetched) = tokio::time::timeout_at(self.deadline, fetched).await else {
                self.notes.push(format!(
                    "{} s were not enough to follow all links",
                    TIME.as_secs()
                ));
                break;
            };
            // One link that is never answered does not make the whole site unknown.
            for (depth, page) in fetched {
                if let Ok(Some((at, page))) = page {
                    let links = self.take_links(at, page, AddressSource::Walk).await?;
                    queue.add(links, depth + 1);
                }
            }
        }
        if queue.is_cut {
            self.notes.push(format!(
                "the links of {MAX_PAGES} pages were followed; there are more"
            ));
        }
        Ok(())
    }

    /// Works on the addresses on a thread that may compute.
    async fn compute<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut AddressList) -> T + Send + 'static,
    ) -> Result<T, ErrorBody> {
        let mut found = self.found.take();
        let done = tokio::task::spawn_blocking(move || {
            let done = work(&mut found);
            (found, done)
        });
        let (found, done) = done.await.map_err(|_| unexpected_fault())?;
        self.found = found;
        Ok(done)
    }

    /// A page of the site; none when the address leads elsewhere or to something else.
    async fn page(&self, url: Url) -> Result<Option<(Url, Arc<Page>)>, PageFailure> {
        let failed = |error: browser::Error| PageFailure {
            may_pass: matches!(&error, browser::Error::Net(error) if may_pass(error)),
            error: ErrorBody::new(error_codes::browser_code(&error), error.to_string()),
        };
        let request = self.fetcher.request(url, PAGE_TIME);
        let mut request = request.map_err(|error| failed(error.into()))?;
        request.robots = RobotsMode::Obey;
        request.pause = Some(Duration::ZERO);
        let fetched = fetch(&self.fetcher.services.client, request).await;
        let fetched = fetched.map_err(failed)?;
        if let Some(status) = fetched.visit.status.filter(|status| !(200..300).contains(status)) {
            let text = format!("the site answered with status {status}");
            return Err(PageFailure {
                error: ErrorBody::new(Code::UpstreamError, text),
                may_pass: is_passing(status),
            });
        }
        let is_inside = self.found.scope.is_inside(&fetched.visit.url);
        Ok(match fetched.body {
            FetchedBody::Page(page) if is_inside => Some((fetched.visit.url, page)),
            _ => None,
        })
    }

    /// Takes in the links of a page, and gives those of the site.
    async fn take_links(
        &mut self,
        at: Url,
        page: Arc<Page>,
        source: AddressSource,
    ) -> Result<Vec<Url>, ErrorBody> {
        self.compute(move |found| found.add_links(&at, &page, source))
            .await
    }

    async fn into_map(mut self, start: &Url) -> Result<SiteMap, ErrorBody> {
        let search = self.request.search.clone();
        let links = self.compute(move |found| match search {
            Some(words) => ranked(std::mem::take(&mut found.links), &words),
            None => std::mem::take(&mut found.links),
        });
        let mut links = links.await?;
        let found = links.len() as u64;
        let mut notes = self.notes;
        if self.found.is_cut {
            notes.push(format!(
                "more than {MAX_ADDRESSES} addresses; the others were not looked at"
            ));
        }
        if found > u64::from(self.request.limit) {
            let given = self.request.limit;
            notes.push(format!(
                "{found} addresses were found, of which the first {given} are listed"
            ));
        }
        links.truncate(usize::try_from(self.request.limit).unwrap_or(usize::MAX));
        Ok(SiteMap {
            url: start.to_string(),
            links,
            found,
            sitemaps: self.sitemaps,
            notes,
        })
    }
}

fn unexpected_fault() -> ErrorBody {
    ErrorBody::new(Code::Internal, "mapping the site met an unexpected fault")
}

impl AddressList {
    fn new(scope: Arc<SiteScope>) -> Self {
        Self {
            scope,
            links: Vec::new(),
            places: HashMap::new(),
            is_cut: false,
        }
    }

    /// The list, which leaves an empty one in its place.
    fn take(&mut self) -> Self {
        let empty = Self::new(Arc::clone(&self.scope));
        std::mem::replace(self, empty)
    }

    /// Adds the links of a page. Gives those of the site, each once.
    fn add_links(&mut self, at: &Url, page: &Page, source: AddressSource) -> Vec<Url> {
        let mut inside = Vec::new();
        let mut known = HashSet::new();
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
                && known.insert(address::key(&url))
            {
                inside.push(url);
            }
        }
        inside
    }

    fn add_file(&mut self, file: &SitemapFile) {
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
            self.is_cut = true;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(numbers: impl Iterator<Item = usize>) -> Vec<Url> {
        let url = |number| format!("https://a.example/{number}").parse();
        numbers.filter_map(|number| url(number).ok()).collect()
    }

    #[test]
    fn a_queue_holds_each_page_once_and_no_more_than_are_read() {
        let start: Url = "https://a.example/".parse().expect("an address");
        let mut queue = PageQueue::new(&start, 2);
        queue.add(urls([1, 2, 1].into_iter()), 1);
        queue.add(vec![start], 1);
        queue.add(urls([3].into_iter()), 3);
        assert_eq!((queue.waiting.len(), queue.is_cut), (2, false));
        assert_eq!(queue.take().len(), 2);
        queue.add(urls((1..10_000).chain(1..10_000)), 2);
        assert_eq!((queue.waiting.len(), queue.is_cut), (MAX_PAGES - 3, true));
    }

    #[test]
    fn the_links_of_a_page_are_given_each_once() {
        let start: Url = "https://a.example/".parse().expect("an address");
        let scope = SiteScope::new(&start, &[], &[], false).expect("a scope");
        let links: String = (0..3000)
            .map(|at| format!("<a href='/{}'>link</a>", at % 1000))
            .collect();
        let mut found = AddressList::new(Arc::new(scope));
        let page = Page::new(links, Some(start.clone()));
        let inside = found.add_links(&start, &page, AddressSource::Walk);
        assert_eq!((found.links.len(), inside.len()), (1000, 1000));
        let mut queue = PageQueue::new(&start, 1);
        queue.add(inside, 1);
        assert!(queue.is_cut);
    }
}
