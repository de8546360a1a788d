//! Prices, dates and numbers of any text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locale::number::{self, NumberStyle};
use locale::{dates, price};

fuzz_target!(|text: &str| {
    for price in price::find_all(text, &price::PriceHints::default()) {
        assert!(!price.amount.is_empty());
    }
    let _ = number::parse(text, NumberStyle::default());
    let now = jiff::civil::date(2026, 6, 15).at(12, 0, 0, 0);
    let _ = dates::parse(text, now, &dates::DateHints::default());
});
