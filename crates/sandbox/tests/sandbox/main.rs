//! The sandbox with real children: what they may do, how they end, and what their callers are told.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod children;
mod documents;
mod office;
mod pdf_layout;
mod queries;
