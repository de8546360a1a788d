//! Usage and stored bytes of owners in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::{Connection, Row, params};

use super::{Sqlite, shares};
use crate::Error;
use crate::owners::{MeteredUsage, Owners, UsageAmounts, UsageKey, UsageQuery, UsageTotal};
use crate::shares::OwnerShare;

fn add(connection: &Connection, total: &UsageTotal) -> Result<(), Error> {
    let UsageKey {
        owner,
        day,
        key,
        kind,
        model,
    } = &total.key;
    let [runs, pages, tools, calls, input, output, money] = total
        .amounts
        .as_array()
        .map(|amount| i64::try_from(amount).unwrap_or(i64::MAX));
    connection
        .prepare_cached(
            "INSERT INTO usage VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
             ON CONFLICT DO UPDATE SET runs = runs + ?6, pages = pages + ?7, tool_calls = tool_calls + ?8,
             model_calls = model_calls + ?9, input_tokens = input_tokens + ?10, output_tokens = output_tokens + ?11,
             micro_dollars = micro_dollars + ?12",
        )?
        .execute(params![
            owner,
            day.to_string(),
            key,
            kind,
            model,
            runs,
            pages,
            tools,
            calls,
            input,
            output,
            money
        ])?;
    Ok(())
}

/// Adds what a run used to the usage of its owner, on this day.
pub(super) fn meter(connection: &Connection, place: i64, metered: &[MeteredUsage]) -> Result<(), Error> {
    if metered.is_empty() {
        return Ok(());
    }
    let sql = "SELECT ifnull(owner, ''), ifnull(api_key, ''), kind FROM runs WHERE place = ?1";
    let (owner, key, kind): (String, String, String) = connection
        .prepare_cached(sql)?
        .query_row([place], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let day = Timestamp::now().to_zoned(TimeZone::UTC).date();
    for MeteredUsage { model, amounts } in metered {
        let key = UsageKey {
            owner: owner.clone(),
            day,
            key: key.clone(),
            kind: kind.clone(),
            model: model.clone(),
        };
        add(
            connection,
            &UsageTotal {
                key,
                amounts: *amounts,
            },
        )?;
    }
    Ok(())
}

fn read_total(row: &Row<'_>) -> Result<UsageTotal, Error> {
    let day: String = row.get(1)?;
    let day: Date = day.parse().map_err(|_| Error::Damaged {
        reason: format!("{day:?} is no day of usage"),
    })?;
    let mut amounts = [0; 7];
    for (at, amount) in amounts.iter_mut().enumerate() {
        *amount = row.get(5 + at)?;
    }
    Ok(UsageTotal {
        key: UsageKey {
            owner: row.get(0)?,
            day,
            key: row.get(2)?,
            kind: row.get(3)?,
            model: row.get(4)?,
        },
        amounts: UsageAmounts::from_array(amounts),
    })
}

#[async_trait]
impl Owners for Sqlite {
    async fn set_share(&self, owner: &str, share: OwnerShare) -> Result<(), Error> {
        let owner = owner.to_owned();
        let written = self
            .0
            .writer
            .write(move |transaction| shares::set_share(transaction, &owner, share))
            .await;
        self.0.notifier.notify_jobs();
        written
    }

    async fn add_usage(&self, used: Vec<UsageTotal>) -> Result<(), Error> {
        self.0
            .writer
            .write(move |transaction| used.iter().try_for_each(|total| add(transaction, total)))
            .await
    }

    async fn usage(&self, query: UsageQuery) -> Result<Vec<UsageTotal>, Error> {
        self.reading(move |connection| {
            let sql = "SELECT * FROM usage WHERE (?1 IS NULL OR owner = ?1) AND day BETWEEN ?2 AND ?3
                       ORDER BY owner, day, api_key, kind, model";
            let mut statement = connection.prepare_cached(sql)?;
            let days = [query.from, query.to].map(|day| day.to_string());
            let mut rows = statement.query(params![query.owner, days[0], days[1]])?;
            let mut totals = Vec::new();
            while let Some(row) = rows.next()? {
                totals.push(read_total(row)?);
            }
            Ok(totals)
        })
        .await
    }

    async fn stored_bytes(&self, owner: &str) -> Result<u64, Error> {
        let owner = owner.to_owned();
        self.reading(move |connection| {
            // The first condition names the index.
            let sql = "SELECT ifnull((SELECT bytes FROM owners WHERE owner = ?1), 0)
                              + ifnull((SELECT sum(bytes) FROM runs INDEXED BY open_runs
                                        WHERE status IN ('queued', 'running') AND status = 'running'
                                              AND ifnull(owner, '') = ?1), 0)";
            Ok(connection
                .prepare_cached(sql)?
                .query_row([owner], |row| row.get(0))?)
        })
        .await
    }

    async fn forget(&self, owner: &str) -> Result<bool, Error> {
        let owner = owner.to_owned();
        self.0
            .writer
            .write(move |transaction| {
                let sql = "SELECT EXISTS (SELECT 1 FROM runs WHERE ifnull(owner, '') = ?1)";
                if transaction.query_row(sql, [&owner], |row| row.get(0))? {
                    return Ok(false);
                }
                transaction.execute("DELETE FROM usage WHERE owner = ?1", [&owner])?;
                transaction.execute("DELETE FROM owners WHERE owner = ?1", [&owner])?;
                Ok(true)
            })
            .await
    }
}
