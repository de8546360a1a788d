//! Extraction rules that need no model: each module reads one aspect of a page.

pub mod author;
mod class_flags;
pub mod contact;
pub mod content;
mod element_source;
pub mod entities;
pub mod entity_fields;
pub mod job_title;
mod json_objects;
pub mod labelled_fields;
pub mod labels;
pub mod lines;
pub mod list_entry;
pub mod page_kind;
pub mod page_type;
pub mod pagination;
pub mod product;
pub mod publication;
pub mod published;
pub mod records;
pub mod site;
pub mod title;
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
    pub use super::entities::{StructuredData as Described, TypedEntity as Thing, *};
}
/// Former names of modules and types.
pub mod typed {
    pub use super::entity_fields::fill;
    pub use super::job_title::put_job_title as job;
    pub use super::list_entry::entry as record;
    pub use super::page_type::{main_entity as main, page_type, type_without_content as plain_type};
}
/// Former names of modules and types.
pub mod view {
    pub use super::visible_page::{VisiblePage as View, *};
}
