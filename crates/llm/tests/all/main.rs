//! What must hold for every provider's stream.
#![allow(clippy::expect_used, clippy::unwrap_used, missing_docs)]

mod laws;
mod vectors;
