//! `Error`: why a store refused or failed.

use wire::RunId;

/// Why the store did not do what it was asked to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// There is no such run.
    #[error("there is no run {0}")]
    UnknownRun(RunId),
    /// The lease is no longer the newest: another worker holds the run, or the run has ended.
    #[error("the lease on {run} is no longer valid")]
    Fenced {
        /// The run.
        run: RunId,
    },
    /// The log's end is not where the writer believes it is.
    #[error("{run} has {actual} events, and the writer expected {expected}")]
    Conflict {
        /// The run.
        run: RunId,
        /// What the writer believed.
        expected: u64,
        /// What is true.
        actual: u64,
    },
    /// The entries are not numbered from the log's end on, or one after the first ends the log.
    #[error("the entries for {run} are not numbered one by one up to at most one last")]
    Disorder {
        /// The run.
        run: RunId,
    },
    /// The id or idempotency key is taken by another request.
    #[error("{key} already names another request")]
    Taken {
        /// The id or key.
        key: String,
    },
    /// As many jobs wait as may wait.
    #[error("the queue is full: {limit} jobs wait already")]
    QueueFull {
        /// How many may wait.
        limit: usize,
    },
    /// As many jobs of the owner wait as may wait.
    #[error("{limit} runs of yours wait already, which is the most: wait until one has begun, or cancel one")]
    OwnerQueueFull {
        /// How many may wait.
        limit: usize,
    },
    /// The owner has as many records of the vault as may be.
    #[error("there are {limit} already, which is the most; delete one first")]
    VaultFull {
        /// How many may be.
        limit: usize,
    },
    /// Another server works in the same data folder.
    #[error("another server is using {folder}: stop it, or choose another HUNTSMAN_DATA_DIR")]
    Locked {
        /// The folder.
        folder: String,
    },
    /// A key for values at rest is no key or cannot be read.
    #[error("HUNTSMAN_SECRET_KEY: {reason}")]
    BadKey {
        /// What is wrong with it; never the key.
        reason: String,
    },
    /// Unfinished runs were encrypted with a key that this process does not have.
    #[error(
        "{runs} unfinished runs were encrypted with the key {key}, which is missing: restore secret.key in the data folder, \
         or add the key to HUNTSMAN_SECRET_KEY after the new one (a key, a comma, the older key); to give the runs up, \
         cancel each with `huntsman runs cancel ID`"
    )]
    KeyUnavailable {
        /// The key's id, which reveals nothing of the key.
        key: String,
        /// How many runs.
        runs: usize,
    },
    /// The disk has no room. What was acknowledged stays; the write that failed was not done.
    #[error("the disk of the data folder is full: free some space, then send the request again")]
    DiskFull,
    /// The database is damaged, or was written by a newer version.
    #[error("the database cannot be used: {reason}")]
    Damaged {
        /// What is wrong with it.
        reason: String,
    },
    /// The cluster cannot be used as it is configured.
    #[error("HUNTSMAN_STORE: {reason}")]
    Cluster {
        /// What to change; never a credential.
        reason: String,
    },
    /// The engine failed otherwise.
    #[error("the store failed: {reason}")]
    Engine {
        /// What the engine said.
        reason: String,
    },
}

impl Error {
    /// The error of a failed file operation.
    pub(crate) fn of_file(error: &std::io::Error, path: &std::path::Path) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull => Self::DiskFull,
            _ => Self::Engine {
                reason: format!("{}: {error}", path.display()),
            },
        }
    }
}
