//! Address of the main picture of a product.

use page::dom::Node;

use super::super::class_flags;
use super::super::element_source::element_source;
use super::super::visible_page::{VisiblePage, covered, meta, words};
use crate::provenance::{FieldSource, Sourced};

/// Address of the main picture as the page shows it.
pub fn shown(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let dom = view.dom();
    for name in [
        "og:image:secure_url",
        "og:image",
        "twitter:image",
        "twitter:image:src",
    ] {
        if let Some(address) = meta(dom, name)
            .and_then(|content| absolute(view, content))
            .filter(|address| !is_decoration(address))
        {
            return Some(Sourced::new(address, FieldSource::meta(name)));
        }
    }
    if let Some(link) = dom
        .by_tag("link")
        .find(|link| link.attr("rel") == Some("image_src"))
        && let Some(address) = link.attr("href").and_then(|href| absolute(view, href))
    {
        return Some(Sourced::new(address, FieldSource::meta("image_src")));
    }
    let heading = view.heading.as_ref();
    let title = heading.map(|heading| words(&heading.text)).unwrap_or_default();
    let mut best: Option<(f32, Sourced<String>)> = None;
    for node in dom.by_tag("img").take(400) {
        let Some(address) = source(node)
            .and_then(|address| absolute(view, address))
            .filter(|address| !is_decoration(address))
        else {
            continue;
        };
        let alt = words(
            node.attr("alt")
                .or_else(|| node.attr("title"))
                .unwrap_or_default(),
        );
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
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, Sourced::new(address, element_source(node))));
        }
    }
    best.filter(|(score, _)| *score > 0.0).map(|(_, found)| found)
}

/// Attributes with the address of an image, the largest image first.
#[rustfmt::skip]
const IMAGE_ATTRIBUTES: &[&str] = &[
    "data-zoom-image", "data-large_image", "data-old-hires", "data-src", "data-original", "data-lazy-src",
    "data-lazy", "src",
];

fn source(node: Node<'_>) -> Option<&str> {
    let lazy = IMAGE_ATTRIBUTES;
    lazy.iter()
        .find_map(|name| node.attr(name))
        .filter(|address| !address.trim().is_empty() && !address.starts_with("data:"))
        .or_else(|| {
            let set = node.attr("srcset").or_else(|| node.attr("data-srcset"))?;
            set.split(',').next_back()?.split_whitespace().next()
        })
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
    "placeholder", "pixel", "spacer", "blank.", "avatar", "/flags/", ".svg", "1x1",
];

fn is_decoration(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    DECORATIONS.iter().any(|part| lower.contains(part))
}
