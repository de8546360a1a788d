use std::fs;
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::conformance::{entries, id};
use crate::jobs::{Lease, NewJob};

const LONG: Duration = Duration::from_secs(600);

/// An engine with its ports still beside it, so that a test can reach the connection that writes.
fn open_engine(folder: &Path) -> Sqlite {
    let mut connection = Connection::open(database(folder)).unwrap();
    let keys = Arc::new(Keyring::open(folder, &[]).unwrap());
    schema::prepare(&mut connection, &keys).unwrap();
    let writer = WriterThread::start(connection).unwrap();
    Sqlite(Arc::new(SqliteInner {
        folder: folder.into(),
        keys,
        writer,
        readers: Mutex::default(),
        reading: Arc::new(Semaphore::new(READERS)),
        notifier: ChangeNotifier::new(),
        frontiers: frontier_files::FrontierFiles::default(),
        _lock: None,
    }))
}

async fn hold(engine: &Sqlite, number: u32) -> Lease {
    use crate::jobs::Jobs as _;
    let new = NewJob {
        id: id(number),
        kind: wire::run::RunKind::Scrape,
        request: "{}".into(),
        shown_request: None,
        owner: None,
        idempotency_key: None,
        queue_limit: 99,
        admission: crate::jobs::Admission::default(),
    };
    engine.begin(new, LONG).await.unwrap().0
}

/// Lets the database grow by this many pages and no further: to SQLite the same as a disk that is full.
async fn room(engine: &Sqlite, pages: u32) {
    let limit = move |transaction: &rusqlite::Transaction<'_>| {
        let used: u32 = transaction.query_row("PRAGMA page_count", [], |row| row.get(0))?;
        transaction.query_row(&format!("PRAGMA max_page_count = {}", used + pages), [], |_| {
            Ok(())
        })?;
        Ok(())
    };
    engine.0.writer.write(limit).await.unwrap();
}

/// A full disk is named, loses nothing that was acknowledged, and is over when there is room again.
#[tokio::test]
async fn a_full_disk_parks_writers_and_keeps_what_was_acknowledged() {
    use crate::log::EventLog as _;
    let folder = TempDir::new().unwrap();
    let engine = open_engine(folder.path());
    let mut leases = Vec::new();
    for number in 1..=4 {
        leases.push(hold(&engine, number).await);
    }
    room(&engine, 40).await;
    let writers = leases.iter().cloned().map(|lease| {
        let engine = engine.clone();
        tokio::spawn(async move {
            for after in 0.. {
                if let Err(error) = engine
                    .append(&lease, after, entries(after + 1, after + 1, false))
                    .await
                {
                    return (after, error);
                }
            }
            unreachable!("the disk is not full yet")
        })
    });
    let mut acknowledged = Vec::new();
    for writer in writers.collect::<Vec<_>>() {
        let (after, error) = writer.await.unwrap();
        assert_eq!(error, Error::DiskFull);
        acknowledged.push(after);
    }
    for (lease, last) in leases.iter().zip(&acknowledged) {
        assert_eq!(
            engine.read(&lease.run, 0, 10_000).await.unwrap(),
            entries(1, *last, false)
        );
    }
    let integrity =
        engine.reading(|it| Ok(it.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0))?));
    assert_eq!(integrity.await.unwrap(), "ok");
    room(&engine, 1_000).await;
    for (lease, last) in leases.iter().zip(acknowledged) {
        engine
            .append(lease, last, entries(last + 1, last + 1, false))
            .await
            .unwrap();
    }
}

/// A database that has been overwritten in the middle is called damaged, by readers and by writers.
#[tokio::test]
async fn a_damaged_page_is_named_as_such() {
    use crate::log::EventLog as _;
    let folder = TempDir::new().unwrap();
    let engine = open_engine(folder.path());
    let lease = hold(&engine, 1).await;
    for after in (0..5_000).step_by(500) {
        let next = entries(after + 1, after + 500, false);
        engine.append(&lease, after, next).await.unwrap();
    }
    drop(engine);
    let whole = Connection::open(database(folder.path())).unwrap();
    whole
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    drop(whole);
    let path = database(folder.path());
    let mut bytes = fs::read(&path).unwrap();
    // The first half holds the schema, without which nothing can be opened.
    let head = bytes.len() / 2 / 4096 * 4096;
    bytes[head..].fill(0xa5);
    fs::write(&path, bytes).unwrap();
    let engine = open_engine(folder.path());
    let damaged = |error: Error| assert!(matches!(error, Error::Damaged { .. }), "{error:?}");
    damaged(engine.read(&lease.run, 0, 10_000).await.unwrap_err());
    damaged(
        engine
            .append(&lease, 5_000, entries(5_001, 5_001, false))
            .await
            .unwrap_err(),
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("taken");
    fs::write(&file, "a file, no folder").unwrap();
    let Err(Error::Engine { reason }) = Sqlite::open(&file, ProcessRole::Server, &[]) else {
        panic!("opened in a file")
    };
    assert!(reason.contains("taken"), "{reason}");
}

#[test]
fn a_database_of_a_newer_version_is_left_alone() {
    let folder = TempDir::new().unwrap();
    let newer = Connection::open(database(folder.path())).unwrap();
    newer.pragma_update(None, "user_version", 1_000).unwrap();
    let Err(Error::Damaged { reason }) = Sqlite::open(folder.path(), ProcessRole::Server, &[]) else {
        panic!("opened it")
    };
    assert!(reason.contains("1000"), "{reason}");
    assert_eq!(
        newer
            .query_row("PRAGMA user_version", [], |row| row.get::<_, u32>(0))
            .unwrap(),
        1_000
    );
}

#[cfg(unix)]
mod at_rest;
mod stored_bytes;
