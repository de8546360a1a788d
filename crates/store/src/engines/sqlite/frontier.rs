//! Frontiers in SQLite: one database for each crawl, in the folder `frontiers`, deleted when its run ends.
//!
//! They are files of their own so that a crawl does not hold up the logs of other runs, and so that the addresses of an
//! ended crawl, which may be millions, are gone at once.

mod pages;
mod tables;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};
use wire::RunId;
use wire::run::RunStatus;

use super::{Sqlite, io_error, jobs};
use crate::frontier::{Frontier, FrontierReply, FrontierStatus, FrontierUpdate, TakenAddress};
use crate::jobs::Lease;
use crate::{Error, private_files};

/// The folder's name within the data folder.
const FOLDER: &str = "frontiers";
/// What SQLite keeps beside a database.
const SUFFIXES: [&str; 3] = ["", "-wal", "-shm"];

/// The connections of the frontiers that are in use.
#[derive(Debug, Default)]
pub(super) struct FrontierFiles(Mutex<HashMap<RunId, Arc<Mutex<Connection>>>>);

fn path(folder: &Path, run: &RunId) -> PathBuf {
    folder.join(FOLDER).join(format!("{run}.db"))
}

fn delete(folder: &Path, run: &RunId) {
    for suffix in SUFFIXES {
        let mut name = path(folder, run).into_os_string();
        name.push(suffix);
        // Most runs have none, and one that cannot be deleted is found again at the next start.
        let _ = std::fs::remove_file(name);
    }
}

/// Deletes the frontiers of runs that have ended or are gone.
pub(super) fn remove_orphans(connection: &Connection, folder: &Path) -> Result<(), Error> {
    let Ok(files) = std::fs::read_dir(folder.join(FOLDER)) else {
        return Ok(());
    };
    let mut status = connection.prepare("SELECT status FROM runs WHERE id = ?1")?;
    for file in files.flatten() {
        let name = file.file_name();
        let run = name.to_str().and_then(|name| name.split('.').next());
        let Some(run) = run.and_then(|id| RunId::parse(id).ok()) else {
            continue;
        };
        let status: Option<String> = status.query_row([run.as_str()], |row| row.get(0)).optional()?;
        let goes_on = status
            .and_then(|status| status.parse::<RunStatus>().ok())
            .is_some_and(|status| !status.is_final());
        if !goes_on {
            delete(folder, &run);
        }
    }
    Ok(())
}

impl Sqlite {
    /// Deletes the frontier of a run that has ended.
    pub(super) async fn remove_frontier(&self, run: &RunId) {
        let (engine, run) = (Arc::clone(&self.0), run.clone());
        let removal = tokio::task::spawn_blocking(move || {
            let mut files = engine.frontiers.0.lock().unwrap_or_else(PoisonError::into_inner);
            files.remove(&run);
            delete(&engine.folder, &run);
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
            let connection = {
                let mut files = engine.frontiers.0.lock().unwrap_or_else(PoisonError::into_inner);
                match files.get(&lease.run) {
                    Some(open) => Arc::clone(open),
                    None => {
                        let opened =
                            tables::open(&engine.folder.join(FOLDER), &path(&engine.folder, &lease.run))?;
                        let opened = Arc::new(Mutex::new(opened));
                        files.insert(lease.run.clone(), Arc::clone(&opened));
                        opened
                    }
                }
            };
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
        let folder = self.0.folder.join(FOLDER);
        private_files::create_folder(&folder).map_err(|error| io_error(&error, &folder))?;
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
