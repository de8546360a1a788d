//! Title of a page without the name of its site.
//!
//! `<title>`, `og:title`, JSON-LD and `<h1>` mostly agree but for the site's name. What they share is the title; a
//! part of `<title>` is taken off only when it is known to name the site, or when another candidate lacks it.

mod heading;
mod linked_name;
mod sections;

use std::collections::{BTreeSet, HashMap};

use page::Page;
use page::dom::Node;
use page::meta::{Metadata, tags};

use self::heading::heading_text;
use self::linked_name::linked_name;
use super::page_address;
use super::site::{bare, site_names, source, tagged};
use super::title_marks::MARKS;
use super::visible_page::{covered, squeeze, words};
use super::vocabulary::{class_bit, class_bits};
use crate::provenance::{FieldSource, Sourced};

/// Longer headings are text, in characters.
const MAX_HEADING: usize = 300;

/// How well the only heading of a page has to agree with the titles of its markup to stand before them, 0 to 1: a share of words.
///
/// Found on the labelled pages whose hosts were looked at: a heading that agrees less is right more often than `<title>` on lists
/// (9 of 12 times) and on product pages (8 of 8), on texts from about one half on (6 of 8), and seldom on pages that advertise
/// (2 of 30), where it is a slogan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeadingTrust(f32);

impl HeadingTrust {
    /// For pages of unknown type, and for those that advertise.
    pub const LOW: HeadingTrust = HeadingTrust(0.8);
    /// For texts: articles, documentation, threads.
    pub const TEXT: HeadingTrust = HeadingTrust(0.55);
    /// For lists.
    pub const LIST: HeadingTrust = HeadingTrust(0.3);
    /// For a page about one thing that is sold or offered.
    pub const THING: HeadingTrust = HeadingTrust(0.2);
}

/// The title of a page of unknown type.
pub fn title(page: &Page, metadata: &Metadata) -> Option<Sourced<String>> {
    title_of(page, metadata, HeadingTrust::LOW)
}

/// The title of a page whose heading is trusted as much as its type allows.
pub fn title_of(page: &Page, metadata: &Metadata, trust: HeadingTrust) -> Option<Sourced<String>> {
    let mut names = site_names(page, metadata);
    let mut document = document_title(page);
    // The heading that leads to the front page names the site.
    let linked = document
        .as_ref()
        .and_then(|document| linked_name(page, &document.value));
    if let Some((name, own)) = linked {
        names.insert(name);
        document = document.map(|document| document.map(|_| own));
    }
    let headline = headline(metadata);
    if let Some(document) = &document {
        // The book or the series that the page is a part of is left out as the name of the site is, unless the markup calls it
        // the headline.
        let is_headline = |heading: &str| {
            headline
                .as_ref()
                .is_some_and(|stated| overlap(heading, &stated.value) >= 0.8)
        };
        let headings = headings(page, &names).into_iter();
        let whole = headings.filter(|heading| {
            !is_headline(&heading.value) && is_name_of_whole(page, &heading.value, &document.value)
        });
        names.extend(whole.map(|heading| bare(&heading.value)));
    }
    let is_own = |found: &Sourced<String>| !names.contains(&bare(&found.value));
    let shared = tagged(&tags(page), SHARED_TITLES).filter(is_own);
    let headline = headline.filter(is_own);
    let is_section = |heading: &Sourced<String>| {
        let titles = document.as_ref().zip(shared.as_ref());
        titles.is_some_and(|(document, shared)| is_section_of(&heading.value, &document.value, &shared.value))
    };
    let mut headings = headings(page, &names);
    headings.retain(|heading| !is_section(heading));
    // What is cut off is no whole title where the page has a heading.
    let is_whole = |title: &&Sourced<String>| headings.is_empty() || !title.value.ends_with(['…', '⋯']);
    let (document, shared, headline) = (
        document.as_ref().filter(is_whole),
        shared.as_ref().filter(is_whole),
        headline.as_ref().filter(is_whole),
    );
    let stated: Vec<&Sourced<String>> = [document, shared, headline].into_iter().flatten().collect();
    let best = best_heading(&headings, &stated);
    // A heading that the markup repeats is the title as readers see it.
    if let Some((agreement, heading)) = best
        && agreement >= 0.8
    {
        let heading = &spelled(beginning_of(heading, &headings), &stated);
        let bare = without_badge(&heading.value, &stated);
        return Some(
            heading
                .clone()
                .map(|text| stripped(bare.unwrap_or(&text), &names, &[])),
        );
    }
    if let Some(heading) = heading_of_address(page, &headings, &stated) {
        return Some(heading.clone());
    }
    let agreed = document.filter(|title| shared.is_some_and(|shared| shared.value == title.value));
    // The heading says which of two titles is that of the page.
    let is_begun = |title: &&Sourced<String>| matches!(headings.as_slice(), [heading] if begins_title(&heading.value, &title.value));
    let begun = document.filter(is_begun);
    let named = agreed.or(headline).or(begun).or(shared).or(document);
    let Some(named) = named else {
        return headings.into_iter().next();
    };
    // A single heading of something to read or to buy says more than a title made for search engines, and any heading says more
    // than a title that only names the site.
    let least = if is_item(metadata) {
        trust.0.min(0.4)
    } else {
        trust.0
    };
    // A list of the section may well be called so.
    if trust != HeadingTrust::LIST
        && sections::names_only_section(&named.value, |part| names_site(part, &names))
    {
        let first = match headings.as_slice() {
            [] => sections::first_lower(page, &names),
            [heading] => Some(heading.clone()),
            _ => None,
        };
        if first.is_some() {
            return first;
        }
    }
    let is_front = page_address::of(page).is_some_and(|url| url.path().len() <= 1);
    let names_only_site = trust != HeadingTrust::LOW && !is_front && names_site(&named.value, &names);
    if let (Some((agreement, heading)), [_]) = (best, headings.as_slice())
        && (agreement >= least || names_only_site)
    {
        return Some(heading.clone());
    }
    let chosen = match (document, shared) {
        // What both share; the shorter one lacks the site's name.
        (Some(document), Some(shared))
            if document.value.len() < shared.value.len()
                && shared
                    .value
                    .to_lowercase()
                    .contains(&document.value.to_lowercase()) =>
        {
            document
        }
        _ => named,
    };
    let beginnings = match headings.is_empty() {
        true => beginnings(page, &chosen.value),
        false => Vec::new(),
    };
    let others = stated.iter().map(|title| title.value.as_str());
    let others: Vec<&str> = others.chain(beginnings.iter().map(String::as_str)).collect();
    Some(chosen.clone().map(|text| stripped(&text, &names, &others)))
}

/// Whether a heading is the section that `<title>` names before the title for sharing: "Books" of "Quern Weekly | Books | The mill".
fn is_section_of(heading: &str, document: &str, shared: &str) -> bool {
    let before = document.strip_suffix(shared).unwrap_or_default();
    let mut sections = vec![before];
    for mark in MARKS {
        sections = sections.into_iter().flat_map(|part| part.split(mark)).collect();
    }
    let is_named = sections
        .iter()
        .any(|part| !part.trim().is_empty() && bare(part) == bare(heading));
    is_named && overlap(heading, shared) == 0.0
}

/// Fewest words of a heading that a title begins with.
const LEAST_BEGINNING: usize = 2;

/// Whether `<title>` begins with all words of a heading, and adds some for search engines.
fn begins_title(heading: &str, document: &str) -> bool {
    let (own, all) = (words(heading), words(document));
    own.len() >= LEAST_BEGINNING && all.starts_with(&own)
}

/// Names of `<meta>` that carry the title for sharing and citing.
#[rustfmt::skip]
const SHARED_TITLES: &[&str] = &[
    "og:title", "twitter:title", "dc.title", "citation_title", "parsely-title",
];

/// The text of `<title>`.
fn document_title(page: &Page) -> Option<Sourced<String>> {
    let head = page.dom().head();
    let node = head
        .and_then(|head| head.descendants().find(|node| node.is("title")))
        .or_else(|| page.dom().by_tag("title").find(|node| node.is_html()))?;
    let text = squeeze(&node.text());
    (!text.is_empty()).then(|| Sourced::new(text, FieldSource::selector("title")))
}

/// The first heading that agrees best with one of the stated titles, and how well it does, 0 to 1.
fn best_heading<'h>(
    headings: &'h [Sourced<String>],
    stated: &[&Sourced<String>],
) -> Option<(f32, &'h Sourced<String>)> {
    let mut best: Option<(f32, &Sourced<String>)> = None;
    for heading in headings {
        let agreements = stated.iter().map(|title| agreement(&heading.value, &title.value));
        let agreement = agreements.fold(0.0, f32::max);
        if best.is_none_or(|(most, _)| agreement > most) {
            best = Some((agreement, heading));
        }
    }
    best
}

/// Fewest words of a subject: "Electrical" may be an entry of a menu.
const LEAST_SUBJECT: usize = 3;
/// Most lower headings that are looked at.
const MOST_LOWER: usize = 20;

/// Lower headings, and elements that are called headings or titles, with which a title begins: the subject of a thread, before the
/// names of its forum and of the site.
fn beginnings(page: &Page, title: &str) -> Vec<String> {
    let lower = ["h2", "h3"]
        .into_iter()
        .flat_map(|tag| page.dom().by_tag(tag).take(MOST_LOWER));
    let called = page.dom().nodes().filter(|node| {
        node.attr("role") == Some("heading") || class_bits(node.class()) & class_bit("title") != 0
    });
    lower
        .chain(called.take(MOST_LOWER))
        .map(heading_text)
        .filter(|text| text.split_whitespace().count() >= LEAST_SUBJECT && title.starts_with(text.as_str()))
        .collect()
}

/// Another heading that is how this one begins, before a mark: "Tips for Japan" beside "Tips for Japan - Japan Forum".
fn beginning_of<'h>(heading: &'h Sourced<String>, headings: &'h [Sourced<String>]) -> &'h Sourced<String> {
    let begins = |other: &&Sourced<String>| {
        let rest = heading.value.strip_prefix(other.value.as_str());
        rest.is_some_and(|rest| MARKS.iter().any(|mark| rest.starts_with(mark)))
    };
    headings.iter().find(begins).unwrap_or(heading)
}

/// A heading with the blanks of a stated title that is the same without them: where elements meet, a page shows more or fewer.
fn spelled(heading: &Sourced<String>, stated: &[&Sourced<String>]) -> Sourced<String> {
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    let own = letters(&heading.value);
    let same = stated.iter().find(|title| letters(&title.value) == own);
    let text = same.map_or_else(|| heading.value.clone(), |title| squeeze(&title.value));
    Sourced::new(text, heading.source.clone())
}

/// Most bytes of a badge before a heading.
const LONGEST_BADGE: usize = 24;

/// A heading without the badge that stands before its words, where a title has a mark between the two: "Solved" of "Solved Fan is
/// loud" beside "Solved - Fan is loud".
fn without_badge<'h>(heading: &'h str, stated: &[&Sourced<String>]) -> Option<&'h str> {
    without_label(heading, stated).or_else(|| {
        stated.iter().find_map(|title| {
            MARKS.iter().find_map(|mark| {
                let (badge, rest) = title.value.split_once(mark)?;
                let own = heading.strip_prefix(badge)?.strip_prefix(' ')?.trim_start();
                (badge.len() <= LONGEST_BADGE && !own.is_empty() && rest.starts_with(own)).then_some(own)
            })
        })
    })
}

/// Longest label before a title, in bytes.
const LONGEST_LABEL: usize = 12;

/// A heading without the one word before it that no title of the markup has: "Thread: Which fan is quiet?".
fn without_label<'h>(heading: &'h str, stated: &[&Sourced<String>]) -> Option<&'h str> {
    let (label, own) = heading.split_once(": ")?;
    let label = label.trim_end();
    let is_label = label.len() <= LONGEST_LABEL && label.chars().all(char::is_alphabetic);
    let begins = |text: &str| stated.iter().any(|title| title.value.starts_with(text));
    let is_told = !begins(heading) && begins(own.trim()) && own.split_whitespace().count() > 2;
    (is_label && is_told && !stated.iter().any(|title| title.value.contains(label))).then_some(own.trim())
}

/// The headline of what the page is about.
fn headline(metadata: &Metadata) -> Option<Sourced<String>> {
    let entities = metadata.things();
    let found = entities
        .iter()
        .filter(|entity| !entity.path.contains("itemListElement") && !entity.path.contains(".comment"))
        .find_map(|entity| {
            let (text, path) = entity.text("headline")?;
            Some(Sourced::new(squeeze(&text), source(entity, path)))
        });
    found.or_else(|| {
        let product = entities.of_type(&["Product", "Recipe", "Course", "JobPosting", "Event"]);
        let mut product = product.filter(|entity| !entity.path.contains("itemListElement"));
        let entity = product.next().filter(|_| product.next().is_none())?;
        let (text, path) = entity.text("name").or_else(|| entity.text("title"))?;
        Some(Sourced::new(squeeze(&text), source(entity, path)))
    })
}

/// Whether the page is about one article or product.
fn is_item(metadata: &Metadata) -> bool {
    let kinds = [
        "Article",
        "NewsArticle",
        "BlogPosting",
        "Product",
        "Recipe",
        "TechArticle",
        "DiscussionForumPosting",
    ];
    let is_article = metadata.opengraph.iter().any(|item| {
        let pairs = item["properties"].as_array().into_iter().flatten();
        pairs
            .into_iter()
            .any(|pair| pair[0] == "og:type" && (pair[1] == "article" || pair[1] == "product"))
    });
    is_article || metadata.things().of_type(&kinds).next().is_some()
}

/// Most `<h1>` elements among which the title of a page is looked for, so that a page of nothing else is read in linear time.
const MOST_HEADINGS: usize = 100;

/// The `<h1>` elements that hold a text of their own, in order; the site's own name is none.
fn headings(page: &Page, names: &BTreeSet<String>) -> Vec<Sourced<String>> {
    let mut out = Vec::new();
    for node in page.dom().by_tag("h1").take(MOST_HEADINGS) {
        let text = heading_text(node);
        let hidden = node.attr("hidden").is_some() || node.attr("aria-hidden") == Some("true");
        let is_repeated = || out.iter().any(|known: &Sourced<String>| known.value == text);
        if text.is_empty()
            || text.chars().count() > MAX_HEADING
            || hidden
            || names.contains(&bare(&text))
            || is_repeated()
        {
            continue;
        }
        let classes: Vec<&str> = node.classes().take(2).collect();
        let css = if classes.is_empty() {
            "h1".to_owned()
        } else {
            format!("h1.{}", classes.join("."))
        };
        out.push(Sourced::new(text, FieldSource::selector(css)));
    }
    out
}

/// Whether a heading is the name of the book or the series that the page is a part of: `<title>` ends with it, and begins with
/// another part that the address names.
fn is_name_of_whole(page: &Page, heading: &str, document: &str) -> bool {
    let Some((front, end)) = parts(document, &MARKS)
        .into_iter()
        .filter(|(start, _)| *start == 0)
        .filter_map(|(_, end)| Some((document.get(..end)?, document.get(end..)?)))
        .find(|(_, end)| overlap(heading, end) >= 0.8)
    else {
        return false;
    };
    let last = last_segment(page);
    let (front_words, address_words) = (words(front), words(&last));
    let is_in_address = || covered(&front_words, &address_words) >= 0.8;
    // The book is named above its chapter; what stands above the heading of a page is the name of the site.
    let is_in_heading = || {
        let mut whole = page
            .dom()
            .by_tag("h1")
            .filter(|node| heading_text(*node) == heading);
        let above = whole.next().map(Node::id);
        let mut chapters = page.dom().by_tag("h1").chain(page.dom().by_tag("h2")).take(8);
        chapters.any(|chapter| Some(chapter.id()) > above && overlap(&heading_text(chapter), front) >= 0.8)
    };
    front_words.len() >= 2
        && covered(&words(end), &address_words) < 0.5
        && (is_in_address() || is_in_heading())
}

/// The last part of the path of the address.
fn last_segment(page: &Page) -> String {
    let last = |url: &url::Url| Some(url.path_segments()?.rfind(|part| !part.is_empty())?.to_owned());
    page.url().and_then(last).unwrap_or_default()
}

/// Share of the words of the address that a heading has to have before it stands before the titles of the markup.
const IN_ADDRESS: f32 = 0.8;

/// The heading that the address is made of, where the titles of the markup have clearly less of it: those were written for search
/// engines later.
fn heading_of_address<'h>(
    page: &Page,
    headings: &'h [Sourced<String>],
    stated: &[&Sourced<String>],
) -> Option<&'h Sourced<String>> {
    let last = last_segment(page);
    let last = words(last.split('.').next().unwrap_or(&last));
    let has = |text: &str| covered(&last, &words(text));
    let known = stated.iter().map(|title| has(&title.value)).fold(0.0, f32::max);
    headings.iter().find(|heading| {
        let own = words(&heading.value);
        let is_named = has(&heading.value) >= IN_ADDRESS && covered(&own, &last) >= 0.6;
        is_named && last.len() >= 3 && has(&heading.value) >= known + 0.2
    })
}

/// How much two titles are the same: the shared words against all words of the first, and against the words of that
/// part of the second that fits best.
fn agreement(heading: &str, title: &str) -> f32 {
    let mut best = overlap(heading, title);
    for (start, end) in parts(title, &[MARKS.as_slice(), &[": "]].concat()) {
        if let Some(part) = title.get(start..end) {
            // Of two parts that fit as well the first is the page's, the second its section's.
            let late = if start > 0 { 0.02 } else { 0.0 };
            best = best.max(overlap(heading, part) - late);
        }
    }
    best
}

/// Twice the shared words against all words.
fn overlap(a: &str, b: &str) -> f32 {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|it| !it.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (a, b) = (words(a), words(b));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in &a {
        *counts.entry(word).or_default() += 1;
    }
    let mut shared = 0usize;
    for word in &b {
        if let Some(count) = counts.get_mut(word.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1;
        }
    }
    let all = u16::try_from(a.len() + b.len()).unwrap_or(u16::MAX);
    if all == 0 {
        0.0
    } else {
        2.0 * f32::from(u16::try_from(shared).unwrap_or(u16::MAX)) / f32::from(all)
    }
}

/// Every run of parts between marks that leaves out some at the start or at the end, as byte ranges.
fn parts(title: &str, marks: &[&str]) -> Vec<(usize, usize)> {
    let mut cuts: Vec<(usize, usize)> = marks
        .iter()
        .flat_map(|mark| {
            title
                .match_indices(mark)
                .map(|(at, found)| (at, at + found.len()))
        })
        .collect();
    cuts.sort_unstable();
    cuts.truncate(8);
    let mut out = Vec::new();
    for (at, (start, end)) in cuts.iter().enumerate() {
        out.push((0, *start));
        out.push((*end, title.len()));
        out.extend(cuts.iter().skip(at + 1).map(|(next, _)| (*end, *next)));
    }
    out
}

/// Fewest parts from the name of the site on that say what the site offers: "Care | Cerebral | Online Therapy | Telehealth".
const OF_SITE: usize = 3;

/// The title before the name of the site, where several parts follow that name. One part behind may be the title.
fn before_site<'t>(title: &'t str, names: &BTreeSet<String>) -> &'t str {
    for mark in MARKS {
        let parts: Vec<&str> = title.split(mark).collect();
        let site = (1..parts.len()).find(|at| parts.get(*at).is_some_and(|part| names.contains(&bare(part))));
        if let Some(site) = site.filter(|site| parts.len() - site >= OF_SITE) {
            let behind: usize = parts.iter().skip(site).map(|part| part.len() + mark.len()).sum();
            return title.get(..title.len() - behind).unwrap_or(title).trim();
        }
    }
    title
}

/// Takes parts off that name the site, or that the other titles of the page all lack.
fn stripped(title: &str, names: &BTreeSet<String>, others: &[&str]) -> String {
    let mut text = title.trim();
    // `Welcome [LWN.net]`
    if let Some((head, tail)) = text.strip_suffix(']').and_then(|inner| inner.rsplit_once(" ["))
        && names_site(tail, names)
    {
        text = head.trim();
    }
    text = before_site(text, names);
    let mut is_named = false;
    for _ in 0..4 {
        // Beside the name of the site a part that only holds it names something of the site.
        let is_name = |part: &str| {
            if is_named {
                names.contains(&bare(part))
            } else {
                names_site(part, names)
            }
        };
        let last = MARKS
            .iter()
            .filter_map(|mark| text.rfind(mark).map(|at| (at, at + mark.len())))
            .max();
        let first = MARKS
            .iter()
            .filter_map(|mark| text.find(mark).map(|at| (at, at + mark.len())))
            .min();
        let (Some((last_start, last_end)), Some((first_start, first_end))) = (last, first) else {
            break;
        };
        let head = text.get(..last_start).unwrap_or("").trim();
        let tail = text.get(last_end..).unwrap_or("").trim();
        let front = text.get(..first_start).unwrap_or("").trim();
        let back = text.get(first_end..).unwrap_or("").trim();
        if says_something(head) && is_name(tail) {
            is_named = true;
            text = head;
        } else if says_something(head) && is_lacked(head, tail, others) {
            text = head;
        } else if says_something(back) && is_name(front) {
            is_named = true;
            text = back;
        } else {
            break;
        }
    }
    text.to_owned()
}

/// What the front page of any site is called.
#[rustfmt::skip]
const FRONT_PAGES: &[&str] = &[
    "home", "homepage", "index", "welcome", "overview", "übersicht", "aperçu", "startseite", "start", "accueil", "inicio", "início", "strona główna",
    "hauptseite", "главная", "forside", "etusivu", "domů", "ana sayfa", "首页", "ホーム",
];

/// Whether a part of a title says more than that it is the front page of some site.
fn says_something(part: &str) -> bool {
    !part.is_empty() && !FRONT_PAGES.contains(&part.to_lowercase().as_str())
}

/// True when a part of a title is the name of the site, or holds it with little else (`Aura Official Site`).
fn names_site(part: &str, names: &BTreeSet<String>) -> bool {
    let bare_part = bare(part);
    if bare_part.is_empty() {
        return true;
    }
    names.iter().any(|name| {
        let same = *name == bare_part;
        let inside =
            name.len() >= 4 && bare_part.contains(name.as_str()) && bare_part.len() <= name.len() + 16;
        // `Bogleheads.org`, `The Verge` in theverge.com, `NLN` in nln.example: the name holds the part.
        let around = bare_part.len() >= 4 && name.contains(&bare_part) && name.len() <= bare_part.len() + 8;
        same || inside || around
    }) || initials(part).is_some_and(|initials| names.contains(&initials))
}

/// `nssa` for `National Student Support Accelerator`.
fn initials(part: &str) -> Option<String> {
    let initials: String = part
        .split_whitespace()
        .filter_map(|word| word.chars().next())
        .filter(|c| c.is_uppercase())
        .collect();
    (initials.chars().count() >= 3).then(|| initials.to_lowercase())
}

/// True when another title of the page is this one without the part.
fn is_lacked(head: &str, tail: &str, others: &[&str]) -> bool {
    let (head, tail) = (bare(head), bare(tail));
    others.iter().any(|other| {
        let other = bare(other);
        other == head || (other.starts_with(&head) && !other.contains(&tail) && other.len() < head.len() + 6)
    })
}

#[cfg(test)]
mod tests;
