//! Title, author and date of a page as a publication.

use jiff::civil::DateTime;
use locale::dates::ParsedDate;
use page::meta::Metadata;

use super::author;
use super::entities::TypedEntity;
use super::published::{self, Certainty};
use super::site;
use super::title::{self, HeadingTrust};
use super::visible_page::{VisiblePage, meta, squeeze};
use crate::fields::PageType;
use crate::normalize;
use crate::provenance::{FieldSource, Sourced};

/// What a page says about itself as a publication.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Publication {
    /// Its title without the site's name.
    pub title: Option<Sourced<String>>,
    /// Its description.
    pub description: Option<Sourced<String>>,
}

/// Schema.org types (lower case) that are publications.
#[rustfmt::skip]
const PUBLICATION_TYPES: &[&str] = &[
    "article", "newsarticle", "blogposting", "report", "techarticle", "scholarlyarticle", "webpage", "creativework",
    "discussionforumposting", "question", "recipe", "reportagenewsarticle", "analysisnewsarticle",
    "opinionnewsarticle", "socialmediaposting", "liveblogposting", "medicalwebpage", "itempage", "review", "book",
    "movie", "videoobject",
];

/// Characters by which a description that is cut off is known again in another.
const CUT_HEAD: usize = 40;

/// Reads the publication facts of a page of that type.
pub fn read(
    view: &VisiblePage<'_>,
    metadata: &Metadata,
    entities: &[TypedEntity<'_>],
    page_type: PageType,
) -> Publication {
    let publications = || {
        entities.iter().filter(|entity| {
            entity.is(PUBLICATION_TYPES)
                && !entity.within(&["itemlistelement", "review", "comment", "haspart"])
        })
    };
    let publication = |keys: &[&str]| {
        publications().find_map(|entity| {
            let key = keys.iter().find(|key| entity.text(&[key]).is_some())?;
            Some(Sourced::new(entity.text(&[key])?, entity.source(key)))
        })
    };
    let site = site::site_names(view.page, metadata);
    let meta_content = |names: &[&str]| {
        let mut found = names.iter().filter_map(|name| {
            let content = meta(view.dom(), name).filter(|content| normalize::is_description(content))?;
            let content = squeeze(content);
            (!site.contains(&site::bare(&content))).then(|| Sourced::new(content, FieldSource::meta(*name)))
        });
        let first = found.next()?;
        // One that is cut off stands whole in another.
        let is_cut = first.value.ends_with('…') || first.value.ends_with("...");
        let head: String = first.value.chars().take(CUT_HEAD).collect();
        let whole = found
            .find(|other| is_cut && other.value.starts_with(&head) && other.value.len() > first.value.len());
        Some(whole.unwrap_or(first))
    };
    Publication {
        title: title::title_of(view.page, metadata, heading_trust(page_type))
            .or_else(|| publication(&["headline"])),
        description: meta_content(&["og:description", "description", "twitter:description"])
            .or_else(|| publication(&["description"])),
    }
}

/// How much the heading of a page of that type is trusted.
fn heading_trust(page_type: PageType) -> HeadingTrust {
    match page_type {
        PageType::Product | PageType::Recipe | PageType::Event | PageType::RealEstate => HeadingTrust::THING,
        PageType::Listing => HeadingTrust::LIST,
        PageType::Article | PageType::Documentation | PageType::Forum => HeadingTrust::TEXT,
        PageType::Job | PageType::Profile | PageType::Video | PageType::Other => HeadingTrust::LOW,
    }
}

/// Who wrote a page of that type.
pub fn author(view: &VisiblePage<'_>, metadata: &Metadata, page_type: PageType) -> Option<Sourced<String>> {
    let found = author::author(view.page, metadata, page_type == PageType::Forum);
    // The site is the author only where the page shows no one else.
    let is_person = |found: &&Sourced<String>| !author::is_of_site(view.page, metadata, &found.value);
    match found.as_ref().filter(is_person) {
        Some(person) => Some(person.clone()),
        None => author::below_heading(view).or(found),
    }
}

/// The moments of a page as ISO 8601: of publication, where the page is at least this certain of it, and of the last change.
/// `now` bounds them and anchors "two hours ago".
pub fn dates(
    view: &VisiblePage<'_>,
    metadata: &Metadata,
    now: DateTime,
    least: Certainty,
) -> (Option<Sourced<String>>, Option<Sourced<String>>) {
    let found = published::read(view, metadata, now);
    let iso = |moment: ParsedDate| match moment.time {
        Some(_) => moment.to_string(),
        None => moment.date.to_string(),
    };
    let published = found.published.filter(|found| found.value.certainty >= least);
    (
        published.map(|found| found.map(|published| iso(published.moment))),
        found.modified.map(|found| found.map(iso)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::Page;

    #[test]
    fn a_line_below_the_heading_names_the_author_where_a_tag_names_the_site() {
        let read = |line: &str| {
            let html = format!(
                "<title>Why the mill turns - The Estuary Review</title><meta name=author content='Estuary Review'>\
                 <h1>Why the mill turns</h1>{line}<p>The wheel begins to move at 4.12am.</p>"
            );
            let page = Page::new(html, "https://a.example/mill".parse().ok());
            author(&VisiblePage::of(&page), &Metadata::read(&page), PageType::Article)
                .map(|found| found.value)
        };
        let words =
            read("<p>Words: <a href=/ros>Ros Pemberton</a> | Photographs: <a href=/eli>Eli Grant</a></p>");
        assert_eq!(words.as_deref(), Some("Ros Pemberton"));
        assert_eq!(read("").as_deref(), Some("Estuary Review"));
    }
}
