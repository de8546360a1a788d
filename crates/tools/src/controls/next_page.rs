//! The way from one page of a list to the next: links, numbers, addresses, buttons, scrolling.

use browser::{Capability, Ref, Snapshot};
use extract::rules::pagination::{self, PageLinks};
use extract::rules::rows;
use extract::rules::visible_page::VisiblePage;
use page::Page;
use url::Url;

use crate::ToolContext;
use crate::controls::element::{parse_selector, select_first};
use crate::controls::interaction::has_own_scripts;
use crate::controls::snapshot_search::{is_usable, take_snapshot, text_of};
use crate::controls::ui_words::{MORE, NEXT, fold, has};
use crate::error::Error;

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

/// Most buttons with the words for "next" that a list has: one above it and one below.
const MOST_NEXT: usize = 2;

/// How to get to the next page.
pub(crate) enum NextPage {
    Visit(Url, &'static str),
    /// A click on an element with this text.
    Click(Ref, &'static str, String),
    /// A scroll to the end of a page whose list may grow.
    Scroll,
}

impl NextPage {
    /// Where the next page is, in words that follow "the list goes on".
    pub(crate) fn place(&self) -> String {
        match self {
            NextPage::Visit(url, "url_param") => format!("at {url}, if that page exists"),
            NextPage::Visit(url, _) => format!("at {url}"),
            NextPage::Click(_, _, text) => format!("behind the button {text:?}"),
            NextPage::Scroll => "when the page is scrolled".to_owned(),
        }
    }
}

/// The rules by which a caller wants the next page found.
pub(crate) struct NextPageSearch<'s> {
    /// A selector of the element that leads on.
    pub(crate) selector: Option<&'s str>,
    /// `auto`, `next`, `numbered`, `url_param` or `load_more`.
    pub(crate) strategy: &'s str,
}

/// Finds the next page of the list of which `visited` pages are read. The strategy that worked once is tried first from then on.
///
/// # Errors
/// When the tab fails, or a selector cannot be used.
pub(crate) async fn next_page(
    context: &mut ToolContext,
    now: &Page,
    search: &NextPageSearch<'_>,
    visited: usize,
    used: Option<&str>,
) -> Result<Option<NextPage>, Error> {
    if let Some(css) = search.selector {
        return by_selector(context, now, css, visited).await;
    }
    let links = pagination::links(now);
    let asked = match used {
        Some("url_param") if search.strategy == "auto" => "url_param",
        _ => search.strategy,
    };
    let snapshot = take_snapshot(context).await?;
    let by_next = || next_link(&links, now).map(|url| NextPage::Visit(url, "next"));
    let by_number = || next_number(&links, now, visited).map(|url| NextPage::Visit(url, "numbered"));
    let by_button = || {
        let (target, text) = button(&snapshot, &NEXT, &["›", "»", "→", ">"])?;
        Some(NextPage::Click(target, "next", text))
    };
    let by_number_button = || {
        let target = number_button(&snapshot, visited + 1)?;
        Some(NextPage::Click(target, "numbered", (visited + 1).to_string()))
    };
    let by_more = || {
        let (target, text) = button(&snapshot, &MORE, &[])?;
        Some(NextPage::Click(target, "load_more", text))
    };
    let by_more_link = || more_link(now).map(|url| NextPage::Visit(url, "load_more"));
    let by_address =
        |forced: bool| next_address(now, visited, forced).map(|url| NextPage::Visit(url, "url_param"));
    let found = match asked {
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
            .or_else(|| by_address(false).filter(|_| matches!(used, None | Some("url_param")))),
    };
    // A list that was walked by links or buttons ends with them: no address is guessed behind its last page.
    let may_scroll = search.strategy == "auto" && matches!(used, None | Some("scroll"));
    match found {
        None if may_scroll && can_grow(context, now).await? => Ok(Some(NextPage::Scroll)),
        found => Ok(found),
    }
}

/// The element that a selector of the caller matches. A list of one page has none, and so has the last page of any list.
async fn by_selector(
    context: &mut ToolContext,
    now: &Page,
    css: &str,
    visited: usize,
) -> Result<Option<NextPage>, Error> {
    let selector = parse_selector("next_selector", css)?;
    if visited == 1 && select_first("next_selector", now.dom().root(), &selector)?.is_none() {
        context.warn(format!(
            "nothing on the page matches {css}, which leads to the next page: the list is taken to end with this page"
        ));
        return Ok(None);
    }
    let target = context.tab().await?.find(css).await?.first().copied();
    let snapshot = take_snapshot(context).await?;
    let usable = target.filter(|target| snapshot.find(*target).is_some_and(is_usable));
    let Some(usable) = usable else { return Ok(None) };
    // Without scripts, all that a click on a link does is to go where it leads.
    let link = select_first("next_selector", now.dom().root(), &selector)?
        .filter(|_| context.lacks_scripts())
        .filter(|node| node.is("a"))
        .and_then(|link| now.absolute(link.attr("href")?))
        .filter(|url| matches!(url.scheme(), "http" | "https"));
    Ok(Some(match link {
        Some(url) => NextPage::Visit(url, "selector"),
        None => NextPage::Click(usable, "selector", css.to_owned()),
    }))
}

/// Whether the tab can scroll and the page has scripts that may load more.
async fn can_grow(context: &mut ToolContext, now: &Page) -> Result<bool, Error> {
    Ok(has_own_scripts(now) && context.tab().await?.can(Capability::Scroll).is_ok())
}

/// Where the list of the present page goes on, in words that follow "the list goes on": at the address of a link, or behind a
/// button below its last entry. `None` where nothing leads on.
pub async fn onward(context: &mut ToolContext) -> Option<String> {
    let page = context.page().await.ok()?;
    if let Some(url) = pagination::links(&page).onward() {
        return Some(format!("at {url}"));
    }
    let rows = rows::read(&VisiblePage::of(&page));
    let last = rows.iter().rev().find_map(|row| row.title.as_deref())?;
    let last = fold(last);
    let snapshot = take_snapshot(context).await.ok()?;
    let is_last = |at: usize| {
        snapshot
            .nodes
            .get(at)
            .is_some_and(|node| fold(&node.name).contains(&last))
    };
    let end = (0..snapshot.nodes.len()).rev().find(|at| is_last(*at))?;
    let below = |at: usize| at > end;
    let more = button_at(&snapshot, &MORE, &[], &below);
    let next = || {
        // Galleries have such buttons, too, and more of them than a list has.
        let known = (0..snapshot.nodes.len()).filter(|at| is_button(&snapshot, *at, &NEXT, &[]));
        (known.count() <= MOST_NEXT).then(|| button_at(&snapshot, &NEXT, &[], &below))?
    };
    let (_, text) = more.or_else(next)?;
    Some(format!("behind the button {text:?}"))
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

/// The last usable button with one of the words or signs, and its text: the one below the list is meant.
fn button(snapshot: &Snapshot, words: &[&str], signs: &[&str]) -> Option<(Ref, String)> {
    button_at(snapshot, words, signs, &|_| true)
}

/// The same among the buttons at some places of the snapshot.
fn button_at(
    snapshot: &Snapshot,
    words: &[&str],
    signs: &[&str],
    is_there: &dyn Fn(usize) -> bool,
) -> Option<(Ref, String)> {
    let at = (0..snapshot.nodes.len())
        .rev()
        .find(|at| is_there(*at) && is_button(snapshot, *at, words, signs))?;
    let target = snapshot.nodes.get(at)?.target?;
    Some((target, text_of(snapshot, at).trim().to_owned()))
}

/// Whether an element is a usable button with one of the words or signs.
fn is_button(snapshot: &Snapshot, at: usize, words: &[&str], signs: &[&str]) -> bool {
    let is_one = snapshot
        .nodes
        .get(at)
        .is_some_and(|node| node.role == "button" && is_usable(node));
    if !is_one {
        return false;
    }
    let text = text_of(snapshot, at);
    let folded = fold(&text);
    let has_phrase = || {
        words
            .iter()
            .any(|word| word.contains(' ') && folded.contains(&fold(word)))
    };
    let is_short = text.chars().count() <= 30;
    is_short && (signs.contains(&text.trim()) || has_phrase() || has(&folded, words))
}

/// A button that is a page's number, among others of its kind.
fn number_button(snapshot: &Snapshot, wanted: usize) -> Option<Ref> {
    let number = |at: usize| {
        let text = text_of(snapshot, at);
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let number = words.pop()?.parse::<usize>().ok()?;
        // "Page 2" is one, and "Model 2" an entry of the list.
        let is_page = words.is_empty() || words.iter().any(|word| is_page_key(word));
        (is_page && text.chars().count() <= 20).then_some(number)
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
