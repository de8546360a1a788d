//! Engine `nats`: runs on NATS JetStream, for many servers and workers.
//!
//! A run is one subject. Each change of the run is a message on it, published with the subject's expected last sequence;
//! the header of the last message is the run's state. Append, fencing, cancellation, answer and end are this one
//! compare-and-set. Everything else (open runs, index, ended runs) is a view that helps to find runs.

mod api;
mod archive;
mod blobs;
mod claims;
mod engine;
mod export;
mod import;
mod index;
mod jobs;
mod layout;
mod log;
mod open_runs;
mod owners;
mod records;
mod retention;
mod runs;
mod settings;
mod state;
mod status;
mod vault;
mod watch;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};

use super::notifier::ChangeNotifier;
use crate::keyring::{Keyring, hex};
use crate::{Error, Store};
use api::JetStream;
pub use archive::{
    ARCHIVE_VERSION, ArchiveCounts, ArchiveFault, ArchiveItem, ArchiveLine, ArchiveReader, WholeRun,
};
pub use engine::Nats;
use engine::NatsInner;
pub use export::ArchivedValues;
use layout::Layout;
pub use settings::{NatsAddress, NatsSettings};
pub use status::{ClusterStatus, SessionStatus, StreamStatus, VerifiedRuns};

/// How long the first list of open runs may take.
const FIRST_SNAPSHOT: Duration = Duration::from_secs(10);

impl Nats {
    /// Connects, makes or checks the streams, and begins to follow the open runs. `keys` are those that encrypt values of
    /// unfinished runs; every process of the cluster has the same. `folder` is where the key file of this machine is, if
    /// there is one.
    ///
    /// # Errors
    /// [`Error::Cluster`] with what the operator has to change: no server there, wrong credentials, JetStream off, too old
    /// a server, too few servers for the replicas, a stream of somebody else; [`Error::BadKey`].
    pub async fn connect(settings: &NatsSettings, folder: &Path, keys: &[&str]) -> Result<Self, Error> {
        if keys.is_empty() {
            return Err(Error::BadKey {
                reason: "it is not set, and HUNTSMAN_STORE is a cluster: set the same key for every server and worker".into(),
            });
        }
        let keys = Keyring::open(folder, keys)?;
        let client = settings::connect(settings).await?;
        let jetstream = JetStream(client);
        settings::check_servers(&jetstream).await?;
        let layout = Layout::new(&settings.prefix);
        layout.prepare(&jetstream, settings.replicas).await?;
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let (follow, requests) = mpsc::unbounded_channel();
        let engine = Self(Arc::new(NatsInner {
            jetstream,
            layout,
            keys,
            session: hex(&fastrand::u128(..).to_be_bytes()),
            role: settings.role.clone(),
            host: host.trim().to_owned(),
            is_up: AtomicBool::new(true),
            capabilities: Mutex::default(),
            last_created: AtomicI64::new(0),
            open_runs: Mutex::default(),
            claiming: Mutex::default(),
            corrections: Semaphore::new(claims::CORRECTIONS),
            heads: Mutex::default(),
            tails: Mutex::default(),
            held: Mutex::default(),
            positions: Mutex::default(),
            space: Mutex::default(),
            notifier: ChangeNotifier::new(),
            follow,
        }));
        let mut ready = watch::start(&engine, requests);
        let first = tokio::time::timeout(FIRST_SNAPSHOT, ready.wait_for(|ready| *ready)).await;
        if !matches!(first, Ok(Ok(_))) {
            return Err(layout::cluster(
                "the open runs cannot be read: NATS has no quorum",
            ));
        }
        drop(first);
        Ok(engine)
    }

    /// The engine as a store.
    pub fn store(&self) -> Store {
        Store {
            jobs: Arc::new(self.clone()),
            log: Arc::new(self.clone()),
            inbox: Arc::new(self.clone()),
            blobs: Arc::new(self.clone()),
            retention: Arc::new(self.clone()),
            owners: Arc::new(self.clone()),
            records: Arc::new(self.clone()),
            vault: Arc::new(self.clone()),
            frontier: None,
        }
    }
}
