//! Lists of runs and readiness read summaries, so that large requests cost them no memory.

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::Command;

use serde_json::Value;
use store::engines::sqlite::{ProcessRole, Sqlite};
use store::jobs::NewJob;
use tempfile::TempDir;
use testkit::ServerProcess;
use wire::RunId;
use wire::run::RunKind;

/// Runs in the store.
const RUNS: u8 = 200;
/// Bytes of each request.
const REQUEST: usize = 2_000_000;
/// Calls of the list.
const CALLS: usize = 1_000;
/// Most that the server may grow, in kB.
const GROWTH: u64 = 32_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_lists_of_large_runs_leave_the_memory_as_it_was() {
    let folder = TempDir::new().unwrap();
    let store = Sqlite::open(folder.path(), ProcessRole::Guest, &[]).unwrap();
    for number in 0..RUNS {
        let new = NewJob {
            id: RunId::from_random([number; 16]),
            kind: RunKind::Scrape,
            request: format!(
                "{{\"kind\":\"scrape\",\"request\":{{\"text\":\"{}\"}}}}",
                "x".repeat(REQUEST)
            ),
            shown_request: None,
            owner: None,
            idempotency_key: None,
            queue_limit: usize::MAX,
            admission: store::jobs::Admission::default(),
        };
        store.jobs.enqueue(new).await.unwrap();
    }
    drop(store);
    let measured = tokio::task::spawn_blocking(move || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
        command
            .args(["--workers", "0"])
            .env("HUNTSMAN_DATA_DIR", folder.path())
            .current_dir(folder.path());
        let server = ServerProcess::start(command);
        let list = || {
            let listed = server.ask("GET", "/v1/runs?limit=200", "", "");
            let listed: Value = serde_json::from_str(&listed.body).unwrap();
            assert_eq!(listed["runs"].as_array().unwrap().len(), usize::from(RUNS));
            assert_eq!(server.ask("GET", "/readyz", "", "").status, 200);
        };
        (0..10).for_each(|_| list());
        let before = server.memory("VmRSS");
        (0..CALLS).for_each(|_| list());
        (before, server.memory("VmRSS"), server.memory("VmHWM"))
    });
    let (before, after, most) = measured.await.unwrap();
    println!("{CALLS} lists of {RUNS} runs: {before} kB before, {after} kB after, {most} kB at most");
    assert!(most < before + GROWTH, "{before} kB grew to {most} kB");
}
