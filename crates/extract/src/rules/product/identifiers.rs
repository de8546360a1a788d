//! SKU, GTIN and part number of a product, as the page shows them.

use std::sync::LazyLock;

use page::dom::{Node, NodeId};

use super::super::element_source::element_source;
use super::super::labels::LabelRanks;
use super::super::visible_page::VisiblePage;
use super::super::word_lists::section;
use super::availability::{related_start, section_end};
use crate::provenance::Sourced;

/// Labels of each code, in the languages of shops.
const LABELS: &str = include_str!("labels.txt");

static SKUS: LazyLock<LabelRanks> = LazyLock::new(|| LabelRanks::new(&section(LABELS, "sku")));
static GTINS: LazyLock<LabelRanks> = LazyLock::new(|| LabelRanks::new(&section(LABELS, "gtin")));
static MPNS: LazyLock<LabelRanks> = LazyLock::new(|| LabelRanks::new(&section(LABELS, "mpn")));

/// The shop's own number as the page shows it.
pub fn sku(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    labelled(view, &SKUS, &number)
        .or_else(|| classed(view))
        .or_else(|| inline(view))
}

/// Words that stand beside "sku" in the name of an element that holds the number alone ("product-sku", "sku_value").
#[rustfmt::skip]
const BESIDE_SKU: [&str; 14] = [
    "product", "products", "item", "variant", "value", "number", "code", "no", "text", "current", "detail", "details", "info", "pdp",
];

/// The number in an element that is named after it, where all such elements in the part of the page about the product say
/// the same.
fn classed(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let heading = view.heading.as_ref()?.line;
    let last = section_end(view, heading);
    let mut found: Option<(String, NodeId)> = None;
    for line in view.lines.iter().take(last).skip(heading.saturating_sub(3)) {
        for segment in view.lines.segments(line) {
            let element = view.dom().node(segment.element);
            let named = std::iter::once(element)
                .chain(element.parent())
                .find(|node| is_named_sku(*node));
            let text = view.lines.segment_text(segment);
            let Some(code) = named.and_then(|_| alone(text)) else {
                continue;
            };
            match &found {
                Some((known, _)) if *known != code => return None,
                Some(_) => {}
                None => found = Some((code, segment.element)),
            }
        }
    }
    found.map(|(code, node)| Sourced::new(code, element_source(view.dom().node(node))))
}

/// Whether a class, the id or `itemprop` of an element says that it holds the number of a product.
fn is_named_sku(node: Node<'_>) -> bool {
    let is_sku = |name: &str| {
        let holds_sku = name
            .as_bytes()
            .windows(3)
            .any(|part| part.eq_ignore_ascii_case(b"sku"));
        if !holds_sku {
            return false;
        }
        let words = || {
            name.split(['-', '_'])
                .filter(|word| !word.is_empty())
                .map(str::to_ascii_lowercase)
        };
        let fits = |word: String| word == "sku" || BESIDE_SKU.contains(&word.as_str());
        words().any(|word| word == "sku") && words().all(fits)
    };
    node.classes().any(is_sku)
        || is_sku(node.id_attr())
        || node.attr("itemprop") == Some("sku")
        || node.attr("data-product-sku").is_some()
}

/// The number that a text is, with or without a label and a colon before it.
fn alone(text: &str) -> Option<String> {
    let value = text.rsplit([':', '：']).next().unwrap_or(text).trim();
    let is_one = !value.contains(char::is_whitespace);
    token(value).filter(|code| is_one && code.len() >= 3)
}

/// A trade item number as the page shows it; its check digit holds.
pub fn gtin(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    labelled(view, &GTINS, &|value| {
        let digits: String = value
            .split([',', ';', ' '])
            .next()?
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        is_gtin(&digits).then_some(digits)
    })
}

/// The maker's part number as the page shows it.
pub fn mpn(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    labelled(view, &MPNS, &|value| {
        (value.split_whitespace().count() <= 3 && value.len() <= 40).then(|| value.to_owned())
    })
}

/// Labels of numbers that discounts have, too.
const OF_DISCOUNTS: [&str; 6] = ["code", "use code", "kod", "cod", "código", "codice"];

fn labelled(
    view: &VisiblePage<'_>,
    ranks: &LabelRanks,
    read: &dyn Fn(&str) -> Option<String>,
) -> Option<Sourced<String>> {
    let mut found: Vec<(usize, String, NodeId)> = Vec::new();
    for pair in &view.pairs {
        // "Buy.com SKU", "Acme Item #": a shop's name in front changes nothing.
        let named = || ranks.get(pair.key.split_once(' ')?.1).filter(|rank| *rank < 4);
        let Some(rank) = ranks.get(&pair.key).or_else(named) else {
            continue;
        };
        // Above the heading, "Code: SAVE10" is one of a discount.
        let is_above = || {
            view.heading
                .as_ref()
                .is_some_and(|heading| pair.node < heading.node)
        };
        if OF_DISCOUNTS.contains(&pair.key.as_str()) && is_above() {
            continue;
        }
        if let Some(value) = read(&pair.value) {
            found.push((rank, value, pair.node));
        }
    }
    let is_doubtful = found.windows(2).any(|pair| matches!(pair, [a, b] if a.1 != b.1));
    if let Some(others) = is_doubtful.then(|| others_from(view)).flatten() {
        let mut behind = found.iter().filter(|(_, _, node)| *node >= others);
        let first = behind.next().map(|(_, value, _)| value);
        let are_many = behind.any(|(_, value, _)| Some(value) != first);
        found.retain(|(_, _, node)| !are_many || *node < others);
    }
    let (_, value, node) = found.into_iter().min_by_key(|(rank, _, _)| *rank)?;
    Some(Sourced::new(value, element_source(view.dom().node(node))))
}

/// Where the section of other products begins, if the page has one behind the heading.
pub(super) fn others_from(view: &VisiblePage<'_>) -> Option<NodeId> {
    let heading = view.heading.as_ref()?.line;
    let line = view.lines.get(related_start(view, heading, view.lines.len())?)?;
    Some(line.block)
}

/// The number behind a label: a token with a digit, or one word of capital letters with a hyphen.
fn number(value: &str) -> Option<String> {
    let word = value.trim();
    let is_capital = |c: char| c.is_ascii_uppercase() || matches!(c, '-' | '_' | '/');
    let is_word = word.contains('-') && (5..=40).contains(&word.len()) && word.chars().all(is_capital);
    if is_word {
        Some(word.to_owned())
    } else {
        token(value)
    }
}

/// A code: the first token with a digit in it, of the first three; what follows it is explanation.
pub(super) fn token(value: &str) -> Option<String> {
    let value = value.trim_start_matches(['#', ':', ' ']).trim();
    let first = value
        .split([' ', '\u{a0}', '|', ',', ';', '(', ')'])
        .filter(|token| !token.is_empty())
        .take(3)
        .find(|token| token.contains(|c: char| c.is_ascii_digit()))?;
    let first = first.trim_matches(|c: char| !c.is_alphanumeric());
    let fits = first.chars().any(|c| c.is_ascii_digit())
        && (2..=40).contains(&first.chars().count())
        && first
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '+' | '#'));
    fits.then(|| first.to_owned())
}

/// Labels that stand before a code without a colon.
const INLINE_LABELS: &str = r"sku|item\s?(?:no|number|code|#)|product\s?(?:code|no|number|id)|art(?:icle|ikel)?[.\s-]*(?:nr|no|number|nummer)|bestell-?\s?(?:nr|nummer)|style\s?(?:no|#|number)|cat(?:alog)?[.\s]*(?:no|number)|артикул|код товара|код|kód|réf(?:érence)?|ref|cod(?:ice)?|symbol|varenr|tuotenro|šifra|商品番号|商品コード|品番|商品编号|商品編號|货号|상품번호|상품코드";

locale::patterns! {
    static INLINE = format!(r"(?i)(?:^|[\s(|])(?:{INLINE_LABELS})[.:#\s№°]*\s*([A-Za-z0-9][A-Za-z0-9._/-]{{2,39}})(?:$|[\s,;|)\]])");
}

/// A number behind its label on one line, without a colon ("Item No. AT3484"); among other products only where it is the one
/// number there.
fn inline(view: &VisiblePage<'_>) -> Option<Sourced<String>> {
    let heading = view.heading.as_ref().map_or(0, |heading| heading.line);
    let lines = view
        .lines
        .iter()
        .enumerate()
        .skip(heading.saturating_sub(3))
        .take(120);
    let mut found =
        lines.filter_map(|(at, line)| Some((at, inline_code(view.lines.line_text(line))?, line.block)));
    let (at, code, block) = found.next()?;
    let is_behind = || related_start(view, heading, at + 1).is_some();
    let is_own = !is_behind() || found.all(|(_, other, _)| other == code);
    is_own.then(|| Sourced::new(code, element_source(view.dom().node(block))))
}

fn inline_code(text: &str) -> Option<String> {
    if text.len() > 160 || !text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    token(INLINE.captures(text)?.get(1)?.as_str())
}

/// Whether a line of the page or its address holds the number as a word of its own.
pub(super) fn is_printed(view: &VisiblePage<'_>, number: &str) -> bool {
    if number.len() < 3 {
        return false;
    }
    let holds = |text: &str| {
        text.match_indices(number).any(|(at, _)| {
            let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let before = text.get(..at).and_then(|head| head.chars().next_back());
            let behind = text.get(at + number.len()..).and_then(|rest| rest.chars().next());
            !is_letter(before) && !is_letter(behind)
        })
    };
    view.lines.iter().any(|line| holds(view.lines.line_text(line)))
        || view.page.url().is_some_and(|url| holds(url.as_str()))
}

/// Whether the digits are a GTIN-8, -12, -13 or -14 by length and check digit (GS1 General Specifications, 7.9).
pub fn is_gtin(digits: &str) -> bool {
    if !matches!(digits.len(), 8 | 12 | 13 | 14) || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(at, b)| u32::from(b - b'0') * if at % 2 == 1 { 3 } else { 1 })
        .sum();
    sum.is_multiple_of(10)
}
