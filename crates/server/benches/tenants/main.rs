//! What tenants cost and what fair share gives, each beside the same without them, taken in one run.
//!
//! `cargo bench --profile fast -p server --bench tenants -- [fairness] [keys] [requests]`. Everything is in one process over
//! an SQLite store; rounds with and without alternate, so that a busy machine weighs on both.

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

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    if is_wanted("fairness") {
        fairness::shares().await;
        fairness::wait_of_a_small_tenant().await;
        fairness::throughput().await;
    }
    if is_wanted("keys") {
        keys::cost_of_a_check().await;
        keys::wrong_keys().await;
    }
    if is_wanted("requests") {
        requests::keys_and_quotas().await;
    }
}
