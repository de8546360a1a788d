//! The world's spellings: prices, dates, numbers, units and words, read without IO, clock or model.
//!
//! Pages write one value in many ways. This crate reads them into exact values, and folds, splits and shortens texts for
//! comparing and showing. It depends on nothing of the programs that use it; the current moment is always a parameter.
//!
//! | module | reads or does |
//! |---|---|
//! | [`price`] | amounts with their currency, ranges, earlier prices and prices per unit |
//! | [`dates`] | ISO 8601, mail dates, written dates in some 60 languages, relative dates |
//! | [`number`], [`decimal`] | digits and separators of any locale as exact decimal strings, and their order |
//! | [`decimal_separator()`] | the decimal separator of a language and country |
//! | [`units`] | words that scale a number |
//! | [`words`] | words, stop words, English stems, sentences |
//! | [`phrases`], [`patterns!`] | fixed phrases and fixed regular expressions, compiled once |
//! | [`fold_case`], [`fold_diacritics`], [`collapse_whitespace`], [`snake_case`] | folding for comparison |
//! | [`truncate()`], [`truncate_chars`], [`truncate_bytes`] | shortening on character borders |
//! | [`nesting`] | depth of brackets, before a recursive parser reads a text |
//! | [`edit_distance()`], [`is_one_slip_away`], [`nearest`] | spelling suggestions |
//!
//! ```
//! use jiff::civil::date;
//! use locale::{dates, price};
//!
//! let price = price::parse("CHF 1'250.50", &price::PriceHints::default()).expect("a price");
//! assert_eq!((price.amount.as_str(), price.iso), ("1250.50", Some("CHF")));
//!
//! let now = date(2020, 6, 17).at(12, 0, 0, 0);
//! let day = dates::parse("vor 3 Tagen", now, &dates::DateHints::default()).expect("a date");
//! assert_eq!(day.date, date(2020, 6, 14));
//! ```

pub mod dates;
pub mod decimal;
mod decimal_separator;
mod edit_distance;
mod fold;
pub mod nesting;
pub mod number;
pub mod patterns;
pub mod phrases;
pub mod price;
mod sections;
mod truncate;
pub mod units;
pub mod words;

pub use decimal_separator::decimal_separator;
pub use edit_distance::{edit_distance, is_one_slip_away, nearest};
pub use fold::{collapse_whitespace, fold_case, fold_diacritics, snake_case};
pub use patterns::{Regex, compile_pattern};
pub use truncate::{truncate, truncate_bytes, truncate_chars};
