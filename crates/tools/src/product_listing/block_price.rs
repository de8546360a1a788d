//! The current price of a block.

use extract::normalize::from_decimal;
use locale::price::{self, PriceHints, PriceKind};
use page::Page;
use page::dom::Node;
use serde_json::Value;

use crate::ui_words::{fold, has};

/// Longest text that is read as a price of its own, in characters.
const MAX_PRICE_TEXT: usize = 80;
/// Longest text of a block that prices are searched in, in bytes.
const MOST_TEXT: usize = 20_000;

/// Most letters beside the currency of a text that is nothing but an amount of money.
const MAX_WORD: usize = 4;

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

/// Whether a text is nothing but an amount of money.
///
/// Beside the currency there may be a short word such as "from"; "Kettle 1.7 L" is a name, though an L is a currency.
pub(crate) fn is_money(text: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
    text.chars().count() <= 24
        && price::parse(text, &PriceHints::default())
            .and_then(|it| it.currency)
            .is_some_and(|currency| letters(text) <= letters(currency) + MAX_WORD)
}

/// The first full price in a text: no instalment, no price per unit.
pub(crate) fn in_text(text: &str, page: &Page) -> Option<BlockPrice> {
    let found = price::find_all(text, &PriceHints::default());
    let full = found.iter().find(|it| it.kind == PriceKind::Full);
    full.and_then(|it| BlockPrice::of(it, page))
}

/// The price of a block: what is called a price before any other amount, and never one that is struck out.
pub(crate) fn price_of(node: Node<'_>, page: &Page) -> Option<BlockPrice> {
    let mut called: Option<BlockPrice> = None;
    let mut rest = String::new();
    let mut walk = node.descendants();
    while let Some(inner) = walk.next() {
        if let Some(run) = inner.text_value() {
            if rest.len() < MOST_TEXT {
                rest.push_str(run);
            }
            continue;
        }
        if is_struck(inner)
            || matches!(inner.tag(), "script" | "style" | "template" | "select")
            || inner.attr("hidden").is_some()
        {
            walk.leave_out(inner);
            continue;
        }
        if inner.is_block() || inner.is("br") {
            rest.push_str(" \n ");
        }
        if called.is_none() && is_called_price(inner) {
            let exact = inner
                .attr("content")
                .filter(|_| inner.attr("itemprop") == Some("price"))
                .and_then(plain);
            let text = without_struck(inner);
            let shown = || {
                (text.chars().count() <= MAX_PRICE_TEXT)
                    .then(|| in_text(&text, page))
                    .flatten()
            };
            let currency = || shown().and_then(|it| it.currency);
            called = match exact {
                Some(exact) => Some(BlockPrice {
                    currency: exact.currency.clone().or_else(currency),
                    ..exact
                }),
                None => shown(),
            };
        }
    }
    called.or_else(|| in_text(&rest, page))
}

/// Whether an element is called a price by its class or its data.
fn is_called_price(node: Node<'_>) -> bool {
    let names = ["class", "itemprop", "data-testid", "data-cy"].map(|it| node.attr(it).unwrap_or_default());
    let folded = fold(&names.join(" "));
    has(
        &folded,
        &[
            "price", "prices", "cena", "preis", "precio", "prix", "prezzo", "amount",
        ],
    ) && !has(
        &folded,
        &[
            "filter",
            "per",
            "unit",
            "installment*",
            "monthly",
            "shipping",
            "history",
            "label",
        ],
    )
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
