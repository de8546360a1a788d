//! Engine `sqlite`: one database in the data folder. The default.
//!
//! One thread owns the connection that writes. It takes all writes that wait, does them in one transaction and
//! answers when that is on the disk (group commit): under load one `fsync` serves many writers, and alone a writer
//! waits for nobody.

mod blobs;
mod frontier;
mod frontier_files;
mod jobs;
mod log;
mod owners;
mod records;
mod retention;
mod schema;
mod shares;
#[cfg(test)]
mod tests;
mod vault;
mod writer;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags};
use tokio::sync::Semaphore;

use super::notifier::ChangeNotifier;
use crate::keyring::Keyring;
use crate::{Error, Store, private_files};
use writer::WriterThread;

/// Most reads at once, each with a connection that is kept for the next one: to open a connection takes longer than most reads.
const READERS: usize = 8;

/// The kind of process that opens the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessRole {
    /// A server. There is one per data folder; a second one is refused.
    Server,
    /// A command beside it, which runs its own jobs to their end or only looks.
    Guest,
}

/// The engine. Cheap to clone; clones are the same one.
#[derive(Debug, Clone)]
pub struct Sqlite(Arc<SqliteInner>);

#[derive(Debug)]
struct SqliteInner {
    folder: PathBuf,
    keys: Arc<Keyring>,
    writer: WriterThread,
    readers: Mutex<Vec<Connection>>,
    /// A permit for each read that may go on.
    reading: Arc<Semaphore>,
    notifier: ChangeNotifier,
    frontiers: frontier_files::FrontierFiles,
    /// Locked while this lives; the system unlocks it when the process dies.
    _lock: Option<File>,
}

impl Sqlite {
    /// Opens the database of a folder and creates what is missing, readable for its owner alone. `keys` are those that
    /// encrypt values of unfinished runs, as [`Keyring::open`] takes them.
    ///
    /// # Errors
    /// [`Error::Locked`] for a second server, [`Error::BadKey`], [`Error::KeyUnavailable`] for a server that could not go
    /// on with runs of the one before, [`Error::Damaged`] for a database that is damaged or from a newer
    /// version, [`Error::DiskFull`], and others of the file system.
    pub fn open(folder: &Path, role: ProcessRole, keys: &[&str]) -> Result<Store, Error> {
        let tightened =
            private_files::prepare_data_folder(folder).map_err(|error| Error::of_file(&error, folder))?;
        if tightened > 0 {
            tracing::info!(
                tightened,
                "the data folder was open to other users; its files are now its owner's alone"
            );
        }
        let lock = match role {
            ProcessRole::Server => Some(lock(folder)?),
            ProcessRole::Guest => None,
        };
        let keys = Arc::new(Keyring::open(folder, keys)?);
        // SQLite gives its other files the mode of this one.
        let path = database(folder);
        drop(private_files::open_file(&path).map_err(|error| Error::of_file(&error, &path))?);
        let mut connection = Connection::open(path).map_err(Error::from)?;
        schema::prepare(&mut connection, &keys)?;
        if role == ProcessRole::Server {
            schema::check_keys(&connection, &keys)?;
            schema::end_leases_of_servers(&connection)?;
            if schema::reseal_vault(&mut connection, &keys)? > 0 {
                schema::truncate_log(&connection)?;
            }
            frontier_files::remove_orphans(&connection, folder)?;
        }
        let engine = Self(Arc::new(SqliteInner {
            folder: folder.to_owned(),
            keys,
            writer: WriterThread::start(connection)?,
            readers: Mutex::default(),
            reading: Arc::new(Semaphore::new(READERS)),
            notifier: ChangeNotifier::new(),
            frontiers: frontier_files::FrontierFiles::default(),
            _lock: lock,
        }));
        Ok(Store {
            jobs: Arc::new(engine.clone()),
            log: Arc::new(engine.clone()),
            inbox: Arc::new(engine.clone()),
            blobs: Arc::new(engine.clone()),
            retention: Arc::new(engine.clone()),
            owners: Arc::new(engine.clone()),
            records: Arc::new(engine.clone()),
            vault: Arc::new(engine.clone()),
            frontier: Some(Arc::new(engine)),
        })
    }

    /// Reads on another thread, with a connection that only reads.
    async fn reading<T: Send + 'static>(
        &self,
        reading: impl FnOnce(&Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let engine = Arc::clone(&self.0);
        let failed = |reason: String| Error::Engine { reason };
        let permit = Arc::clone(&engine.reading).acquire_owned().await;
        let permit = permit.map_err(|error| failed(error.to_string()))?;
        let task = tokio::task::spawn_blocking(move || {
            // Held until the connection is back, also when nobody waits for the value any more.
            let _permit = permit;
            let connection = engine.reader()?;
            let value = reading(&connection);
            engine
                .readers
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(connection);
            value
        });
        task.await.map_err(|error| failed(error.to_string()))?
    }
}

impl SqliteInner {
    fn reader(&self) -> Result<Connection, Error> {
        let kept = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(connection) = kept {
            return Ok(connection);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(database(&self.folder), flags)?;
        connection.busy_timeout(schema::BUSY_TIMEOUT)?;
        schema::set_up(&connection)?;
        Ok(connection)
    }
}

fn database(folder: &Path) -> PathBuf {
    folder.join("huntsman.db")
}

fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join("server.lock");
    let file = private_files::open_file(&path).map_err(|error| Error::of_file(&error, &path))?;
    file.try_lock().map_err(|_| Error::Locked {
        folder: folder.display().to_string(),
    })?;
    Ok(file)
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged {
                reason: error.to_string(),
            },
            _ => Self::Engine {
                reason: error.to_string(),
            },
        }
    }
}
