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
        let mut around = node.descendants().chain([node]).chain(node.ancestors().take(1));
        let text = strip(view, &text, around.any(is_brand_link));
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

/// What stands before a brand in a label, and is no part of its name.
#[rustfmt::skip]
const PREFIXES: &[&str] = &[
    "brand:", "marque :", "marque:", "marke:", "marca:", "shop all ", "more from ", "manufacturer:", "see all ",
];
/// What stands before the name of a shop: "Visit the Acme store".
const VISITS: &[&str] = &["visit the ", "visiter la boutique ", "besuche den "];
/// Words before a brand that may also be part of its name: "by Acme" and "By Malene Birger".
const OPEN_WORDS: &[&str] = &["brand ", "by ", "von "];
/// What stands behind the name of a shop.
const SHOPS: &[&str] = &[" store", " shop", "-store", "-shop"];

/// The text behind the first of some beginnings, whatever their case.
fn behind<'t>(text: &'t str, beginnings: &[&str]) -> Option<&'t str> {
    let mut parts = beginnings.iter().map(|beginning| {
        let (head, rest) = text.split_at_checked(beginning.len())?;
        (head.to_lowercase() == *beginning).then(|| rest.trim())
    });
    parts.find_map(|rest| rest)
}

/// The text before the first of some endings, whatever their case.
fn before<'t>(text: &'t str, endings: &[&str]) -> Option<&'t str> {
    let mut parts = endings.iter().map(|ending| {
        let (rest, tail) = text.split_at_checked(text.len().checked_sub(ending.len())?)?;
        (tail.to_lowercase() == *ending).then(|| rest.trim())
    });
    parts.find_map(|rest| rest)
}

/// The brand in the text of an element: "Visit the Acme store", "by Acme", "Brand: Acme".
///
/// Words that may be part of a name are cut only where they are not: those of a link to the page of a brand are its name ("By Malene
/// Birger", "The Body Shop"), but for a word that is written small, or where the page names the brand without them.
fn strip(view: &VisiblePage<'_>, text: &str, is_link: bool) -> String {
    let text = text.trim();
    let visited = behind(text, VISITS);
    let rest = visited.or_else(|| behind(text, PREFIXES)).unwrap_or(text);
    let rest = match behind(rest, OPEN_WORDS) {
        Some(name)
            if rest.starts_with(char::is_lowercase)
                || is_named_without(view, name, rest)
                || !(is_link || begins(view, rest)) =>
        {
            name
        }
        _ => rest,
    };
    let rest = before(rest, &[" products"]).unwrap_or(rest);
    let rest = match before(rest, SHOPS) {
        Some(name) if visited.is_some() || is_named_without(view, name, rest) => name,
        _ => rest,
    };
    rest.trim_matches([':', ' ', '-']).to_owned()
}

/// Whether the heading or a title begins with a name.
fn begins(view: &VisiblePage<'_>, name: &str) -> bool {
    let own = words(name);
    headings(view).any(|text| words(text).starts_with(&own))
}

/// Whether the heading or a title has a name, and not the longer one.
fn is_named_without(view: &VisiblePage<'_>, name: &str, longer: &str) -> bool {
    let (name, longer) = (words(name), words(longer));
    let has =
        |all: &[String], part: &[String]| !part.is_empty() && all.windows(part.len()).any(|it| it == part);
    headings(view)
        .map(words)
        .any(|all| has(&all, &name) && !has(&all, &longer))
}

fn headings<'v>(view: &'v VisiblePage<'_>) -> impl Iterator<Item = &'v str> {
    let heading = view.heading.iter().map(|heading| heading.text.as_str());
    heading.chain(view.titles.iter().map(String::as_str))
}

/// Whether a link leads to the page of a brand.
fn is_brand_link(link: Node<'_>) -> bool {
    let target = link.attr("href").map(str::to_ascii_lowercase);
    target.is_some_and(|target| BRAND_PATHS.iter().any(|part| target.contains(part)))
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
        .map(|link| (link, strip(view, &link.text(), is_brand_link(link))))
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
        let branded = is_brand_link(link);
        let text = strip(view, &link.text(), branded);
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
    let text = strip(view, view.lines.line_text(above), false);
    let named = view.titles.iter().any(|title| {
        let title = words(title);
        let own = words(&text);
        !own.is_empty()
            && (title.starts_with(&own) || title.windows(own.len()).any(|window| window == own.as_slice()))
    });
    let own = words(&heading.text);
    let block = view.dom().node(above.block);
    (is_name(&text) && named && !is_of_site(block) && !words(&text).iter().all(|word| own.contains(word)))
        .then(|| Sourced::new(text, element_source(block)))
}

/// Whether an element is in the head of the page above its main part, where the name of the seller or of the place stands.
fn is_of_site(node: Node<'_>) -> bool {
    let mut around = std::iter::once(node).chain(node.ancestors());
    let header = around.find(|node| matches!(node.tag(), "header" | "main" | "article"));
    header.is_some_and(|header| {
        header.is("header")
            && !header
                .ancestors()
                .any(|node| matches!(node.tag(), "main" | "article"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seller_in_the_head_of_the_site_is_no_brand() {
        let brand = |body: &str| {
            let html = format!("<title>Quern Mill – Mills and More</title><body>{body}");
            let page = page::Page::new(html, None);
            shown(&VisiblePage::of(&page)).map(|found| found.value)
        };
        let seller =
            "<header><a href=/>Mills and More</a></header><main><h1>Quern Mill</h1><p>99 €</p></main>";
        assert_eq!(brand(seller), None);
        let maker = "<header><a href=/>Shop</a></header><main><a href=/mm>Mills and More</a><h1>Quern Mill</h1><p>99 €</p></main>";
        assert_eq!(brand(maker).as_deref(), Some("Mills and More"));
    }
}
