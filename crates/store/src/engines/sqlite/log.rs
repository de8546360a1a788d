//! Event logs in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Row, Transaction, params};
use tokio::sync::watch;
use wire::{Audience, LogEntry, RunId};

use super::{Sqlite, jobs, owners, shares};
use crate::Error;
use crate::jobs::Lease;
use crate::log::{EventLog, RunEnd, check_order};

fn read_entry(row: &Row<'_>) -> rusqlite::Result<LogEntry> {
    Ok(LogEntry {
        seq: row.get(0)?,
        at: Timestamp::from_millisecond(row.get(1)?).unwrap_or(Timestamp::UNIX_EPOCH),
        name: row.get(2)?,
        // A rank of a later version is shown to nobody.
        audience: Audience::from_repr(row.get(3)?).unwrap_or(Audience::Internal),
        terminal: row.get(4)?,
        data: row.get(5)?,
    })
}

fn write(
    transaction: &Transaction<'_>,
    lease: &Lease,
    after: u64,
    entries: &[LogEntry],
    ending: Option<&RunEnd>,
) -> Result<Written, Error> {
    check_order(&lease.run, after, entries, ending.is_some())?;
    let (place, actual) = jobs::leased_run(transaction, lease)?;
    if actual != after {
        return Err(Error::Conflict {
            run: lease.run.clone(),
            expected: after,
            actual,
        });
    }
    let sql = "INSERT INTO events (run, seq, at, name, audience, terminal, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut insert = transaction.prepare_cached(sql)?;
    for LogEntry {
        seq,
        at,
        name,
        audience,
        terminal,
        data,
    } in entries
    {
        insert.execute(params![
            place,
            seq,
            at.as_millisecond(),
            name,
            *audience as u8,
            terminal,
            data
        ])?;
    }
    let end = after + entries.len() as u64;
    let bytes = entries.iter().map(|entry| entry.data.len() as u64).sum();
    match ending {
        None => {
            let sql = "UPDATE runs SET last_seq = ?2, bytes = bytes + ?3 WHERE place = ?1";
            transaction
                .prepare_cached(sql)?
                .execute(params![place, end, bytes])?;
            Ok(Written::default())
        }
        Some(ending) => finish(transaction, place, end, bytes, ending),
    }
}

/// What follows from a write.
#[derive(Debug, Clone, Copy, Default)]
struct Written {
    /// It ended the run.
    ended: bool,
    /// It deleted values that were encrypted.
    deleted_secrets: bool,
    /// It ended a run of an owner that has only so many at once, so that another one may begin.
    freed_place: bool,
}

/// Ends a run. What its request held for its worker alone and what people answered go with it.
fn finish(
    transaction: &Transaction<'_>,
    place: i64,
    end: u64,
    bytes: u64,
    ending: &RunEnd,
) -> Result<Written, Error> {
    let RunEnd {
        status,
        result,
        error,
        usage,
        metered,
    } = ending;
    let freed_place = shares::settle(transaction, place)?;
    owners::meter(transaction, place, metered)?;
    let bytes = bytes + result.as_ref().map_or(0, |result| result.len() as u64);
    let sql =
        "UPDATE runs SET last_seq = ?2, status = ?3, finished_at = ?4, bytes = bytes + ?5 WHERE place = ?1";
    transaction
        .prepare_cached(sql)?
        .execute(params![place, end, status.as_str(), shares::now(), bytes])?;
    let sealed: bool = transaction
        .prepare_cached("SELECT sealed IS NOT NULL FROM payloads WHERE run = ?1")?
        .query_row([place], |row| row.get(0))?;
    transaction
        .prepare_cached(
            "UPDATE payloads SET result = ?2, error = ?3, usage = ?4, sealed = NULL WHERE run = ?1",
        )?
        .execute(params![place, result, error, usage])?;
    let answers = transaction
        .prepare_cached("DELETE FROM commands WHERE run = ?1")?
        .execute([place])?;
    Ok(Written {
        ended: true,
        deleted_secrets: sealed || answers > 0,
        freed_place,
    })
}

impl Sqlite {
    async fn extend(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<LogEntry>,
        ending: Option<RunEnd>,
    ) -> Result<(), Error> {
        let end = after + entries.len() as u64;
        let leased_run = lease.clone();
        let written = self
            .0
            .writer
            .write(move |transaction| write(transaction, &leased_run, after, &entries, ending.as_ref()))
            .await?;
        if written.deleted_secrets {
            self.0.writer.truncate_log();
        }
        if written.ended {
            self.remove_frontier(&lease.run).await;
        }
        if written.freed_place {
            self.0.notifier.notify_jobs();
        }
        self.0.notifier.notify_log(&lease.run, end);
        Ok(())
    }
}

#[async_trait]
impl EventLog for Sqlite {
    async fn append(&self, lease: &Lease, after: u64, entries: Vec<LogEntry>) -> Result<(), Error> {
        self.extend(lease, after, entries, None).await
    }

    async fn finish(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<LogEntry>,
        ending: RunEnd,
    ) -> Result<(), Error> {
        self.extend(lease, after, entries, Some(ending)).await
    }

    async fn read(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<LogEntry>, Error> {
        let run = run.clone();
        self.reading(move |connection| {
            let sql = "SELECT seq, at, name, audience, terminal, data FROM events
                       WHERE run = (SELECT place FROM runs WHERE id = ?1) AND seq > ?2 ORDER BY seq LIMIT ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let after = i64::try_from(after).unwrap_or(i64::MAX);
            let rows = statement.query_map(params![run.as_str(), after, limit], read_entry)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
        self.0.notifier.tail(run)
    }
}
