//! Named values, sealed by the keyring.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use super::Sqlite;
use crate::Error;
use crate::vault::{Record, RecordKey, RecordKind, RecordSummary, Vault, WriteCondition};

const COLUMNS: &str = "name, facts, generation, created_at, updated_at, sealed";

fn summary(row: &Row<'_>) -> rusqlite::Result<RecordSummary> {
    let time = |millis: i64| Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH);
    Ok(RecordSummary {
        name: row.get(0)?,
        facts: row.get(1)?,
        generation: row.get(2)?,
        created_at: time(row.get(3)?),
        updated_at: time(row.get(4)?),
    })
}

fn find(connection: &Connection, key: &RecordKey) -> Result<Option<(RecordSummary, Vec<u8>)>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM vault WHERE owner = ?1 AND kind = ?2 AND name = ?3");
    let names = params![key.owner, key.kind.as_str(), key.name];
    let row = connection
        .prepare_cached(&sql)?
        .query_row(names, |row| Ok((summary(row)?, row.get(5)?)))
        .optional()?;
    Ok(row)
}

fn write(
    step: &Transaction<'_>,
    key: &RecordKey,
    facts: &str,
    sealed: &[u8],
    condition: WriteCondition,
) -> Result<Option<u64>, Error> {
    let present = find(step, key)?.map(|(summary, _)| summary.generation);
    let now = Timestamp::now().as_millisecond();
    let generation = match (condition, present) {
        (WriteCondition::Absent { limit }, None) => {
            let sql = "SELECT count(*) FROM vault WHERE owner = ?1 AND kind = ?2";
            let count: usize =
                step.query_row(sql, params![key.owner, key.kind.as_str()], |row| row.get(0))?;
            if count >= limit {
                return Err(Error::VaultFull { limit });
            }
            1
        }
        (WriteCondition::Generation(expected), Some(present)) if present == expected => expected + 1,
        (WriteCondition::Absent { .. }, Some(_)) | (WriteCondition::Generation(_), _) => return Ok(None),
    };
    step.execute(
        "INSERT INTO vault (owner, kind, name, facts, sealed, generation, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
         ON CONFLICT (owner, kind, name) DO UPDATE
         SET facts = ?4, sealed = ?5, generation = ?6, updated_at = ?7",
        params![
            key.owner,
            key.kind.as_str(),
            key.name,
            facts,
            sealed,
            generation,
            now
        ],
    )?;
    Ok(Some(generation))
}

#[async_trait]
impl Vault for Sqlite {
    async fn write(
        &self,
        key: &RecordKey,
        facts: &str,
        value: &str,
        condition: WriteCondition,
    ) -> Result<Option<u64>, Error> {
        let sealed = self.0.keys.seal(&key.context(), value)?;
        let (key, facts) = (key.clone(), facts.to_owned());
        let written = self
            .0
            .writer
            .write(move |step| write(step, &key, &facts, &sealed, condition))
            .await?;
        // The value before may be in the write-ahead log.
        if written.is_some_and(|generation| generation > 1) {
            self.0.writer.truncate_log();
        }
        Ok(written)
    }

    async fn read(&self, key: &RecordKey) -> Result<Option<Record>, Error> {
        let wanted = key.clone();
        let found = self.reading(move |connection| find(connection, &wanted)).await?;
        Ok(found.map(|(summary, sealed)| Record {
            summary,
            value: self.0.keys.unseal(&key.context(), &sealed),
        }))
    }

    async fn list(&self, owner: &str, kind: RecordKind) -> Result<Vec<RecordSummary>, Error> {
        let owner = owner.to_owned();
        self.reading(move |connection| {
            let sql = format!("SELECT {COLUMNS} FROM vault WHERE owner = ?1 AND kind = ?2 ORDER BY name");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![owner, kind.as_str()], summary)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    async fn delete(&self, key: &RecordKey) -> Result<bool, Error> {
        let key = key.clone();
        let deleted = self
            .0
            .writer
            .write(move |step| {
                let sql = "DELETE FROM vault WHERE owner = ?1 AND kind = ?2 AND name = ?3";
                Ok(step.execute(sql, params![key.owner, key.kind.as_str(), key.name])? > 0)
            })
            .await?;
        if deleted {
            self.0.writer.truncate_log();
        }
        Ok(deleted)
    }
}
