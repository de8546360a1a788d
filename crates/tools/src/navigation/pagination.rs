//! Pagination: next links, page numbers, URL parameters, load-more buttons.

use std::collections::HashSet;
use std::sync::Arc;

use browser::{Ref, Snapshot};
use extract::rules::pagination::{self, PageLinks};
use page::Page;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::controls::element::{parse_selector, select_first};
use crate::controls::interaction;
use crate::controls::snapshot_search::{is_usable, take_snapshot, text_of};
use crate::controls::ui_words::{MORE, NEXT, fold, has};
use crate::{Error, Tool, ToolContext};

/// The tool `navigation.pagination`.
pub struct NavigationPagination;

#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    max_pages: usize,
    next_selector: Option<String>,
    strategy: String,
    wait_ms: u64,
}

#[derive(Serialize)]
pub struct Output {
    pages_visited: usize,
    urls: Vec<String>,
    stopped_reason: String,
    strategy: Option<&'static str>,
}

/// How to get to the next page.
enum NextPage {
    Visit(Url, &'static str),
    Click(Ref, &'static str),
}

/// Names of a page's number in addresses.
const PAGE_KEYS: &[&str] = &[
    "page",
    "p",
    "pg",
    "strona",
    "seite",
    "pagina",
    "página",
    "pageno",
    "page_no",
    "pagenumber",
    "paged",
];

impl Tool for NavigationPagination {
    type Params = Params;
    type Output = Output;

    async fn run(&self, params: Params, context: &mut ToolContext) -> Result<Output, Error> {
        let mut pages = vec![context.page().await?];
        let mut urls: Vec<String> = context.url().iter().map(Url::to_string).collect();
        let has_scripts = !context.lacks_scripts();
        let mut seen: HashSet<String> = context
            .url()
            .iter()
            .map(|url| address_of(url, has_scripts))
            .collect();
        let mut used = None;
        let stopped = loop {
            if urls.len() >= params.max_pages {
                break "max_pages".to_owned();
            }
            let Some(now) = pages.last().cloned() else {
                break "no_page".to_owned();
            };
            let Some(next) = next_page(context, &now, &params, urls.len(), used).await? else {
                break "last_page".to_owned();
            };
            let strategy = match next {
                NextPage::Visit(url, strategy) => {
                    if !seen.insert(address_of(&url, has_scripts)) {
                        break "loop".to_owned();
                    }
                    let back = context.url();
                    let visit = context.goto(&url).await?;
                    let page = context.page().await?;
                    // The address may lead on to one that was read.
                    let address = address_of(&visit.url, has_scripts);
                    if address != address_of(&url, has_scripts) && !seen.insert(address) {
                        if let Some(back) = back {
                            context.goto(&back).await?;
                        }
                        break "loop".to_owned();
                    }
                    // Beyond the last page an address answers with nothing, or with a page that was seen.
                    if !visit.is_ok()
                        || (strategy == "url_param" && (is_same(&now, &page) || is_bare(&now, &page)))
                    {
                        if let Some(back) = back {
                            context.goto(&back).await?;
                        }
                        break if visit.is_ok() {
                            "last_page".to_owned()
                        } else {
                            format!("status {}", visit.status.unwrap_or_default())
                        };
                    }
                    pages.push(page);
                    strategy
                }
                NextPage::Click(target, strategy) => {
                    let back = context.url();
                    let click = interaction::click_ref(context, target).await;
                    if let (Err(Error::Web(browser::Error::NotCapable(missing))), true) =
                        (&click, urls.len() > 1)
                    {
                        context.warn(missing.to_string());
                        break "needs_scripts".to_owned();
                    }
                    click?;
                    interaction::wait_until_quiet(context, params.wait_ms).await?;
                    let page = context.page().await?;
                    if is_same(&now, &page) {
                        break "no_change".to_owned();
                    }
                    let came_to = context.url().filter(|url| Some(url) != back.as_ref());
                    let is_known_address = came_to
                        .as_ref()
                        .is_some_and(|url| !seen.insert(address_of(url, has_scripts)));
                    if is_known_address || pages.iter().any(|earlier| is_same(earlier, &page)) {
                        if let (Some(_), Some(back)) = (came_to, back) {
                            context.goto(&back).await?;
                        }
                        break "loop".to_owned();
                    }
                    // What grows in place is one page.
                    if strategy == "load_more" && page.dom().len() > now.dom().len() {
                        pages.pop();
                    }
                    pages.push(page);
                    strategy
                }
            };
            used = Some(strategy);
            urls.push(context.url().map(|it| it.to_string()).unwrap_or_default());
        };
        let output = Output {
            pages_visited: urls.len(),
            urls,
            stopped_reason: stopped,
            strategy: used,
        };
        context.keep_walk(pages);
        Ok(output)
    }
}

/// An address as that of a page that was read. A part behind `#` names another page only where scripts may show one.
fn address_of(url: &Url, has_scripts: bool) -> String {
    let mut url = url.clone();
    if !has_scripts {
        url.set_fragment(None);
    }
    url.to_string()
}

/// Finds the next page. The strategy that worked once is tried first from then on.
async fn next_page(
    context: &mut ToolContext,
    now: &Arc<Page>,
    params: &Params,
    visited: usize,
    used: Option<&str>,
) -> Result<Option<NextPage>, Error> {
    if let Some(css) = &params.next_selector {
        let selector = parse_selector("next_selector", css)?;
        if visited == 1 && select_first("next_selector", now.dom().root(), &selector)?.is_none() {
            return Err(Error::param("next_selector", "nothing on the page matches it"));
        }
        let target = context.tab().await?.find(css).await?.first().copied();
        let snapshot = take_snapshot(context).await?;
        let usable = target.filter(|it| snapshot.find(*it).is_some_and(is_usable));
        let Some(usable) = usable else { return Ok(None) };
        // Without scripts, all that a click on a link does is to go where it leads.
        let link = select_first("next_selector", now.dom().root(), &selector)?
            .filter(|_| context.lacks_scripts())
            .filter(|node| node.is("a"))
            .and_then(|link| now.absolute(link.attr("href")?))
            .filter(|url| matches!(url.scheme(), "http" | "https"));
        return Ok(Some(match link {
            Some(url) => NextPage::Visit(url, "selector"),
            None => NextPage::Click(usable, "selector"),
        }));
    }
    let links = pagination::links(now);
    let asked = used.unwrap_or(params.strategy.as_str());
    let asked = if used.is_some() && params.strategy == "auto" && asked != "url_param" {
        "auto"
    } else {
        asked
    };
    let snapshot = take_snapshot(context).await?;
    let by_next = || next_link(&links, now).map(|it| NextPage::Visit(it, "next"));
    let by_number = || next_number(&links, now, visited).map(|it| NextPage::Visit(it, "numbered"));
    let by_button = || button(&snapshot, &NEXT, &["›", "»", "→", ">"]).map(|it| NextPage::Click(it, "next"));
    let by_number_button = || number_button(&snapshot, visited + 1).map(|it| NextPage::Click(it, "numbered"));
    let by_more = || button(&snapshot, &MORE, &[]).map(|it| NextPage::Click(it, "load_more"));
    let by_more_link = || more_link(now).map(|it| NextPage::Visit(it, "load_more"));
    let by_address =
        |forced: bool| next_address(now, visited, forced).map(|it| NextPage::Visit(it, "url_param"));
    Ok(match asked {
        "next" => by_next().or_else(by_button),
        "numbered" => by_number().or_else(by_number_button),
        "load_more" => by_more_link().or_else(by_more),
        "url_param" => by_address(true),
        _ => by_more_link()
            .or_else(by_next)
            .or_else(by_number)
            .or_else(by_more)
            .or_else(by_button)
            .or_else(by_number_button)
            .or_else(|| by_address(false)),
    })
}

fn next_link(links: &PageLinks, now: &Page) -> Option<Url> {
    links.onward().filter(|it| Some(*it) != now.url()).cloned()
}

/// The link to the number after the present one.
fn next_number(links: &PageLinks, now: &Page, visited: usize) -> Option<Url> {
    let in_address = now.url().and_then(number_of);
    let current = in_address.or_else(|| u32::try_from(visited).ok())?;
    links
        .numbered
        .iter()
        .find(|it| it.0 == current + 1)
        .map(|it| it.1.clone())
}

/// The number of the page in an address.
fn number_of(url: &Url) -> Option<u32> {
    url.query_pairs()
        .find(|it| is_page_key(&it.0))
        .and_then(|it| it.1.parse().ok())
}

fn is_page_key(key: &str) -> bool {
    PAGE_KEYS.contains(&key.to_ascii_lowercase().as_str())
}

/// The present address with the number after its own; without any, only when it was asked for.
fn next_address(now: &Page, visited: usize, forced: bool) -> Option<Url> {
    let mut url = now.url()?.clone();
    let pairs: Vec<(String, String)> = url
        .query_pairs()
        .map(|it| (it.0.into_owned(), it.1.into_owned()))
        .collect();
    let place = pairs
        .iter()
        .position(|it| is_page_key(&it.0) && it.1.parse::<u32>().is_ok());
    let mut pairs = pairs;
    match place.and_then(|it| pairs.get_mut(it)) {
        Some(pair) => pair.1 = (pair.1.parse::<u32>().ok()?.checked_add(1)?).to_string(),
        None if forced => pairs.push(("page".to_owned(), (visited + 1).to_string())),
        None => return None,
    }
    url.query_pairs_mut().clear().extend_pairs(pairs);
    Some(url)
}

/// A link that loads more of the list at another address.
fn more_link(now: &Page) -> Option<Url> {
    let matches_words = |link: &page::links::Link| {
        link.text.chars().count() <= 30
            && MORE
                .iter()
                .filter(|it| **it != "more")
                .any(|word| fold(&link.text).contains(&fold(word)))
    };
    let link = page::links::links(now)
        .into_iter()
        .find(|it| matches_words(it) && it.url.path() == now.url().map(Url::path).unwrap_or_default())?;
    (Some(&link.url) != now.url()).then_some(link.url)
}

fn button(snapshot: &Snapshot, words: &[&str], signs: &[&str]) -> Option<Ref> {
    let matches_words = |at: usize| {
        let text = text_of(snapshot, at);
        let short = text.chars().count() <= 30;
        let folded = fold(&text);
        short
            && (signs.contains(&text.trim())
                || words
                    .iter()
                    .any(|it| it.contains(' ') && folded.contains(&fold(it)))
                || has(&folded, words))
    };
    let mut buttons = snapshot
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, it)| it.role == "button" && is_usable(it));
    // The one below the list is meant.
    buttons
        .rfind(|(at, _)| matches_words(*at))
        .and_then(|it| it.1.target)
}

/// A button that is a page's number, among others of its kind.
fn number_button(snapshot: &Snapshot, wanted: usize) -> Option<Ref> {
    let number = |at: usize| {
        let text = text_of(snapshot, at);
        let digits = text
            .split_whitespace()
            .last()
            .and_then(|it| it.parse::<usize>().ok());
        digits.filter(|_| text.chars().count() <= 20)
    };
    let numbered: Vec<(usize, Ref)> = snapshot
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, it)| matches!(it.role.as_str(), "button" | "link") && is_usable(it))
        .filter_map(|(at, it)| Some((number(at)?, it.target?)))
        .collect();
    (numbered.len() > 1).then_some(())?;
    numbered.iter().find(|it| it.0 == wanted).map(|it| it.1)
}

fn is_same(before: &Page, after: &Page) -> bool {
    let text = |page: &Page| page.dom().body().map(|it| it.text()).unwrap_or_default();
    before.dom().len() == after.dom().len() && text(before) == text(after)
}

/// Whether a page has lost nearly all of what the page before had.
fn is_bare(before: &Page, after: &Page) -> bool {
    after.dom().len() * 3 < before.dom().len()
}
