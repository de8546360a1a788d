//! Records in SQLite.

use async_trait::async_trait;
use rusqlite::{OptionalExtension as _, Row, params};

use super::Sqlite;
use crate::Error;
use crate::records::{Record, Records};

fn read_record(row: &Row<'_>) -> rusqlite::Result<Record> {
    Ok(Record {
        name: row.get(0)?,
        value: row.get(1)?,
        revision: row.get(2)?,
    })
}

#[async_trait]
impl Records for Sqlite {
    async fn get(&self, collection: &str, name: &str) -> Result<Option<Record>, Error> {
        let (collection, name) = (collection.to_owned(), name.to_owned());
        self.reading(move |connection| {
            let sql = "SELECT name, value, revision FROM records WHERE collection = ?1 AND name = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row([collection, name], read_record).optional()?)
        })
        .await
    }

    async fn put(
        &self,
        collection: &str,
        name: &str,
        value: String,
        expected: u64,
    ) -> Result<Option<u64>, Error> {
        let (collection, name) = (collection.to_owned(), name.to_owned());
        self.0
            .writer
            .write(move |transaction| {
                let sql = "SELECT revision FROM records WHERE collection = ?1 AND name = ?2";
                let stored: Option<u64> = transaction
                    .prepare_cached(sql)?
                    .query_row([&collection, &name], |row| row.get(0))
                    .optional()?;
                if stored.unwrap_or(0) != expected {
                    return Ok(None);
                }
                let sql = "UPDATE numbers SET value = value + 1 WHERE name = 'revision' RETURNING value";
                let revision: u64 = transaction.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
                transaction
                    .prepare_cached("INSERT OR REPLACE INTO records VALUES (?1, ?2, ?3, ?4)")?
                    .execute(params![collection, name, value, revision])?;
                Ok(Some(revision))
            })
            .await
    }

    async fn delete(&self, collection: &str, name: &str) -> Result<bool, Error> {
        let (collection, name) = (collection.to_owned(), name.to_owned());
        self.0
            .writer
            .write(move |transaction| {
                let sql = "DELETE FROM records WHERE collection = ?1 AND name = ?2";
                Ok(transaction.prepare_cached(sql)?.execute([collection, name])? > 0)
            })
            .await
    }

    async fn delete_revision(&self, collection: &str, name: &str, revision: u64) -> Result<bool, Error> {
        let (collection, name) = (collection.to_owned(), name.to_owned());
        self.0
            .writer
            .write(move |transaction| {
                let sql = "DELETE FROM records WHERE collection = ?1 AND name = ?2 AND revision = ?3";
                let mut statement = transaction.prepare_cached(sql)?;
                Ok(statement.execute(params![collection, name, revision])? > 0)
            })
            .await
    }

    async fn list(&self, collection: &str, after: &str, limit: usize) -> Result<Vec<Record>, Error> {
        let (collection, after) = (collection.to_owned(), after.to_owned());
        self.reading(move |connection| {
            let sql = "SELECT name, value, revision FROM records WHERE collection = ?1 AND name > ?2
                       ORDER BY name LIMIT ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rows = statement.query_map(params![collection, after, limit], read_record)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}
