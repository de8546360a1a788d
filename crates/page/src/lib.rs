//! What a page is, as a value: parsed once, read many ways, without IO.

pub mod charset;
pub mod dom;
mod error;
mod page;
mod tag;
pub mod text;

pub use error::Error;
pub use page::Page;
