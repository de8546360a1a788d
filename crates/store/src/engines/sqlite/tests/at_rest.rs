//! Values at rest: on the disk they are encrypted while a run needs them, and gone when it has ended.

use std::os::unix::fs::PermissionsExt as _;

use super::*;
use crate::jobs::ClaimScope;
use crate::log::RunEnd;

/// A value of a request.
const SECRET: &str = "correct-horse-battery-staple";
/// A value that a person has typed.
const ANSWER: &str = "tr0ub4dor-and-three";

fn new_job(number: u32) -> NewJob {
    NewJob {
        id: id(number),
        kind: wire::run::RunKind::Automate,
        request: format!(
            "{{\"kind\":\"automate\",\"request\":{{\"task\":\"t\",\"data\":{{\"p\":\"{SECRET}\"}}}}}}"
        ),
        shown_request: Some("{}".into()),
        owner: None,
        idempotency_key: Some(format!("key {number}")),
        queue_limit: 99,
        admission: crate::jobs::Admission::default(),
    }
}

fn ending() -> RunEnd {
    RunEnd {
        status: wire::run::RunStatus::Completed,
        result: None,
        error: None,
        usage: None,
        metered: Vec::new(),
    }
}

/// Every file of a folder, with its mode and its bytes.
fn files(folder: &Path) -> Vec<(PathBuf, u32, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let about = entry.metadata().unwrap();
        if about.is_dir() {
            found.extend(files(&entry.path()));
        }
        let bytes = if about.is_dir() {
            Vec::new()
        } else {
            fs::read(entry.path()).unwrap()
        };
        found.push((entry.path(), about.permissions().mode() & 0o777, bytes));
    }
    found
}

fn holds(folder: &Path, text: &[u8]) -> bool {
    files(folder)
        .iter()
        .any(|(_, _, bytes)| bytes.windows(text.len()).any(|part| part == text))
}

#[tokio::test]
async fn values_are_never_in_the_clear_and_gone_with_the_run_even_as_ciphertext() {
    let folder = TempDir::new().unwrap();
    let store = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
    store.jobs.enqueue(new_job(1)).await.unwrap();
    let (lease, leased) = store.jobs.claim(LONG, ClaimScope::Any).await.unwrap().unwrap();
    assert!(leased.request.unwrap().contains(SECRET));
    store.inbox.send(&id(1), "question", ANSWER).await.unwrap();
    assert_eq!(store.inbox.receive(&lease, 0).await.unwrap()[0].body, ANSWER);
    let sealed = || {
        let connection = Connection::open(database(folder.path())).unwrap();
        let sql = "SELECT sealed FROM payloads WHERE sealed IS NOT NULL UNION ALL SELECT body FROM commands";
        let mut rows = connection.prepare(sql).unwrap();
        let rows = rows.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap();
        rows.collect::<Result<Vec<_>, _>>().unwrap()
    };
    let ciphertexts = sealed();
    assert_eq!(ciphertexts.len(), 2);
    for text in [SECRET, ANSWER] {
        assert!(!holds(folder.path(), text.as_bytes()), "{text} is on the disk");
    }
    store
        .log
        .finish(&lease, 0, entries(1, 1, true), ending())
        .await
        .unwrap();
    assert_eq!(sealed(), Vec::<Vec<u8>>::new());
    // The log of the database is emptied right after the answer.
    let gone = || ciphertexts.iter().all(|text| !holds(folder.path(), text));
    for _ in 0..200 {
        if gone() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(
        gone(),
        "the encrypted values are gone from the database and its log"
    );
}

#[tokio::test]
async fn a_value_of_the_vault_is_never_in_the_clear_and_follows_a_new_key() {
    use crate::vault::{RecordKey, RecordKind, WriteCondition};

    let folder = TempDir::new().unwrap();
    let key = RecordKey {
        owner: String::new(),
        kind: RecordKind::Secret,
        name: "shop".into(),
    };
    let (old, new) = ("11".repeat(32), "22".repeat(32));
    let server = |keys: &[&str]| Sqlite::open(folder.path(), ProcessRole::Server, keys).unwrap();
    let sealed = || {
        let connection = Connection::open(database(folder.path())).unwrap();
        let sealed = connection.query_row("SELECT sealed FROM vault", [], |row| row.get::<_, Vec<u8>>(0));
        sealed.unwrap()
    };
    let store = server(&[&old]);
    let first = WriteCondition::Absent { limit: 9 };
    store.vault.write(&key, "{}", SECRET, first).await.unwrap();
    assert!(!holds(folder.path(), SECRET.as_bytes()));
    let before = sealed();
    drop(store);
    let store = server(&[&new, &old]);
    assert!(
        !holds(folder.path(), &before),
        "it was encrypted with the new key"
    );
    drop(store);
    let store = server(&[&new]);
    let read = store.vault.read(&key).await.unwrap().unwrap();
    assert_eq!(read.value.as_deref(), Ok(SECRET));
    drop(store);
    let read = server(&[&old]).vault.read(&key).await.unwrap().unwrap();
    assert!(matches!(read.value, Err(Error::KeyUnavailable { .. })));
    let connection = Connection::open(database(folder.path())).unwrap();
    connection.execute("UPDATE vault SET name = 'other'", []).unwrap();
    let moved = RecordKey {
        name: "other".into(),
        ..key
    };
    let read = server(&[&new]).vault.read(&moved).await.unwrap().unwrap();
    assert!(
        matches!(read.value, Err(Error::Damaged { .. })),
        "a value stays in its place"
    );
}

#[tokio::test]
async fn every_file_is_its_owners_alone_also_where_the_folder_was_open() {
    let parent = TempDir::new().unwrap();
    let folder = parent.path().join("data");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let store = Sqlite::open(&folder, ProcessRole::Server, &[]).unwrap();
    store.jobs.enqueue(new_job(1)).await.unwrap();
    store
        .jobs
        .list(crate::jobs::JobQuery {
            owner: None,
            status: None,
            before: None,
            limit: 9,
        })
        .await
        .unwrap();
    store
        .blobs
        .put(bytes::Bytes::from_static(b"picture"))
        .await
        .unwrap();
    crate::index::Index::open(&folder).unwrap();
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    let files = files(&folder);
    for name in [
        "huntsman.db",
        "huntsman.db-wal",
        "huntsman.db-shm",
        "server.lock",
        "secret.key",
        "index.db",
    ] {
        assert!(
            files.iter().any(|(path, ..)| path.ends_with(name)),
            "{name} is there"
        );
    }
    for (path, mode, _) in files {
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, wanted, "{}", path.display());
    }
}

#[tokio::test]
async fn a_missing_key_stops_the_server_before_anything_is_lost_and_a_cancelled_run_does_not() {
    let folder = TempDir::new().unwrap();
    let key = folder.path().join(crate::keyring::KEY_FILE);
    let server = |keys: &[&str]| Sqlite::open(folder.path(), ProcessRole::Server, keys);
    server(&[]).unwrap().jobs.enqueue(new_job(1)).await.unwrap();
    let saved = fs::read_to_string(&key).unwrap();
    fs::remove_file(&key).unwrap();
    let Err(Error::KeyUnavailable { runs: 1, .. }) = server(&[]) else {
        panic!("the key is not missed");
    };
    // The older key after a new one opens what it has sealed.
    let new = "77".repeat(32);
    let store = server(&[&new, saved.trim()]).unwrap();
    let (lease, leased) = store.jobs.claim(LONG, ClaimScope::Any).await.unwrap().unwrap();
    assert!(leased.request.unwrap().contains(SECRET));
    store.jobs.release(&lease).await.unwrap();
    drop(store);
    let guest = Sqlite::open(folder.path(), ProcessRole::Guest, &[]).unwrap();
    guest.jobs.cancel(&id(1), "given up").await.unwrap();
    let store = server(&[]).unwrap();
    let (_, leased) = store.jobs.claim(LONG, ClaimScope::Any).await.unwrap().unwrap();
    assert!(
        matches!(leased.request, Err(Error::KeyUnavailable { .. })),
        "the run can be ended"
    );
}

/// The tables of version 1, filled as that version did.
fn version_1(folder: &Path) {
    let connection = Connection::open(database(folder)).unwrap();
    connection.execute_batch(schema::STEPS[0]).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    let request = new_job(1).request;
    for (number, status, finished) in [(1, "completed", Some(5)), (2, "running", None)] {
        let sql = "INSERT INTO runs (place, id, kind, request, idempotency_key, status, created_at, finished_at, epoch, attempt, result)
                   VALUES (?1, ?2, 'automate', ?3, ?4, ?5, 1, ?6, 1, 1, '{}')";
        let key = format!("key {number}");
        let place = i64::from(number);
        connection
            .execute(
                sql,
                rusqlite::params![place, id(number).as_str(), request, key, status, finished],
            )
            .unwrap();
    }
    let sql = "INSERT INTO commands (run, number, topic, body) VALUES (2, 1, 'question', ?1)";
    connection.execute(sql, [ANSWER]).unwrap();
}

#[tokio::test]
async fn a_database_of_the_version_before_is_sealed_when_it_is_opened() {
    let folder = TempDir::new().unwrap();
    version_1(folder.path());
    assert!(holds(folder.path(), SECRET.as_bytes()));
    let store = Sqlite::open(folder.path(), ProcessRole::Server, &[]).unwrap();
    for text in [SECRET, ANSWER] {
        assert!(!holds(folder.path(), text.as_bytes()), "{text} is on the disk");
    }
    let ended = store.jobs.get(&id(1)).await.unwrap().unwrap();
    assert!(ended.request.contains("{{p}}"), "{}", ended.request);
    assert_eq!(ended.result.as_deref(), Some("{}"));
    let (lease, leased) = store.jobs.claim(LONG, ClaimScope::Any).await.unwrap().unwrap();
    assert_eq!((lease.run.clone(), leased.summary.lost_workers), (id(2), 1));
    assert!(leased.request.unwrap().contains(SECRET));
    assert_eq!(store.inbox.receive(&lease, 0).await.unwrap()[0].body, ANSWER);
    let repeated = NewJob {
        id: id(9),
        ..new_job(1)
    };
    assert_eq!(
        store.jobs.enqueue(repeated).await,
        Ok(id(1)),
        "its idempotency key still stands"
    );
}
