//! What the page of a long run costs: time to the first paint, memory, how far a live page is behind, and what open pages cost
//! the server beside as many event streams.
//!
//! `cargo bench --profile fast -p server --bench console -- [paint] [live] [crowd]`. Server and browser share the machine; only
//! the readers of `crowd` are a process of their own, so that what they cost is not counted as the server's.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a bench that fails has nothing to say; the stand of the tests has more than it needs"
)]

#[path = "../../tests/server/client.rs"]
mod client;
mod crowd;
mod live;
mod paint;
#[path = "../../tests/server/stand.rs"]
mod stand;
#[path = "../../tests/server/written_runs.rs"]
mod written_runs;

use std::sync::Arc;

use browser::engines::chromium::Chromium;
use browser::{Browser as _, Profile, Tab};
use serde_json::Value;

/// Events of the run whose page is looked at.
const EVENTS: usize = 5_000;

/// Events of a run in the mix of a scrape: half of them begin calls of tools, half end them.
pub(crate) fn events(from: usize, count: usize) -> Vec<(&'static str, Value)> {
    let event = |number: usize| {
        let (tool, result) = (
            format!("category.tool_{}", number % 37),
            format!("result {number}: {}", "words of a page ".repeat(8)),
        );
        written_runs::call(&tool, &result)
    };
    (from..from + count).map(event).collect()
}

/// A tab that may reach this machine.
pub(crate) async fn tab() -> Box<dyn Tab> {
    let client = net::Client::new(net::ClientConfig {
        allow: vec!["127.0.0.0/8".parse().unwrap()],
        ..net::ClientConfig::default()
    });
    let chromium = Arc::new(Chromium::new(client.unwrap(), testkit::chromium::settings()));
    chromium.open(Profile::default()).await.unwrap()
}

pub(crate) async fn js(tab: &mut dyn Tab, script: &str) -> Value {
    tab.evaluate(script, &[], 1_000_000).await.unwrap()
}

/// The middle of some figures, and the largest.
pub(crate) fn middle_and_most(mut figures: Vec<f64>) -> (f64, f64) {
    figures.sort_by(f64::total_cmp);
    (figures[figures.len() / 2], figures[figures.len() - 1])
}

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if let [first, at, path, count] = words.as_slice()
        && first == "readers"
    {
        return crowd::read(at.parse().unwrap(), path, count.parse().unwrap()).await;
    }
    let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    if is_wanted("paint") {
        paint::first_paint().await;
    }
    if is_wanted("live") {
        live::following().await;
    }
    if is_wanted("crowd") {
        crowd::consoles_beside_streams().await;
    }
}
