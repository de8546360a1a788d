//! What tests stand on: sites on loopback that answer as a script says. A dev-dependency only.

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod site;

pub use site::{Asked, Reply, Site};
