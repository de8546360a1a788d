//! A page as a value: parsed once, then read as text, Markdown, tables, links and structured data, without IO.

pub mod charset;
pub mod dom;
mod error;
mod frames;
pub mod links;
pub mod markdown;
pub mod meta;
mod page;
pub mod pictures;
pub mod quote;
mod raised;
pub mod sitemap;
mod streamed;
pub mod tables;
mod tag;
pub mod text;
pub mod xml;

pub use error::Error;
pub use page::Page;
pub use quote::Quoted;
