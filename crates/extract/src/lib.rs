//! From a page to clean data: items, records, prices, dates, main text.

pub mod provenance;
pub mod rules;
