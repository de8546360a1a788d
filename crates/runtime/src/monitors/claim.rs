//! `Claim`: a monitor that this process checks, held as long as the check takes.

use std::pin::pin;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use store::Store;

use super::records::{self, StoredMonitor};
use crate::due_index::to_millis;
use crate::error::ServiceError;

/// How long a claim holds without renewal.
const LENGTH: SignedDuration = SignedDuration::from_secs(180);
/// How often it is renewed.
const RENEWAL: Duration = Duration::from_secs(60);

/// A monitor that this process has claimed.
pub(super) struct Claim {
    store: Store,
    /// The monitor as the store has it.
    monitor: StoredMonitor,
    revision: u64,
}

impl Claim {
    /// Claims a monitor of this revision. None when somebody else has written it.
    pub(super) async fn take(
        store: &Store,
        mut monitor: StoredMonitor,
        revision: u64,
    ) -> Result<Option<Self>, ServiceError> {
        monitor.claim(end_of_claim());
        let written = records::put(store, &monitor, revision).await?;
        Ok(written.map(|revision| Self {
            store: store.clone(),
            monitor,
            revision,
        }))
    }

    /// The monitor as it was claimed.
    pub(super) fn monitor(&self) -> &StoredMonitor {
        &self.monitor
    }

    /// Does work, and renews the claim meanwhile. None when the claim was lost before the work was done, which is then
    /// dropped: somebody has changed or deleted the monitor, or the store was away so long that another server may have
    /// claimed it.
    pub(super) async fn hold<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return Some(done),
                () = tokio::time::sleep(RENEWAL) => {}
            }
            match self.renew().await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    tracing::warn!(monitor = self.monitor.id, %error, "a claim could not be renewed");
                    let until = self.monitor.claimed_until;
                    if until.is_none_or(|until| until <= Timestamp::now()) {
                        return None;
                    }
                }
            }
        }
    }

    async fn renew(&mut self) -> Result<bool, ServiceError> {
        let mut renewed = self.monitor.clone();
        renewed.claimed_until = Some(end_of_claim());
        let written = records::put(&self.store, &renewed, self.revision).await?;
        if let Some(revision) = written {
            (self.monitor, self.revision) = (renewed, revision);
        }
        Ok(written.is_some())
    }

    /// Gives the monitor back as it was, so that a successor does the check.
    pub(super) async fn release(mut self) -> Result<(), ServiceError> {
        self.monitor.claimed_until = None;
        records::put(&self.store, &self.monitor, self.revision).await?;
        Ok(())
    }

    /// Ends a claim that was lost: nothing stays of a monitor that was deleted.
    pub(super) async fn give_up(self) -> Result<(), ServiceError> {
        records::clear_deleted(&self.store, &self.monitor.owner, &self.monitor.id).await
    }

    /// Writes down what came of the check, with the time of the next one. False when somebody else has written or deleted the
    /// monitor.
    pub(super) async fn end(self, mut checked: StoredMonitor) -> Result<bool, ServiceError> {
        checked.claimed_until = None;
        let is_written = records::reschedule(&self.store, &checked, self.monitor.due, self.revision).await?;
        if !is_written {
            self.give_up().await?;
        }
        Ok(is_written)
    }
}

fn end_of_claim() -> Timestamp {
    to_millis(Timestamp::now()) + LENGTH
}

#[cfg(test)]
mod tests {
    use agents::watch::WatchedContent;
    use store::engines::memory::InMemoryStore;

    use super::super::records::tests::stored;
    use super::*;

    async fn claimed(store: &Store) -> Claim {
        let (monitor, revision) = records::get(store, &stored().key()).await.unwrap().unwrap();
        Claim::take(store, monitor, revision).await.unwrap().unwrap()
    }

    #[tokio::test]
    async fn what_a_dead_server_has_left_is_no_part_of_what_its_successor_writes() {
        let store = InMemoryStore::open();
        records::put(&store, &stored(), 0).await.unwrap();
        let content = |blocks: usize| WatchedContent::Text(vec!["a block of text".repeat(100); blocks]);
        let id = stored().id;
        // It dies while it writes what is longer than what is read next.
        let dead = claimed(&store).await;
        let number = dead.monitor().claims;
        records::put_content(&store, &id, number, &content(90))
            .await
            .unwrap();
        let successor = claimed(&store).await;
        assert_ne!(successor.monitor().claims, number);
        let number = successor.monitor().claims;
        records::put_content(&store, &id, number, &content(20))
            .await
            .unwrap();
        assert_eq!(records::content(&store, &id, number).await.unwrap(), content(20));
        // Both write at once, and the record of the one who holds the claim says which content is the newest.
        let mut checked = successor.monitor().clone();
        checked.content = number;
        assert!(!dead.end(stored()).await.unwrap());
        assert!(successor.end(checked).await.unwrap());
        records::prune_content(&store, &id, number).await.unwrap();
        assert_eq!(records::content(&store, &id, number).await.unwrap(), content(20));
    }

    #[tokio::test]
    async fn nothing_stays_of_a_monitor_that_is_deleted_while_it_is_checked() {
        let store = InMemoryStore::open();
        let (owner, id) = (stored().owner, stored().id);
        let deleted = async || {
            records::put(&store, &stored(), 0).await.unwrap();
            let claim = claimed(&store).await;
            assert!(records::is_claimed(&store, claim.monitor()).await.unwrap());
            assert!(records::delete(&store, &owner, &id).await.unwrap());
            assert!(!records::is_claimed(&store, claim.monitor()).await.unwrap());
            let content = WatchedContent::Text(vec!["a block of text".into()]);
            let number = claim.monitor().claims;
            records::put_content(&store, &id, number, &content).await.unwrap();
            claim
        };
        let is_empty = async || {
            let collection = format!("monitor-content/{id}");
            store.records.list(&collection, "", 9).await.unwrap().is_empty()
        };
        let claim = deleted().await;
        let checked = claim.monitor().clone();
        assert!(!claim.end(checked).await.unwrap());
        assert!(is_empty().await);
        deleted().await.give_up().await.unwrap();
        assert!(is_empty().await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_claim_is_held_until_the_work_is_done_or_the_monitor_is_written_by_another() {
        let store = InMemoryStore::open();
        records::put(&store, &stored(), 0).await.unwrap();
        let mut claim = claimed(&store).await;
        let before = claim.revision;
        let done = claim.hold(tokio::time::sleep(RENEWAL * 3)).await;
        assert_eq!((done, claim.revision > before), (Some(()), true));
        let (monitor, revision) = records::get(&store, &stored().key()).await.unwrap().unwrap();
        assert_eq!(revision, claim.revision);
        records::put(&store, &monitor, revision).await.unwrap();
        assert_eq!(claim.hold(std::future::pending::<()>()).await, None);
        assert!(!claim.end(stored()).await.unwrap());
    }
}
