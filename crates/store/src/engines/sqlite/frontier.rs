//! Frontiers in SQLite: one database for each crawl, in the folder `frontiers`, deleted when its run ends.
//!
//! They are files of their own so that a crawl does not hold up the logs of other runs, and so that the addresses of an
//! ended crawl, which may be millions, are gone at once.

mod pages;
pub(super) mod tables;

use std::sync::{Arc, PoisonError};

use async_trait::async_trait;
use rusqlite::{Connection, TransactionBehavior};
use wire::RunId;

use super::{Sqlite, jobs};
use crate::Error;
use crate::frontier::{Frontier, FrontierReply, FrontierStatus, FrontierUpdate, TakenAddress};
use crate::jobs::Lease;

impl Sqlite {
    /// Deletes the frontier of a run that has ended.
    pub(super) async fn remove_frontier(&self, run: &RunId) {
        let (engine, run) = (Arc::clone(&self.0), run.clone());
        let removal = tokio::task::spawn_blocking(move || {
            engine.frontiers.remove(&engine.folder, &run);
        });
        // What a removal that broke has left is deleted at the next start.
        let _ = removal.await;
    }

    /// Does something with the frontier of a lease in one transaction, on a thread that may wait.
    async fn in_frontier<T: Send + 'static>(
        &self,
        lease: &Lease,
        work: impl FnOnce(&Connection, &Lease) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (engine, lease) = (Arc::clone(&self.0), lease.clone());
        let task = tokio::task::spawn_blocking(move || {
            let connection = engine.frontiers.connection(&engine.folder, &lease.run)?;
            let mut connection = connection.lock().unwrap_or_else(PoisonError::into_inner);
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&transaction, &lease)?;
            transaction.commit()?;
            Ok(value)
        });
        task.await.map_err(|error| Error::Engine {
            reason: error.to_string(),
        })?
    }

    /// Where the log of a leased run ends.
    async fn log_end(&self, lease: &Lease) -> Result<u64, Error> {
        let lease = lease.clone();
        self.reading(move |connection| Ok(jobs::leased_run(connection, &lease)?.1))
            .await
    }
}

fn check_epoch(connection: &Connection, lease: &Lease) -> Result<(), Error> {
    let epoch: u64 = connection.query_row("SELECT epoch FROM frontier", [], |row| row.get(0))?;
    match epoch == lease.epoch {
        true => Ok(()),
        false => Err(Error::Fenced {
            run: lease.run.clone(),
        }),
    }
}

#[async_trait]
impl Frontier for Sqlite {
    async fn open(&self, lease: &Lease) -> Result<FrontierStatus, Error> {
        // A lease that is not the newest does not come past this, and so an ended run gets no new frontier.
        self.log_end(lease).await?;
        self.in_frontier(lease, |connection, lease| {
            let sql = "UPDATE frontier SET epoch = ?1 WHERE epoch <= ?1";
            if connection.execute(sql, [lease.epoch])? == 0 {
                check_epoch(connection, lease)?;
            }
            tables::status(connection)
        })
        .await
    }

    async fn update(&self, lease: &Lease, update: FrontierUpdate) -> Result<FrontierReply, Error> {
        self.log_end(lease).await?;
        self.in_frontier(lease, move |connection, lease| {
            check_epoch(connection, lease)?;
            pages::apply(connection, &update)
        })
        .await
    }

    async fn take(&self, lease: &Lease, limit: usize, busy: &[String]) -> Result<Vec<TakenAddress>, Error> {
        let after_seq = self.log_end(lease).await?;
        let busy = busy.to_vec();
        self.in_frontier(lease, move |connection, lease| {
            check_epoch(connection, lease)?;
            tables::take(connection, limit, &busy, after_seq)
        })
        .await
    }
}
