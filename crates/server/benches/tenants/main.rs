//! What tenants cost and what fair share gives, each beside the same without them, taken in one run.
//!
//! `cargo bench --profile fast -p server --bench tenants -- [fairness] [shares] [wait] [throughput] [keys] [requests] [nats]`.
//! Everything is in one process over an SQLite store; rounds with and without alternate, so that a busy machine weighs on
//! both. `fairness` is `shares`, `wait` and `throughput`; with `nats` these are taken over three NATS servers and two workers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_precision_loss,
    reason = "a bench that fails has nothing to say"
)]

mod client;
mod fairness;
mod keys;
mod requests;
mod stand;

use stand::StandEngine;

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let is_named = |name: &str| words.iter().any(|word| word == name);
    let is_wanted = |name: &str| words.is_empty() || is_named(name);
    let engine = if is_named("nats") {
        StandEngine::Nats
    } else {
        StandEngine::Sqlite
    };
    let is_fairness = |name: &str| is_wanted("fairness") || is_named(name);
    if is_fairness("shares") {
        fairness::shares(engine).await;
    }
    if is_fairness("wait") {
        fairness::wait_of_a_small_tenant(engine).await;
    }
    if is_fairness("throughput") {
        fairness::throughput(engine).await;
    }
    if is_wanted("keys") {
        keys::cost_of_a_check().await;
        keys::wrong_keys().await;
    }
    if is_wanted("requests") {
        requests::keys_and_quotas().await;
    }
}
