//! Prices and dates in the spellings of most of the world, fixed phrases, edit distance and truncation.

pub mod dates;
mod edit_distance;
pub mod phrases;
pub mod price;
mod truncate;

pub use edit_distance::{edit_distance, nearest};
pub use truncate::truncate;
