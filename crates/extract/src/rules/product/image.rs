//! Address of the main picture of a product.

use page::dom::Node;
use page::pictures;

use super::super::addresses::has_ending;
use super::super::class_flags;
use super::super::element_source::element_source;
use super::super::entities::TypedEntity;
use super::super::visible_page::{VisiblePage, covered, meta, words};
use crate::provenance::{FieldSource, Sourced};

/// Most pictures that are looked at.
const MOST_IMAGES: usize = 400;
/// Share of the words of the heading that the text of its picture has.
const NAMED: f32 = 0.6;

/// Address of the main picture as the page shows it.
pub fn shown(view: &VisiblePage<'_>, entities: &[TypedEntity<'_>]) -> Option<Sourced<String>> {
    let signs = signs(view, entities);
    stated_beside(view, &signs).or_else(|| pictured(view, &signs))
}

/// Address of the picture that the page names for those who share it. The sign of the site is none.
pub fn stated(view: &VisiblePage<'_>, entities: &[TypedEntity<'_>]) -> Option<Sourced<String>> {
    stated_beside(view, &signs(view, entities))
}

/// Paths of the icons and logos of the site.
fn signs(view: &VisiblePage<'_>, entities: &[TypedEntity<'_>]) -> Vec<String> {
    let icons = view
        .dom()
        .by_tag("link")
        .filter(|link| link.attr("rel").is_some_and(|rel| rel.contains("icon")))
        .filter_map(|link| absolute(view, link.attr("href")?));
    icons
        .chain(stated_logos(view, entities))
        .map(|sign| path(&sign).to_owned())
        .collect()
}

/// An address without its query.
fn path(address: &str) -> &str {
    address.split(['?', '#']).next().unwrap_or_default()
}

/// Whether an address is that of no picture of this page: a decoration, a card for all pages, or one of the signs of the site.
fn is_of_site(view: &VisiblePage<'_>, signs: &[String], address: &str) -> bool {
    is_decoration(address)
        || is_default(view, address)
        || signs.iter().any(|sign| is_same_picture(path(address), sign))
}

/// As [`stated`], with the signs of the site.
fn stated_beside(view: &VisiblePage<'_>, signs: &[String]) -> Option<Sourced<String>> {
    let dom = view.dom();
    let is_sign =
        |address: &String| is_of_site(view, signs, address) || is_shown_as_sign(view, path(address));
    let is_described_as_sign = ["og:image:alt", "twitter:image:alt"]
        .iter()
        .filter_map(|name| meta(dom, name))
        .any(|text| {
            text.to_lowercase()
                .split(|c: char| !c.is_alphabetic())
                .any(|word| word == "logo")
        });
    if is_described_as_sign {
        return None;
    }
    for name in [
        "og:image:secure_url",
        "og:image",
        "twitter:image",
        "twitter:image:src",
    ] {
        if let Some(address) = meta(dom, name)
            .and_then(|content| absolute(view, content))
            .filter(|address| !is_sign(address))
        {
            return Some(Sourced::new(address, FieldSource::meta(name)));
        }
    }
    let link = dom
        .by_tag("link")
        .find(|link| link.attr("rel") == Some("image_src"))?;
    let address = link.attr("href").and_then(|href| absolute(view, href));
    let address = address.filter(|address| !is_sign(address))?;
    Some(Sourced::new(address, FieldSource::meta("image_src")))
}

/// Addresses of the logos that the markup names.
fn stated_logos(view: &VisiblePage<'_>, entities: &[TypedEntity<'_>]) -> Vec<String> {
    let logos = entities.iter().filter_map(|entity| {
        let logo = entity.get("logo")?;
        let address = logo.as_str().or_else(|| logo.get("url")?.as_str())?;
        absolute(view, address)
    });
    logos.collect()
}

/// Shortest name of a file that tells it from all others: names that are made from the content of a file are longer.
const LEAST_NAME: usize = 16;

/// Whether two paths are of one picture, the second perhaps of another size: `/large/8031b66a3120ef28.png` and
/// `/small/8031b66a3120ef28_32x32.png`.
fn is_same_picture(path: &str, sized: &str) -> bool {
    let file = |path: &str| path.rsplit('/').next().unwrap_or_default().replace("%2A", "*");
    let (file, sized_file) = (file(path), file(sized));
    let name = file.rsplit_once('.').map_or(file.as_str(), |(name, _)| name);
    path == sized || name.len() >= LEAST_NAME && sized_file.starts_with(name)
}

/// Whether the page shows the picture of this path as the sign of its site: called a logo, in the header, the menu or the footer of
/// the page or as the link to its front page.
fn is_shown_as_sign(view: &VisiblePage<'_>, path: &str) -> bool {
    let without_query = |address: String| address.split(['?', '#']).next().map(str::to_owned);
    let is_same = |node: Node<'_>| {
        let shown = source(node).and_then(|address| absolute(view, address));
        shown.and_then(without_query).as_deref() == Some(path)
    };
    let is_called_logo = |node: Node<'_>| {
        let link = node.closest("a");
        std::iter::once(node).chain(link).any(|node| {
            let names = format!(
                "{} {} {}",
                node.class(),
                node.id_attr(),
                node.attr("alt").unwrap_or_default()
            );
            words(&names).iter().any(|word| word == "logo")
        })
    };
    let is_in_frame = |node: Node<'_>| {
        let is_text = |above: &Node<'_>| matches!(above.tag(), "article" | "main");
        let mut above = node.ancestors().take_while(|above| !is_text(above));
        above.any(|above| matches!(above.tag(), "nav" | "header" | "footer"))
    };
    let leads_home = |node: Node<'_>| {
        let link = node.closest("a").and_then(|link| link.attr("href"));
        let target = link.and_then(|href| view.page.absolute(href));
        let own = view.page.url().and_then(url::Url::host_str);
        target.is_some_and(|url| url.path().len() <= 1 && url.host_str() == own)
    };
    let mut images = view.dom().by_tag("img").take(MOST_IMAGES);
    images.any(|node| is_called_logo(node) && (is_in_frame(node) || leads_home(node)) && is_same(node))
}

/// Address of the picture whose text is the heading of the page.
pub fn named(view: &VisiblePage<'_>, entities: &[TypedEntity<'_>]) -> Option<Sourced<String>> {
    let heading = view.heading.as_ref()?;
    let title = words(&heading.text);
    let signs = signs(view, entities);
    let mut images = view.dom().by_tag("img").take(MOST_IMAGES);
    images.find_map(|node| {
        let is_named = covered(&title, &words(node.attr("alt").unwrap_or_default())) >= NAMED;
        let address = source(node).filter(|_| title.len() > 1 && is_named)?;
        let address = absolute(view, address).filter(|address| !is_of_site(view, &signs, address))?;
        Some(Sourced::new(address, element_source(node)))
    })
}

/// Address of the picture that stands and is called as the main one would be.
fn pictured(view: &VisiblePage<'_>, signs: &[String]) -> Option<Sourced<String>> {
    let dom = view.dom();
    let heading = view.heading.as_ref();
    let title = heading.map(|heading| words(&heading.text)).unwrap_or_default();
    let mut rated: Vec<(f32, Node<'_>, String)> = Vec::new();
    for node in dom.by_tag("img").take(MOST_IMAGES) {
        let Some(address) = source(node)
            .and_then(|address| absolute(view, address))
            .filter(|address| !is_of_site(view, signs, address))
        else {
            continue;
        };
        let alt = words(
            node.attr("alt")
                .or_else(|| node.attr("title"))
                .unwrap_or_default(),
        );
        // The sign of a company, and what leads to another site: "hosting by", advertisements.
        if alt.iter().any(|word| word == "logo") || leads_away(view, node) {
            continue;
        }
        let mut score = covered(&title, &alt) * 3.0;
        if let Some(heading) = heading {
            score += 1.5 - (node.id().index().abs_diff(heading.node.index()) as f32 / 400.0).min(3.0);
        }
        for around in std::iter::once(node).chain(node.ancestors()).take(6) {
            if view.class_flags.has(around, class_flags::GALLERY) {
                score += 0.6;
            }
            if view.class_flags.has(around, class_flags::TRIM) {
                score -= 0.8;
            }
            if matches!(around.tag(), "header" | "nav" | "footer" | "aside") {
                score -= 2.0;
            }
        }
        let side = |name| node.attr(name).and_then(|size| size.parse::<f32>().ok());
        score += match side("width").or_else(|| side("height")) {
            Some(size) if size < 60.0 => -1.5,
            Some(size) if size >= 200.0 => 0.8,
            _ => 0.0,
        };
        if is_of_person(node) {
            score -= 2.0;
        }
        rated.push((score, node, address));
    }
    let mut best: Option<&(f32, Node<'_>, String)> = None;
    for picture in &rated {
        if best.is_none_or(|(most, _, _)| picture.0 > *most) {
            best = Some(picture);
        }
    }
    let (most, node, _) = best.filter(|(score, _, _)| *score > 0.0)?;
    // Of the pictures of one gallery the first is shown, wherever the heading stands.
    let gallery = node
        .ancestors()
        .take(6)
        .filter(|around| view.class_flags.has(*around, class_flags::GALLERY))
        .last();
    let mut alike = rated.iter().filter(|(score, picture, _)| {
        let is_within = gallery.is_some_and(|gallery| picture.is_inside(gallery.id()));
        is_within && *score > most - ONE_GALLERY
    });
    let (_, node, address) = alike.next().or(best)?;
    Some(Sourced::new(address.clone(), element_source(*node)))
}

/// Most by which the pictures of one gallery are apart, by how near to the heading each stands.
const ONE_GALLERY: f32 = 0.5;

/// Whether a picture is that of who wrote the page, or sells there.
fn is_of_person(node: Node<'_>) -> bool {
    let around = std::iter::once(node).chain(node.ancestors()).take(3);
    around.into_iter().any(|node| {
        let names = format!("{} {}", node.class(), node.id_attr());
        let names = words(&names);
        names
            .iter()
            .any(|word| matches!(word.as_str(), "author" | "avatar" | "byline" | "signature"))
    })
}

/// Whether a picture is a link to another site.
fn leads_away(view: &VisiblePage<'_>, node: Node<'_>) -> bool {
    let host = |url: &url::Url| {
        url.domain()
            .map(|domain| domain.trim_start_matches("www.").to_owned())
    };
    let own = view.page.url().and_then(host);
    let link = node.closest("a").and_then(|link| link.attr("href"));
    let target = link
        .and_then(|href| view.page.absolute(href))
        .and_then(|url| host(&url));
    let is_part = |one: &str, other: &str| one == other || one.ends_with(&format!(".{other}"));
    // Pictures are often kept at a host of their own, which shows them larger.
    let is_picture =
        link.is_some_and(|href| has_ending(href, &[".jpg", ".jpeg", ".png", ".webp", ".gif", ".avif"]));
    match (own, target) {
        (Some(own), Some(target)) => !is_picture && !is_part(&own, &target) && !is_part(&target, &own),
        _ => false,
    }
}

/// Attributes with the address of the largest image, which is shown when one points at the smaller one.
const ENLARGED: &[&str] = &["data-zoom-image", "data-large_image", "data-old-hires"];

fn source(node: Node<'_>) -> Option<&str> {
    ENLARGED
        .iter()
        .find_map(|name| node.attr(name))
        .filter(|address| !address.trim().is_empty() && !address.starts_with("data:"))
        .or_else(|| pictures::address(node))
}

fn absolute(view: &VisiblePage<'_>, address: &str) -> Option<String> {
    let address = address.trim();
    if address.is_empty() || address.starts_with("data:") {
        return None;
    }
    Some(
        view.page
            .absolute(address)
            .map_or_else(|| address.to_owned(), |url| url.to_string()),
    )
}

/// Parts of addresses of images that are no pictures of a product.
#[rustfmt::skip]
const DECORATIONS: &[&str] = &[
    "logo", "doubleclick", "//ad.", "//ads.", "/ad/", "adserver", "beacon", "tracking", "sprite", "icon",
    "placeholder", "pixel", "spacer", "blank.", "avatar", "/flags/", ".svg", "1x1", "/clear.", "transparent.", "scorecardresearch",
    "wordmark", "shadow", "gradient", "overlay", "no-image", "no_image", "noimage", "image-not-available", "coming-soon",
];

/// Words by which the name of a file says that it is one for all pages of its site.
const FOR_ALL: [&str; 17] = [
    "default",
    "facebook",
    "fb",
    "og",
    "ogimage",
    "social",
    "twitter",
    "fallback",
    "general",
    "generic",
    "homepage",
    "opengraph",
    "seo",
    "share",
    "sharing",
    "unfurl",
    "unfurling",
];
/// Further words of such a name.
const BESIDE_FOR_ALL: [&str; 25] = [
    "banner",
    "blog",
    "jpg",
    "large",
    "link",
    "photo",
    "new",
    "png",
    "small",
    "wide",
    "card",
    "cover",
    "image",
    "imagen",
    "img",
    "meta",
    "open",
    "graph",
    "preview",
    "site",
    "thumb",
    "thumbnail",
    "twtr",
    "v",
    "web",
];
/// Shortest last part of a page's path that names the page.
const LEAST_SLUG: usize = 6;

/// Whether the name of a file says that it is one for all pages of its site, and nothing else: `default-social.png`,
/// `quern-og-general.jpg` of quern.example. What stands in a folder of the page's own name is of the page.
fn is_default(view: &VisiblePage<'_>, address: &str) -> bool {
    let path = path(address);
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
    // `ANDefault` is two words.
    let name = CAPITAL.replace_all(name, "$1-$2").to_ascii_lowercase();
    // Letters beyond ASCII are escaped in addresses, and are letters of words.
    let name = percent_encoding::percent_decode_str(&name)
        .decode_utf8_lossy()
        .to_lowercase();
    let url = view.page.url();
    let host = url.and_then(url::Url::host_str).unwrap_or_default();
    let own = host
        .trim_start_matches("www.")
        .split('.')
        .next()
        .unwrap_or_default();
    let slug = url.and_then(|url| url.path().trim_end_matches('/').rsplit('/').next());
    let is_of_page = slug.is_some_and(|slug| slug.len() >= LEAST_SLUG && folder.contains(slug));
    // Digits are of a size or of the content: `social-default-72cf1e`.
    let words: Vec<&str> = name
        .split(|c: char| !c.is_alphanumeric())
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()))
        // `7quernshare` of 7quern.example.
        .map(|word| {
            word.strip_prefix(own)
                .filter(|rest| !rest.is_empty())
                .unwrap_or(word)
        })
        .filter(|word| !word.is_empty() && !word.contains(|c: char| c.is_ascii_digit()))
        .collect();
    let is_host = |word: &&str| word.len() > 2 && host.contains(*word);
    let is_plain = |word: &&str| {
        word.len() < 3 || FOR_ALL.contains(word) || BESIDE_FOR_ALL.contains(word) || is_host(word)
    };
    let is_for_all = |word: &&str| FOR_ALL.contains(word);
    // A name of the site's and a plain word: `quern-thumbnail.png`.
    let is_plainly_of_site = || words.len() > 1 && words.iter().any(is_host);
    let last_folder = folder.rsplit('/').next().unwrap_or_default();
    let is_folder_for_all = || matches!(last_folder, "share" | "sharing" | "social" | "opengraph");
    // `/im-128022/social` is a form of one picture.
    let is_numbered = last_folder.contains(|c: char| c.is_ascii_digit()) && !file.contains('.');
    let says_so = || words.iter().any(is_for_all) || is_plainly_of_site() || is_folder_for_all();
    !is_of_page && !is_numbered && says_so() && words.iter().all(is_plain)
}

locale::patterns! {
    /// Where a word begins within a name that has no other marks.
    static CAPITAL = r"([A-Za-z])([A-Z][a-z])";
}

fn is_decoration(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    DECORATIONS.iter().any(|part| lower.contains(part))
}
