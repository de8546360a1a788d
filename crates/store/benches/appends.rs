//! What group commit is worth: durable appends per second, one writer after another and many at once.
//!
//! `cargo bench -p store` prints both figures and their ratio.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a bench that cannot write has nothing to say"
)]

use std::time::Instant;

use store::engines::sqlite::{ProcessRole, Sqlite};
use store::jobs::{Lease, NewJob};
use store::{Store, conformance};

const LONG: std::time::Duration = std::time::Duration::from_secs(600);

/// An event of the usual size.
const PAYLOAD: usize = 600;

async fn lease(store: &Store, number: u32) -> Lease {
    let new = NewJob {
        id: conformance::id(number),
        kind: wire::run::RunKind::Automate,
        request: "{}".into(),
        shown_request: None,
        owner: None,
        idempotency_key: None,
        queue_limit: usize::MAX,
        admission: store::jobs::Admission::default(),
    };
    store.jobs.begin(new, LONG).await.unwrap().0
}

/// Appends per second of this many writers, each waiting for its own append before the next.
async fn rate(store: &Store, first: u32, writers: u32, each: u64) -> f64 {
    let mut leases = Vec::new();
    for number in first..first + writers {
        leases.push(lease(store, number).await);
    }
    let start = Instant::now();
    let tasks: Vec<_> = leases
        .into_iter()
        .map(|lease| {
            let log = store.log.clone();
            tokio::spawn(async move {
                for after in 0..each {
                    let mut entries = conformance::entries(after + 1, after + 1, false);
                    entries[0].data = format!("{{\"text\":\"{}\"}}", "x".repeat(PAYLOAD));
                    log.append(&lease, after, entries).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let appends = u32::try_from(u64::from(writers) * each).expect("few enough");
    f64::from(appends) / start.elapsed().as_secs_f64()
}

#[tokio::main]
async fn main() {
    let folder = tempfile::TempDir::new_in(".").unwrap();
    let store = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
    rate(&store, 1, 1, 20).await;
    let alone = rate(&store, 100, 1, 300).await;
    println!("{:>4} writer  {alone:>8.0} durable appends/s  (a commit each)", 1);
    for (first, writers) in [(200, 8), (300, 64), (500, 256)] {
        let together = rate(&store, first, writers, 40).await;
        println!(
            "{writers:>4} writers {together:>8.0} durable appends/s  ratio {:.1}",
            together / alone
        );
    }
}
