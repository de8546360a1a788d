//! Tables and schema migrations.

use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Transaction, params};

use crate::Error;
use crate::keyring::{self, Keyring};

/// How long a connection waits for another process's write.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Each step takes the database from the version of its index to the next. Steps are never changed, only added.
pub(super) const STEPS: [&str; 7] = [
    "
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
",
    // What is large moves out of the rows that lists and leases read. `sealed` is the request as its worker needs it,
    // encrypted, until the run ends; `request` is what readers see.
    "
CREATE TABLE payloads (
    run INTEGER PRIMARY KEY REFERENCES runs (place),
    request TEXT NOT NULL,
    sealed BLOB,
    result TEXT,
    error TEXT,
    usage TEXT
);
INSERT INTO payloads SELECT place, request, NULL, result, error, usage FROM runs;
ALTER TABLE runs DROP COLUMN request;
ALTER TABLE runs DROP COLUMN result;
ALTER TABLE runs DROP COLUMN error;
ALTER TABLE runs DROP COLUMN usage;
ALTER TABLE runs ADD COLUMN fingerprint BLOB;
ALTER TABLE runs ADD COLUMN lost_workers INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN expired_seq INTEGER NOT NULL DEFAULT 0;
CREATE INDEX ended_runs ON runs (finished_at) WHERE finished_at IS NOT NULL;
",
    // Named values that outlive runs.
    "
CREATE TABLE vault (
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    facts TEXT NOT NULL,
    sealed BLOB NOT NULL,
    generation INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (owner, kind, name)
) WITHOUT ROWID;
",
    // Owners share the workers and have usage. How many runs of an owner wait and are done is counted where it changes.
    "
ALTER TABLE runs ADD COLUMN priority INTEGER NOT NULL DEFAULT 3;
ALTER TABLE runs ADD COLUMN api_key TEXT;
ALTER TABLE runs ADD COLUMN claimed_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN charged INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
CREATE TABLE owners (
    owner TEXT PRIMARY KEY,
    weight INTEGER NOT NULL DEFAULT 1,
    running_limit INTEGER,
    virtual_time INTEGER NOT NULL DEFAULT 0,
    estimate INTEGER NOT NULL DEFAULT 1000,
    queued INTEGER NOT NULL DEFAULT 0,
    running INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO numbers VALUES ('floor', 0), ('revision', 0);
INSERT INTO owners (owner, queued, running)
    SELECT ifnull(owner, ''), sum(status = 'queued'), sum(status = 'running') FROM runs GROUP BY 1;
UPDATE runs SET bytes = ifnull((SELECT sum(length(CAST(data AS BLOB))) FROM events WHERE run = place), 0);
CREATE INDEX waiting_owners ON owners (owner) WHERE queued > 0;
CREATE INDEX waiting_runs ON runs (ifnull(owner, ''), priority, place) WHERE status = 'queued';
CREATE INDEX owned_runs ON runs (ifnull(owner, ''), place);
CREATE TRIGGER count_open_runs AFTER UPDATE OF status ON runs WHEN OLD.status <> NEW.status BEGIN
    UPDATE owners SET queued = queued + (NEW.status = 'queued') - (OLD.status = 'queued'),
                      running = running + (NEW.status = 'running') - (OLD.status = 'running')
    WHERE owner = ifnull(NEW.owner, '');
END;
CREATE TABLE usage (
    owner TEXT NOT NULL,
    day TEXT NOT NULL,
    api_key TEXT NOT NULL,
    kind TEXT NOT NULL,
    model TEXT NOT NULL,
    runs INTEGER NOT NULL,
    pages INTEGER NOT NULL,
    tool_calls INTEGER NOT NULL,
    model_calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    micro_dollars INTEGER NOT NULL,
    PRIMARY KEY (owner, day, api_key, kind, model)
) WITHOUT ROWID;
CREATE TABLE records (
    collection TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (collection, name)
) WITHOUT ROWID;
",
    // What is kept with a run beside its events, such as pictures. Names begin with the time.
    "
CREATE TABLE run_blobs (
    run INTEGER NOT NULL REFERENCES runs (place),
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (run, name)
);
CREATE INDEX old_run_blobs ON run_blobs (name);
",
    // Not every worker does every run.
    "ALTER TABLE runs ADD COLUMN needs_chromium INTEGER NOT NULL DEFAULT 0",
    // Bytes of an owner's runs but those that run, which are few and grow at every write: adding up all of them takes longer
    // the more there are.
    "
ALTER TABLE owners ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
INSERT INTO owners (owner) SELECT DISTINCT ifnull(owner, '') FROM runs WHERE true ON CONFLICT DO NOTHING;
UPDATE owners SET bytes = (SELECT ifnull(sum(runs.bytes), 0) FROM runs
    WHERE ifnull(runs.owner, '') = owners.owner AND status <> 'running');
DROP TRIGGER count_open_runs;
CREATE TRIGGER count_open_runs AFTER UPDATE OF status ON runs WHEN OLD.status <> NEW.status BEGIN
    UPDATE owners SET queued = queued + (NEW.status = 'queued') - (OLD.status = 'queued'),
                      running = running + (NEW.status = 'running') - (OLD.status = 'running'),
                      bytes = bytes + (NEW.status <> 'running') * NEW.bytes - (OLD.status <> 'running') * OLD.bytes
    WHERE owner = ifnull(NEW.owner, '');
END;
CREATE TRIGGER count_changed_bytes AFTER UPDATE OF bytes ON runs
WHEN OLD.status = NEW.status AND NEW.status <> 'running' AND OLD.bytes <> NEW.bytes BEGIN
    UPDATE owners SET bytes = bytes + NEW.bytes - OLD.bytes WHERE owner = ifnull(NEW.owner, '');
END;
CREATE TRIGGER count_removed_bytes AFTER DELETE ON runs WHEN OLD.status <> 'running' AND OLD.bytes > 0 BEGIN
    UPDATE owners SET bytes = bytes - OLD.bytes WHERE owner = ifnull(OLD.owner, '');
END;
",
];

/// The version whose requests and commands were stored as they came.
const UNSEALED: usize = 1;

/// Sets a connection up for writing and brings the tables to this version.
///
/// # Errors
/// [`Error::Damaged`] when the file is no database or from a newer version.
pub(super) fn prepare(connection: &mut Connection, keys: &Keyring) -> Result<(), Error> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // FULL: a commit has returned only when it is on the disk, as the ports promise.
    connection.pragma_update(None, "synchronous", "FULL")?;
    // What is deleted is overwritten, since it may be what a person typed.
    connection.pragma_update(None, "secure_delete", "ON")?;
    // Sorting and migrating leave no copies in files of the system's temporary folder.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    set_up(connection)?;
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
    if version == UNSEALED {
        seal_what_was_stored(&step, keys)?;
    }
    step.pragma_update(None, "user_version", STEPS.len())?;
    step.commit()?;
    if version == UNSEALED {
        truncate_log(connection)?;
    }
    Ok(())
}

/// Encrypts or hides the values of requests and commands that an earlier version stored as they came.
fn seal_what_was_stored(step: &Transaction<'_>, keys: &Keyring) -> Result<(), Error> {
    let mut runs =
        step.prepare("SELECT place, id, idempotency_key IS NOT NULL, finished_at IS NULL FROM runs")?;
    let mut rows = runs.query([])?;
    while let Some(row) = rows.next()? {
        let (place, id, keyed, open): (i64, String, bool, bool) =
            (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
        let request: String =
            step.query_row("SELECT request FROM payloads WHERE run = ?1", [place], |row| {
                row.get(0)
            })?;
        if keyed {
            let fingerprint = keys.fingerprint(&request);
            step.execute(
                "UPDATE runs SET fingerprint = ?2 WHERE place = ?1",
                params![place, fingerprint],
            )?;
        }
        if let Some(shown) = wire::request_secrets::shown_spec(&request) {
            let sealed = open.then(|| keys.seal(&id, &request)).transpose()?;
            step.execute(
                "UPDATE payloads SET request = ?2, sealed = ?3 WHERE run = ?1",
                params![place, shown, sealed],
            )?;
        }
        let mut commands = step.prepare_cached("SELECT number, body FROM commands WHERE run = ?1")?;
        let bodies = commands.query_map([place], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
        })?;
        for (number, body) in bodies.collect::<Result<Vec<_>, _>>()? {
            let sealed = keys.seal(&id, &body)?;
            step.execute(
                "UPDATE commands SET body = ?3 WHERE run = ?1 AND number = ?2",
                params![place, number, sealed],
            )?;
        }
    }
    Ok(())
}

/// Moves the write-ahead log into the database and empties the log, as far as no reader needs it.
///
/// # Errors
/// When the connection is not usable.
pub(super) fn truncate_log(connection: &Connection) -> Result<(), Error> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(())
}

/// Checks that the keys of all unfinished runs are there.
///
/// # Errors
/// [`Error::KeyUnavailable`]. A run that is to be cancelled needs no key.
pub(super) fn check_keys(connection: &Connection, keys: &Keyring) -> Result<(), Error> {
    let mut statement = connection.prepare(
        "SELECT substr(sealed, 1, ?1), count(*) FROM payloads JOIN runs ON place = run
         WHERE sealed IS NOT NULL AND finished_at IS NULL AND cancel IS NULL GROUP BY 1",
    )?;
    let mut rows = statement.query([1 + keyring::ID_LENGTH])?;
    while let Some(row) = rows.next()? {
        let (header, runs): (Vec<u8>, usize) = (row.get(0)?, row.get(1)?);
        if let Some(id) = keyring::key_id(&header).filter(|id| !keys.knows(id)) {
            let key = keyring::hex(&id);
            return Err(Error::KeyUnavailable { key, runs });
        }
    }
    Ok(())
}

/// Encrypts anew, with the first key of the ring, what an older key of it has sealed: that key is then needed no more.
///
/// # Errors
/// Those of the database. A value whose key is missing stays as it is.
pub(super) fn reseal_vault(connection: &mut Connection, keys: &Keyring) -> Result<usize, Error> {
    let step = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let rows = step
        .prepare("SELECT owner, kind, name, sealed FROM vault")?
        .query_map([], |row| {
            Ok((
                row.get::<_, String>(0)?,
                row.get::<_, String>(1)?,
                row.get::<_, String>(2)?,
                row.get::<_, Vec<u8>>(3)?,
            ))
        })?
        .collect::<Result<Vec<_>, _>>()?;
    let mut resealed = 0;
    for (owner, kind, name, sealed) in rows {
        if keyring::key_id(&sealed).is_some_and(|id| keys.seals_with(&id)) {
            continue;
        }
        let context = format!("vault\0{owner}\0{kind}\0{name}");
        let Ok(value) = keys.unseal(&context, &sealed) else {
            tracing::warn!(
                kind,
                "a value of the vault is encrypted with a key that is missing"
            );
            continue;
        };
        step.execute(
            "UPDATE vault SET sealed = ?4 WHERE owner = ?1 AND kind = ?2 AND name = ?3",
            params![owner, kind, name, keys.seal(&context, &value)?],
        )?;
        resealed += 1;
    }
    step.commit()?;
    Ok(resealed)
}

/// Sets up what all connections have in common. Little of the database is kept in a connection's own memory: the system's
/// page cache has it once for all of them.
///
/// # Errors
/// When the connection is not usable.
pub(super) fn set_up(connection: &Connection) -> Result<(), Error> {
    /// Page cache of a connection, in KiB; SQLite takes negative numbers for this unit.
    const CACHE_SIZE: i64 = -512;
    connection.pragma_update(None, "cache_size", CACHE_SIZE)?;
    plan_once(connection)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

/// Gives each statement that is kept one plan, whatever values are bound to it: with statistics compiled in, SQLite parses and
/// plans a statement again for each new value that could change its plan.
///
/// # Errors
/// When the connection is not usable.
pub(super) fn plan_once(connection: &Connection) -> Result<(), Error> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
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
