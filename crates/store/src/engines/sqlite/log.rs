//! Event logs in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Row, Transaction, params};
use tokio::sync::watch;
use wire::{Audience, Entry, RunId};

use super::{Sqlite, jobs};
use crate::Error;
use crate::jobs::Lease;
use crate::log::{Ending, EventLog, check_order};

fn rank(audience: Audience) -> u8 {
    match audience {
        Audience::Public => 0,
        Audience::Verbose => 1,
        Audience::Debug => 2,
        Audience::Internal => 3,
    }
}

fn audience(rank: u8) -> Audience {
    match rank {
        0 => Audience::Public,
        1 => Audience::Verbose,
        2 => Audience::Debug,
        _ => Audience::Internal,
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        seq: row.get(0)?,
        at: Timestamp::from_millisecond(row.get(1)?).unwrap_or(Timestamp::UNIX_EPOCH),
        name: row.get(2)?,
        audience: audience(row.get(3)?),
        terminal: row.get(4)?,
        data: row.get(5)?,
    })
}

fn write(
    transaction: &Transaction<'_>,
    lease: &Lease,
    after: u64,
    entries: &[Entry],
    ending: Option<&Ending>,
) -> Result<(), Error> {
    check_order(&lease.run, after, entries, ending.is_some())?;
    let (place, actual) = jobs::held(transaction, lease)?;
    if actual != after {
        return Err(Error::Conflict {
            run: lease.run.clone(),
            expected: after,
            actual,
        });
    }
    let sql = "INSERT INTO events (run, seq, at, name, audience, terminal, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut insert = transaction.prepare_cached(sql)?;
    for Entry {
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
            rank(*audience),
            terminal,
            data
        ])?;
    }
    let end = after + entries.len() as u64;
    match ending {
        None => {
            transaction.prepare_cached("UPDATE runs SET last_seq = ?2 WHERE place = ?1")?.execute(params![place, end])?
        }
        Some(Ending { status, result, error, usage }) => transaction
            .prepare_cached(
                "UPDATE runs SET last_seq = ?2, status = ?3, result = ?4, error = ?5, usage = ?6, finished_at = ?7
                 WHERE place = ?1",
            )?
            .execute(params![place, end, status.as_str(), result, error, usage, Timestamp::now().as_millisecond()])?,
    };
    if ending.is_some() {
        // What people answered is for the run alone, and goes with it.
        transaction
            .prepare_cached("DELETE FROM commands WHERE run = ?1")?
            .execute([place])?;
    }
    Ok(())
}

impl Sqlite {
    async fn extend(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<Entry>,
        ending: Option<Ending>,
    ) -> Result<(), Error> {
        let end = after + entries.len() as u64;
        let held = lease.clone();
        self.0
            .writer
            .write(move |transaction| write(transaction, &held, after, &entries, ending.as_ref()))
            .await?;
        self.0.hints.moved(&lease.run, end);
        Ok(())
    }
}

#[async_trait]
impl EventLog for Sqlite {
    async fn append(&self, lease: &Lease, after: u64, entries: Vec<Entry>) -> Result<(), Error> {
        self.extend(lease, after, entries, None).await
    }

    async fn finish(
        &self,
        lease: &Lease,
        after: u64,
        entries: Vec<Entry>,
        ending: Ending,
    ) -> Result<(), Error> {
        self.extend(lease, after, entries, Some(ending)).await
    }

    async fn read(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<Entry>, Error> {
        let run = run.clone();
        self.reading(move |connection| {
            let sql = "SELECT seq, at, name, audience, terminal, data FROM events
                       WHERE run = (SELECT place FROM runs WHERE id = ?1) AND seq > ?2 ORDER BY seq LIMIT ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let after = i64::try_from(after).unwrap_or(i64::MAX);
            let rows = statement.query_map(params![run.as_str(), after, limit], entry)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
        self.0.hints.tail(run)
    }
}
