//! The author of a page.
//!
//! Markup and meta tags come first, then what is marked as an author near the title, then a line such as
//! "By Jane Doe".

mod below_heading;
mod byline;
mod names;
mod others;

pub use below_heading::below_heading;

use page::Page;
use page::dom::Node;
use page::meta::{ItemFormat, ItemProperty, Metadata, StructuredItems, tags};

use self::names::{MAX_AUTHORS, names};
use super::site::{source, tagged};
use super::visible_page::squeeze;
use crate::provenance::{FieldSource, Sourced};

/// Things whose author is not the page's.
#[rustfmt::skip]
const FOREIGN: [&str; 11] = [
    "Comment", "Review", "Product", "Book", "Movie", "Answer", "UserComments", "Claim", "ClaimReview", "ImageObject", "WebSite",
];
/// Types of what stands within a text.
const MEDIA: [&str; 4] = ["VideoObject", "AudioObject", "MediaObject", "Clip"];
/// `<meta>` names that carry an author.
#[rustfmt::skip]
const META: [&str; 21] = [
    "author", "article:author_name", "parsely-author", "sailthru.author", "dc.creator", "dcterms.creator", "citation_author",
    "byl", "byline", "article:author", "og:article:author", "og:author", "rnews:author", "dc.contributor", "creator",
    "shareaholic:article_author_name", "cxenseparse:author", "authors", "article.author", "articleauthor", "twitter:creator:name",
];

locale::patterns! {
    /// The beginning of a byline of a list, "By", "Recipe by", "Blog entry by", "Von", and the first letter of the name.
    static ENTRY_BYLINE = r"^(?:\p{L}+\s+){0,2}(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]rzez)(?:\s*:\s*|\s+)(\p{Lu})";
}

/// Whether a text of an entry begins as bylines do.
pub(crate) fn is_entry_byline(text: &str) -> bool {
    ENTRY_BYLINE.is_match(text.trim())
}

/// The name that is the whole text of a link to what its bearer wrote, without a "by" before it: "Von Miller", "Di Maria".
pub(crate) fn named_by_link(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = ["by ", "By ", "BY "].iter().find_map(|by| text.strip_prefix(by));
    let name = bare.unwrap_or(text).trim();
    match names::is_plain(name) {
        true => Some(name.to_owned()),
        false => named_in_entry(name),
    }
}

/// The names in a short text of an entry that says who wrote it, such as "Recipe by Jane Doe | 3 May"; separated by commas.
pub(crate) fn named_in_entry(text: &str) -> Option<String> {
    let text = text.trim();
    let name = ENTRY_BYLINE.captures(text).and_then(|found| found.get(1));
    let names = names(text.get(name.map_or(0, |name| name.start())..)?);
    (!names.is_empty()).then(|| names.join(", "))
}

/// The authors that the head of a page names, in blocks of JSON-LD or in `<meta>`, separated by commas.
pub fn stated_author(page: &Page, metadata: &Metadata) -> Option<Sourced<String>> {
    markup_author(metadata, &[ItemFormat::JsonLd]).or_else(|| tagged_author(page, |_| false))
}

/// The authors, separated by commas. Those of posts far below the title are asked for on a page that `is_thread`.
pub fn author(page: &Page, metadata: &Metadata, is_thread: bool) -> Option<Sourced<String>> {
    let mut site = super::site::site_names(page, metadata);
    site.extend(publishers(page, metadata));
    let is_site = |found: &Sourced<String>| site.contains(&super::site::bare(&found.value));
    // Items in the markup of the page may tell of other pages; blocks and tags of the head rarely do.
    let in_blocks = markup_author(metadata, &[ItemFormat::JsonLd]);
    let in_tags = tagged_author(page, is_site);
    let in_markup = markup_author(metadata, &[ItemFormat::Microdata, ItemFormat::Rdfa]);
    let sure = [&in_blocks, &in_tags, &in_markup]
        .into_iter()
        .flatten()
        .find(|found| {
            // Blocks of JSON-LD say who signs a text; a tag has the staff on every page.
            let is_tag = matches!(found.source, FieldSource::Meta { .. });
            let is_staff = is_tag && is_desk(&found.value);
            !is_site(found) && !is_staff && !is_organization(metadata, found)
        });
    // Accounts are of one person, and a link is to one; the page may name those who wrote with that one.
    let with_others = |found: Sourced<String>| {
        let is_one = !found.value.contains(',') && found.value.contains(' ');
        let all = is_one.then(|| others::with_others(page, &found.value)).flatten();
        all.unwrap_or(found)
    };
    if let Some(found) = sure {
        let found = shown_instead(page, found, is_thread).unwrap_or_else(|| found.clone());
        return Some(with_others(found));
    }
    // The site, its staff or another organisation is named as the author only if the page shows no one else.
    byline::read(page, is_thread)
        .map(with_others)
        .or(in_blocks)
        .or(in_tags)
        .or(in_markup)
}

/// Whether a name is that of the site or its publisher, or what `<title>` ends with.
pub fn is_of_site(page: &Page, metadata: &Metadata, name: &str) -> bool {
    let bare = |name: &str| {
        let name = name.trim();
        let article = name.get(..4).filter(|word| word.eq_ignore_ascii_case("the "));
        super::site::bare(name.get(article.map_or(0, str::len)..).unwrap_or(name))
    };
    let own = bare(name);
    let title = page.dom().by_tag("title").find(|node| node.is_html());
    let title = title.map(|node| squeeze(&node.text())).unwrap_or_default();
    let last = super::title_marks::last_part(&title).map(bare);
    last.as_ref() == Some(&own)
        || super::site::site_names(page, metadata).contains(&own)
        || publishers(page, metadata).contains(&own)
}

/// The names of the publisher that tags and markup state, bare: templates name it as the author, too.
fn publishers(page: &Page, metadata: &Metadata) -> Vec<String> {
    let tags = tags(page);
    let tagged = tags
        .iter()
        .filter(|tag| {
            PUBLISHER_META
                .iter()
                .any(|name| tag.name.eq_ignore_ascii_case(name))
        })
        .map(|tag| super::site::bare(tag.content));
    let entities = metadata.things();
    let stated = entities
        .iter()
        .filter(|entity| entity.is_any(&TEXTS))
        .flat_map(|entity| {
            let publishers = entity.get("publisher");
            // Who publishes what they write is a person.
            let is_firm =
                |prop: &&ItemProperty<'_>| !prop.thing().is_some_and(|thing| thing.is_any(&["Person"]));
            let firms = publishers.iter().filter(is_firm).take(MAX_AUTHORS);
            let names = firms.filter_map(|prop| prop_name(prop, &entities));
            names
                .map(|name| super::site::bare(&name))
                .collect::<Vec<String>>()
        });
    let address = super::page_address::of(page);
    let host = address
        .as_deref()
        .and_then(url::Url::host_str)
        .unwrap_or_default();
    let labels = host
        .split('.')
        .filter(|label| label.len() >= LEAST_LABEL)
        .map(super::site::bare);
    tagged
        .chain(stated)
        .chain(labels)
        .filter(|name| !name.is_empty())
        .collect()
}

/// Shortest part of a host that names the publisher.
const LEAST_LABEL: usize = 4;
/// `<meta>` names that carry the publisher.
const PUBLISHER_META: [&str; 4] = [
    "dc.publisher",
    "dcterms.publisher",
    "publisher",
    "article:publisher_name",
];
/// Types of texts that have a publisher beside their author.
const TEXTS: [&str; 6] = [
    "Article",
    "NewsArticle",
    "BlogPosting",
    "Report",
    "WebPage",
    "CreativeWork",
];

/// The author that the page shows near its title and a tag of its head names, too, where markup states another who is named nowhere in
/// the text: the account under which somebody published the page.
fn shown_instead(page: &Page, stated: &Sourced<String>, is_thread: bool) -> Option<Sourced<String>> {
    let tags = tags(page);
    let is_author = |name: &str| META.iter().any(|known| name.eq_ignore_ascii_case(known));
    let tagged: Vec<String> = tags
        .iter()
        .filter(|tag| is_author(tag.name))
        .flat_map(|tag| names(tag.content))
        .collect();
    if tagged.iter().all(|name| stated.value.contains(name.as_str())) {
        return None;
    }
    let body = page.dom().body()?;
    let mut texts = body.descendants().filter_map(|node| {
        node.text_value()
            .filter(|_| !node.ancestors().any(Node::is_hidden_by_tag))
    });
    if texts.any(|text| text.contains(stated.value.as_str())) {
        return None;
    }
    byline::read(page, is_thread).filter(|shown| tagged.contains(&shown.value) && shown.value != stated.value)
}

/// Last words of a name that stands for all who write for a site.
const DESKS: [&str; 10] = [
    "desk",
    "editors",
    "newsroom",
    "redacción",
    "redakcja",
    "redaktion",
    "rédaction",
    "staff",
    "team",
    "redazione",
];

/// Whether a name is that of all who write for a site: "Quern Weekly Staff".
fn is_desk(name: &str) -> bool {
    let last = name
        .split_whitespace()
        .next_back()
        .unwrap_or_default()
        .to_lowercase();
    DESKS.contains(&last.as_str())
}

/// Whether the markup calls an author an organisation.
fn is_organization(metadata: &Metadata, found: &Sourced<String>) -> bool {
    let place = found.source.to_string();
    let entities = metadata.things();
    entities
        .of_type(&["Organization", "NewsMediaOrganization", "Corporation"])
        .any(|entity| entity.path == place)
}

/// Types of what begins a thread.
const THREADS: [&str; 3] = ["DiscussionForumPosting", "Question", "QAPage"];
/// Most characters of the name of an account.
const LONGEST_ACCOUNT: usize = 40;

/// The name of an account of a forum, which may be mostly digits: "quern19821".
fn account(name: &str) -> Option<String> {
    let name = name.trim();
    let is_word = name
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let is_account =
        is_word && name.contains(char::is_alphabetic) && name.contains(|c: char| c.is_ascii_digit());
    (is_account && name.chars().count() <= LONGEST_ACCOUNT).then(|| name.to_owned())
}

fn markup_author(metadata: &Metadata, formats: &[ItemFormat]) -> Option<Sourced<String>> {
    let entities = metadata.things();
    let own = |path: &str| {
        !["itemListElement", ".comment", ".review", ".hasPart", ".isPartOf"]
            .iter()
            .any(|part| path.contains(part))
    };
    // Who signs a text stands before the one who made a film within it.
    let keys = |is_of_media| ["author", "creator"].map(|key| (key, is_of_media));
    for (key, is_of_media) in [false, true].into_iter().flat_map(keys) {
        for entity in entities.iter().filter(|entity| {
            formats.contains(&entity.format)
                && own(&entity.path)
                && !entity.is_any(&FOREIGN)
                && entity.is_any(&MEDIA) == is_of_media
        }) {
            let props = entity.get(key);
            let mut found: Vec<String> = Vec::new();
            for prop in props.iter().take(MAX_AUTHORS) {
                for name in prop_name(prop, &entities)
                    .map(|name| match names(&name) {
                        none if none.is_empty() && entity.is_any(&THREADS) => {
                            account(&name).into_iter().collect()
                        }
                        found => found,
                    })
                    .unwrap_or_default()
                {
                    if !found.contains(&name) {
                        found.push(name);
                    }
                }
            }
            if let (false, Some(first)) = (found.is_empty(), props.first()) {
                return Some(Sourced::new(found.join(", "), source(entity, first.path.clone())));
            }
        }
    }
    None
}

/// The name of an author that is given as text, as an entity, or by reference to one elsewhere on the page.
fn prop_name(prop: &ItemProperty<'_>, entities: &StructuredItems<'_>) -> Option<String> {
    let named = |entity: &page::meta::StructuredItem<'_>| {
        // Some markup names several persons as one.
        let names: Vec<String> = entity
            .get("name")
            .iter()
            .take(MAX_AUTHORS)
            .filter_map(ItemProperty::text)
            .collect();
        let whole = (!names.is_empty()).then(|| names.join("; "));
        whole.or_else(|| {
            Some(format!(
                "{} {}",
                entity.text("givenName")?.0,
                entity.text("familyName")?.0
            ))
        })
    };
    if let Some(name) = prop.thing().and_then(|entity| named(&entity)) {
        return Some(name);
    }
    if let Some(entity) = prop.id().and_then(|id| entities.by_id(id)) {
        return named(entity);
    }
    prop.text()
}

/// The authors in the first of the tags of the head for them; that of another than the site before one that names the site.
fn tagged_author(page: &Page, is_site: impl Fn(&Sourced<String>) -> bool) -> Option<Sourced<String>> {
    let mut of_site = None;
    for found in tagged_authors(page) {
        if !is_site(&found) {
            return Some(found);
        }
        of_site.get_or_insert(found);
    }
    of_site
}

/// The authors that the tags of the head name, one entry for each kind of tag.
fn tagged_authors(page: &Page) -> Vec<Sourced<String>> {
    let mut all = Vec::new();
    let tags = tags(page);
    // Who owns the site is named as the author on all its pages.
    let owner = tagged(&tags, &["copyright"]).map(|owner| owner.value);
    let is_owner = |name: &str| owner.as_ref().is_some_and(|owner| owner.contains(name));
    for name in META {
        let mut found: Vec<String> = Vec::new();
        let mut written = name;
        for tag in tags
            .iter()
            .filter(|tag| tag.name.eq_ignore_ascii_case(name))
            .take(MAX_AUTHORS)
        {
            written = tag.name;
            for name in names(tag.content) {
                if !found.contains(&name) && !is_owner(&name) {
                    found.push(name);
                }
            }
        }
        if !found.is_empty() {
            all.push(Sourced::new(found.join(", "), FieldSource::meta(written)));
        }
    }
    // WordPress tells Twitter's cards who wrote it.
    for number in ["1", "2"] {
        let label = tagged(&tags, &[&format!("twitter:label{number}")]);
        let is_author = label.is_some_and(|label| names::is_written_by(&squeeze(&label.value)));
        let data = tagged(&tags, &[&format!("twitter:data{number}")]).filter(|_| is_author);
        if let Some(data) = data {
            let found = names(&data.value);
            if !found.is_empty() {
                all.push(Sourced::new(found.join(", "), data.source));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests;
