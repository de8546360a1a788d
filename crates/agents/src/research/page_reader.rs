//! From an address to its text: fetched politely, read as what it is, and kept.

use std::time::Duration;

use browser::fetch::{Body, Fetched};
use browser::{Profile, Warning};
use extract::rules::content;
use net::{Limits, Oversize, Request, RobotsMode};
use page::Page;
use serde::{Deserialize, Serialize};
use url::Url;
use wire::Code;
use wire::research::UrlSource;

use super::context::ResearchContext;
use super::state::{OutgoingLink, PageCandidate};
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::scrape::{load, load_error};

/// Most bytes of text kept of one page.
const TEXT: usize = 60_000;
/// Most bytes of one page that are fetched.
const BODY: usize = 8 * 1024 * 1024;
/// What one page may take beyond the time that its server is given.
const BEYOND: Duration = Duration::from_secs(90);
/// Most links remembered of one page.
const LINKS: usize = 60;
/// Less text than this is no article: then the whole page is read.
const SHORT: usize = 200;

/// What came of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PageRead {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) links: Vec<OutgoingLink>,
    pub(crate) cached: bool,
    /// Why there is no text.
    pub(crate) error: Option<(Code, String)>,
}

/// Reads a page, once in the life of the run. A page that cannot be read is an answer, too.
///
/// # Errors
/// When the run is over.
pub(crate) async fn read(
    context: &ResearchContext<'_>,
    candidate: &PageCandidate,
) -> Result<PageRead, Cancelled> {
    if let Some(text) = &candidate.text {
        return Ok(PageRead {
            url: candidate.url.to_string(),
            title: candidate.title.clone(),
            text: cut(text),
            links: Vec::new(),
            cached: true,
            error: None,
        });
    }
    let key = format!("page {}", candidate.url);
    let read = context
        .memos
        .once(key, context.run.until_cancelled(fetched(context, candidate)))
        .await?;
    context.count(|it| {
        it.fetches += 1;
        it.fetched += u32::from(read.error.is_none());
        it.cached_fetches += u32::from(read.cached);
        let blocked = read
            .error
            .as_ref()
            .is_some_and(|(code, _)| *code == Code::RobotsDenied);
        it.robots_blocked += u32::from(blocked);
    });
    Ok(read)
}

async fn fetched(context: &ResearchContext<'_>, candidate: &PageCandidate) -> PageRead {
    let fetch_timeout = context.fetch_timeout();
    // The fetch_timeout is for the server. Waiting for one's turn at its host, and reading what came, take their own time.
    let whole = fetch_timeout + BEYOND;
    let late = || {
        let text = format!("the page did not come within {} s", whole.as_secs());
        Err((Code::NavigationTimeout, text))
    };
    let outcome = tokio::time::timeout(whole, Box::pin(fetch(context, candidate, fetch_timeout)))
        .await
        .unwrap_or_else(|_| late());
    outcome.unwrap_or_else(|error| PageRead {
        url: candidate.url.to_string(),
        title: candidate.title.clone(),
        text: String::new(),
        links: Vec::new(),
        cached: false,
        error: Some(error),
    })
}

async fn fetch(
    context: &ResearchContext<'_>,
    candidate: &PageCandidate,
    fetch_timeout: Duration,
) -> Result<PageRead, (Code, String)> {
    let url = &candidate.url;
    let of_web = |error: browser::Error| (error_codes::browser_code(&error), error.to_string());
    let profile = Profile {
        granted: context.services.granted.clone(),
        fresh: context.request.nocache,
        robots: robots(candidate.found),
        patience: fetch_timeout,
        cancel: context.run.cancel_signal().token().clone(),
        ..Profile::default()
    };
    let mut request = Request::get(url.clone());
    request.robots = profile.robots;
    request.no_cache = profile.fresh;
    request.granted = profile.grants(url);
    request.cancel = profile.cancel.clone();
    request.limits = Some(Limits {
        total: fetch_timeout,
        body_bytes: BODY,
        oversize: Oversize::Cut,
        attempts: 2,
        ..context.services.client.limits().clone()
    });
    let Fetched {
        mut visit,
        body,
        from_cache,
        ..
    } = browser::fetch::fetch(&context.services.client, request)
        .await
        .map_err(of_web)?;
    let told = |it: wire::scrape::ScrapeError| (it.code, it.message);
    let text = match body {
        Body::Pdf(bytes) => {
            let unreadable = |why: String| (Code::UnsupportedContent, why);
            let Some(reader) = &context.services.documents else {
                return Err(unreadable(Warning::NotAPage.text().to_owned()));
            };
            let document = reader
                .read(bytes)
                .await
                .map_err(|error| unreadable(error.to_string()))?;
            let title = Some(document.title.clone()).filter(|it| !it.is_empty());
            let title = title.unwrap_or_else(|| candidate.title.clone());
            return done(
                visit.url.to_string(),
                title,
                &document.text(),
                Vec::new(),
                from_cache,
            );
        }
        Body::Text(text) => Some(text),
        Body::Page(page) => {
            if let Some(error) = load_error(&visit, url.as_str()) {
                return Err(told(error));
            }
            let mut page = page;
            if visit.warnings.contains(&Warning::ScriptsNeeded) && context.services.browser.name() != "http" {
                let (drawn, opened) = load(context.services, profile, url, false)
                    .await
                    .map_err(of_web)?;
                (visit, page) = (drawn, opened.page);
            }
            // PageAnalysis is pure computing, and takes longer than a thread that serves others should be kept.
            let reading = tokio::task::spawn_blocking(move || text_and_links(&page));
            let broken = |_| (Code::Internal, "reading the page failed".to_owned());
            let (text, links) = reading.await.map_err(broken)?;
            return done(visit.url.to_string(), visit.title, &text, links, from_cache);
        }
        Body::Xml(_) | Body::Json(_) | Body::Binary(_) | Body::Empty => None,
    };
    if let Some(error) = load_error(&visit, url.as_str()) {
        return Err(told(error));
    }
    let none = || {
        (
            Code::UnsupportedContent,
            "the address leads to a file that is no text".to_owned(),
        )
    };
    done(
        visit.url.to_string(),
        visit.title,
        &text.ok_or_else(none)?,
        Vec::new(),
        from_cache,
    )
}

fn done(
    url: String,
    title: String,
    text: &str,
    links: Vec<OutgoingLink>,
    cached: bool,
) -> Result<PageRead, (Code, String)> {
    let text = cut(text);
    if text.trim().is_empty() {
        return Err((Code::EmptyContent, "there is nothing to read on the page".into()));
    }
    Ok(PageRead {
        url,
        title,
        text,
        links,
        cached,
        error: None,
    })
}

/// Whoever names a page wants it; what the program finds by itself obeys robots.txt.
fn robots(found: UrlSource) -> RobotsMode {
    match found {
        UrlSource::UserInput => RobotsMode::Ignore,
        UrlSource::SearchResult | UrlSource::ExtractedLink => RobotsMode::Obey,
    }
}

fn cut(text: &str) -> String {
    text.get(..text.floor_char_boundary(TEXT))
        .unwrap_or_default()
        .to_owned()
}

/// The text of a page's main content, and where that content leads.
pub(crate) fn text_and_links(page: &Page) -> (String, Vec<OutgoingLink>) {
    let found = content::find(page);
    let mut text = content::text(page, &found);
    let roots: Vec<_> = found.roots.iter().map(|root| page.dom().node(*root)).collect();
    if text.len() < SHORT {
        let whole = page::text::render(page.dom().body().unwrap_or(page.dom().root()), &found.skip);
        if whole.len() > text.len() {
            text = whole;
        }
    }
    let own = page.url().map(net::canonical);
    let mut seen = std::collections::HashSet::new();
    let links = roots.iter().flat_map(|root| page::links::links_in(page, *root));
    let links = links
        .filter(|link| matches!(link.url.scheme(), "http" | "https") && link.text.chars().count() > 3)
        .filter(|link| {
            let canonical = net::canonical(&link.url);
            Some(&canonical) != own.as_ref() && seen.insert(canonical)
        })
        .take(LINKS)
        .map(|link| OutgoingLink {
            url: link.url.to_string(),
            words: link.text.chars().take(160).collect(),
        })
        .collect();
    (text, links)
}

/// The text of a page as research reads it: its main content, or all of it where there is little.
pub fn page_text(page: &Page) -> String {
    text_and_links(page).0
}

/// The addresses that a text names.
pub(crate) fn addresses(text: &str) -> Vec<Url> {
    let mut found: Vec<Url> = Vec::new();
    for word in text.split_whitespace() {
        let Some(at) = word.find("http://").or_else(|| word.find("https://")) else {
            continue;
        };
        let bare = word.get(at..).unwrap_or_default();
        let bare = bare.trim_end_matches([
            '.', ',', ';', ':', '!', '?', ')', ']', '}', '>', '"', '\'', '”', '’', '»',
        ]);
        if let Ok(url) = Url::parse(bare)
            && url.has_host()
            && !found.contains(&url)
        {
            found.push(url);
        }
    }
    found
}
