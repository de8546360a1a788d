//! Whole runs of agents: real requests to a web on loopback, models that say what a script says.

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod automate;
mod client_models;
mod cookies;
mod crawl;
mod research;
mod watched_lists;
mod watched_maps;
