//! Brand or maker of a product, as the page shows it.

use std::sync::LazyLock;

use page::dom::Node;

use super::super::class_flags;
use super::super::element_source::element_source;
use super::super::labelled_fields::without_day;
use super::super::labels::LabelRanks;
use super::super::visible_page::{VisiblePage, covered, squeeze, words};
use super::super::word_lists::section;
use crate::provenance::Sourced;

/// Labels of the brand and its maker, in the languages of shops.
static LABELS: LazyLock<Vec<&str>> = LazyLock::new(|| section(include_str!("labels.txt"), "brand"));
static RANKS: LazyLock<LabelRanks> = LazyLock::new(|| LabelRanks::new(&LABELS));

/// The brand as the page shows it.
pub fn shown(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    labelled(view)
        .or_else(|| classed(view))
        .or_else(|| linked(view))
        .or_else(|| opening(view))
}

fn labelled(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let mut best: Option<(usize, Sourced<String>)> = None;
    for pair in &view.pairs {
        let Some(rank) = RANKS.get(&pair.key) else {
            continue;
        };
        let name = without_day(&pair.value);
        if best.as_ref().is_none_or(|(least, _)| rank < *least) && is_name(name) {
            let source = element_source(view.dom().node(pair.node));
            best = Some((rank, Sourced::new(name.to_owned(), source)));
        }
    }
    best.filter(|(rank, _)| *rank < 60).map(|(_, found)| found)
}

/// A short name, not a sentence or a price.
fn is_name(text: &str) -> bool {
    let count = words(text).len();
    (1..=5).contains(&count)
        && text.len() <= 40
        && text.contains(char::is_alphabetic)
        && !text.contains(['€', '$', '£', ':', '?'])
}

/// An element classed as the brand, near the heading.
fn classed(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let heading = view.heading.as_ref()?;
    let from = view.lines.get(heading.line.saturating_sub(12))?.block;
    let to = view
        .lines
        .get((heading.line + 40).min(view.lines.len().saturating_sub(1)))?
        .block;
    let title = words(&heading.text);
    let mut best: Option<(f32, Sourced<String>)> = None;
    for node in view.dom().nodes() {
        if node.id() < from || !node.is_element() {
            continue;
        }
        if node.id() > to {
            break;
        }
        let named = view.class_flags.has(node, class_flags::BRAND);
        // `btn--variant-brand` is a colour of buttons.
        let is_button = node.is("button") || node.classes().any(|class| class.contains("btn"));
        if !named || is_button || node.end().index() - node.id().index() > 25 {
            continue;
        }
        let mut text = node.text();
        if text.is_empty() {
            // A logo in place of the name.
            text = node
                .descendants()
                .chain([node])
                .find(|it| it.is("img"))
                .and_then(|image| image.attr("alt").or_else(|| image.attr("title")))
                .map(squeeze)
                .unwrap_or_default();
        }
        let text = strip(&text);
        if !is_name(&text) || words(&text) == title || LABELS.contains(&text.to_lowercase().as_str()) {
            continue;
        }
        let starts = title.starts_with(&words(&text));
        let own = words(&text);
        let in_title = view
            .titles
            .iter()
            .any(|title| covered(&own, &words(title)) > 0.99);
        let near = node.id().index().abs_diff(heading.node.index()) < 60;
        if !in_title && !near {
            continue;
        }
        let score = if starts {
            2.0
        } else if in_title {
            1.5
        } else {
            1.0
        } - (node.id().index().abs_diff(heading.node.index()) as f32 / 2000.0).min(0.9);
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, Sourced::new(text, element_source(node))));
        }
    }
    best.map(|(_, found)| found)
}

/// What stands before a brand.
#[rustfmt::skip]
const PREFIXES: &[&str] = &[
    "visit the ", "brand:", "brand ", "by ", "von ", "marque :", "marque:", "marke:", "marca:", "shop all ",
    "more from ", "manufacturer:", "visiter la boutique ", "besuche den ", "see all ",
];

/// "Visit the Acme store", "by Acme", "Brand: Acme".
fn strip(text: &str) -> String {
    let mut rest = text.trim();
    let lower = rest.to_lowercase();
    for prefix in PREFIXES {
        if lower.starts_with(prefix) {
            rest = rest.get(prefix.len()..).unwrap_or(rest).trim();
            break;
        }
    }
    for suffix in [" store", " shop", "-store", "-shop", " products"] {
        if rest.to_lowercase().ends_with(suffix) {
            rest = rest.get(..rest.len() - suffix.len()).unwrap_or(rest).trim();
            break;
        }
    }
    rest.trim_matches([':', ' ', '-']).to_owned()
}

/// A link near the heading whose words open the heading ("EVGA" above "EVGA GeForce ...").
fn opening(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let is_in_menu = |link: &Node<'_>| {
        link.ancestors().any(|above| {
            let names = format!("{} {}", above.class(), above.id_attr()).to_ascii_lowercase();
            matches!(above.tag(), "nav" | "footer") || (!above.is("body") && names.contains("nav"))
        })
    };
    let heading = view.heading.as_ref()?;
    let title = words(&heading.text);
    let from = view.lines.get(heading.line.saturating_sub(25))?.block;
    let to = view
        .lines
        .get((heading.line + 60).min(view.lines.len().saturating_sub(1)))?
        .block;
    let links = view
        .dom()
        .by_tag("a")
        .filter(|link| link.id() >= from && link.id() <= to && !is_in_menu(link));
    links
        .map(|link| (link, strip(&link.text())))
        .find_map(|(link, text)| {
            let own = words(&text);
            let opens =
                !own.is_empty() && own.len() <= 3 && own.len() < title.len() && title.starts_with(&own);
            (opens && is_name(&text)).then(|| Sourced::new(text, element_source(link)))
        })
}

/// Parts of addresses of the pages of brands.
#[rustfmt::skip]
const BRAND_PATHS: &[&str] = &[
    "/brand/", "/brands/", "/b/", "/marke/", "/marken/", "/marque/", "/marca/", "/marcas/", "/merk/", "/manufacturer",
    "brand=", "/vendor", "/hersteller/", "/producent", "/designer",
];

/// A link to the brand's own page, near the heading.
fn linked(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let heading = view.heading.as_ref()?;
    let from = view.lines.get(heading.line.saturating_sub(8))?.block;
    let to = view
        .lines
        .get((heading.line + 30).min(view.lines.len().saturating_sub(1)))?
        .block;
    let links = view
        .dom()
        .by_tag("a")
        .filter(|link| link.id() >= from && link.id() <= to);
    for link in links {
        let Some(href) = link.attr("href") else { continue };
        let href = href.to_ascii_lowercase();
        let branded = BRAND_PATHS.iter().any(|part| href.contains(part));
        let text = strip(&link.text());
        let menu = link
            .ancestors()
            .any(|ancestor| matches!(ancestor.tag(), "nav" | "header" | "footer"));
        if branded && is_name(&text) && !menu && !LABELS.contains(&text.to_lowercase().as_str()) {
            return Some(Sourced::new(text, element_source(link)));
        }
    }
    // The line above the heading, when it is one short link or name that also opens the title.
    let above = heading
        .line
        .checked_sub(1)
        .and_then(|index| view.lines.get(index))?;
    let text = strip(view.lines.line_text(above));
    let named = view.titles.iter().any(|title| {
        let title = words(title);
        let own = words(&text);
        !own.is_empty()
            && (title.starts_with(&own) || title.windows(own.len()).any(|window| window == own.as_slice()))
    });
    let own = words(&heading.text);
    (is_name(&text) && named && !words(&text).iter().all(|word| own.contains(word)))
        .then(|| Sourced::new(text, element_source(view.dom().node(above.block))))
}
