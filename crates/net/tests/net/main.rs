//! The way out as its users see it, against sites that live in memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]
#![allow(missing_docs, unreachable_pub)]

mod bodies;
mod cache;
mod fetching;
mod proxy;
mod refused;
mod tls;
mod world;
