//! Jobs and commands in SQLite.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};
use tokio::sync::watch;
use wire::RunId;
use wire::run::{RunKind, RunStatus};

use super::{Sqlite, shares};
use crate::Error;
use crate::inbox::{Inbox, InboxCommand};
use crate::jobs::{
    ClaimScope, Job, JobQuery, JobSummary, Jobs, Lease, LeasedJob, NewJob, Renewal, WorkerCapabilities,
};
use crate::keyring::Keyring;

const COLUMNS: &str = "id, kind, owner, status, created_at, finished_at, last_seq, expired_seq, attempt, lost_workers, \
                       cancel";

fn instant(millisecond: i64) -> Timestamp {
    Timestamp::from_millisecond(millisecond).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Reads a row of `runs` whose columns begin with [`COLUMNS`].
///
/// # Errors
/// [`Error::Damaged`] when this version does not know its kind or status.
fn read_summary(row: &Row<'_>) -> Result<JobSummary, Error> {
    let (id, kind, status): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(3)?);
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
    Ok(JobSummary {
        id,
        kind,
        owner: row.get(2)?,
        status,
        created_at: instant(row.get(4)?),
        finished_at: row.get::<_, Option<i64>>(5)?.map(instant),
        last_seq: row.get(6)?,
        expired_seq: row.get(7)?,
        attempt: row.get(8)?,
        lost_workers: row.get(9)?,
        cancel: row.get(10)?,
    })
}

fn find(connection: &Connection, run: &RunId) -> Result<Option<JobSummary>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM runs WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([run.as_str()])?;
    rows.next()?.map(read_summary).transpose()
}

fn find_whole(connection: &Connection, run: &RunId) -> Result<Option<Job>, Error> {
    // One transaction, so that both reads see the same moment.
    let moment = connection.unchecked_transaction()?;
    let Some(summary) = find(&moment, run)? else {
        return Ok(None);
    };
    let sql = "SELECT request, result, error, usage FROM payloads WHERE run = (SELECT place FROM runs WHERE id = ?1)";
    let job = moment.prepare_cached(sql)?.query_row([run.as_str()], |row| {
        Ok(Job {
            summary,
            request: row.get(0)?,
            result: row.get(1)?,
            error: row.get(2)?,
            usage: row.get(3)?,
        })
    })?;
    Ok(Some(job))
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

/// The run that an idempotency key of this owner names already.
fn earlier(connection: &Connection, new: &NewJob, keys: &Keyring) -> Result<Option<RunId>, Error> {
    let Some(key) = &new.idempotency_key else {
        return Ok(None);
    };
    let mut statement = connection.prepare_cached(
        "SELECT id, fingerprint FROM runs WHERE ifnull(owner, '') = ?1 AND idempotency_key = ?2",
    )?;
    let owner = new.owner.as_deref().unwrap_or_default();
    let found: Option<(String, Option<Vec<u8>>)> = statement
        .query_row(params![owner, key], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    match found {
        None => Ok(None),
        Some((id, Some(fingerprint))) if keys.fits(&fingerprint, &new.compared_request()) => {
            let id = RunId::parse(&id).map_err(|_| Error::Damaged {
                reason: format!("{id:?} is no run id"),
            })?;
            Ok(Some(id))
        }
        Some(_) => Err(Error::Taken { key: key.clone() }),
    }
}

fn enqueue(connection: &Connection, new: &NewJob, keys: &Keyring) -> Result<RunId, Error> {
    if let Some(earlier) = earlier(connection, new, keys)? {
        return Ok(earlier);
    }
    let taken = || Error::Taken {
        key: new.id.to_string(),
    };
    match run_place(connection, &new.id) {
        Err(Error::UnknownRun(_)) => {}
        Err(error) => return Err(error),
        Ok(_) => return Err(taken()),
    }
    shares::check_queues(connection, new)?;
    let fingerprint = new
        .idempotency_key
        .as_ref()
        .map(|_| keys.fingerprint(&new.compared_request()));
    let inserted = connection
        .prepare_cached(
            "INSERT INTO runs (id, kind, owner, idempotency_key, fingerprint, status, created_at, priority, api_key,
                               needs_chromium)
             VALUES (?1, ?2, ?3, ?4, ?5, 'queued', ?6, ?7, ?8, ?9) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            new.id.as_str(),
            new.kind.as_str(),
            new.owner,
            new.idempotency_key,
            fingerprint,
            shares::now(),
            new.admission.priority,
            new.admission.key,
            new.admission.needs.chromium
        ])?;
    if inserted == 0 {
        return Err(taken());
    }
    let place = connection.last_insert_rowid();
    shares::count_queued(connection, new)?;
    let sealed = match &new.shown_request {
        Some(_) => Some(keys.seal(new.id.as_str(), &new.request)?),
        None => None,
    };
    let shown = new.shown_request.as_ref().unwrap_or(&new.request);
    connection
        .prepare_cached("INSERT INTO payloads (run, request, sealed) VALUES (?1, ?2, ?3)")?
        .execute(params![place, shown, sealed])?;
    Ok(new.id.clone())
}

/// Until when a lease taken now holds.
fn lease_end(ttl: Duration) -> i64 {
    shares::now().saturating_add(i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX))
}

/// Leases a run. One that is marked as running has lost its worker, else it would have ended or been given back.
fn lease_to(
    connection: &Connection,
    place: i64,
    ttl: Duration,
    guest: bool,
    keys: &Keyring,
) -> Result<(Lease, LeasedJob), Error> {
    let sql = format!(
        "UPDATE runs SET lost_workers = lost_workers + (status = 'running'), status = 'running', epoch = epoch + 1,
         attempt = attempt + 1, held_until = ?2, held_by_guest = ?3
         WHERE place = ?1 RETURNING {COLUMNS}, epoch"
    );
    shares::charge(connection, place)?;
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![place, lease_end(ttl), guest])?;
    let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    let summary = read_summary(row)?;
    let lease = Lease {
        run: summary.id.clone(),
        epoch: row.get("epoch")?,
    };
    let mut payload = connection.prepare_cached("SELECT request, sealed FROM payloads WHERE run = ?1")?;
    let (shown, sealed): (String, Option<Vec<u8>>) =
        payload.query_row([place], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let request = match sealed {
        Some(sealed) => keys.unseal(summary.id.as_str(), &sealed),
        None => Ok(shown),
    };
    Ok((lease, LeasedJob { summary, request }))
}

fn list(connection: &Connection, query: &JobQuery) -> Result<Vec<JobSummary>, Error> {
    let before = match &query.before {
        None => i64::MAX,
        Some(run) => run_place(connection, run)?.0,
    };
    let sql = format!(
        "SELECT {COLUMNS} FROM runs WHERE place < ?1 AND {} AND (?3 IS NULL OR status = ?3)
         ORDER BY place DESC LIMIT ?4",
        // Each in the form that an index serves.
        match query.owner {
            Some(_) => "ifnull(owner, '') = ?2",
            None => "?2 IS NULL",
        }
    );
    let status = query.status.map(RunStatus::as_str);
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![before, query.owner, status, limit])?;
    let mut jobs = Vec::new();
    while let Some(row) = rows.next()? {
        jobs.push(read_summary(row)?);
    }
    Ok(jobs)
}

#[async_trait]
impl Jobs for Sqlite {
    async fn enqueue(&self, new: NewJob) -> Result<RunId, Error> {
        let keys = Arc::clone(&self.0.keys);
        let id = self
            .0
            .writer
            .write(move |transaction| enqueue(transaction, &new, &keys))
            .await?;
        self.0.notifier.notify_jobs();
        Ok(id)
    }

    async fn begin(&self, new: NewJob, ttl: Duration) -> Result<(Lease, LeasedJob), Error> {
        let keys = Arc::clone(&self.0.keys);
        let begin = move |transaction: &Transaction<'_>| {
            let wanted = new.id.clone();
            if enqueue(transaction, &new, &keys)? != wanted {
                return Err(Error::Taken {
                    key: wanted.to_string(),
                });
            }
            let (place, _) = run_place(transaction, &wanted)?;
            lease_to(transaction, place, ttl, true, &keys)
        };
        self.0.writer.write(begin).await
    }

    async fn claim_for(
        &self,
        ttl: Duration,
        scope: ClaimScope,
        worker: WorkerCapabilities,
    ) -> Result<Option<(Lease, LeasedJob)>, Error> {
        // Most polls find nothing; those should not cost a write.
        let found = self
            .reading(move |connection| shares::next(connection, scope, worker))
            .await?;
        if found.is_none() {
            return Ok(None);
        }
        let keys = Arc::clone(&self.0.keys);
        self.0
            .writer
            .write(move |transaction| {
                shares::next(transaction, scope, worker)?
                    .map(|place| lease_to(transaction, place, ttl, false, &keys))
                    .transpose()
            })
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
                shares::settle(transaction, place)?;
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
                    let sql =
                        "UPDATE runs SET cancel = ifnull(cancel, ?2), needs_chromium = 0 WHERE place = ?1";
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
        self.reading(move |connection| find_whole(connection, &run)).await
    }

    async fn summary(&self, run: &RunId) -> Result<Option<JobSummary>, Error> {
        let run = run.clone();
        self.reading(move |connection| find(connection, &run)).await
    }

    async fn list(&self, query: JobQuery) -> Result<Vec<JobSummary>, Error> {
        self.reading(move |connection| list(connection, &query)).await
    }

    fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.notifier.jobs()
    }
}

#[async_trait]
impl Inbox for Sqlite {
    async fn send(&self, run: &RunId, topic: &str, body: &str) -> Result<bool, Error> {
        let (run, topic) = (run.clone(), topic.to_owned());
        let body = self.0.keys.seal(run.as_str(), body)?;
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
        let (lease, keys) = (lease.clone(), Arc::clone(&self.0.keys));
        self.reading(move |connection| {
            let (place, _) = leased_run(connection, &lease)?;
            let sql = "SELECT number, body FROM commands WHERE run = ?1 AND number > ?2 ORDER BY number";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(params![place, after])?;
            let mut commands = Vec::new();
            while let Some(row) = rows.next()? {
                let sealed: Vec<u8> = row.get(1)?;
                commands.push(InboxCommand {
                    number: row.get(0)?,
                    body: keys.unseal(lease.run.as_str(), &sealed)?,
                });
            }
            Ok(commands)
        })
        .await
    }

    fn subscribe(&self) -> watch::Receiver<u64> {
        self.0.notifier.inbox()
    }
}
