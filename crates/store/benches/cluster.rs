//! What the engine `nats` costs beside SQLite: time for each event and each run, and what a run leaves in the streams.
//!
//! `cargo bench -p store --bench cluster` starts three NATS servers on this machine, once with disks synchronized at every
//! write and once as they are by default, and prints times and their ratios to SQLite's.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a bench that cannot write has nothing to say"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use store::engines::nats::{Nats, NatsAddress, NatsSettings};
use store::engines::sqlite::{ProcessRole, Sqlite};
use store::jobs::{Admission, ClaimScope, Lease, NewJob};
use store::log::RunEnd;
use store::{Store, conformance};
use testkit::NatsServer;
use wire::run::{RunKind, RunStatus};

const LONG: Duration = Duration::from_secs(600);
/// How long a writer that finds no run waits for one, at most.
const CLAIM_AGAIN: Duration = Duration::from_millis(5);
/// Bytes of an event's data, about what they are in a scrape.
const PAYLOAD: usize = 600;
/// Appends and events of a run, about those of a scrape of one page.
const APPENDS: u64 = 4;
const EVENTS: u64 = 3;
/// Runs and events of one measure.
const RUNS: u32 = 120;
const SINGLE_EVENTS: u64 = 300;
/// Runs of the measure of what is left.
const KEPT: u32 = 1600;
/// Runs that are done at once in the measure of many.
const AT_ONCE: u32 = 16;

fn job(number: u32) -> NewJob {
    NewJob {
        id: conformance::id(number),
        kind: RunKind::Scrape,
        request: "{\"assets\":[\"https://example.org/\"]}".into(),
        shown_request: None,
        owner: None,
        idempotency_key: None,
        queue_limit: usize::MAX,
        admission: Admission::default(),
    }
}

async fn append(store: &Store, lease: &Lease, after: u64, count: u64) {
    let mut entries = conformance::entries(after + 1, after + count, false);
    for entry in &mut entries {
        entry.data = format!("{{\"text\":\"{}\"}}", "x".repeat(PAYLOAD));
    }
    store.log.append(lease, after, entries).await.unwrap();
}

/// Enqueues a run, takes one, does it and ends it.
async fn run(store: &Store, number: u32) {
    let mut changes = store.jobs.subscribe();
    store.jobs.enqueue(job(number)).await.unwrap();
    let lease = loop {
        if let Some((lease, _)) = store.jobs.claim(LONG, ClaimScope::Any).await.unwrap() {
            break lease;
        }
        // As a worker does: another writer claims what is open, or the run has not come back from the store yet.
        let _ = tokio::time::timeout(CLAIM_AGAIN, changes.changed()).await;
    };
    for after in 0..APPENDS {
        append(store, &lease, after * EVENTS, EVENTS).await;
    }
    let after = APPENDS * EVENTS;
    let ending = RunEnd {
        status: RunStatus::Completed,
        result: Some("{\"items\":[]}".into()),
        error: None,
        usage: Some("{}".into()),
        metered: Vec::new(),
    };
    let last = conformance::entries(after + 1, after + 1, true);
    store.log.finish(&lease, after, last, ending).await.unwrap();
}

/// Milliseconds for one event and one run of a lone writer, runs and events in a second of many.
struct Costs {
    event: f64,
    run: f64,
    runs_per_second: f64,
    events_per_second: f64,
}

async fn measure(store: &Store) -> Costs {
    for number in 0..10 {
        run(store, number).await;
    }
    let (lease, _) = store.jobs.begin(job(10), LONG).await.unwrap();
    let start = Instant::now();
    for after in 0..SINGLE_EVENTS {
        append(store, &lease, after, 1).await;
    }
    let event = start.elapsed().as_secs_f64() * 1000.0 / SINGLE_EVENTS as f64;
    let start = Instant::now();
    for number in 0..RUNS {
        run(store, 100 + number).await;
    }
    let alone = start.elapsed().as_secs_f64() * 1000.0 / f64::from(RUNS);
    let start = Instant::now();
    let many = (0..AT_ONCE).map(|writer| {
        let store = store.clone();
        tokio::spawn(async move {
            for number in 0..RUNS / AT_ONCE * 4 {
                run(&store, 1000 + writer * 1000 + number).await;
            }
        })
    });
    for writer in many.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let runs_per_second = f64::from(RUNS / AT_ONCE * 4 * AT_ONCE) / start.elapsed().as_secs_f64();
    let mut leases = Vec::new();
    for writer in 0..64 {
        leases.push(store.jobs.begin(job(20_000 + writer), LONG).await.unwrap().0);
    }
    let start = Instant::now();
    let many = leases.into_iter().map(|lease| {
        let store = store.clone();
        tokio::spawn(async move {
            for after in 0..20 {
                append(&store, &lease, after, 1).await;
            }
        })
    });
    for writer in many.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    Costs {
        event,
        run: alone,
        runs_per_second,
        events_per_second: 64.0 * 20.0 / start.elapsed().as_secs_f64(),
    }
}

/// Does many runs and prints what each of them leaves.
async fn keep(nats: &Nats) {
    tokio::time::sleep(Duration::from_secs(13)).await;
    let before = stored(nats).await;
    let many = (0..AT_ONCE).map(|writer| {
        let store = nats.store();
        tokio::spawn(async move {
            for number in 0..KEPT / AT_ONCE {
                run(&store, 100_000 + writer * KEPT + number).await;
            }
        })
    });
    for writer in many.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    // Names of ended runs among the open ones expire.
    tokio::time::sleep(Duration::from_secs(13)).await;
    let (after, kept) = (stored(nats).await, f64::from(KEPT));
    println!(
        "a run of {} writes leaves {:.1} messages and {:.1} kB in one copy",
        APPENDS + 11,
        (after.0 - before.0) / kept,
        (after.1 - before.1) / kept / 1000.0
    );
}

/// Messages and bytes of all streams.
async fn stored(nats: &Nats) -> (f64, f64) {
    let streams = nats.status().await.unwrap().streams;
    let sum = |of: fn(&store::engines::nats::StreamStatus) -> u64| streams.iter().map(of).sum::<u64>() as f64;
    (sum(|stream| stream.messages), sum(|stream| stream.bytes))
}

async fn connect(nodes: &[NatsServer]) -> Nats {
    let settings = NatsSettings {
        servers: nodes
            .iter()
            .map(|node| NatsAddress::parse(&node.url()).unwrap())
            .collect(),
        credentials: None,
        user: None,
        authorities: None,
        certificate: None,
        prefix: "bench".into(),
        replicas: 3,
        role: "bench".into(),
    };
    let key = "07".repeat(32);
    loop {
        // Leaders are chosen some seconds after the start.
        match Nats::connect(&settings, Path::new("/nonexistent"), &[&key]).await {
            Ok(nats) => return nats,
            Err(_) => tokio::time::sleep(Duration::from_millis(300)).await,
        }
    }
}

fn print(name: &str, costs: &Costs, beside: &Costs) {
    let Costs {
        event,
        run,
        runs_per_second,
        events_per_second,
    } = costs;
    println!(
        "| {name} | {event:.2} ({:.1}) | {run:.1} ({:.1}) | {runs_per_second:.0} ({:.2}) | {events_per_second:.0} ({:.2}) |",
        event / beside.event,
        run / beside.run,
        runs_per_second / beside.runs_per_second,
        events_per_second / beside.events_per_second,
    );
}

#[tokio::main]
async fn main() {
    let folder = tempfile::TempDir::new_in(".").unwrap();
    let sqlite = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
    let beside = measure(&sqlite).await;
    println!(
        "| engine | ms an event | ms a run | runs/s, {AT_ONCE} at once | events/s, 64 at once |\n|---|---|---|---|---|"
    );
    print("sqlite", &beside, &beside);
    for sync in ["always", "2m"] {
        let nodes = NatsServer::cluster_with_sync(sync);
        let nats = connect(&nodes).await;
        print(
            &format!("nats, three copies, sync {sync}"),
            &measure(&nats.store()).await,
            &beside,
        );
        if sync == "2m" {
            keep(&nats).await;
        }
    }
}
