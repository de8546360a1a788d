//! Queries and patterns that never end, run by the tools that take them.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use serde_json::json;
use testkit::bombs::{self, Bomb, LIMITS};
use tools::{Grant, Registry, ToolContext, ToolServices};

use crate::examples::services;

/// Most growth of this process in pages of memory while a child fails: a child may take half a gigabyte.
const MAX_GROWTH_MB: usize = 200;

/// Resident memory of this process, in megabytes.
fn resident_mb() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: usize = statm
        .split(' ')
        .nth(1)
        .and_then(|it| it.parse().ok())
        .unwrap_or(0);
    (pages * 4096) >> 20
}

async fn all_end(bombs: Vec<Bomb>) {
    let services = services();
    let before = resident_mb();
    let count = bombs.len();
    let outcomes = stream::iter(bombs).map(|bomb| run(bomb, services.clone()));
    let wrong: Vec<String> = outcomes
        .buffer_unordered(4)
        .filter_map(std::future::ready)
        .collect()
        .await;
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
    let after = resident_mb();
    assert!(
        after < before + MAX_GROWTH_MB,
        "{before} MB before, {after} MB after"
    );
    // The slots are free again.
    let plain = Bomb {
        tool: "data.query",
        parameters: json!({"query": "map(. + 1)", "data": [1]}),
    };
    let call = Registry::builtin();
    let mut context = ToolContext::new(services, Grant::default());
    let answer = call.run(plain.tool, plain.parameters.as_object().unwrap(), &mut context);
    let answer = tokio::time::timeout(Duration::from_secs(4), answer)
        .await
        .unwrap();
    assert_eq!(answer.unwrap().data["results"], json!([[2]]));
}

/// What is wrong with the end of a bomb.
async fn run(bomb: Bomb, services: ToolServices) -> Option<String> {
    let mut context = ToolContext::new(services, Grant::default());
    let parameters = bomb.parameters.as_object().unwrap();
    let outcome = Registry::builtin().run(bomb.tool, parameters, &mut context).await;
    let mut shown = bomb.parameters.to_string();
    shown.truncate(120);
    match outcome {
        Ok(_) => Some(format!("{} {shown}: no error", bomb.tool)),
        Err(error) => {
            let text = error.to_string();
            let is_named = LIMITS.iter().any(|limit| text.contains(limit)) && text.len() < 600;
            println!("{:<14} {:<13} {text}", bomb.tool, error.code());
            (!is_named).then(|| format!("{} {shown}: {text}", bomb.tool))
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_query_that_never_ends_is_an_error() {
    all_end(bombs::queries()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_pattern_that_takes_too_long_is_an_error() {
    all_end(bombs::patterns()).await;
}
