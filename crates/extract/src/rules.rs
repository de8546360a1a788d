//! Readings that need no model: each rule file answers one question about a page.

pub mod pages;
pub mod records;
