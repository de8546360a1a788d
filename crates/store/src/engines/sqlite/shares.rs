//! Fair shares in SQLite: whose turn it is, and what each claim is charged.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::Error;
use crate::jobs::{ClaimScope, NewJob, WorkerCapabilities};
use crate::shares::{OwnerShare, ShareState};

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

const STATE: &str = "weight, running_limit, virtual_time, estimate, queued, running";

fn read_state(row: &Row<'_>) -> rusqlite::Result<ShareState> {
    Ok(ShareState {
        share: OwnerShare {
            weight: row.get(0)?,
            running: row.get(1)?,
        },
        virtual_time: row.get(2)?,
        estimate: row.get(3)?,
        queued: row.get(4)?,
        running: row.get(5)?,
    })
}

fn state(connection: &Connection, owner: &str) -> Result<ShareState, Error> {
    let sql = format!("SELECT {STATE} FROM owners WHERE owner = ?1");
    let found = connection
        .prepare_cached(&sql)?
        .query_row([owner], read_state)
        .optional()?;
    Ok(found.unwrap_or_default())
}

fn floor(connection: &Connection) -> Result<i64, Error> {
    let sql = "SELECT value FROM numbers WHERE name = 'floor'";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

/// Refuses a job for which there is no room in the queue.
///
/// # Errors
/// [`Error::QueueFull`], [`Error::OwnerQueueFull`].
pub(super) fn check_queues(connection: &Connection, new: &NewJob) -> Result<(), Error> {
    let sql = "SELECT ifnull(sum(queued), 0), ifnull(sum(queued) FILTER (WHERE owner = ?1), 0) FROM owners WHERE queued > 0";
    let owner = new.owner.as_deref().unwrap_or_default();
    let (waiting, of_owner): (usize, usize) = connection
        .prepare_cached(sql)?
        .query_row([owner], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if let Some(limit) = new.admission.owner_queue_limit.filter(|limit| of_owner >= *limit) {
        return Err(Error::OwnerQueueFull { limit });
    }
    if waiting >= new.queue_limit {
        return Err(Error::QueueFull {
            limit: new.queue_limit,
        });
    }
    Ok(())
}

/// Counts a job that was put in the queue, and sets the share that came with it.
pub(super) fn count_queued(connection: &Connection, new: &NewJob) -> Result<(), Error> {
    let owner = new.owner.as_deref().unwrap_or_default();
    if let Some(share) = new.admission.share {
        let sql = "INSERT INTO owners (owner, queued, weight, running_limit) VALUES (?1, 1, ?2, ?3)
                   ON CONFLICT (owner) DO UPDATE SET queued = queued + 1, weight = ?2, running_limit = ?3";
        connection
            .prepare_cached(sql)?
            .execute(params![owner, share.weight, share.running])?;
        return Ok(());
    }
    let sql = "INSERT INTO owners (owner, queued) VALUES (?1, 1) ON CONFLICT (owner) DO UPDATE SET queued = queued + 1";
    connection.prepare_cached(sql)?.execute([owner])?;
    Ok(())
}

pub(super) fn set_share(connection: &Connection, owner: &str, share: OwnerShare) -> Result<(), Error> {
    let sql = "INSERT INTO owners (owner, weight, running_limit) VALUES (?1, ?2, ?3)
               ON CONFLICT (owner) DO UPDATE SET weight = ?2, running_limit = ?3";
    connection
        .prepare_cached(sql)?
        .execute(params![owner, share.weight, share.running])?;
    Ok(())
}

/// The place of the run to be taken next: one that lost its worker, else that of the owner whose turn it is.
pub(super) fn next(
    connection: &Connection,
    scope: ClaimScope,
    worker: WorkerCapabilities,
) -> Result<Option<i64>, Error> {
    // A lost job's worker is counted when the job is leased again.
    let lost =
        "SELECT min(place) FROM runs WHERE status = 'running' AND held_until <= ?1 AND lost_workers < ?2
                AND needs_chromium <= ?3";
    let lost: Option<i64> = connection
        .prepare_cached(lost)?
        .query_row(params![now(), scope.most_lost(), worker.chromium], |row| {
            row.get(0)
        })?;
    if lost.is_some() {
        return Ok(lost);
    }
    let owners = "SELECT owner, max(virtual_time, ?1) AS start FROM owners
                  WHERE queued > 0 AND (running_limit IS NULL OR running < running_limit) ORDER BY start";
    let first =
        "SELECT place FROM runs WHERE ifnull(owner, '') = ?1 AND status = 'queued' AND lost_workers <= ?2
                 AND needs_chromium <= ?3
                 ORDER BY priority, place LIMIT 1";
    let (mut owners, mut first) = (
        connection.prepare_cached(owners)?,
        connection.prepare_cached(first)?,
    );
    let mut rows = owners.query([floor(connection)?])?;
    // Of owners that stand alike, the one whose job is the oldest.
    let mut best: Option<(i64, i64)> = None;
    while let Some(row) = rows.next()? {
        let (owner, start): (String, i64) = (row.get(0)?, row.get(1)?);
        if best.is_some_and(|(best, _)| best < start) {
            break;
        }
        let place = first
            .query_row(params![owner, scope.most_lost(), worker.chromium], |row| {
                row.get(0)
            })
            .optional()?;
        if let Some(place) = place {
            best = Some(best.map_or((start, place), |best| best.min((start, place))));
        }
    }
    Ok(best.map(|(_, place)| place))
}

/// Charges the owner of a run that is about to be leased. A run that lost its worker was charged before.
pub(super) fn charge(connection: &Connection, place: i64) -> Result<(), Error> {
    let sql = "SELECT ifnull(owner, ''), status = 'queued' FROM runs WHERE place = ?1";
    let (owner, queued): (String, bool) = connection
        .prepare_cached(sql)?
        .query_row([place], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if !queued {
        return Ok(());
    }
    let mut state = state(connection, &owner)?;
    let (charged, floor) = state.charge(floor(connection)?);
    write(connection, &owner, &state)?;
    connection
        .prepare_cached("UPDATE numbers SET value = ?1 WHERE name = 'floor'")?
        .execute([floor])?;
    connection
        .prepare_cached("UPDATE runs SET claimed_at = ?2, charged = ?3 WHERE place = ?1")?
        .execute(params![place, now(), charged])?;
    Ok(())
}

/// Corrects the charge of a run that its worker ends or gives back. True when the owner has only so many at once.
pub(super) fn settle(connection: &Connection, place: i64) -> Result<bool, Error> {
    let sql = "SELECT ifnull(owner, ''), claimed_at, charged FROM runs WHERE place = ?1";
    let (owner, claimed_at, charged): (String, i64, i64) = connection
        .prepare_cached(sql)?
        .query_row([place], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let mut state = state(connection, &owner)?;
    state.settle(charged, now().saturating_sub(claimed_at));
    write(connection, &owner, &state)?;
    Ok(state.share.running.is_some())
}

fn write(connection: &Connection, owner: &str, state: &ShareState) -> Result<(), Error> {
    connection
        .prepare_cached("UPDATE owners SET virtual_time = ?2, estimate = ?3 WHERE owner = ?1")?
        .execute(params![owner, state.virtual_time, state.estimate])?;
    Ok(())
}
