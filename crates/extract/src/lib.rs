//! Extraction of clean data from a page: items, records, prices, dates, main text.

pub mod confidence;
pub mod fields;
pub mod item;
pub mod llm_extraction;
pub mod mode;
pub mod modes;
pub mod normalize;
pub mod provenance;
pub mod rules;
