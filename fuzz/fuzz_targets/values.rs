//! Prices and dates out of any text.

#![no_main]

use extract::rules::{dates, price};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for found in price::find_all(text, &price::Hints::default()) {
        assert!(!found.amount.to_string().is_empty());
    }
    let now = jiff::civil::date(2026, 6, 15).at(12, 0, 0, 0);
    let _ = dates::parse(text, now, &dates::Hints::default());
});
