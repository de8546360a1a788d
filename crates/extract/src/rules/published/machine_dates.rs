//! Dates that a page states in markup, meta tags, scripts and its address.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::Range;

use jiff::civil::{Date, DateTime};
use page::Page;
use page::meta::{ItemFormat, Metadata, StructuredItem, tags};
use regex::Match;
use url::Url;

use super::super::page_address;
use super::super::site::source;
use super::candidate::DateCandidate;
use super::date_locale::DateLocale;
use crate::provenance::FieldSource;
use locale::dates::{self, DatePrecision};

/// Things that are what a page is about when the page is something to read.
#[rustfmt::skip]
const READABLE: [&str; 19] = [
    "Question", "Article", "NewsArticle", "BlogPosting", "Report", "TechArticle", "ScholarlyArticle",
    "LiveBlogPosting", "ReportageNewsArticle", "OpinionNewsArticle", "AnalysisNewsArticle", "ReviewNewsArticle",
    "BackgroundNewsArticle", "SocialMediaPosting", "DiscussionForumPosting", "MedicalWebPage",
    "AdvertiserContentArticle", "SatiricalArticle", "Recipe",
];
/// Things that have days of their own, which are not the page's.
#[rustfmt::skip]
const FOREIGN: [&str; 12] = [
    "Comment", "Review", "UserComments", "Product", "Offer", "Book", "Movie", "Event", "JobPosting", "Person",
    "UserReview", "Answer",
];
/// Names of `<meta>` that carry the day of publication, in lower case, by their weight.
#[rustfmt::skip]
const META: &[(f32, &[&str])] = &[
    (96.0, &["article:published_time", "article:published"]),
    (94.0, &["og:article:published_time"]),
    (92.0, &["og:published_time", "datepublished", "parsely-pub-date", "shareaholic:article_published_time", "rnews:datepublished"]),
    (90.0, &["og:pubdate", "date_published", "publish_date", "publish-date", "publishdate", "published-date", "published_date", "publisheddate", "publication_date", "publication-date", "sailthru.date", "cxenseparse:recs:publishtime", "cxenseparse:publishtime", "dcsext.articlefirstpublished", "article_date_original", "article.published", "originalpublicationdate"]),
    (88.0, &["published_time", "pubdate", "pub_date", "bt:pubdate"]),
    (85.0, &["published", "dc.date.issued", "dcterms.issued", "citation_publication_date", "article.created"]),
    (82.0, &["dcterms.created", "dc.date.created", "citation_online_date"]),
    (80.0, &["citation_date", "displaydate"]),
    (76.0, &["datecreated"]),
    (70.0, &["created"]),
    (60.0, &["timestamp"]),
    (52.0, &["dcterms.date", "date", "dc.date"]),
];
/// Names of `<meta>` that carry the day of the last change.
#[rustfmt::skip]
const CHANGED: [&str; 14] = [
    "article:modified_time", "article:modified", "og:updated_time", "og:article:modified_time", "datemodified",
    "date_modified", "modificationdate", "lastmod", "last-modified", "lastmodified", "revised", "dcterms.modified",
    "dc.date.modified", "updated",
];

pub(super) fn candidates(
    page: &Page,
    metadata: &Metadata,
    locale: &DateLocale,
    now: DateTime,
) -> Vec<DateCandidate> {
    let mut dates = StatedDates {
        locale,
        now,
        out: Vec::new(),
    };
    dates.add_entities(page, metadata);
    dates.add_tags(page);
    dates.out.extend(address(page));
    dates.out.extend(in_scripts(page, locale, now));
    dates.out
}

/// The dates read so far, and how to read further ones.
struct StatedDates<'a> {
    locale: &'a DateLocale,
    now: DateTime,
    out: Vec<DateCandidate>,
}

impl StatedDates<'_> {
    /// Adds the date in a text, if it names a day.
    fn add(&mut self, text: &str, weight: f32, source: FieldSource, changed: bool) {
        let moment = dates::parse(text, self.now, &self.locale.hints());
        if let Some(moment) = moment.filter(|moment| moment.precision == DatePrecision::Day) {
            self.out.push(DateCandidate {
                moment,
                weight,
                source,
                changed,
                own: false,
                named: true,
                commented: false,
            });
        }
    }

    fn add_entities(&mut self, page: &Page, metadata: &Metadata) {
        let entities = metadata.things();
        let readables = entities
            .of_type(&READABLE)
            .filter(|entity| !is_inside_foreign(entity))
            .count();
        let title = page.dom().by_tag("title").next();
        let title = title.map(|node| node.text().to_lowercase()).unwrap_or_default();
        for entity in entities.iter() {
            if entity.is_any(&FOREIGN) || is_inside_foreign(entity) {
                continue;
            }
            let readable = entity.is_any(&READABLE);
            let weight = entity_weight(entity, readable, readables, &title);
            for (name, less) in [
                ("datePublished", 0.0),
                ("dateCreated", 15.0),
                ("uploadDate", 25.0),
                ("created", 20.0),
                ("issued", 15.0),
                ("date", 20.0),
            ] {
                for prop in entity.get(name).iter().take(1) {
                    if let Some(text) = prop.text() {
                        self.add(&text, weight - less, source(entity, prop.path.clone()), false);
                    }
                }
            }
            if let Some((text, path)) = entity.text("dateModified") {
                let weight = if readable { 40.0 } else { 34.0 };
                self.add(&text, weight, source(entity, path), true);
            }
        }
    }

    fn add_tags(&mut self, page: &Page) {
        // Of several with one name the first is the page's; those that follow belong to comments.
        let mut seen = HashSet::new();
        for tag in tags(page) {
            let name = tag.name.to_ascii_lowercase();
            if !seen.insert(name.clone()) {
                continue;
            }
            let published = META.iter().find(|(_, names)| names.contains(&name.as_str()));
            if let Some((weight, _)) = published {
                self.add(tag.content, *weight, FieldSource::meta(tag.name), false);
            } else if CHANGED.contains(&name.as_str()) {
                self.add(tag.content, 38.0, FieldSource::meta(tag.name), true);
            }
        }
        for name in ["description", "og:description"] {
            if let Some(tag) = tags(page).iter().find(|tag| tag.name.eq_ignore_ascii_case(name)) {
                self.add(tag.content, 24.0, FieldSource::meta(tag.name), false);
            }
        }
    }
}

/// The weight of the day of publication of an entity; `readables` counts the entities of the page that are to be read.
fn entity_weight(entity: &StructuredItem<'_>, readable: bool, readables: usize, title: &str) -> f32 {
    let page_like = entity.is_any(&["WebPage", "ItemPage", "CollectionPage", "QAPage"]);
    let depth = depth(entity);
    let weight: f32 = match (readable, page_like) {
        (true, _) => 100.0,
        (_, true) => 80.0,
        _ => 60.0,
    };
    let weight = if depth > 0 && !readable {
        weight - 25.0
    } else {
        weight
    };
    let weight = weight - f32::from(u8::try_from(depth.min(4)).unwrap_or(4)) * 3.0;
    // Of several articles the page is the one that its title names.
    let headline = entity.text("headline").or_else(|| entity.text("name"));
    let is_named = headline.map(|(text, _)| title.contains(text.to_lowercase().trim()));
    let is_other = readable && readables > 1 && !is_named.unwrap_or(readables < 3);
    match (is_other, is_named) {
        // One of many without a name is an entry of a list.
        (true, None) => weight - 75.0,
        (true, Some(_)) => weight - 55.0,
        (false, _) => weight,
    }
}

locale::patterns! {
    static IN_ADDRESS = r"(?:^|[/_.=-])((?:19|20)\d\d)([/_.-]?)(1[0-2]|0?[1-9])([/_.-]?)(3[01]|[12]\d|0?[1-9])(?:$|[/_.?&-])";
    /// A telling name with its value. What stands before the name is checked in code: a pattern that begins with rare letters
    /// is found many times faster than one that begins with a quote or with `dat`, as every `data-` attribute does.
    static IN_SCRIPTS = concat!(
        r#"((?i-u:published_?(?:at|date|time|on)?|publi(?:sh|cation)_?(?:date|time)|pub_?date|release_?date|created))"#,
        r#"(?:\\?["']|&quot;)\s*[:=,]\s*(?:\\?["']|&quot;)([^"'\\&]{8,40})"#
    );
}

/// A name found by [`IN_SCRIPTS`] with what belongs to it before (`date_published`, `first_published_at`), where a quote opens it.
fn whole_name<'t>(html: &'t str, found: &Match<'_>) -> Option<&'t str> {
    let core = found.as_str();
    let head = html.get(..found.start())?;
    let is_published = core.eq_ignore_ascii_case("published");
    let prefixes: &[&str] = match core.get(..9) {
        Some(start) if start.eq_ignore_ascii_case("published") => &["", "first", "date"],
        _ if core.eq_ignore_ascii_case("created") => &["date"],
        _ => &[""],
    };
    prefixes.iter().find_map(|prefix| {
        if *prefix == "date" && core.len() > 7 && !is_published {
            return None;
        }
        let joined = [head, head.strip_suffix('_').unwrap_or(head)];
        let before = joined.into_iter().find_map(|head| {
            let start = head.len().checked_sub(prefix.len())?;
            let is_prefix = head.get(start..)?.eq_ignore_ascii_case(prefix);
            let before = head.get(..start)?;
            let is_opened = before.ends_with(['"', '\'']) || before.ends_with("&quot;");
            (is_prefix && is_opened).then_some(before)
        })?;
        html.get(before.len()..found.end())
    })
}

/// Days under telling names in the page's scripts, such as `"published_at":"2019-03-02T06:22:28"`.
fn in_scripts(page: &Page, locale: &DateLocale, now: DateTime) -> Vec<DateCandidate> {
    let mut out = Vec::new();
    let html = page.html();
    let named = IN_SCRIPTS
        .captures_iter(html)
        .filter_map(|found| Some((whole_name(html, &found.get(1)?)?, found.get(2)?)));
    let json_ld = LazyCell::new(|| scripts_of_json_ld(html));
    let is_in_json_ld = |place: &Match<'_>| json_ld.iter().any(|script| script.contains(&place.start()));
    for (name, text) in named.filter(|(_, text)| !is_in_json_ld(text)).take(20) {
        let moment = dates::parse(text.as_str(), now, &locale.hints());
        if let Some(moment) = moment.filter(|moment| moment.precision == DatePrecision::Day) {
            // The first is likelier the page's own than any that follow; released are books and films that it offers, too.
            let is_release = name
                .trim_start_matches(['_', '"'])
                .to_ascii_lowercase()
                .starts_with("release");
            let weight = if out.is_empty() && !is_release { 50.0 } else { 22.0 };
            out.push(DateCandidate {
                moment,
                weight,
                source: FieldSource::State {
                    path: name.to_owned(),
                },
                changed: false,
                own: false,
                named: true,
                commented: false,
            });
        }
    }
    out
}

/// Where a page has scripts of JSON-LD, whose things are read one by one.
fn scripts_of_json_ld(html: &str) -> Vec<Range<usize>> {
    let script = |start: usize| {
        let script = html.get(start..)?;
        let opening = script.split('>').next()?;
        let length = || script.find("</script").unwrap_or(script.len());
        opening.contains("ld+json").then(|| start..start + length())
    };
    html.match_indices("<script")
        .filter_map(|(start, _)| script(start))
        .collect()
}

/// How many properties lie between the top of the block and the entity; a graph is no property.
fn depth(entity: &StructuredItem<'_>) -> usize {
    let path = entity
        .path
        .replace(".@graph", "")
        .replace(".properties", "")
        .replace(".mainEntity", "");
    match entity.format {
        // RDFa is flat, and its names hold points.
        ItemFormat::Rdfa => 0,
        ItemFormat::JsonLd | ItemFormat::Microdata => path
            .matches('.')
            .count()
            .saturating_sub(usize::from(path.contains("json-ld."))),
    }
}

/// Parts of paths to entities of other pages.
#[rustfmt::skip]
const FOREIGN_PATHS: &[&str] = &[
    ".comment", ".review", ".itemListElement", ".hasPart", ".relatedLink", ".mentions", ".author", ".blogPost",
];

/// True for what hangs below a comment, a review or a list of other pages.
fn is_inside_foreign(entity: &StructuredItem<'_>) -> bool {
    let path = entity.path.as_str();
    FOREIGN_PATHS.iter().any(|part| path.contains(part))
}

/// `/2019/12/31/`, `/20191231-`, `-2019-12-31.html`.
fn address(page: &Page) -> Option<DateCandidate> {
    let addresses = [
        page_address::of(page).map(Cow::into_owned),
        page_address::own(page),
    ];
    let paths = addresses.iter().flatten().map(Url::path);
    let mut texts = paths.chain(page.url().and_then(Url::query));
    texts.find_map(|text| {
        let found = IN_ADDRESS.captures(text)?;
        let part = |at: usize| found.get(at).map_or("", |group| group.as_str());
        // Either the same mark twice, or none with all digits written.
        let tight = part(2).is_empty() && part(4).is_empty();
        let whole = !tight || (part(3).len() == 2 && part(5).len() == 2);
        if part(2).is_empty() != part(4).is_empty() || !whole {
            return None;
        }
        let date = Date::new(
            part(1).parse().ok()?,
            part(3).parse().ok()?,
            part(5).parse().ok()?,
        )
        .ok()?;
        let moment = dates::ParsedDate {
            date,
            time: None,
            offset: None,
            precision: DatePrecision::Day,
        };
        Some(DateCandidate {
            moment,
            weight: if tight { 70.0 } else { 86.0 },
            source: FieldSource::Url,
            changed: false,
            own: false,
            named: true,
            commented: false,
        })
    })
}
