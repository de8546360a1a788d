//! From a page to clean data: items, records, prices, dates, main text.

pub mod asking;
pub mod fields;
pub mod item;
pub mod mode;
pub mod modes;
pub mod normalize;
pub mod provenance;
pub mod rules;
