//! Tables and schema migrations.

use std::time::Duration;

use rusqlite::Connection;

use crate::Error;

/// How long a connection waits for another process's write.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Each step takes the database from the version of its index to the next. Steps are never changed, only added.
const STEPS: [&str; 1] = ["
CREATE TABLE runs (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    request TEXT NOT NULL,
    owner TEXT,
    idempotency_key TEXT,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    last_seq INTEGER NOT NULL DEFAULT 0,
    epoch INTEGER NOT NULL DEFAULT 0,
    attempt INTEGER NOT NULL DEFAULT 0,
    held_until INTEGER NOT NULL DEFAULT 0,
    held_by_guest INTEGER NOT NULL DEFAULT 0,
    cancel TEXT,
    result TEXT,
    error TEXT,
    usage TEXT
);
CREATE INDEX open_runs ON runs (status, place) WHERE status IN ('queued', 'running');
CREATE UNIQUE INDEX keys ON runs (ifnull(owner, ''), idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE TABLE events (
    run INTEGER NOT NULL REFERENCES runs (place),
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    name TEXT NOT NULL,
    audience INTEGER NOT NULL,
    terminal INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (run, seq)
) WITHOUT ROWID;
CREATE TABLE commands (
    run INTEGER NOT NULL REFERENCES runs (place),
    number INTEGER NOT NULL,
    topic TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (run, number),
    UNIQUE (run, topic)
) WITHOUT ROWID;
"];

/// Sets a connection up for writing and brings the tables to this version.
///
/// # Errors
/// [`Error::Damaged`] when the file is no database or from a newer version.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), Error> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // FULL: a commit has returned only when it is on the disk, as the ports promise.
    connection.pragma_update(None, "synchronous", "FULL")?;
    // What is deleted is overwritten, since it may be what a person typed.
    connection.pragma_update(None, "secure_delete", "ON")?;
    bound_memory(connection)?;
    connection.set_prepared_statement_cache_capacity(64);
    let step = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version: usize = step.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version > STEPS.len() {
        return Err(Error::Damaged {
            reason: format!(
                "it has version {version}, and this program knows up to {}: use a newer one",
                STEPS.len()
            ),
        });
    }
    for statements in STEPS.iter().skip(version) {
        step.execute_batch(statements)?;
    }
    step.pragma_update(None, "user_version", STEPS.len())?;
    step.commit()?;
    Ok(())
}

/// Keeps little of the database in a connection's own memory: the system's page cache has it once for all of them.
///
/// # Errors
/// When the connection is not usable.
pub(super) fn bound_memory(connection: &Connection) -> Result<(), Error> {
    /// Page cache of a connection, in KiB; SQLite takes negative numbers for this unit.
    const CACHE_SIZE: i64 = -512;
    connection.pragma_update(None, "cache_size", CACHE_SIZE)?;
    Ok(())
}

/// Ends the leases of the server before this one, which is dead: otherwise this one could not hold the lock of the folder.
/// A guest beside it may live, and keeps its leases.
pub(super) fn end_leases_of_servers(connection: &Connection) -> Result<(), Error> {
    connection.execute(
        "UPDATE runs SET held_until = 0 WHERE status = 'running' AND held_by_guest = 0",
        [],
    )?;
    Ok(())
}
