//! By whom, when and under which title was the page published?

use jiff::civil::DateTime;
use page::Page;
use page::dom::Node;
use page::meta::Metadata;

use super::product::stock::describe;
use super::published::{self, Certainty};
use super::things::Thing;
use super::view::{View, meta, squeeze};
use crate::provenance::{Found, Source};

/// What a page says about itself as a publication.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Story {
    /// Its title without the site's name.
    pub title: Option<Found<String>>,
    /// Who wrote it.
    pub author: Option<Found<String>>,
    /// Its description.
    pub description: Option<Found<String>>,
}

/// Schema.org types (lower case) that are publications.
#[rustfmt::skip]
const WORKS: &[&str] = &[
    "article", "newsarticle", "blogposting", "report", "techarticle", "scholarlyarticle", "webpage", "creativework",
    "discussionforumposting", "question", "recipe", "reportagenewsarticle", "analysisnewsarticle",
    "opinionnewsarticle", "socialmediaposting", "liveblogposting", "medicalwebpage", "itempage", "review", "book",
    "movie", "videoobject",
];

/// Reads the publication facts of a page.
pub fn read(view: &View<'_>, things: &[Thing<'_>]) -> Story {
    let works = || {
        things
            .iter()
            .filter(|it| it.is(WORKS) && !it.within(&["itemlistelement", "review", "comment", "haspart"]))
    };
    let work = |keys: &[&str]| {
        works().find_map(|it| {
            let key = keys.iter().find(|key| it.text(&[key]).is_some())?;
            Some(Found::new(it.text(&[key])?, it.source(key)))
        })
    };
    let tagged = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| meta(view.dom(), name).map(|it| Found::new(squeeze(it), Source::meta(*name))))
    };
    let person = |it: &Found<String>| !it.value.starts_with("http") && it.value.len() <= 120;
    Story {
        title: title(view, work(&["headline"])),
        author: work(&["author", "creator"])
            .filter(person)
            .or_else(|| {
                tagged(&[
                    "author",
                    "article:author",
                    "dc.creator",
                    "parsely-author",
                    "sailthru.author",
                ])
                .filter(person)
            })
            .or_else(|| below(view))
            .or_else(|| byline(view)),
        description: tagged(&["og:description", "description", "twitter:description"])
            .or_else(|| work(&["description"])),
    }
}

/// The heading when there is one, else the title in the head without the site's name.
fn title(view: &View<'_>, headline: Option<Found<String>>) -> Option<Found<String>> {
    if let Some(heading) = &view.heading {
        let node = view.dom().node(heading.node);
        return Some(Found::new(heading.text.clone(), Source::selector(describe(node))));
    }
    headline.or_else(|| {
        let title = view.titles.first()?;
        let site = meta(view.dom(), "og:site_name")
            .unwrap_or_default()
            .to_lowercase();
        let parts: Vec<&str> = title
            .split(
                [" | ", " - ", " – ", " — ", " :: ", " · "][..]
                    .iter()
                    .copied()
                    .find(|it| title.contains(it))
                    .unwrap_or(" | "),
            )
            .collect();
        let kept = parts
            .iter()
            .filter(|it| it.trim().to_lowercase() != site)
            .max_by_key(|it| it.len())
            .unwrap_or(&title.as_str())
            .trim()
            .to_owned();
        Some(Found::new(kept, Source::selector("title")))
    })
}

/// A line right below the heading that names the author: "by Ann Onym", "Ann Onym (Author)".
pub fn below(view: &View<'_>) -> Option<Found<String>> {
    let heading = view.heading.as_ref()?;
    view.lines.iter().skip(heading.line).take(5).find_map(|line| {
        let text = view.lines.line_text(line);
        if text.len() > 120 {
            return None;
        }
        let told = text.split_once(" (Author)").map(|(name, _)| name);
        let heading = heading.text.trim();
        let told = told.map(|it| it.trim().strip_prefix(heading).unwrap_or(it).trim());
        let by = text
            .strip_prefix("by ")
            .or_else(|| text.strip_prefix("By "))
            .or_else(|| text.strip_prefix("von "));
        let name = told.or(by)?.split(['|', '(', '·', '•']).next()?.trim();
        let fits = (2..=60).contains(&name.chars().count())
            && name.split_whitespace().count() <= 6
            && name.starts_with(char::is_uppercase);
        fits.then(|| {
            Found::new(
                name.to_owned(),
                Source::selector(describe(view.dom().node(line.block))),
            )
        })
    })
}

/// An element marked as the author.
fn byline(view: &View<'_>) -> Option<Found<String>> {
    let marked = |it: &Node<'_>| {
        it.attr("rel") == Some("author")
            || it.attr("itemprop") == Some("author")
            || it.classes().any(|class| {
                matches!(
                    class.to_ascii_lowercase().as_str(),
                    "author"
                        | "byline"
                        | "author-name"
                        | "byline-name"
                        | "post-author"
                        | "entry-author"
                        | "article-author"
                )
            })
    };
    view.dom()
        .nodes()
        .filter(|it| it.is_element() && marked(it))
        .take(5)
        .find_map(|it| {
            let text = it.text();
            let text = text.trim();
            let lower = text.to_lowercase();
            let name = [
                "by ",
                "von ",
                "par ",
                "por ",
                "di ",
                "door ",
                "written by ",
                "posted by ",
                "автор: ",
                "av ",
            ]
            .iter()
            .find(|word| lower.starts_with(*word))
            .and_then(|word| text.get(word.len()..))
            .unwrap_or(text)
            .trim();
            let fits = (2..=60).contains(&name.chars().count()) && name.split_whitespace().count() <= 6;
            fits.then(|| Found::new(name.to_owned(), Source::selector(describe(it))))
        })
}

/// The day (or moment) on which the page was published, ISO 8601; `now` bounds it and anchors "two hours ago". With `guess`
/// also a day that may belong to something else.
pub fn date(page: &Page, now: DateTime, guess: bool) -> Option<Found<String>> {
    let found = published::published(page, &Metadata::read(page), now)
        .filter(|it| guess || it.value.certainty > Certainty::Guess)?;
    Some(found.map(|it| match it.moment.time {
        Some(_) => it.moment.to_string(),
        None => it.moment.date.to_string(),
    }))
}
