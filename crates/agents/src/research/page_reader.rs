//! Fetching a page and reading its text.

use std::sync::Arc;
use std::time::Duration;

use browser::fetch::{Fetched, FetchedBody};
use browser::{PageWarning, Profile, Visit};
use bytes::Bytes;
use extract::rules::content;
use net::{Limits, Oversize, Request, RobotsMode};
use page::Page;
use page::dom::Node;
use serde::{Deserialize, Serialize};
use url::Url;
use wire::Code;
use wire::research::UrlSource;

use super::context::ResearchContext;
use super::state::{OutgoingLink, PageCandidate};
use crate::cancel::Cancelled;
use crate::error_codes;
use crate::scrape::{load, load_error, status_error};

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
    pub(crate) error: Option<PageError>,
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
        .once(key, context.run.until_cancelled(read_in_time(context, candidate)))
        .await?;
    context.count(|counters| {
        counters.fetches += 1;
        counters.fetched += u32::from(read.error.is_none());
        counters.cached_fetches += u32::from(read.cached);
        let blocked = read
            .error
            .as_ref()
            .is_some_and(|(code, _)| *code == Code::RobotsDenied);
        counters.robots_blocked += u32::from(blocked);
    });
    Ok(read)
}

/// Reads a page within the time of its mode. Waiting for one's turn at its host, and reading what came, take their own
/// time beyond that of its server.
async fn read_in_time(context: &ResearchContext<'_>, candidate: &PageCandidate) -> PageRead {
    let server_time = context.fetch_timeout();
    let limit = server_time + BEYOND;
    let outcome = tokio::time::timeout(limit, Box::pin(fetch(context, candidate, server_time))).await;
    let outcome = outcome.unwrap_or_else(|_| {
        let text = format!("the page did not come within {} s", limit.as_secs());
        Err((Code::NavigationTimeout, text))
    });
    outcome.unwrap_or_else(|error| PageRead {
        url: candidate.url.to_string(),
        title: candidate.title.clone(),
        text: String::new(),
        links: Vec::new(),
        cached: false,
        error: Some(error),
    })
}

/// Why a page gave no text, for clients.
type PageError = (Code, String);

fn browser_error(error: browser::Error) -> PageError {
    (error_codes::browser_code(&error), error.to_string())
}

async fn fetch(
    context: &ResearchContext<'_>,
    candidate: &PageCandidate,
    server_time: Duration,
) -> Result<PageRead, PageError> {
    let url = &candidate.url;
    let cancel = context.run.cancel_signal().token().clone();
    let profile = Profile {
        patience: server_time,
        ..context.services.profile(cancel, robots(candidate.found))
    };
    let is_named = matches!(candidate.found, UrlSource::UserInput);
    if context.wants_browser() {
        let loaded = load(context.services, profile, url, is_named, false).await;
        let (visit, loaded) = loaded.map_err(browser_error)?;
        check(context, url, &visit, &loaded.page)?;
        return read_page(visit, loaded.page, false).await;
    }
    let request = request(context, &profile, url).map_err(|error| browser_error(error.into()))?;
    let fetched = browser::fetch::fetch(&context.services.client, request)
        .await
        .map_err(browser_error)?;
    if matches!(fetched.body, FetchedBody::Document(_) | FetchedBody::Pdf(_))
        && let Some(error) = status_error(&fetched.visit, url.as_str())
    {
        return Err((error.code, error.message));
    }
    if matches!(fetched.body, FetchedBody::Document(_)) {
        return read_document(context, fetched).await;
    }
    let Fetched {
        visit,
        body,
        from_cache,
        ..
    } = fetched;
    let address = visit.url.to_string();
    match body {
        FetchedBody::Pdf(bytes) => {
            let (title, text) = read_pdf(context, bytes).await?;
            let title = if title.is_empty() {
                candidate.title.clone()
            } else {
                title
            };
            page_read(address, title, &text, Vec::new(), from_cache)
        }
        FetchedBody::Page(page) => {
            let (visit, page) = with_scripts(context, profile, (url, is_named), visit, page).await?;
            read_page(visit, page, from_cache).await
        }
        FetchedBody::Text(_)
        | FetchedBody::Xml(_)
        | FetchedBody::Json(_)
        | FetchedBody::Document(_)
        | FetchedBody::Binary(_)
        | FetchedBody::Empty => {
            if let Some(error) = load_error(&visit, url.as_str()) {
                return Err((error.code, error.message));
            }
            match body {
                FetchedBody::Text(text) => page_read(address, visit.title, &text, Vec::new(), from_cache),
                _ => Err((
                    Code::UnsupportedContent,
                    "the address leads to a file that is no text".to_owned(),
                )),
            }
        }
    }
}

/// The text of a page that was opened, and where it leads.
async fn read_page(visit: Visit, page: Arc<Page>, from_cache: bool) -> Result<PageRead, PageError> {
    // Reading is pure computing, and takes longer than a thread that serves others should be kept.
    let reading = tokio::task::spawn_blocking(move || text_and_links(&page));
    let broken = |_| (Code::Internal, "reading the page failed".to_owned());
    let (text, links) = reading.await.map_err(broken)?;
    page_read(visit.url.to_string(), visit.title, &text, links, from_cache)
}

fn request(context: &ResearchContext<'_>, profile: &Profile, url: &Url) -> Result<Request, net::Error> {
    let limits = Limits {
        body_bytes: BODY,
        oversize: Oversize::Cut,
        attempts: 2,
        ..context.services.client.limits().clone()
    };
    profile.prepare(Request::get(url.clone()), &limits)
}

/// The title and the text of a PDF document.
async fn read_pdf(context: &ResearchContext<'_>, bytes: Bytes) -> Result<(String, String), PageError> {
    let unreadable = |reason: String| (Code::UnsupportedContent, reason);
    let Some(sandbox) = &context.services.sandbox else {
        return Err(unreadable(PageWarning::NotAPage.text().into_owned()));
    };
    let document = sandbox::pdf::read(sandbox, bytes)
        .await
        .map_err(|error| unreadable(error.to_string()))?;
    Ok((document.title.clone(), document.text()))
}

/// An office document or a book.
async fn read_document(context: &ResearchContext<'_>, fetched: Fetched) -> Result<PageRead, PageError> {
    let Some(sandbox) = &context.services.sandbox else {
        return Err((
            Code::UnsupportedContent,
            PageWarning::NotAPage.text().into_owned(),
        ));
    };
    let file = browser::fetch::read_file(sandbox, &fetched)
        .await
        .map_err(browser_error)?;
    let Some(file) = file else {
        return Err((
            Code::UnsupportedContent,
            PageWarning::NotAPage.text().into_owned(),
        ));
    };
    let visit = Visit {
        title: file.title,
        ..fetched.visit
    };
    read_page(visit, file.page, fetched.from_cache).await
}

/// Refuses a page that shows a login which is no more, or that failed.
fn check(context: &ResearchContext<'_>, url: &Url, visit: &Visit, page: &Page) -> Result<(), PageError> {
    let login = context.services.login_error(url, visit, page);
    let login = login.map(|error| (error.code, error.message));
    let failed = || load_error(visit, url.as_str()).map(|error| (error.code, error.message));
    login.or_else(failed).map_or(Ok(()), Err)
}

/// The page, loaded again in a browser where it needs scripts and there is one.
async fn with_scripts(
    context: &ResearchContext<'_>,
    profile: Profile,
    (url, is_named): (&Url, bool),
    visit: Visit,
    page: Arc<Page>,
) -> Result<(Visit, Arc<Page>), PageError> {
    check(context, url, &visit, &page)?;
    if !visit.warnings.contains(&PageWarning::ScriptsNeeded) || context.services.browser.name() == "http" {
        return Ok((visit, page));
    }
    let (visit, loaded) = load(context.services, profile, url, is_named, false)
        .await
        .map_err(browser_error)?;
    check(context, url, &visit, &loaded.page)?;
    Ok((visit, loaded.page))
}

fn page_read(
    url: String,
    title: String,
    text: &str,
    links: Vec<OutgoingLink>,
    cached: bool,
) -> Result<PageRead, PageError> {
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
    let roots: Vec<_> = found.roots.iter().map(|root| page.dom().node(*root)).collect();
    let mut text = without_pointers(page, &roots, content::text(page, &found));
    if text.len() < SHORT {
        let mut skip = found.skip.clone();
        for beside in page.dom().nodes().filter(|node| is_beside_content(*node)) {
            skip.insert(beside.id());
        }
        let body = page.dom().body().unwrap_or(page.dom().root());
        let whole = without_pointers(page, &[body], page::text::render(body, &skip));
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

/// Whether an element holds what stands beside the content of its page: navigation, side columns, headers and footers.
fn is_beside_content(node: Node<'_>) -> bool {
    let role = node.attr("role").unwrap_or_default();
    matches!(node.tag(), "nav" | "aside" | "footer" | "header" | "form")
        || matches!(
            role,
            "navigation" | "complementary" | "banner" | "contentinfo" | "search"
        )
}

/// A text without the lines that are nothing but a link: teasers point to what other pages say. A page of links keeps
/// them.
fn without_pointers(page: &Page, roots: &[Node<'_>], text: String) -> String {
    let links = roots.iter().flat_map(|root| page::links::links_in(page, *root));
    let pointers: std::collections::HashSet<String> = links
        .map(|link| locale::collapse_whitespace(&link.text))
        .filter(|words| !words.is_empty())
        .collect();
    let is_statement = |line: &&str| !pointers.contains(&locale::collapse_whitespace(line));
    let lines: Vec<&str> = text.lines().filter(is_statement).collect();
    let kept = lines.join("\n");
    match kept.len() >= SHORT {
        true => kept,
        false => text,
    }
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
        if let Ok(url) = Url::parse(without_punctuation(word.get(at..).unwrap_or_default()))
            && url.has_host()
            && !found.contains(&url)
        {
            found.push(url);
        }
    }
    found
}

/// Most signs behind an address that are taken off.
const MOST_BEHIND: usize = 32;

/// An address without what belongs to the text around it: punctuation, and brackets that it does not open itself.
fn without_punctuation(mut address: &str) -> &str {
    let closes_more = |address: &str, opening: char, closing: char| {
        address.matches(closing).count() > address.matches(opening).count()
    };
    for _ in 0..MOST_BEHIND {
        let Some(last) = address.chars().next_back() else {
            break;
        };
        let is_outside = match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '>' | '"' | '\'' | '”' | '’' | '»' => true,
            ')' => closes_more(address, '(', ')'),
            ']' => closes_more(address, '[', ']'),
            '}' => closes_more(address, '{', '}'),
            _ => false,
        };
        if !is_outside {
            break;
        }
        address = address.strip_suffix(last).unwrap_or_default();
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_keep_the_brackets_that_they_open() {
        let found = |text: &str| addresses(text).into_iter().map(String::from).collect::<Vec<_>>();
        for (text, address) in [
            (
                "Summarise https://wiki.example/Mercury_(planet)",
                "https://wiki.example/Mercury_(planet)",
            ),
            (
                "(see https://wiki.example/Mercury_(planet)).",
                "https://wiki.example/Mercury_(planet)",
            ),
            ("Read (https://a.example/x), then stop", "https://a.example/x"),
            ("[it](https://a.example/x)!", "https://a.example/x"),
            ("\"https://a.example/x?y=[1]\".", "https://a.example/x?y=[1]"),
        ] {
            assert_eq!(found(text), [address], "{text}");
        }
    }

    #[test]
    fn teasers_and_side_columns_are_no_text_of_a_page() {
        let body = "The Quern mill is 22 metres tall and stands by the river Aln, where Anna Holt built it in 1822. ".repeat(4);
        let html = format!(
            "<body><nav><a href=/a>Home of all mills</a></nav><article><h1>The mill</h1><p>{body}</p>\
             <p><a href=/b>Ten mills that burned down last year</a></p></article>\
             <aside><p>A baker from Holm has won the lottery twice.</p></aside></body>"
        );
        let text = page_text(&Page::new(html, Some("https://mills.example/".parse().unwrap())));
        assert!(text.contains("22 metres tall"), "{text}");
        assert!(
            !text.contains("burned down") && !text.contains("lottery"),
            "{text}"
        );
        let short = "<body><aside><p>A baker from Holm has won the lottery twice.</p></aside><main><p>The mill by the river is tall, and has been so for two hundred years.</p></main></body>";
        let text = page_text(&Page::new(short.to_owned(), None));
        assert!(text.contains("tall") && !text.contains("lottery"), "{text}");
    }
}
