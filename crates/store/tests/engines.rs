//! Every engine passes the suite; what is SQLite's alone is tested here too.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use store::engines::memory::InMemoryStore;
use store::engines::sqlite::{ProcessRole, Sqlite};
use store::jobs::ClaimScope;
use store::{Error, Store, conformance};
use tempfile::TempDir;

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
