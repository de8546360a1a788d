//! Every engine passes the suite; what is SQLite's alone is tested here too.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use store::engines::memory::InMemoryStore;
use store::engines::sqlite::{ProcessRole, Sqlite};
use store::jobs::{ClaimScope, JobQuery};
use store::log::RunEnd;
use store::owners::{MeteredUsage, UsageAmounts, UsageQuery};
use store::{Error, Store, conformance};
use tempfile::TempDir;
use wire::frontier::{FrontierBounds, FrontierUpdate};
use wire::run::RunStatus;

fn sqlite(folder: &Path) -> Store {
    Sqlite::open(folder, ProcessRole::Guest, &[]).unwrap()
}

#[tokio::test]
async fn memory_keeps_the_promises() {
    conformance::all(async || InMemoryStore::open()).await;
    conformance::frontiers(async || InMemoryStore::open()).await;
}

#[tokio::test]
async fn sqlite_keeps_the_promises() {
    let folders = TempDir::new().unwrap();
    let opened = std::cell::Cell::new(0);
    let open = async || {
        opened.set(opened.get() + 1);
        sqlite(&folders.path().join(opened.get().to_string()))
    };
    conformance::all(&open).await;
    conformance::frontiers(&open).await;
    let left = fs::read_dir(folders.path().join(opened.get().to_string()).join("frontiers")).unwrap();
    assert_eq!(left.count(), 0, "the frontier of a run that has ended is deleted");
}

#[tokio::test]
async fn an_update_that_comes_too_late_makes_no_frontier_of_a_run_that_has_ended() {
    let folder = TempDir::new().unwrap();
    let store = sqlite(folder.path());
    store.jobs.enqueue(conformance::job(1)).await.unwrap();
    let claimed = store.jobs.claim(Duration::from_secs(60), ClaimScope::Any).await;
    let (lease, _) = claimed.unwrap().unwrap();
    let frontier = store.frontier.clone().unwrap();
    frontier.open(&lease).await.unwrap();
    let (last, ending) = (conformance::entries(1, 1, true), conformance::ending());
    store.log.finish(&lease, 0, last, ending).await.unwrap();
    let update = FrontierUpdate {
        pages: Vec::new(),
        added: Vec::new(),
        finished: Vec::new(),
        state: None,
        bounds: FrontierBounds {
            addresses: 9,
            group: 1,
        },
    };
    let fenced = Err(Error::Fenced {
        run: lease.run.clone(),
    });
    assert_eq!(frontier.update(&lease, update).await, fenced);
    assert_eq!(fs::read_dir(folder.path().join("frontiers")).unwrap().count(), 0);
}

#[tokio::test]
async fn what_was_written_is_there_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let new = store::jobs::NewJob {
        id: conformance::id(1),
        kind: wire::run::RunKind::Research,
        request: "{}".into(),
        shown_request: None,
        owner: None,
        idempotency_key: None,
        queue_limit: 1,
        admission: store::jobs::Admission::default(),
    };
    let first = sqlite(folder.path());
    first.jobs.enqueue(new).await.unwrap();
    let (lease, _) = first
        .jobs
        .claim(Duration::ZERO, ClaimScope::Any)
        .await
        .unwrap()
        .unwrap();
    first
        .log
        .append(&lease, 0, conformance::entries(1, 3, false))
        .await
        .unwrap();
    drop(first);
    let second = sqlite(folder.path());
    assert_eq!(
        second.log.read(&conformance::id(1), 0, 9).await.unwrap(),
        conformance::entries(1, 3, false)
    );
    assert_eq!(
        second
            .jobs
            .claim(Duration::ZERO, ClaimScope::Any)
            .await
            .unwrap()
            .map(|it| it.1.summary.attempt),
        Some(2)
    );
}

#[test]
fn a_second_server_is_refused_and_a_guest_is_not() {
    let folder = TempDir::new().unwrap();
    let server = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
    let Err(Error::Locked { folder: named }) = Sqlite::open(folder.path(), ProcessRole::Server, &[]) else {
        panic!("two servers in one folder");
    };
    assert_eq!(Path::new(&named), folder.path());
    assert!(Sqlite::open(folder.path(), ProcessRole::Guest, &[]).is_ok());
    drop(server);
    assert!(Sqlite::open(folder.path(), ProcessRole::Server, &[]).is_ok());
}

#[test]
fn a_file_that_is_no_database_is_named_as_such() {
    let folder = TempDir::new().unwrap();
    fs::write(
        folder.path().join("huntsman.db"),
        "This is no database, and it is long enough to be sure. ".repeat(40),
    )
    .unwrap();
    assert!(matches!(
        Sqlite::open(folder.path(), ProcessRole::Guest, &[]),
        Err(Error::Damaged { .. })
    ));
}

/// The child of the test below: appends one event after another and says each number once it is acknowledged.
#[tokio::test]
async fn writer_for_the_crash_test() {
    let Some(folder) = std::env::var_os("STORE_CRASH_FOLDER") else {
        return;
    };
    let store = sqlite(Path::new(&folder));
    let (lease, job) = store
        .jobs
        .claim(Duration::ZERO, ClaimScope::Any)
        .await
        .unwrap()
        .unwrap();
    for after in job.summary.last_seq.. {
        store
            .log
            .append(&lease, after, conformance::entries(after + 1, after + 1, false))
            .await
            .unwrap();
        let mut said = std::io::stdout().lock();
        writeln!(said, "acknowledged {}", after + 1).unwrap();
        said.flush().unwrap();
    }
}

/// Whenever the writer is killed, every acknowledged event is there, and the numbers are dense.
#[tokio::test]
async fn no_kill_loses_an_acknowledged_event() {
    let folder = TempDir::new().unwrap();
    let new = store::jobs::NewJob {
        id: conformance::id(1),
        kind: wire::run::RunKind::Scrape,
        request: "{}".into(),
        shown_request: None,
        owner: None,
        idempotency_key: None,
        queue_limit: 1,
        admission: store::jobs::Admission::default(),
    };
    sqlite(folder.path()).jobs.enqueue(new).await.unwrap();
    for kill_after in [1, 2, 5, 11, 3, 17] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "writer_for_the_crash_test", "--nocapture"])
            .env("STORE_CRASH_FOLDER", folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let said = |line: std::io::Result<String>| {
            Some(line.ok()?.rsplit_once("acknowledged ")?.1.parse::<u64>().unwrap())
        };
        let acknowledged = lines.filter_map(said).nth(kill_after).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = sqlite(folder.path())
            .log
            .read(&conformance::id(1), 0, 10_000)
            .await
            .unwrap();
        assert!(
            kept.len() as u64 >= acknowledged,
            "{} kept, {acknowledged} acknowledged",
            kept.len()
        );
        assert_eq!(kept, conformance::entries(1, kept.len() as u64, false));
    }
}

/// The child of the test below: puts, takes and ends one run of an owner after another, and says when each has ended.
#[tokio::test]
async fn counter_for_the_crash_test() {
    let Some(folder) = std::env::var_os("STORE_COUNT_FOLDER") else {
        return;
    };
    let store = sqlite(Path::new(&folder));
    let first = u32::try_from(store.jobs.list(all()).await.unwrap().len()).unwrap();
    for number in first.. {
        let owner = Some(["a", "b"][number as usize % 2].to_owned());
        store.jobs.enqueue(job(number, owner)).await.unwrap();
        let (lease, _) = store
            .jobs
            .claim(Duration::ZERO, ClaimScope::Any)
            .await
            .unwrap()
            .unwrap();
        let ending = RunEnd {
            status: RunStatus::Completed,
            result: None,
            error: None,
            usage: None,
            metered: vec![MeteredUsage {
                model: String::new(),
                amounts: UsageAmounts {
                    runs: 1,
                    ..UsageAmounts::default()
                },
            }],
        };
        store
            .log
            .finish(&lease, 0, conformance::entries(1, 1, true), ending)
            .await
            .unwrap();
        let mut said = std::io::stdout().lock();
        writeln!(said, "ended {number}").unwrap();
        said.flush().unwrap();
    }
}

fn job(number: u32, owner: Option<String>) -> store::jobs::NewJob {
    store::jobs::NewJob {
        id: conformance::id(number),
        kind: wire::run::RunKind::Scrape,
        request: "{}".into(),
        shown_request: None,
        owner,
        idempotency_key: None,
        queue_limit: 100,
        admission: store::jobs::Admission::default(),
    }
}

fn all() -> JobQuery {
    JobQuery {
        owner: None,
        status: None,
        before: None,
        limit: 100_000,
    }
}

/// Whenever the process is killed, what is counted of owners is what their runs say, and every run that ended was metered
/// once.
#[tokio::test]
async fn no_kill_makes_the_counts_of_owners_wrong() {
    let folder = TempDir::new().unwrap();
    for kill_after in [1, 4, 2, 7] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "counter_for_the_crash_test", "--nocapture"])
            .env("STORE_COUNT_FOLDER", folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let said = |line: std::io::Result<String>| line.ok().filter(|line| line.contains("ended "));
        lines.filter_map(said).nth(kill_after).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let store = sqlite(folder.path());
        let ended = store.jobs.list(all()).await.unwrap();
        let ended = ended.iter().filter(|it| it.status.is_final()).count() as u64;
        let query = UsageQuery {
            owner: None,
            from: jiff::civil::date(2000, 1, 1),
            to: jiff::civil::date(9999, 1, 1),
        };
        let totals = store.owners.usage(query).await.unwrap();
        assert_eq!(totals.iter().map(|it| it.amounts.runs).sum::<u64>(), ended);
        let database = rusqlite::Connection::open(folder.path().join("huntsman.db")).unwrap();
        let wrong = "SELECT count(*) FROM owners WHERE
            queued <> (SELECT count(*) FROM runs WHERE runs.owner = owners.owner AND status = 'queued') OR
            running <> (SELECT count(*) FROM runs WHERE runs.owner = owners.owner AND status = 'running')";
        assert_eq!(database.query_row(wrong, [], |row| row.get::<_, u32>(0)), Ok(0));
    }
}
