//! Tests of every engine against one site and the promises of the ports.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    reason = "a test fails by panicking, and has no users"
)]

mod auto;
mod chromium;
mod conformance;
mod http;
mod shells;
