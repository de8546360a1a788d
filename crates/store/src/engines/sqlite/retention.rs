//! Retention in SQLite: room in the database and beside it, and the removal of runs that have ended.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use wire::RunId;

use super::Sqlite;
use crate::retention::{Removal, Retention, StoreSpace};
use crate::{Error, private_files};

/// Bytes of the database's pages in use, and of those that are free for new rows.
fn pages(connection: &Connection) -> Result<(u64, u64), Error> {
    let number = |name: &str| connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, u64>(0));
    let (size, all, free) = (
        number("page_size")?,
        number("page_count")?,
        number("freelist_count")?,
    );
    Ok((size * all.saturating_sub(free), size * free))
}

fn remove(transaction: &Transaction<'_>, run: &RunId, removal: Removal) -> Result<bool, Error> {
    let sql = "SELECT place FROM runs WHERE id = ?1 AND finished_at IS NOT NULL";
    let place: Option<i64> = transaction
        .prepare_cached(sql)?
        .query_row([run.as_str()], |row| row.get(0))
        .optional()?;
    let Some(place) = place else {
        return Ok(false);
    };
    let events = transaction
        .prepare_cached("DELETE FROM events WHERE run = ?1")?
        .execute([place])?;
    transaction
        .prepare_cached("DELETE FROM run_blobs WHERE run = ?1")?
        .execute([place])?;
    match removal {
        Removal::Events => {
            transaction
                .prepare_cached("UPDATE runs SET expired_seq = last_seq,
                     bytes = ifnull((SELECT length(CAST(result AS BLOB)) FROM payloads WHERE run = place), 0) WHERE place = ?1")?
                .execute([place])?;
            Ok(events > 0)
        }
        Removal::Run => {
            for sql in [
                "DELETE FROM commands WHERE run = ?1",
                "DELETE FROM payloads WHERE run = ?1",
                "DELETE FROM runs WHERE place = ?1",
            ] {
                transaction.prepare_cached(sql)?.execute([place])?;
            }
            Ok(true)
        }
    }
}

#[async_trait]
impl Retention for Sqlite {
    async fn space(&self) -> Result<StoreSpace, Error> {
        let folder = self.0.folder.clone();
        self.reading(move |connection| {
            let (used, reusable) = pages(connection)?;
            let free = private_files::free_space(&folder).map(|free| free.saturating_add(reusable));
            Ok(StoreSpace { used, free })
        })
        .await
    }

    async fn ended(
        &self,
        removal: Removal,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<RunId>, Error> {
        self.reading(move |connection| {
            let sql = "SELECT id FROM runs WHERE finished_at IS NOT NULL AND finished_at < ?1
                       AND (?2 OR expired_seq < last_seq) ORDER BY finished_at, place LIMIT ?3";
            let before = before.map_or(i64::MAX, Timestamp::as_millisecond);
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut statement = connection.prepare_cached(sql)?;
            let ids = statement.query_map(params![before, removal == Removal::Run, limit], |row| {
                row.get::<_, String>(0)
            })?;
            let parsed = |id: rusqlite::Result<String>| {
                let id = id?;
                RunId::parse(&id).map_err(|_| Error::Damaged {
                    reason: format!("{id:?} is no run id"),
                })
            };
            ids.map(parsed).collect()
        })
        .await
    }

    async fn remove(&self, run: &RunId, removal: Removal) -> Result<bool, Error> {
        let run = run.clone();
        self.0
            .writer
            .write(move |transaction| remove(transaction, &run, removal))
            .await
    }
}
