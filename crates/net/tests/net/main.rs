//! The HTTP client against in-memory sites.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]
#![allow(missing_docs, unreachable_pub)]

mod bodies;
mod cache;
mod diagnostics;
mod endings;
mod fetching;
mod proxy;
mod refused;
mod tls;
mod world;
