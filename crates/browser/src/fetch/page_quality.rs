//! Page quality: bot walls, soft 404 pages, and pages that stay empty without their scripts.

use net::Response;
use page::Page;
use page::dom::Node;

use super::script_need;
use crate::browser::PageWarning;

/// The title, on one line.
pub(crate) fn title(page: &Page) -> String {
    let title = page.dom().by_tag("title").find(|node| node.is_html());
    title
        .map(|node| node.raw_text().split_whitespace().collect::<Vec<_>>().join(" "))
        .unwrap_or_default()
}

/// Most bytes of visible text of a page that is a bot wall or a soft 404.
const SHORT_TEXT: usize = 1500;

/// What the response itself says about the page.
pub(crate) struct ResponseFacts {
    /// The status.
    pub(crate) status: u16,
    /// Whether its headers say that it is a bot challenge.
    pub(crate) is_challenge: bool,
}

impl ResponseFacts {
    pub(super) fn of(response: &Response) -> ResponseFacts {
        ResponseFacts {
            status: response.status.as_u16(),
            is_challenge: response.header("cf-mitigated") == Some("challenge")
                || response.headers.contains_key("x-amzn-waf-action"),
        }
    }
}

pub(crate) fn warnings(page: &Page, title: &str, facts: &ResponseFacts) -> Vec<PageWarning> {
    let mut warnings = Vec::new();
    let body = page.dom().body();
    let text = body.map(Node::text).unwrap_or_default();
    let short = text.len() < SHORT_TEXT;
    let status = facts.status;
    if is_bot_wall(page, title, &text, short, facts) {
        warnings.push(PageWarning::BotWall);
    } else if status == 200 && short && is_not_found(page, title) {
        warnings.push(PageWarning::SoftNotFound);
    }
    let is_empty = text.trim().is_empty() && !has_visual_content(page);
    if script_need::needs_scripts(page) {
        warnings.push(PageWarning::ScriptsNeeded);
    } else if is_empty {
        warnings.push(PageWarning::Empty);
    }
    warnings
}

/// Addresses and names that only the bot protection of large hosters puts into pages.
const BOT_WALL_MARKS: &[&str] = &[
    "/cdn-cgi/challenge-platform/h/",
    "cf-chl-",
    "captcha-delivery.com",
    "_Incapsula_Resource",
    "px-captcha",
    "/_sec/cp_challenge",
    "awswaf.com",
    "geo.captcha-delivery",
    "perimeterx.net",
];

/// Titles and sentences of bot walls. They count only on a page with little text.
const BOT_WALL_PHRASES: &[&str] = &[
    "just a moment...",
    "attention required! | cloudflare",
    "verify you are human",
    "verify you are a human",
    "verifying you are human",
    "are you a robot",
    "are you a human",
    "not a robot",
    "pardon our interruption",
    "checking your browser",
    "unusual traffic",
    "automated access",
    "automated queries",
    "bot detection",
    "security check to access",
    "please complete the security check",
    "enable javascript and cookies to continue",
    "access to this page has been denied",
    "request unsuccessful. incapsula",
];

fn is_bot_wall(page: &Page, title: &str, text: &str, short: bool, facts: &ResponseFacts) -> bool {
    if facts.is_challenge {
        return true;
    }
    if !short {
        return false;
    }
    let refused = matches!(facts.status, 401 | 403 | 405 | 429 | 503);
    let lower = text.to_lowercase();
    let title = title.to_lowercase();
    let words = BOT_WALL_PHRASES
        .iter()
        .any(|word| title.contains(word) || lower.contains(word));
    // A site may load such a script on every page, so a mark counts only with a status that refuses.
    words || (refused && BOT_WALL_MARKS.iter().any(|mark| page.html().contains(mark)))
}

/// Phrases for "not found" in titles and headings.
const NOT_FOUND_PHRASES: &[&str] = &[
    "page not found",
    "not found",
    "404",
    "page doesn't exist",
    "page does not exist",
    "page can't be found",
    "page cannot be found",
    "page isn't available",
    "no longer available",
    "seite nicht gefunden",
    "nicht gefunden",
    "page introuvable",
    "página no encontrada",
    "pagina non trovata",
    "página não encontrada",
    "pagina niet gevonden",
    "nie znaleziono",
    "nie istnieje",
    "sidan hittades inte",
    "siden ble ikke funnet",
    "siden blev ikke fundet",
    "sivua ei löytynyt",
    "stránka nenalezena",
    "страница не найдена",
    "ページが見つかりません",
    "页面不存在",
    "找不到页面",
    "페이지를 찾을 수 없습니다",
    "sayfa bulunamadı",
];

fn is_not_found(page: &Page, title: &str) -> bool {
    let heading = page.dom().by_tag("h1").next().map(Node::text).unwrap_or_default();
    [title, heading.as_str()].iter().any(|title| {
        let title = title.to_lowercase();
        // A long headline may report about something that was not found.
        title.chars().count() <= 60 && NOT_FOUND_PHRASES.iter().any(|words| has_words(&title, words))
    })
}

/// Whether the text contains the words as words: "404" is not in "14045".
fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|tail| tail.chars().next());
        let inner = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        !inner(before) && !inner(after)
    })
}

/// Whether the page has visible content other than text.
fn has_visual_content(page: &Page) -> bool {
    [
        "img", "svg", "video", "iframe", "input", "canvas", "frame", "object", "embed",
    ]
    .iter()
    .any(|tag| page.dom().by_tag(tag).next().is_some())
}
