//! The tools as their users meet them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod agreement;
mod bombs;
mod browser;
mod examples;
mod paging;
mod runtime;
mod variants;
