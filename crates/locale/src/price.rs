//! Prices in the spellings of shops all over the world.
//!
//! Amounts are exact decimal strings, never floats. A number with a currency beside it is believed before a bare one, the
//! current price before an earlier one; percentages, dates, counts and negative numbers are no prices.
//!
//! ```
//! use locale::price::{PriceHints, parse};
//!
//! let price = parse("Was 1.499,00 € now 1.299,00 €", &PriceHints::default()).expect("a price");
//! assert_eq!((price.amount.as_str(), price.iso), ("1299.00", Some("EUR")));
//! assert_eq!(parse("40% off", &PriceHints::default()), None);
//! ```

mod candidates;
mod cents;
mod currency;
mod labels;
mod lists;
mod scaling;
#[cfg(test)]
mod tests;
mod types;

pub use crate::decimal::compare;
use candidates::PriceText;
pub use types::{ParsedPrice, PriceAndCurrency, PriceHints, PriceKind};

/// ISO 4217 code of a currency as written; `country` (two letters) decides between those that share a sign.
///
/// ```
/// assert_eq!(locale::price::iso("$", None), Some("USD"));
/// assert_eq!(locale::price::iso("$", Some("ca")), Some("CAD"));
/// ```
pub fn iso(currency: &str, country: Option<&str>) -> Option<&'static str> {
    currency::code(currency, country)
}

/// Whether a character is the sign of a currency: those of Unicode's category `Sc`, but the generic sign (`¤`) and the cent.
///
/// ```
/// assert!(locale::price::is_sign('₦') && locale::price::is_sign('￥'));
/// assert!(!locale::price::is_sign('%') && !locale::price::is_sign('¢'));
/// ```
pub fn is_sign(c: char) -> bool {
    matches!(
        c,
        '$' | '\u{a3}'
            | '\u{a5}'
            | '\u{58f}'
            | '\u{60b}'
            | '\u{9f2}'
            | '\u{9f3}'
            | '\u{e3f}'
            | '\u{17db}'
            | '\u{20a0}'
            ..='\u{20c0}' | '\u{fdfc}' | '\u{fe69}' | '\u{ff04}' | '\u{ffe1}' | '\u{ffe5}' | '\u{ffe6}'
    )
}

/// The price that `text` states, if it states one.
pub fn parse<'t>(text: &'t str, hints: &PriceHints<'t>) -> Option<ParsedPrice<'t>> {
    read(text, hints).price
}

/// All amounts with a currency beside them, in order: the raw material for choosing among a page's prices.
pub fn find_all<'t>(text: &'t str, hints: &PriceHints<'t>) -> Vec<ParsedPrice<'t>> {
    PriceText::with_currency(text, hints).map_or_else(Vec::new, |text| text.priced())
}

/// The price and the currency that `text` states.
pub fn read<'t>(text: &'t str, hints: &PriceHints<'t>) -> PriceAndCurrency<'t> {
    let candidates = PriceText::new(text, hints);
    let mut price = small_coins(text).or_else(|| candidates.best_price());
    if price.is_none() && candidates.is_free() {
        price = Some(ParsedPrice {
            amount: "0".to_owned(),
            upper: None,
            currency: None,
            iso: None,
            raw: text.trim(),
            kind: PriceKind::Full,
        });
    }
    let (currency, iso) = match price
        .as_ref()
        .and_then(|price| Some((price.currency?, price.iso)))
    {
        Some((currency, iso)) => (Some(currency), iso),
        None => candidates.currency(hints),
    };
    if let Some(price) = &mut price {
        (price.currency, price.iso) = (currency, iso);
    }
    PriceAndCurrency { price, currency }
}

/// The price of a text that is nothing but small coins: "50p", "80 Cent".
fn small_coins(text: &str) -> Option<ParsedPrice<'_>> {
    let (amount, iso) = cents::small_coins_alone(text)?;
    Some(ParsedPrice {
        amount,
        upper: None,
        currency: iso,
        iso,
        raw: text.trim(),
        kind: PriceKind::Full,
    })
}
