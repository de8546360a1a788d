//! Prices and dates in the spellings of most of the world, fixed phrases and patterns, edit distance and truncation.

pub mod dates;
mod edit_distance;
mod patterns;
pub mod phrases;
pub mod price;
mod truncate;

pub use edit_distance::{edit_distance, nearest};
pub use patterns::compile_pattern;
pub use regex::Regex;
pub use truncate::truncate;
