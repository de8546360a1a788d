//! Promises that hold for every provider: streams, failures, recordings.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, missing_docs)]

mod asking;
mod diagnostics;
mod failing;
mod laws;
mod live;
mod policies;
mod recording;
mod replays;
mod structured;
mod vectors;
