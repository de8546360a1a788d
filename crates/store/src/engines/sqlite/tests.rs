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

/// Counts how often a future that waits asks to be polled again.
#[derive(Default)]
struct Wakes(std::sync::atomic::AtomicUsize);

impl std::task::Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}

/// A writer that finds no place sleeps until there is one.
#[tokio::test]
async fn a_writer_beyond_those_that_may_wait_sleeps_until_there_is_room() {
    let folder = TempDir::new().unwrap();
    let engine = open_engine(folder.path());
    let writer = &engine.0.writer;
    let (begun, has_begun) = std::sync::mpsc::channel();
    let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
    // More of them are polled here at once than the runtime lets a task do without a pause.
    let blocking = tokio::task::unconstrained(writer.write(move |_| {
        begun.send(()).unwrap();
        may_go_on.recv().unwrap();
        Ok(())
    }));
    let wakes = Arc::new(Wakes::default());
    let waker = std::task::Waker::from(Arc::clone(&wakes));
    let mut context = std::task::Context::from_waker(&waker);
    let mut waiting = vec![Box::pin(blocking) as std::pin::Pin<Box<dyn Future<Output = _>>>];
    assert!(waiting[0].as_mut().poll(&mut context).is_pending());
    has_begun.recv().unwrap();
    for _ in 0..=writer::MAX_WAITING {
        let mut write: std::pin::Pin<Box<dyn Future<Output = _>>> =
            Box::pin(tokio::task::unconstrained(writer.write(|_| Ok(()))));
        assert!(write.as_mut().poll(&mut context).is_pending());
        waiting.push(write);
    }
    tokio::task::yield_now().await;
    assert_eq!(
        wakes.0.load(std::sync::atomic::Ordering::Relaxed),
        0,
        "nobody polls"
    );
    go_on.send(()).unwrap();
    for written in futures_util::future::join_all(waiting).await {
        assert_eq!(written, Ok(()));
    }
}

/// A write that panics is undone and fails alone.
#[tokio::test]
async fn a_write_that_panics_is_undone_and_the_next_one_is_done() {
    let folder = TempDir::new().unwrap();
    let engine = open_engine(folder.path());
    let writer = &engine.0.writer;
    let made = writer.write(|transaction| {
        transaction.execute_batch("CREATE TABLE tried (one INTEGER)")?;
        panic!("a fault of the program")
    });
    let failed: Result<(), Error> = made.await;
    assert!(matches!(failed, Err(Error::Engine { .. })), "{failed:?}");
    let count = writer.write(|transaction| {
        let sql = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'tried'";
        Ok(transaction.query_row(sql, [], |row| row.get::<_, u32>(0))?)
    });
    assert_eq!(count.await, Ok(0));
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
