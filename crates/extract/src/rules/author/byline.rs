//! Bylines: who wrote a page, from what the page shows near its title.

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use page::Page;
use page::dom::{Edge, Node, NodeId};

use super::super::answers;
use super::super::replies;
use super::super::visible_page::squeeze;
use super::super::vocabulary::REVIEWS;
use super::names::{self, names};
use crate::provenance::{FieldSource, Sourced};

/// Longer texts are no bylines.
pub(super) const MAX_TEXT: usize = 140;
/// An element with more nodes than this is no byline.
const MAX_NODES: usize = 40;
/// Elements after the title within which a byline is the page's.
pub(super) const NEAR: usize = 120;
/// Elements after the title within which a byline is most likely the page's.
const NEAREST: usize = 30;
/// Elements after the title that stand right below it.
const BELOW: usize = 4;

/// Fewest people that write on a page of which none wrote all of it.
const SEVERAL: usize = 3;

/// The author that the page shows, best marked first. Who writes far below the title is one of several, unless the page `is_thread`.
pub(super) fn read(page: &Page, is_thread: bool) -> Option<Sourced<String>> {
    let body = page.dom().body()?;
    let mut best: Option<AuthorCandidate> = None;
    let mut since_title: Option<usize> = None;
    let title = page
        .dom()
        .by_tag("h1")
        .find(|node| !node.text().is_empty())
        .map(Node::id);
    let mut skip: Option<Node<'_>> = None;
    // The last short text, which may say what the next one is.
    let mut label = "";
    let mut is_asked = false;
    let mut far: Vec<String> = Vec::new();
    let mut is_best_far = false;
    for edge in body.traverse() {
        let node = match edge {
            Edge::Open(node) => node,
            Edge::Close(node) => {
                if skip == Some(node) {
                    skip = None;
                }
                continue;
            }
        };
        if skip.is_some() {
            continue;
        }
        if let Some(text) = node.text_value() {
            if keep_best(&mut best, in_text(node, text, label, since_title, title)) {
                is_best_far = is_far(since_title);
            }
            if !text.trim().is_empty() {
                label = if text.trim().len() <= 30 { text.trim() } else { "" };
            }
            continue;
        }
        if !node.is_element() {
            continue;
        }
        if let Some(since) = &mut since_title {
            *since += 1;
        }
        if node.is("h1") && since_title.is_none_or(|since| since > 40) {
            since_title = Some(0);
        }
        let class_names = format!("{} {}", node.class(), node.id_attr()).to_ascii_lowercase();
        let holds_title = title.is_some_and(|title| node.id() < title && title < node.end());
        is_asked |= answers::is_question(node);
        let is_answer = is_asked && answers::is_answer(node);
        let is_hidden = node.is_hidden_by_attribute();
        // A small element right behind the title is no teaser of another page, whatever its template is called.
        let is_below_title = since_title.is_some_and(|since| since <= BELOW) && is_small(node);
        let is_elsewhere = if is_below_title && class_names.contains("teaser") {
            is_elsewhere(node, &class_names.replace("teaser", ""))
        } else {
            is_elsewhere(node, &class_names)
        };
        let is_elsewhere =
            is_elsewhere && !is_end_of_article(node, title) && !is_meta_line(node, since_title, title);
        if !holds_title && (is_answer || is_hidden || is_elsewhere) {
            skip = Some(node);
            continue;
        }
        let signed = signed_below_title(page, node, since_title);
        for candidate in in_element(node, &class_names, since_title)
            .into_iter()
            .chain([signed])
        {
            if let Some((_, found)) = candidate.as_ref().filter(|_| is_far(since_title))
                && far.len() < SEVERAL
                && !far.contains(&found.value)
            {
                far.push(found.value.clone());
            }
            if keep_best(&mut best, candidate) {
                is_best_far = is_far(since_title);
            }
        }
    }
    // Who stands beside the title wrote the page, also where a box at its foot names them once more.
    let is_one_of_several =
        |name: &String| is_best_far && far.len() >= SEVERAL && far.contains(name) && !is_thread;
    best.map(|(_, found)| found)
        .filter(|found| !is_one_of_several(&found.value))
}

/// Whether an element stands so far below the title that its author need not be that of the page.
fn is_far(since_title: Option<usize>) -> bool {
    since_title.is_some_and(|since| since > NEAR)
}

/// Whether an element is a small one that lays out a line: neither a list nor a menu.
fn is_small(node: Node<'_>) -> bool {
    matches!(node.tag(), "div" | "p" | "span" | "section")
        && node.end().index() - node.id().index() <= MAX_NODES
        && !node
            .descendants()
            .any(|inner| matches!(inner.tag(), "li" | "h2" | "h3" | "h4"))
}

/// Whether an element at the side is the short line behind the title, in the same article, that says who wrote it and when.
fn is_meta_line(node: Node<'_>, since_title: Option<usize>, title: Option<NodeId>) -> bool {
    let holds_title =
        |around: Node<'_>| title.is_some_and(|title| around.id() < title && title < around.end());
    node.is("aside")
        && since_title.is_some_and(|since| since <= BELOW)
        && node.end().index() - node.id().index() <= 2 * MAX_NODES
        && node
            .ancestors()
            .any(|around| matches!(around.tag(), "article" | "main") && holds_title(around))
}

/// Whether an element is the short last line of the article that holds the title, in which some blogs say who posted it.
fn is_end_of_article(node: Node<'_>, title: Option<NodeId>) -> bool {
    let is_called_so = |class: &str| {
        ["article-footer", "entry-footer", "post-footer"]
            .iter()
            .any(|name| class.ends_with(name))
    };
    let holds_title =
        |around: Node<'_>| title.is_some_and(|title| around.id() < title && title < around.end());
    (node.is("footer") || node.classes().any(is_called_so))
        && node.end().index() - node.id().index() <= MAX_NODES
        && node
            .ancestors()
            .any(|around| around.is("article") && holds_title(around))
}

/// Most elements around a name that hold nothing else.
pub(super) const MOST_AROUND: usize = 3;

/// An author and how surely it is one.
type AuthorCandidate = (i32, Sourced<String>);

/// The author in a text that begins as bylines do or follows a label such as "written by".
fn in_text(
    node: Node<'_>,
    text: &str,
    label: &str,
    since_title: Option<usize>,
    title: Option<NodeId>,
) -> Option<AuthorCandidate> {
    let sure = if names::is_written_by(label) {
        Some(34)
    } else {
        is_byline(text).then_some(30)
    };
    // Some texts name their author at their end.
    let at_end = || {
        let is_told = is_headed_by_author(node, text)
            || names::is_written_by(label)
                && node
                    .ancestors()
                    .take(4)
                    .any(|around| is_end_of_article(around, title));
        (since_title.is_some() && is_told).then_some(-10)
    };
    let weight = sure? + title_bonus(since_title).or_else(at_end)?;
    let parent = node.parent()?;
    if is_in_running_text(node) || is_in_sentence(node, text) {
        return None;
    }
    let found = names_from(text, FieldSource::selector(css(parent)))?;
    // Without a mark in the page a word in small letters is a topic.
    let is_marked = || self::weight(parent, &parent.class().to_ascii_lowercase()).is_some();
    (!found.value.starts_with(char::is_lowercase) || is_marked()).then_some((weight, found))
}

/// Whether a text stands within a paragraph of running text, and not at the beginning of a line of it: "in clubs <a>…</a> von A und B".
fn is_in_running_text(node: Node<'_>) -> bool {
    let before = std::iter::once(node)
        .chain(node.ancestors().take_while(|around| !around.is_block()))
        .find_map(|inline| {
            let mut before = inline.siblings_before();
            before.find(|sibling| sibling.is_element() || !sibling.text().trim().is_empty())
        });
    let is_behind_text = before.is_some_and(|before| !before.is("br") && !before.is_block());
    let block = node.ancestors().find(|around| around.is_block());
    is_behind_text && block.is_some_and(|block| block.text().len() > 2 * MAX_TEXT)
}

/// Whether a text goes on from a link before it to a link behind it, with words in small letters between a comma and that link: "wears a
/// <a>scarf</a> by Barbour, with a <a>lead</a>".
fn is_in_sentence(node: Node<'_>, text: &str) -> bool {
    let is_linked = |sibling: Option<Node<'_>>| sibling.is_some_and(|sibling| sibling.is("a"));
    let behind = text.rsplit(',').next().unwrap_or_default();
    let is_small = !behind.trim().is_empty()
        && behind
            .split_whitespace()
            .all(|word| word.starts_with(char::is_lowercase));
    text.contains(',')
        && is_small
        && is_linked(node.siblings_before().next())
        && is_linked(node.next_sibling())
}

/// Whether a text is a heading such as "Written by Jane Doe".
fn is_headed_by_author(node: Node<'_>, text: &str) -> bool {
    let in_heading = node
        .parent()
        .is_some_and(|parent| matches!(parent.tag(), "h2" | "h3" | "h4" | "h5"));
    in_heading
        && ["Written by", "Author:", "Autor:"]
            .iter()
            .any(|start| text.trim().starts_with(start))
}

/// The authors in the attributes and in the text of an element.
fn in_element(node: Node<'_>, class_names: &str, since_title: Option<usize>) -> [Option<AuthorCandidate>; 2] {
    let bonus = title_bonus(since_title).unwrap_or(-15);
    let attribute = node.attr("data-author").or(node.attr("author"));
    let named = attribute
        .and_then(|name| names_from(name, FieldSource::selector(format!("{}[data-author]", css(node)))));
    let marked = || {
        let weight = weight(node, class_names)?;
        let is_small = node.end().index() - node.id().index() <= MAX_NODES;
        let text = is_small
            .then(|| byline_text(node))
            .filter(|text| text.len() <= MAX_TEXT)?;
        Some((
            weight + bonus,
            names_from(&text, FieldSource::selector(css(node)))?,
        ))
    };
    [named.map(|found| (40 + bonus, found)), marked()]
}

/// Parts of addresses, below which each of those who write for an institute or a paper has a page, and others have, too.
const STAFF_PATHS: [&str; 20] = [
    "autoren",
    "autores",
    "autori",
    "autorzy",
    "auteurs",
    "bio",
    "bios",
    "columnist",
    "columnists",
    "editors",
    "expert",
    "experts",
    "fellows",
    "journalists",
    "redaktion",
    "reporters",
    "scholars",
    "staff",
    "team",
    "writers",
];
/// Most names of people of the site on a page that one of them wrote; a page with more is about them.
const MOST_SIGNED: usize = 3;
/// Fewest and most words of a whole name.
const WORDS_OF_NAME: std::ops::RangeInclusive<usize> = 2..=4;

/// Whether an address is that of a page below one of [`STAFF_PATHS`].
fn leads_to_staff(address: &str) -> bool {
    let path = address.split(['?', '#']).next().unwrap_or(address);
    let mut parts = path.trim_end_matches('/').rsplit('/').skip(1).take(2);
    parts.any(|part| STAFF_PATHS.contains(&part))
}

/// The whole name that a link to the page of somebody of the site says, where its block says nothing else.
fn name_of_staff(link: Node<'_>) -> Option<String> {
    link.attr("href").filter(|href| leads_to_staff(href))?;
    let text = squeeze(&link.text());
    let block = link.ancestors().find(|around| around.is_block())?;
    let is_whole = WORDS_OF_NAME.contains(&text.split_whitespace().count())
        && names::is_shown_name(&text)
        && text.chars().all(|c| c.is_alphabetic() || " .'’-".contains(c));
    (is_whole && squeeze(&block.text()) == text).then_some(text)
}

/// The one of a few people of the site who is named and linked right below the title.
fn signed_below_title(page: &Page, node: Node<'_>, since_title: Option<usize>) -> Option<AuthorCandidate> {
    let since = since_title.filter(|since| node.is("a") && *since <= NEAREST)?;
    let bonus = title_bonus(Some(since))?;
    let name = name_of_staff(node)?;
    let links = page.dom().by_tag("a");
    let mut all: Vec<String> = links.filter_map(name_of_staff).take(10 * MOST_SIGNED).collect();
    all.sort_unstable();
    all.dedup();
    let found = names_from(&name, FieldSource::selector(css(node)))?;
    (all.len() <= MOST_SIGNED).then_some((34 + bonus, found))
}

/// Whether the next candidate takes the place of the best one. Of equals the first stays.
fn keep_best(best: &mut Option<AuthorCandidate>, next: Option<AuthorCandidate>) -> bool {
    let is_better = next
        .as_ref()
        .is_some_and(|next| best.as_ref().is_none_or(|best| next.0 > best.0));
    if is_better {
        *best = next;
    }
    is_better
}

fn title_bonus(since_title: Option<usize>) -> Option<i32> {
    match since_title? {
        0..=NEAREST => Some(15),
        31..=NEAR => Some(5),
        _ => None,
    }
}

/// The text of a byline up to the end of its names: what stands in an element of its own behind a whole name is the author's
/// role or the next fact, unless a comma or an "and" leads on.
pub(super) fn byline_text(node: Node<'_>) -> String {
    let mut out = String::new();
    let mut linked: Option<Node<'_>> = None;
    let pieces = node
        .descendants()
        .filter(|inner| !inner.ancestors().take(4).any(Node::is_hidden_by_tag));
    for text in pieces {
        let Some(piece) = text.text_value() else { continue };
        let words = piece.trim();
        if words.is_empty() {
            continue;
        }
        // A linked name of one word ends where another block begins.
        let is_apart = linked.is_some_and(|link| is_in_other_block(text, link));
        let ends_name = names(&out)
            .first()
            .is_some_and(|name| name.contains(' ') || is_apart);
        let leads_on = |text: &str| {
            let text = text.trim_matches(char::is_whitespace);
            matches!(
                text.to_lowercase().as_str(),
                "and" | "&" | "und" | "et" | "y" | "i" | "e"
            ) || [',', ';', '&', '|', '(', '-', '–', '•', '·', '/']
                .iter()
                .any(|mark| text.starts_with(*mark))
                || text.starts_with("and ")
        };
        let is_led = out.ends_with([',', '&', ';']) || out.ends_with(" and") || out.ends_with(" und");
        if ends_name && !leads_on(words) && !is_led {
            break;
        }
        if !out.is_empty() && !words.starts_with([',', ';']) {
            out.push(' ');
        }
        out.push_str(words);
        linked = text.ancestors().take(MOST_AROUND).find(|around| around.is("a"));
    }
    squeeze(&out)
}

/// Whether a text stands in a block that a link before it does not stand in.
fn is_in_other_block(text: Node<'_>, link: Node<'_>) -> bool {
    let block = text.ancestors().find(|around| around.is_block());
    block.is_some_and(|block| !link.is_inside(block.id()))
}

fn names_from(text: &str, source: FieldSource) -> Option<Sourced<String>> {
    let mut names = names(text);
    names.retain(|name| names::is_shown_name(name));
    (!names.is_empty()).then(|| Sourced::new(names.join(", "), source))
}

/// Class names of the parts of a page that name other authors.
#[rustfmt::skip]
const ELSEWHERE: &[&str] = &[
    "comment", "related", "recent", "sidebar", "widget", "footer", "menu", "submenu", "mainmenu", "popular", "teaser",
    "testimonial", "quote", "breadcrumb", "localeoption", "locale-", "language-switch", "language-select", "language-picker",
];

/// What a maker of pages calls each of their parts, also the text.
const PAGE_PART: &str = "elementor-widget";

/// Whether an element belongs to comments, footers, menus or lists of other pages.
pub(super) fn is_elsewhere(node: Node<'_>, class_names: &str) -> bool {
    let own = if class_names.contains(PAGE_PART) {
        Cow::Owned(class_names.replace(PAGE_PART, ""))
    } else {
        Cow::Borrowed(class_names)
    };
    matches!(
        node.tag(),
        "footer" | "nav" | "aside" | "script" | "style" | "noscript" | "form"
    ) || begins_words_of_elsewhere(&own)
        && !class_names.contains("no-comment")
        && !node.is("body")
        && !node.is("article")
        && !node.is("main")
}

/// [`ELSEWHERE`] and [`REVIEWS`] as one search, for the names of every element are asked.
static ELSEWHERE_SEARCH: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(ELSEWHERE.iter().chain(REVIEWS)).ok());

/// Whether one of those words stands in class names with no letter before it.
fn begins_words_of_elsewhere(class_names: &str) -> bool {
    let begins = |at: usize| !class_names.get(..at).unwrap_or("").ends_with(char::is_alphabetic);
    ELSEWHERE_SEARCH.as_ref().is_some_and(|search| {
        let mut found = search.find_overlapping_iter(class_names);
        found.any(|word| begins(word.start()))
    })
}

/// Class names of what stands about an author beside the name, such as a box about the author or a picture.
#[rustfmt::skip]
const NOT_NAMES: &[&str] = &[
    "author-bio", "author_bio", "authorbio", "author-desc", "author-image", "author-avatar", "author-social",
    "author-title", "author-job", "about-author", "author-box",
];
/// Class names of who wrote last.
#[rustfmt::skip]
const LAST: &[&str] = &["lastcomment", "last-comment", "lastpost", "last-post", "last_post"];
/// Class names of the name of an author.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "author-name", "author_name", "authorname", "author__name", "byline-name", "byline__name", "byline__author",
    "post-author", "entry-author", "article-author", "article__author", "author-box__name", "author-box-name",
];
/// Class names of bylines.
#[rustfmt::skip]
const BYLINES: &[&str] = &[
    "author", "byline", "autor", "written-by", "writtenby", "writer", "auteur",
];
/// Class names of the author of a post.
#[rustfmt::skip]
const POSTERS: &[&str] = &[
    "username", "user-name", "poster", "post-user", "postuser", "creator",
];
/// Parts of addresses of the pages of authors.
#[rustfmt::skip]
const AUTHOR_PATHS: &[&str] = &[
    "/author/", "/authors/", "/autor/", "/writer/", "/contributor/", "/people/", "/profile/",
];

/// How surely an element is marked as the author, by its attributes and its class names in lower case.
fn weight(node: Node<'_>, class_names: &str) -> Option<i32> {
    let named = |words: &[&str]| words.iter().any(|word| class_names.contains(word));
    let attribute_has = |name: &str, words: &[&str]| {
        let value = node.attr(name).unwrap_or("");
        value.split_ascii_whitespace().any(|word| words.contains(&word))
    };
    if attribute_has("itemprop", &["author", "creator"]) {
        // Who wrote an opinion on a thing did not write the page.
        return (!replies::is_in_opinion(node)).then_some(60);
    }
    if attribute_has("rel", &["author"]) {
        return Some(58);
    }
    if named(NAMES) {
        return Some(54);
    }
    // A button leads to other pages, and who wrote last began nothing.
    let is_of_last = || {
        let around = node.parent().map(|parent| parent.class().to_ascii_lowercase());
        let around = around.unwrap_or_default();
        LAST.iter()
            .any(|word| class_names.contains(word) || around.contains(word))
    };
    if named(NOT_NAMES) || is_of_last() || node.ancestors().take(2).any(|around| around.is("button")) {
        return None;
    }
    if named(BYLINES) {
        return Some(46);
    }
    if leads_to_author(node) {
        return Some(44);
    }
    named(POSTERS).then_some(24)
}

/// Whether a link leads to the page of an author.
pub(super) fn leads_to_author(node: Node<'_>) -> bool {
    let target = node.attr("href").unwrap_or_default();
    node.is("a") && AUTHOR_PATHS.iter().any(|part| target.contains(part))
}

/// How bylines begin.
#[rustfmt::skip]
const BYLINE_STARTS: &[&str] = &[
    "By ", "by ", "BY ", "Written by", "Posted by", "Von ", "von ", "VON ", "Par ", "Por ", "Author:", "Autor:", "Di ", "Door ",
    "By:", "Von:", "Par:", "Par :", "Por:", "Door:", "Di:", "Autorin:", "Auteur:", "Auteur :", "Autore:",
];

/// Whether a text begins as bylines do.
pub(super) fn is_byline(text: &str) -> bool {
    let text = text.trim();
    text.len() <= MAX_TEXT
        && BYLINE_STARTS
            .iter()
            .any(|start| text.starts_with(start) && text.len() > start.len() + 2)
        && text
            .split_whitespace()
            .nth(1)
            .is_some_and(|word| word.starts_with(char::is_uppercase) || word == "by")
}

pub(super) fn css(node: Node<'_>) -> String {
    match node.classes().next() {
        Some(class) => format!("{}.{class}", node.tag()),
        None => node.tag().to_owned(),
    }
}
