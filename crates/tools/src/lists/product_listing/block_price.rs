//! Amounts of money as products of shops with known markup have them.

use extract::normalize::from_decimal;
use locale::price::{self, PriceHints, PriceKind};
use page::Page;
use page::dom::Node;
use serde_json::Value;

use crate::controls::ui_words::{fold, has};

/// An amount of money.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BlockPrice {
    /// The amount as a JSON number.
    pub(crate) amount: Value,
    /// ISO 4217 code, where there is one.
    pub(crate) currency: Option<String>,
}

impl BlockPrice {
    fn of(price: &price::ParsedPrice<'_>, page: &Page) -> Option<BlockPrice> {
        let currency = price
            .currency
            .and_then(|it| price::iso(it, country(page).as_deref()))
            .or(price.iso);
        Some(BlockPrice {
            amount: from_decimal(&price.amount)?,
            currency: currency.map(str::to_owned),
        })
    }
}

/// The country of a page's address or language, as two letters.
pub(crate) fn country(page: &Page) -> Option<String> {
    let host = page.url().and_then(|it| it.host_str());
    let ending = host
        .and_then(|it| it.rsplit('.').next())
        .filter(|it| it.len() == 2 && it.bytes().all(|b| b.is_ascii_alphabetic()));
    let language = || {
        let html = page.dom().by_tag("html").next()?;
        html.attr("lang")?
            .split(['-', '_'])
            .nth(1)
            .filter(|it| it.len() == 2)
    };
    ending.or_else(language).map(str::to_ascii_uppercase)
}

/// The ISO code of a currency as written.
pub(crate) fn code(currency: &str, page: &Page) -> Option<String> {
    price::iso(currency.trim(), country(page).as_deref()).map(str::to_owned)
}

/// An amount of structured data: a bare decimal, or a price as people write it.
pub(crate) fn plain(text: &str) -> Option<BlockPrice> {
    let read = price::parse(text, &PriceHints::default())?;
    Some(BlockPrice {
        amount: from_decimal(&read.amount)?,
        currency: read.iso.map(str::to_owned),
    })
}

/// The first full price in a text: no instalment, no price per unit.
pub(crate) fn in_text(text: &str, page: &Page) -> Option<BlockPrice> {
    let found = price::find_all(text, &PriceHints::default());
    let full = found.iter().find(|it| it.kind == PriceKind::Full);
    full.and_then(|it| BlockPrice::of(it, page))
}

/// Whether an element shows a former price.
pub(crate) fn is_struck(node: Node<'_>) -> bool {
    if matches!(node.tag(), "del" | "s" | "strike") || node.attr("data-a-strike") == Some("true") {
        return true;
    }
    let class = node.class();
    if class.is_empty() {
        return false;
    }
    let folded = fold(class);
    has(
        &folded,
        &[
            "old", "was", "strike*", "crossed", "previous", "rrp", "msrp", "compare", "before", "stara",
        ],
    ) || folded.contains(" list price ")
        || folded.contains(" a text price ")
}

/// The text of an element without what is struck out in it.
pub(crate) fn without_struck(node: Node<'_>) -> String {
    let mut text = String::new();
    let mut walk = node.descendants();
    while let Some(inner) = walk.next() {
        if let Some(run) = inner.text_value() {
            text.push_str(run);
        } else if is_struck(inner) || inner.attr("aria-hidden") == Some("true") {
            walk.leave_out(inner);
        } else if inner.is_block() {
            text.push(' ');
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
