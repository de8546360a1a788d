//! Extraction rules that need no model: each module reads one aspect of a page.

pub mod author;
mod class_flags;
pub mod contact;
pub mod content;
pub(crate) mod element_source;
pub mod entities;
pub mod entity_fields;
pub mod job_title;
mod json_objects;
pub mod labelled_fields;
pub mod labels;
pub mod lines;
pub mod page_kind;
pub mod page_type;
pub mod pagination;
pub mod product;
pub mod publication;
pub mod published;
pub mod records;
pub mod rows;
pub(crate) mod selectors;
pub mod site;
pub mod title;
pub mod visible_page;
mod vocabulary;
mod word_groups;
mod word_lists;
