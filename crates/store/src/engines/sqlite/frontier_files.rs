//! The files of frontiers and the connections to them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension as _};
use wire::RunId;
use wire::run::RunStatus;

use super::frontier::tables;
use crate::Error;

/// The folder's name within the data folder.
const FOLDER: &str = "frontiers";
/// What SQLite keeps beside a database.
const SUFFIXES: [&str; 3] = ["", "-wal", "-shm"];

/// The connections of the frontiers that are in use.
#[derive(Debug, Default)]
pub(super) struct FrontierFiles(Mutex<HashMap<RunId, Arc<Mutex<Connection>>>>);

impl FrontierFiles {
    /// The connection of a run's frontier, which is created where it is missing.
    pub(super) fn connection(&self, folder: &Path, run: &RunId) -> Result<Arc<Mutex<Connection>>, Error> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = files.get(run) {
            return Ok(Arc::clone(open));
        }
        let opened = Arc::new(Mutex::new(tables::open(
            &folder.join(FOLDER),
            &path(folder, run),
        )?));
        files.insert(run.clone(), Arc::clone(&opened));
        Ok(opened)
    }

    /// Deletes the frontier of a run, if there is one.
    pub(super) fn remove(&self, folder: &Path, run: &RunId) {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        files.remove(run);
        delete(folder, run);
    }
}

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
