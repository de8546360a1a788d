//! Lists of a page, as the tools give them: products, articles, rows of a table.

pub(crate) mod articles;
pub mod document_table;
pub(crate) mod listing_output;
pub(crate) mod page_list;
pub(crate) mod product_listing;
pub mod table;

pub use crate::controls::next_page::onward;
