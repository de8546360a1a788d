//! What is known about a price text, and what is read from it.

/// What is known about a price from outside its own text.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PriceHints<'t> {
    /// A text that may name the currency: a code, a symbol or a neighbouring price.
    pub currency_hint: Option<&'t str>,
    /// The decimal separator of the page; a currency sign when cents follow it ("35€99").
    pub decimal_separator: Option<char>,
    /// The separator of digit groups of the page.
    pub digit_group_separator: Option<char>,
}

/// How much the amount buys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PriceKind {
    /// The whole thing.
    #[default]
    Full,
    /// One unit of measure or one month of it ("/kg", "per month").
    PerUnit,
    /// One part of a payment plan ("3x de R$ 30").
    Installment,
    /// An earlier price ("was $120"), stated alone.
    Earlier,
    /// No price of the thing: a saving, the shipping, a deposit, or what members of a club pay ("save $20").
    Aside,
}

/// A price as a text states it.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedPrice<'t> {
    /// The amount as an exact decimal ("1299.00"); of a range its lower bound.
    pub amount: String,
    /// The upper bound of a range, at least `amount`.
    pub upper: Option<String>,
    /// The currency as written in the text or in the hint; its code where the text names only its small coins ("50p") or
    /// writes only the mark for missing cents ("129:-"). An amount in cents ("99¢") is one of dollars.
    pub currency: Option<&'t str>,
    /// ISO 4217 code of that currency; for shared signs ("$", "kr") that of the most used one, see [`iso`](super::iso).
    pub iso: Option<&'static str>,
    /// The number as written.
    pub raw: &'t str,
    /// How much the amount buys.
    pub kind: PriceKind,
}

/// What a text says: perhaps a price, perhaps only a currency.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PriceAndCurrency<'t> {
    /// The price, when an amount is stated.
    pub price: Option<ParsedPrice<'t>>,
    /// The currency, also when no amount is stated.
    pub currency: Option<&'t str>,
}
