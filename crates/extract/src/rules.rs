//! Readings that need no model: each rule file answers one question about a page.

pub mod dates;
pub mod labels;
pub mod lines;
pub mod price;
