//! What the heading of a column says its numbers are multiplied by: thousands of "Price (£000)", millions of "Population (millions)",
//! square feet of "Size (sq ft)".

use crate::words::word_forms::tokens;

/// Square metres of a square foot.
const SQUARE_FOOT: f64 = 0.092_903_04;
/// Words of headings, and what they multiply by.
const SCALES: [(f64, &[&str]); 3] = [
    (
        1e3,
        &["000", "000s", "thousand", "thousands", "tsd", "tausend", "tys"],
    ),
    (
        1e6,
        &["million", "millions", "mio", "mln", "millionen", "milionow"],
    ),
    (
        1e9,
        &[
            "bn",
            "billion",
            "billions",
            "mrd",
            "mld",
            "milliarden",
            "miliardow",
        ],
    ),
];
/// Words for amounts of money, of which an "m" counts millions and no metres.
const MONEY: [&str; 10] = [
    "price", "revenue", "sales", "gdp", "profit", "cost", "value", "umsatz", "gewinn", "przychod",
];

/// What the numbers of a field are multiplied by; `None` where its name says nothing. The name is as fields are called:
/// `price_000`.
pub(crate) fn scale(field: &str) -> Option<f64> {
    let words = tokens(&field.replace('_', " "));
    let (_, behind) = words.split_first()?;
    let of_word = |word: &String| {
        let mut scales = SCALES.iter();
        scales.find_map(|(scale, known)| known.contains(&word.as_str()).then_some(*scale))
    };
    let is_money = || words.iter().any(|word| MONEY.contains(&word.as_str()));
    let millions = || (behind.last()? == "m" && is_money()).then_some(1e6);
    let found = behind.iter().rev().find_map(of_word);
    // "area_1_000_km²" counts thousands, too.
    found.or_else(millions)
}

/// The square metres of one unit of a field of areas; `None` where its name does not say that they are square feet.
pub(crate) fn square_metres(field: &str) -> Option<f64> {
    let words = tokens(&field.replace('_', " "));
    let is_foot =
        |pair: &[String]| matches!(pair, [one, other] if one == "sq" && (other == "ft" || other == "feet"));
    let is_one_word = |word: &String| matches!(word.as_str(), "sqft" | "ft2" | "ft²");
    (words.windows(2).any(is_foot) || words.iter().any(is_one_word)).then_some(SQUARE_FOOT)
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
        ] {
            assert_eq!(scale(field), wanted, "{field}");
        }
        assert_eq!(square_metres("size_sq_ft"), Some(SQUARE_FOOT));
        assert_eq!(square_metres("size_m²"), None);
    }
}
