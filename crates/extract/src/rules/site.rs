//! Name, language, description, image and icon of the site of a page.

use std::collections::BTreeSet;

use page::Page;
use page::meta::{ItemFormat, Metadata, StructuredItem, Tag, tags};
use url::Url;

use super::title_marks;
use super::visible_page::squeeze;
use crate::provenance::{FieldSource, Sourced};

/// What a page says about itself beside its title.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SiteInfo {
    /// The name of the site.
    pub name: Option<Sourced<String>>,
    /// The language of the page as a BCP 47 code.
    pub language: Option<Sourced<String>>,
    /// A summary in a sentence or two.
    pub description: Option<Sourced<String>>,
    /// The picture that stands for the page.
    pub image: Option<Sourced<Url>>,
    /// The icon of the site.
    pub favicon: Option<Sourced<Url>>,
}

/// Reads what a page says about itself.
pub fn site(page: &Page, metadata: &Metadata) -> SiteInfo {
    let tags = tags(page);
    SiteInfo {
        name: name(page, metadata),
        language: language(page, &tags),
        description: description(metadata, &tags),
        image: image(page, metadata, &tags),
        favicon: favicon(page),
    }
}

/// The source of a property of an entity.
pub(super) fn source(entity: &StructuredItem<'_>, path: String) -> FieldSource {
    match entity.format {
        ItemFormat::JsonLd => FieldSource::JsonLd { path },
        ItemFormat::Microdata => FieldSource::Microdata { path },
        ItemFormat::Rdfa => FieldSource::Rdfa { path },
    }
}

/// The first `<meta>` of these names, in the order of the names, that has text.
pub(super) fn tagged(tags: &[Tag<'_>], names: &[&str]) -> Option<Sourced<String>> {
    names.iter().find_map(|name| {
        let full = |tag: &&Tag<'_>| tag.name.eq_ignore_ascii_case(name) && !tag.content.trim().is_empty();
        let tag = tags.iter().find(full)?;
        Some(Sourced::new(squeeze(tag.content), FieldSource::meta(tag.name)))
    })
}

/// Letters and digits only, in lower case: names are compared by it.
pub(super) fn bare(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Longest name of a site, in characters: what is longer is a sentence about it.
const LONGEST_NAME: usize = 60;
/// Longest name of a site as a program on a telephone, which has to fit below its icon; set with room to spare.
const LONGEST_APPLICATION: usize = 40;

/// The name of the site of a page: as its tags and its markup call it, else the last part of `<title>` where the host is called the
/// same.
pub fn name(page: &Page, metadata: &Metadata) -> Option<Sourced<String>> {
    let tags = tags(page);
    let entities = metadata.things();
    let label = host_label(page);
    let named = |kinds: &[&str], is_own: &dyn Fn(&StructuredItem<'_>, &str) -> bool| {
        entities.of_type(kinds).find_map(|entity| {
            let (text, path) = entity.text("name")?;
            let is_name = text.chars().count() <= LONGEST_NAME && !text.starts_with("http");
            (is_name && is_own(entity, &text)).then(|| Sourced::new(squeeze(&text), source(entity, path)))
        })
    };
    // A page may be about another organisation than the one it belongs to.
    let is_of_host = |entity: &StructuredItem<'_>, name: &str| {
        let address = entity.text("url").and_then(|(url, _)| Url::parse(&url).ok());
        let is_host = |url: &Url| {
            url.path().len() <= 1 && host(url).is_some() && host(url) == page.url().and_then(host)
        };
        Some(bare(name)) == label || address.as_ref().is_some_and(is_host)
    };
    // Some templates come with a name ("My App"), which nobody changed; and some sites give a slogan.
    let title = page.dom().by_tag("title").find(|node| node.is_html());
    let title = title.map(|node| squeeze(&node.text())).unwrap_or_default();
    let is_of_page = |name: &str| {
        let name = bare(name);
        let is_label = |label: &String| !name.is_empty() && (name.contains(label) || label.contains(&name));
        label.as_ref().is_some_and(is_label) || bare(&title).contains(&name)
    };
    let found = tagged(&tags, &["og:site_name"])
        .or_else(|| named(&["WebSite"], &|_, name| is_of_page(name)))
        .or_else(|| {
            // Some state there what their front page is called.
            let names = tagged(&tags, &["application-name", "apple-mobile-web-app-title"])?;
            (names.value.chars().count() <= LONGEST_APPLICATION).then_some(names)
        })
        .or_else(|| named(&ORGANIZATIONS, &is_of_host))
        .or_else(|| {
            let last = title_marks::last_part(&title).filter(|part| Some(bare(part)) == label)?;
            Some(Sourced::new(last.to_owned(), FieldSource::selector("title")))
        })?;
    // "Quern Mills -": what stood behind the mark is empty.
    Some(found.map(|name| {
        name.trim_end_matches([' ', '-', '|', '–', '—', ':', '•'])
            .to_owned()
    }))
    .filter(|found| !found.value.is_empty())
}

/// Types of those that have sites.
const ORGANIZATIONS: [&str; 4] = [
    "Organization",
    "NewsMediaOrganization",
    "OnlineStore",
    "Corporation",
];

/// The host of an address without `www.`.
fn host(url: &Url) -> Option<&str> {
    url.domain().map(|host| host.trim_start_matches("www."))
}

/// Labels that registries put before the country: `co.uk`, `com.au`.
const SECOND_LEVELS: [&str; 10] = ["co", "com", "org", "net", "gov", "ac", "edu", "or", "ne", "go"];

/// The part of the host that the site is called by, bare: `netlify` of `www.netlify.com`, `daily` of `news.daily.co.uk`.
fn host_label(page: &Page) -> Option<String> {
    let mut labels = host(page.url()?)?.rsplit('.').skip(1);
    let label = labels.next()?;
    let label = match SECOND_LEVELS.contains(&label) {
        true => labels.next().unwrap_or(label),
        false => label,
    };
    Some(bare(label)).filter(|label| !label.is_empty())
}

fn language(page: &Page, tags: &[Tag<'_>]) -> Option<Sourced<String>> {
    let html = page.dom().by_tag("html").next();
    let code = |text: &str| {
        let code = text.trim().replace('_', "-");
        let plain = code.len() <= 12
            && code
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        (code.len() >= 2 && plain).then_some(code)
    };
    let declared = html
        .and_then(|html| html.attr("lang").or(html.attr("xml:lang")))
        .and_then(code);
    let from_metadata = || {
        tagged(
            tags,
            &[
                "content-language",
                "og:locale",
                "dc.language",
                "language",
                "inLanguage",
            ],
        )
    };
    declared
        .map(|code| Sourced::new(code, FieldSource::selector("html[lang]")))
        .or_else(|| from_metadata().and_then(|found| Some(Sourced::new(code(&found.value)?, found.source))))
}

fn description(metadata: &Metadata, tags: &[Tag<'_>]) -> Option<Sourced<String>> {
    tagged(
        tags,
        &[
            "og:description",
            "description",
            "twitter:description",
            "dc.description",
        ],
    )
    .or_else(|| {
        let entities = metadata.things();
        entities.iter().find_map(|entity| {
            let (text, path) = entity.text("description").filter(|(text, _)| text.len() > 20)?;
            Some(Sourced::new(squeeze(&text), source(entity, path)))
        })
    })
}

fn image(page: &Page, metadata: &Metadata, tags: &[Tag<'_>]) -> Option<Sourced<Url>> {
    let absolute = |found: Sourced<String>| {
        let url = page
            .absolute(&found.value)
            .filter(|url| matches!(url.scheme(), "http" | "https"))?;
        Some(Sourced::new(url, found.source))
    };
    let from_metadata = || {
        let entities = metadata.things();
        entities
            .of_type(&["Article", "NewsArticle", "BlogPosting", "Product", "Recipe"])
            .find_map(|entity| {
                let prop = entity.get("image").into_iter().next()?;
                let inner = prop
                    .thing()
                    .and_then(|image| image.text("url").or_else(|| image.text("contentUrl")));
                let (text, path) = inner.or_else(|| Some((prop.text()?, prop.path.clone())))?;
                Some(Sourced::new(text, source(entity, path)))
            })
    };
    let names = [
        "og:image:secure_url",
        "og:image",
        "og:image:url",
        "twitter:image",
        "twitter:image:src",
        "thumbnail",
    ];
    tagged(tags, &names)
        .and_then(absolute)
        .or_else(|| from_metadata().and_then(absolute))
}

/// The declared icon, the largest if several sizes are given; without one, where browsers look for it.
fn favicon(page: &Page) -> Option<Sourced<Url>> {
    let size = |text: &str| {
        text.split(['x', 'X', ' '])
            .next()
            .and_then(|width| width.parse().ok())
            .unwrap_or(0u32)
    };
    let icons = page.dom().by_tag("link").filter_map(|node| {
        let rel = node.attr("rel")?.to_ascii_lowercase();
        let is_icon = rel.split_ascii_whitespace().any(|relation| relation == "icon");
        let url = page.absolute(node.attr("href")?).filter(|_| is_icon)?;
        Some((size(node.attr("sizes").unwrap_or("")), url))
    });
    // Of equals the first.
    let best = icons.fold(None, |best: Option<(u32, Url)>, icon| match best {
        Some(best) if best.0 >= icon.0 => Some(best),
        _ => Some(icon),
    });
    best.map(|(_, url)| Sourced::new(url, FieldSource::meta("icon")))
        .or_else(|| {
            Some(Sourced::new(
                page.url()?.join("/favicon.ico").ok()?,
                FieldSource::Url,
            ))
        })
}

/// Every name by which a page may call its site, bare: from its markup and its host.
pub(super) fn site_names(page: &Page, metadata: &Metadata) -> BTreeSet<String> {
    let tags = tags(page);
    let entities = metadata.things();
    let mut names = BTreeSet::new();
    let kinds = [&["WebSite"], ORGANIZATIONS.as_slice()].concat();
    names.extend(
        entities
            .of_type(&kinds)
            .filter_map(|entity| entity.text("name"))
            .map(|(name, _)| bare(&name)),
    );
    for name in [
        "og:site_name",
        "application-name",
        "apple-mobile-web-app-title",
        "twitter:site",
        "publisher",
    ] {
        names.extend(tagged(&tags, &[name]).map(|found| bare(&found.value)));
    }
    let host = page
        .url()
        .and_then(|url| url.host_str())
        .unwrap_or("")
        .trim_start_matches("www.");
    names.insert(bare(host));
    if let Some((before, top)) = host.rsplit_once('.') {
        names.insert(bare(&format!(
            "{}{top}",
            before.rsplit('.').next().unwrap_or(before)
        )));
    }
    for label in host.split('.') {
        if label.len() > 3 {
            names.insert(bare(label));
        }
    }
    names.retain(|name| name.len() > 1);
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_its_site_and_describes_itself() {
        let html = r#"<html lang="en_GB"><head><meta property="og:site_name" content="The  Daily"><link rel="icon" href="/i.png">
            <meta name="description" content="D"><meta property="og:image" content="a.jpg"></head></html>"#;
        let page = Page::new(html, "https://www.daily.example/x/y".parse().ok());
        let site = site(&page, &Metadata::read(&page));
        assert_eq!(
            site.name,
            Some(Sourced::new(
                "The Daily".to_owned(),
                FieldSource::meta("og:site_name")
            ))
        );
        assert_eq!(site.language.map(|it| it.value).as_deref(), Some("en-GB"));
        assert_eq!(site.description.map(|it| it.value).as_deref(), Some("D"));
        assert_eq!(
            site.image.map(|it| it.value.to_string()).as_deref(),
            Some("https://www.daily.example/x/a.jpg")
        );
        assert_eq!(
            site.favicon.map(|it| it.value.to_string()).as_deref(),
            Some("https://www.daily.example/i.png")
        );
    }

    #[test]
    fn a_name_has_no_mark_at_its_end_and_is_no_title() {
        let of = |head: &str| site_name("https://quern.example/x", head);
        assert_eq!(
            of("<meta property=og:site_name content='Quern Mills -'>").as_deref(),
            Some("Quern Mills")
        );
        let title = "Breaking News of Mills, Rivers and Weather - Quern Nine";
        assert_eq!(
            of(&format!("<meta name=application-name content='{title}'>")),
            None
        );
    }

    fn site_name(url: &str, html: &str) -> Option<String> {
        let page = Page::new(html, url.parse().ok());
        name(&page, &Metadata::read(&page)).map(|found| found.value)
    }

    #[test]
    fn a_site_without_a_tag_for_its_name_is_named_by_its_markup_or_its_title() {
        let url = "https://www.wood-shop.example/tables";
        for html in [
            r#"<script type="application/ld+json">{"@type":"WebSite","name":"Woodshop"}</script>"#,
            r#"<meta name="application-name" content="Woodshop">"#,
            r#"<script type="application/ld+json">{"@type":"Organization","name":"Woodshop","url":"https://wood-shop.example/"}</script>"#,
        ] {
            assert_eq!(site_name(url, html).as_deref(), Some("Woodshop"), "{html}");
        }
        let title = "<title>Oak – tables | Wood Shop</title>";
        assert_eq!(site_name(url, title).as_deref(), Some("Wood Shop"));
        assert_eq!(
            site_name("https://news.woodshop.co.uk/a", "<title>Oak | WoodShop</title>").as_deref(),
            Some("WoodShop")
        );
    }

    #[test]
    fn another_organisation_or_part_of_a_title_names_no_site() {
        let url = "https://www.woodshop.example/tables";
        let maker = r#"<title>Oak | Tables</title><script type="application/ld+json">{"@type":"Organization","name":"Acme","url":"https://acme.example/"}</script>"#;
        assert_eq!(site_name(url, maker), None);
        let template = r#"<title>Oak</title><script type="application/ld+json">{"@type":"WebSite","name":"My App"}</script>"#;
        assert_eq!(site_name(url, template), None);
        assert_eq!(
            site_name("https://blog.woodshop.example/a", "<title>Oak | Blog</title>"),
            None
        );
    }
}
