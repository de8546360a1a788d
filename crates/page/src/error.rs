//! The errors of this crate.

/// An error of this crate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A CSS selector could not be read.
    #[error(
        "`{selector}` is not a CSS selector we can use (trouble at column {column}); write plain CSS such as `div.price > span`"
    )]
    Selector {
        /// The selector as given.
        selector: String,
        /// Where reading stopped, in characters from 1.
        column: u32,
    },
}
