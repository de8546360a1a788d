//! What the heading of a column says its numbers are multiplied by: thousands of "Price (£000)", millions of "Population (millions)".

use crate::rows::numbers::multiplier;
use crate::words::word_forms::tokens;

/// Words for amounts of money, of which an "m" counts millions and no metres.
const AMOUNTS: [&str; 12] = [
    "price", "revenue", "sales", "gdp", "profit", "cost", "value", "umsatz", "gewinn", "preis", "cena",
    "przychod",
];
/// Words before what a number is for: "Price per 1,000 litres" is multiplied by nothing.
const FOR: [&str; 8] = ["per", "pro", "je", "for", "fur", "na", "za", "each"];

/// What the numbers of a field are multiplied by; `None` where its name says nothing. The name is as fields are called:
/// `price_000`.
pub(crate) fn scale(field: &str) -> Option<f64> {
    let words = tokens(&field.replace('_', " "));
    let (_, behind) = words.split_first()?;
    if words.iter().any(|word| FOR.contains(&word.as_str())) {
        return None;
    }
    let is_money = || words.iter().any(|word| AMOUNTS.contains(&word.as_str()));
    behind.iter().rev().find_map(|word| match word.as_str() {
        "000" | "000s" => Some(1e3),
        "m" => is_money().then_some(1e6),
        word => multiplier(word),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_say_what_numbers_are_multiplied_by() {
        for (field, wanted) in [
            ("price_000", Some(1e3)),
            ("population_millions", Some(1e6)),
            ("gdp_us_bn", Some(1e9)),
            ("revenue_m", Some(1e6)),
            ("area_1_000_km²", Some(1e3)),
            ("height_m", None),
            ("price", None),
            ("million", None),
            ("price_per_1_000_litres", None),
            ("deaths_per_million", None),
        ] {
            assert_eq!(scale(field), wanted, "{field}");
        }
    }
}
