//! Readings that need no model: each rule file answers one question about a page.

pub mod author;
pub mod contact;
pub mod content;
pub mod details;
pub mod kind;
pub mod labels;
pub mod lines;
mod marks;
pub mod pages;
pub mod product;
pub mod published;
pub mod records;
pub mod site;
pub mod story;
pub mod things;
pub mod title;
pub mod typed;
pub mod view;
mod walk;
mod words;
