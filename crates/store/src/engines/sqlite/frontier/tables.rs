//! The tables of a frontier, its status, and the addresses that are taken from it.

use std::path::Path;

use rusqlite::{Connection, Row, params};

use crate::engines::sqlite::schema::{BUSY_TIMEOUT, plan_once};
use crate::frontier::{AddressKey, FrontierStatus, TakenAddress};
use crate::{Error, private_files};

/// An address that waits.
pub(super) const WAITING: u8 = 0;
/// An address that a worker has.
pub(super) const TAKEN: u8 = 1;
/// An address that was read.
pub(super) const FINISHED: u8 = 2;

/// Page cache of a connection, in KiB; SQLite takes negative numbers for this unit.
const CACHE_SIZE: i64 = -4096;
/// Most addresses that one call of `take` looks at while it leaves out those of busy hosts.
const MAX_SCANNED: usize = 4096;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS frontier (
    epoch INTEGER NOT NULL, known INTEGER NOT NULL, state TEXT
);
INSERT INTO frontier SELECT 0, 0, NULL WHERE NOT EXISTS (SELECT 1 FROM frontier);
CREATE TABLE IF NOT EXISTS addresses (
    place INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    depth INTEGER NOT NULL,
    score INTEGER NOT NULL,
    status INTEGER NOT NULL,
    after_seq INTEGER NOT NULL DEFAULT 0,
    landed_from INTEGER,
    content BLOB
);
CREATE INDEX IF NOT EXISTS waiting ON addresses (score DESC, place) WHERE status = 0;
CREATE INDEX IF NOT EXISTS taken ON addresses (place) WHERE status = 1;
CREATE INDEX IF NOT EXISTS contents ON addresses (content) WHERE content IS NOT NULL;
CREATE TABLE IF NOT EXISTS sketches (
    band INTEGER NOT NULL, bits INTEGER NOT NULL, place INTEGER NOT NULL, sketch INTEGER NOT NULL,
    PRIMARY KEY (band, bits, place)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS groups (key BLOB PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
";

/// Opens the database of a frontier and creates what is missing.
pub(in crate::engines::sqlite) fn open(folder: &Path, path: &Path) -> Result<Connection, Error> {
    private_files::create_folder(folder).map_err(|error| Error::of_file(&error, folder))?;
    drop(private_files::open_file(path).map_err(|error| Error::of_file(&error, path))?);
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.pragma_update(None, "cache_size", CACHE_SIZE)?;
    plan_once(&connection)?;
    connection.set_prepared_statement_cache_capacity(32);
    let step = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    step.execute_batch(TABLES)?;
    step.commit()?;
    Ok(connection)
}

/// Reads a key as it is stored.
pub(super) fn key(row: &Row<'_>, column: usize) -> rusqlite::Result<AddressKey> {
    row.get::<_, [u8; 16]>(column).map(AddressKey)
}

fn address(row: &Row<'_>) -> rusqlite::Result<TakenAddress> {
    Ok(TakenAddress {
        // Rows are numbered from 1.
        place: row.get::<_, u64>(0)?.saturating_sub(1),
        key: key(row, 1)?,
        url: row.get(2)?,
        host: row.get(3)?,
        depth: row.get(4)?,
        after_seq: row.get(5)?,
    })
}

/// The frontier as a worker finds it.
pub(super) fn status(connection: &Connection) -> Result<FrontierStatus, Error> {
    let (state, known) = connection.query_row("SELECT state, known FROM frontier", [], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    let sql = "SELECT place, key, url, host, depth, after_seq FROM addresses WHERE status = 1 ORDER BY place";
    let taken = connection
        .prepare(sql)?
        .query_map([], address)?
        .collect::<Result<_, _>>()?;
    Ok(FrontierStatus { state, taken, known })
}

/// Takes the best addresses of hosts that are not busy.
pub(super) fn take(
    connection: &Connection,
    limit: usize,
    busy: &[String],
    after_seq: u64,
) -> Result<Vec<TakenAddress>, Error> {
    let mut taken = Vec::new();
    {
        let sql = "SELECT place, key, url, host, depth, after_seq FROM addresses WHERE status = 0
                   ORDER BY score DESC, place LIMIT ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let scanned = if busy.is_empty() { limit } else { MAX_SCANNED };
        let mut rows = statement.query([scanned])?;
        while let Some(row) = rows.next()? {
            if taken.len() >= limit {
                break;
            }
            let found = address(row)?;
            if !busy.contains(&found.host) {
                taken.push((row.get::<_, i64>(0)?, TakenAddress { after_seq, ..found }));
            }
        }
    }
    let sql = "UPDATE addresses SET status = ?2, after_seq = ?3 WHERE place = ?1";
    let mut update = connection.prepare_cached(sql)?;
    for (place, _) in &taken {
        update.execute(params![place, TAKEN, after_seq])?;
    }
    Ok(taken.into_iter().map(|(_, address)| address).collect())
}
