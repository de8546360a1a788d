//! Extraction rules that need no model: each module reads one aspect of a page.

pub mod author;
mod class_flags;
pub mod contact;
pub mod content;
pub mod entities;
mod json_objects;
pub mod labelled_fields;
pub mod labels;
pub mod lines;
pub mod page_kind;
pub mod pagination;
pub mod product;
pub mod publication;
pub mod published;
pub mod records;
pub mod site;
pub mod title;
pub mod typed;
pub mod visible_page;
mod vocabulary;
mod word_lists;

/// Former names of modules and types.
pub mod details {
    pub use super::labelled_fields::{LabelledField as Detail, *};
}
/// Former names of modules and types.
pub mod kind {
    pub use super::page_kind::PageKind as Kind;
}
/// Former names of modules and types.
pub mod pages {
    pub use super::pagination::*;
}
/// Former names of modules and types.
pub mod story {
    pub use super::publication::{Publication as Story, byline_below_heading as below, *};
}
/// Former names of modules and types.
pub mod things {
    pub use super::entities::{Entity as Thing, StructuredData as Described, *};
}
/// Former names of modules and types.
pub mod view {
    pub use super::visible_page::{VisiblePage as View, *};
}
