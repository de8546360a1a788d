//! Tests of every engine against one site and the promises of the ports.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]
#![allow(missing_docs, unreachable_pub)]

mod auto;
mod chromium;
mod conformance;
mod http;
