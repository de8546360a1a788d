//! `EqualRuns`: which run does a request that may be sent again while it goes on, so that equal requests share one run.
//!
//! A record names the run of a request. It is written before the run is stored, so that of two requests at once one begins a
//! run; records of runs that have ended are deleted.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use store::Store;
use wire::{Code, RunId};

use crate::error::ServiceError;

const COLLECTION: &str = "equal-runs";
/// How long a run that a record names may take until it is stored.
const STORING: SignedDuration = SignedDuration::from_secs(10);
/// How often it is looked for meanwhile.
const LOOK_INTERVAL: Duration = Duration::from_millis(50);
/// How often a place is tried for that somebody else gets in between.
const TRIES: usize = 8;
/// Records that are read at once.
const BATCH: usize = 256;

#[derive(Debug, Serialize, Deserialize)]
struct NamedRun {
    run: RunId,
    at: Timestamp,
}

/// A request of an owner, as its records are named.
pub(crate) struct EqualRequest {
    store: Store,
    name: String,
}

/// Who does a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum EqualRun {
    /// A run that goes on.
    Joined(RunId),
    /// The caller, by a run of this id.
    Begun(RunId),
}

/// How the run of a record stands.
enum NamedState {
    GoesOn,
    Ended,
    NotStored,
}

async fn state_of(store: &Store, run: &RunId) -> Result<NamedState, ServiceError> {
    Ok(match store.jobs.summary(run).await? {
        None => NamedState::NotStored,
        Some(job) if job.status.is_final() => NamedState::Ended,
        Some(_) => NamedState::GoesOn,
    })
}

fn named(value: &str) -> Option<NamedRun> {
    serde_json::from_str(value).ok()
}

impl EqualRequest {
    /// The requests of an owner with this digest, in letters and digits.
    pub(crate) fn new(store: &Store, owner: &str, digest: &str) -> Self {
        Self {
            store: store.clone(),
            name: format!("o.{owner}/{digest}"),
        }
    }

    /// Joins the run that does this request, or names `new` as the run that will.
    ///
    /// # Errors
    /// When the store fails.
    pub(crate) async fn join_or_name(&self, new: RunId) -> Result<EqualRun, ServiceError> {
        let records = &self.store.records;
        for _ in 0..TRIES {
            let present = records.get(COLLECTION, &self.name).await?;
            if let Some(known) = present.as_ref().and_then(|record| named(&record.value))
                && self.goes_on(&known).await?
            {
                return Ok(EqualRun::Joined(known.run));
            }
            let value = NamedRun {
                run: new.clone(),
                at: Timestamp::now(),
            };
            let value = serde_json::to_string(&value)
                .map_err(|error| ServiceError::new(Code::Internal, error.to_string()))?;
            let revision = present.map_or(0, |record| record.revision);
            if records
                .put(COLLECTION, &self.name, value, revision)
                .await?
                .is_some()
            {
                return Ok(EqualRun::Begun(new));
            }
        }
        // Others begin and end equal runs all the time: this one is on its own.
        Ok(EqualRun::Begun(new))
    }

    /// Whether a run goes on; one that is about to be stored is waited for.
    async fn goes_on(&self, known: &NamedRun) -> Result<bool, ServiceError> {
        loop {
            match state_of(&self.store, &known.run).await? {
                NamedState::GoesOn => return Ok(true),
                NamedState::Ended => return Ok(false),
                NamedState::NotStored if Timestamp::now() > known.at + STORING => return Ok(false),
                NamedState::NotStored => tokio::time::sleep(LOOK_INTERVAL).await,
            }
            // Whoever could not store its run takes the name back.
            let present = self.store.records.get(COLLECTION, &self.name).await?;
            let is_named = present
                .and_then(|record| named(&record.value))
                .is_some_and(|now| now.run == known.run);
            if !is_named {
                return Ok(false);
            }
        }
    }

    /// Takes the name back of a run that could not be stored.
    pub(crate) async fn take_back(&self, run: &RunId) {
        let taken = async {
            let present = self.store.records.get(COLLECTION, &self.name).await?;
            let own = present.filter(|record| named(&record.value).is_some_and(|now| now.run == *run));
            if let Some(record) = own {
                // Another run may take the name meanwhile.
                let records = &self.store.records;
                records
                    .delete_revision(COLLECTION, &self.name, record.revision)
                    .await?;
            }
            Ok::<_, store::Error>(())
        };
        if let Err(error) = taken.await {
            tracing::warn!(%error, "the name of a run that was not begun stays for a while");
        }
    }
}

/// Deletes the records of runs that have ended.
pub(crate) async fn tidy(store: &Store) -> Result<(), ServiceError> {
    let mut after = String::new();
    loop {
        let records = store.records.list(COLLECTION, &after, BATCH).await?;
        let Some(last) = records.last() else {
            return Ok(());
        };
        after.clone_from(&last.name);
        for record in records {
            let is_over = match named(&record.value) {
                None => true,
                Some(known) => match state_of(store, &known.run).await? {
                    NamedState::GoesOn => false,
                    NamedState::Ended => true,
                    NamedState::NotStored => Timestamp::now() > known.at + STORING,
                },
            };
            if is_over {
                // Another run may have taken the name since.
                let records = &store.records;
                records
                    .delete_revision(COLLECTION, &record.name, record.revision)
                    .await?;
            }
        }
    }
}
