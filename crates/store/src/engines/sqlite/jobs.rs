//! Jobs and commands in SQLite.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, named_params, params};
use tokio::sync::watch;
use wire::RunId;
use wire::run::{RunKind, RunStatus};

use super::Sqlite;
use crate::Error;
use crate::inbox::{Inbox, InboxCommand};
use crate::jobs::{Job, JobQuery, Jobs, Lease, NewJob, Renewal};

const COLUMNS: &str = "id, kind, request, owner, status, created_at, finished_at, last_seq, attempt, cancel, result, \
                       error, usage";

fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

fn instant(millisecond: i64) -> Timestamp {
    Timestamp::from_millisecond(millisecond).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Reads a row of `runs` whose columns begin with [`COLUMNS`].
///
/// # Errors
/// [`Error::Damaged`] when this version does not know its kind or status.
fn read_job(row: &Row<'_>) -> Result<Job, Error> {
    let (id, kind, status): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(4)?);
    let known = (
        RunId::parse(&id).ok(),
        kind.parse::<RunKind>().ok(),
        status.parse::<RunStatus>().ok(),
    );
    let (Some(id), Some(kind), Some(status)) = known else {
        let reason =
            format!("run {id:?} is of kind {kind:?} and status {status:?}, which this version does not know");
        return Err(Error::Damaged { reason });
    };
    Ok(Job {
        id,
        kind,
        request: row.get(2)?,
        owner: row.get(3)?,
        status,
        created_at: instant(row.get(5)?),
        finished_at: row.get::<_, Option<i64>>(6)?.map(instant),
        last_seq: row.get(7)?,
        attempt: row.get(8)?,
        cancel: row.get(9)?,
        result: row.get(10)?,
        error: row.get(11)?,
        usage: row.get(12)?,
    })
}

fn find(connection: &Connection, run: &RunId) -> Result<Option<Job>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM runs WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([run.as_str()])?;
    rows.next()?.map(read_job).transpose()
}

/// The place of a run whose lease is still the newest, and where its log ends.
pub(super) fn leased_run(connection: &Connection, lease: &Lease) -> Result<(i64, u64), Error> {
    let mut statement = connection.prepare_cached(
        "SELECT place, last_seq FROM runs WHERE id = ?1 AND epoch = ?2 AND status = 'running'",
    )?;
    let found = statement.query_row(params![lease.run.as_str(), lease.epoch], |row| {
        Ok((row.get(0)?, row.get(1)?))
    });
    found.optional()?.ok_or_else(|| Error::Fenced {
        run: lease.run.clone(),
    })
}

/// The place of a run, for writers other than its worker, and whether it has ended.
fn run_place(connection: &Connection, run: &RunId) -> Result<(i64, bool), Error> {
    let mut statement = connection.prepare_cached("SELECT place, status FROM runs WHERE id = ?1")?;
    let found = statement
        .query_row([run.as_str()], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))
        .optional()?;
    let (place, status) = found.ok_or_else(|| Error::UnknownRun(run.clone()))?;
    Ok((
        place,
        status.parse::<RunStatus>().ok().is_some_and(RunStatus::is_final),
    ))
}

fn enqueue(connection: &Connection, new: &NewJob) -> Result<RunId, Error> {
    if let Some(key) = &new.idempotency_key {
        let mut earlier = connection.prepare_cached(
            "SELECT id, request FROM runs WHERE ifnull(owner, '') = ?1 AND idempotency_key = ?2",
        )?;
        let owner = new.owner.as_deref().unwrap_or_default();
        let previous: Option<(String, String)> = earlier
            .query_row(params![owner, key], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        match previous {
            Some((id, request)) if request == new.request => {
                return RunId::parse(&id).map_err(|_| Error::Damaged {
                    reason: format!("{id:?} is no run id"),
                });
            }
            Some(_) => return Err(Error::Taken { key: key.clone() }),
            None => {}
        }
    }
    let mut waiting = connection.prepare_cached("SELECT count(*) FROM runs WHERE status = 'queued'")?;
    if waiting.query_row([], |row| row.get::<_, usize>(0))? >= new.queue_limit {
        return Err(Error::QueueFull {
            limit: new.queue_limit,
        });
    }
    let inserted = connection
        .prepare_cached(
            "INSERT INTO runs (id, kind, request, owner, idempotency_key, status, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, 'queued', ?6) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            new.id.as_str(),
            new.kind.as_str(),
            new.request,
            new.owner,
            new.idempotency_key,
            now()
        ])?;
    if inserted == 1 {
        Ok(new.id.clone())
    } else {
        Err(Error::Taken {
            key: new.id.to_string(),
        })
    }
}

/// Until when a lease taken now holds.
fn lease_end(ttl: Duration) -> i64 {
    now().saturating_add(i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX))
}

/// The oldest run that may be taken.
const OLDEST: &str = "SELECT min(place) FROM (
    SELECT min(place) AS place FROM runs WHERE status = 'queued'
    UNION ALL SELECT min(place) FROM runs WHERE status = 'running' AND held_until <= :now)";

fn claim(connection: &Connection, ttl: Duration) -> Result<Option<(Lease, Job)>, Error> {
    let place: Option<i64> = connection
        .prepare_cached(OLDEST)?
        .query_row(named_params! {":now": now()}, |row| row.get(0))?;
    place
        .map(|place| lease_to(connection, place, ttl, false))
        .transpose()
}

fn lease_to(connection: &Connection, place: i64, ttl: Duration, guest: bool) -> Result<(Lease, Job), Error> {
    let sql = format!(
        "UPDATE runs SET status = 'running', epoch = epoch + 1, attempt = attempt + 1, held_until = ?2, held_by_guest = ?3
         WHERE place = ?1 RETURNING {COLUMNS}, epoch"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![place, lease_end(ttl), guest])?;
    let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    let job = read_job(row)?;
    let lease = Lease {
        run: job.id.clone(),
        epoch: row.get("epoch")?,
    };
    Ok((lease, job))
}

fn list(connection: &Connection, query: &JobQuery) -> Result<Vec<Job>, Error> {
    let before = match &query.before {
        None => i64::MAX,
        Some(run) => run_place(connection, run)?.0,
    };
    let sql = format!(
        "SELECT {COLUMNS} FROM runs WHERE place < ?1 AND (?2 IS NULL OR owner = ?2) AND (?3 IS NULL OR status = ?3)
         ORDER BY place DESC LIMIT ?4"
    );
    let status = query.status.map(RunStatus::as_str);
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![before, query.owner, status, limit])?;
    let mut jobs = Vec::new();
    while let Some(row) = rows.next()? {
        jobs.push(read_job(row)?);
    }
    Ok(jobs)
}

#[async_trait]
impl Jobs for Sqlite {
    async fn enqueue(&self, new: NewJob) -> Result<RunId, Error> {
        let id = self
            .0
            .writer
            .write(move |transaction| enqueue(transaction, &new))
            .await?;
        self.0.notifier.notify_jobs();
        Ok(id)
    }

    async fn begin(&self, new: NewJob, ttl: Duration) -> Result<(Lease, Job), Error> {
        let begin = move |transaction: &Transaction<'_>| {
            let wanted = new.id.clone();
            if enqueue(transaction, &new)? != wanted {
                return Err(Error::Taken {
                    key: wanted.to_string(),
                });
            }
            let (place, _) = run_place(transaction, &wanted)?;
            lease_to(transaction, place, ttl, true)
        };
        self.0.writer.write(begin).await
    }

    async fn claim(&self, ttl: Duration) -> Result<Option<(Lease, Job)>, Error> {
        // Most polls find nothing; those should not cost a write.
        let has_job = |connection: &Connection| -> Result<bool, Error> {
            let sql = "SELECT EXISTS (SELECT 1 FROM runs WHERE status = 'queued')
                       OR EXISTS (SELECT 1 FROM runs WHERE status = 'running' AND held_until <= ?1)";
            Ok(connection
                .prepare_cached(sql)?
                .query_row([now()], |row| row.get(0))?)
        };
        if !self.reading(has_job).await? {
            return Ok(None);
        }
        self.0
            .writer
            .write(move |transaction| claim(transaction, ttl))
            .await
    }

    async fn renew(&self, lease: &Lease, ttl: Duration) -> Result<Renewal, Error> {
        let lease = lease.clone();
        self.0
            .writer
            .write(move |transaction| {
                let (place, _) = leased_run(transaction, &lease)?;
                let until = lease_end(ttl);
                let sql = "UPDATE runs SET held_until = ?2 WHERE place = ?1 RETURNING cancel";
                let cancel = transaction
                    .prepare_cached(sql)?
                    .query_row([place, until], |row| row.get(0))?;
                Ok(Renewal { cancel })
            })
            .await
    }

    async fn release(&self, lease: &Lease) -> Result<(), Error> {
        let lease = lease.clone();
        self.0
            .writer
            .write(move |transaction| {
                let (place, _) = leased_run(transaction, &lease)?;
                let sql = "UPDATE runs SET status = 'queued', held_until = 0 WHERE place = ?1";
                transaction.prepare_cached(sql)?.execute([place])?;
                Ok(())
            })
            .await?;
        self.0.notifier.notify_jobs();
        Ok(())
    }

    async fn cancel(&self, run: &RunId, why: &str) -> Result<bool, Error> {
        let (run, why) = (run.clone(), why.to_owned());
        let noted = self
            .0
            .writer
            .write(move |transaction| {
                let (place, ended) = run_place(transaction, &run)?;
                if !ended {
                    let sql = "UPDATE runs SET cancel = ifnull(cancel, ?2) WHERE place = ?1";
                    transaction.prepare_cached(sql)?.execute(params![place, why])?;
                }
                Ok(!ended)
            })
            .await?;
        self.0.notifier.notify_jobs();
        Ok(noted)
    }

    async fn get(&self, run: &RunId) -> Result<Option<Job>, Error> {
        let run = run.clone();
        self.reading(move |connection| find(connection, &run)).await
    }

    async fn list(&self, query: JobQuery) -> Result<Vec<Job>, Error> {
        self.reading(move |connection| list(connection, &query)).await
    }

    fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.notifier.jobs()
    }
}

#[async_trait]
impl Inbox for Sqlite {
    async fn send(&self, run: &RunId, topic: &str, body: &str) -> Result<bool, Error> {
        let (run, topic, body) = (run.clone(), topic.to_owned(), body.to_owned());
        let sent = self
            .0
            .writer
            .write(move |transaction| {
                let (place, ended) = run_place(transaction, &run)?;
                if ended {
                    return Err(Error::Fenced { run });
                }
                let sql = "INSERT INTO commands (run, number, topic, body)
                           SELECT ?1, 1 + (SELECT count(*) FROM commands WHERE run = ?1), ?2, ?3
                           ON CONFLICT (run, topic) DO NOTHING";
                Ok(transaction
                    .prepare_cached(sql)?
                    .execute(params![place, topic, body])?
                    == 1)
            })
            .await?;
        self.0.notifier.notify_inbox();
        Ok(sent)
    }

    async fn receive(&self, lease: &Lease, after: u64) -> Result<Vec<InboxCommand>, Error> {
        let lease = lease.clone();
        self.reading(move |connection| {
            let (place, _) = leased_run(connection, &lease)?;
            let sql = "SELECT number, body FROM commands WHERE run = ?1 AND number > ?2 ORDER BY number";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map(params![place, after], |row| {
                Ok(InboxCommand {
                    number: row.get(0)?,
                    body: row.get(1)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.notifier.inbox()
    }
}
