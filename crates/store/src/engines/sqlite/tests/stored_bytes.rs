//! The bytes that an owner's runs take, counted as they change.

use super::*;
use crate::jobs::{ClaimScope, NewJob};
use crate::log::RunEnd;
use crate::retention::Removal;

/// The bytes of an owner's runs, added up, after which they were checked to be what is counted.
async fn bytes(store: &Store, folder: &Path) -> u64 {
    let connection = Connection::open(database(folder)).unwrap();
    let sql = "SELECT sum(bytes) FROM runs WHERE owner = 'a'";
    let added: u64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!(store.owners.stored_bytes("a").await.unwrap(), added);
    added
}

/// The tables before bytes were counted, with one run that has ended and one that a process holds.
fn older_database(folder: &Path) {
    let connection = Connection::open(database(folder)).unwrap();
    for step in &schema::STEPS[..6] {
        connection.execute_batch(step).unwrap();
    }
    connection.pragma_update(None, "user_version", 6).unwrap();
    let sql = "INSERT INTO runs (id, kind, owner, status, created_at, finished_at, bytes, held_by_guest, held_until)
               VALUES (?1, 'scrape', 'a', ?2, 1, ?3, ?4, 1, ?5)";
    for (number, status, finished, bytes) in [(101, "completed", Some(5), 70), (102, "running", None, 9)] {
        let name = id(number);
        let values = rusqlite::params![name.as_str(), status, finished, bytes, i64::MAX];
        connection.execute(sql, values).unwrap();
    }
}

#[tokio::test]
async fn they_are_right_after_every_change_of_a_run_and_from_an_older_database() {
    let folder = TempDir::new().unwrap();
    older_database(folder.path());
    let store = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
    assert_eq!(bytes(&store, folder.path()).await, 79);
    let new = NewJob {
        id: id(1),
        kind: wire::run::RunKind::Scrape,
        request: "{}".into(),
        shown_request: None,
        owner: Some("a".into()),
        idempotency_key: None,
        queue_limit: 99,
        admission: crate::jobs::Admission::default(),
    };
    store.jobs.enqueue(new).await.unwrap();
    let claim = async || store.jobs.claim(LONG, ClaimScope::Any).await.unwrap().unwrap().0;
    let lease = claim().await;
    store.log.append(&lease, 0, entries(1, 2, false)).await.unwrap();
    let one_append = bytes(&store, folder.path()).await;
    assert!(one_append > 79);
    store.jobs.release(&lease).await.unwrap();
    assert_eq!(bytes(&store, folder.path()).await, one_append);
    let lease = claim().await;
    store.log.append(&lease, 2, entries(3, 3, false)).await.unwrap();
    let two_appends = bytes(&store, folder.path()).await;
    assert!(two_appends > one_append);
    let ending = RunEnd {
        status: wire::run::RunStatus::Completed,
        result: Some("{}".into()),
        error: None,
        usage: None,
        metered: Vec::new(),
    };
    store
        .log
        .finish(&lease, 3, entries(4, 4, true), ending)
        .await
        .unwrap();
    assert!(bytes(&store, folder.path()).await > two_appends);
    assert!(store.retention.remove(&id(1), Removal::Events).await.unwrap());
    assert_eq!(bytes(&store, folder.path()).await, 79 + 2, "the result is left");
    assert!(store.retention.remove(&id(1), Removal::Run).await.unwrap());
    assert_eq!(bytes(&store, folder.path()).await, 79);
}
