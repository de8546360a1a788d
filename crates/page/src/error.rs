//! The errors of this crate.

use crate::dom::{MAX_COMBINATORS, MAX_MATCH_STEPS, MAX_SELECTOR_BYTES, MAX_SELECTOR_DEPTH};

/// An error of this crate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A CSS selector could not be read.
    #[error(
        "`{selector}` is not a CSS selector we can use (trouble at column {column}); write plain CSS such as `div.price > span`"
    )]
    Selector {
        /// The selector as given, shortened.
        selector: String,
        /// Where reading stopped, in characters from 1.
        column: u32,
    },
    /// A CSS selector is longer than [`MAX_SELECTOR_BYTES`].
    #[error("the CSS selector has {bytes} bytes; at most {MAX_SELECTOR_BYTES} are read")]
    SelectorTooLong {
        /// Its length.
        bytes: usize,
    },
    /// A CSS selector is nested deeper than [`MAX_SELECTOR_DEPTH`].
    #[error("the CSS selector is nested {depth} levels deep; at most {MAX_SELECTOR_DEPTH} are read")]
    SelectorTooDeep {
        /// Its depth.
        depth: usize,
    },
    /// A CSS selector joins more elements than [`MAX_COMBINATORS`] combinators can.
    #[error("the CSS selector has {combinators} combinators in a row; at most {MAX_COMBINATORS} are read")]
    SelectorTooManyParts {
        /// How many it has.
        combinators: usize,
    },
    /// Matching a CSS selector against the page takes more than [`MAX_MATCH_STEPS`].
    #[error(
        "`{selector}` takes more than {MAX_MATCH_STEPS} steps to match against this page; write a selector with fewer parts, such as one class"
    )]
    SelectorCost {
        /// The selector as given, shortened.
        selector: String,
    },
}
