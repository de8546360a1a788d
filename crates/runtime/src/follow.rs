//! `LogReader`: follows a log. One task for each followed run reads the store, and the readers of the run share what it has
//! read, so that an event costs the store one read however many follow it, and a reader that waits holds nothing.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use store::Store;
use tokio::sync::{Semaphore, watch};
use wire::{LogEntry, RunId};

use crate::error::ServiceError;

/// Entries read at once.
const BATCH: usize = 64;
/// Entries that are kept of a followed run for its readers, and about how many bytes of them. A reader that is further
/// behind reads the store by itself.
const MAX_RECENT: usize = 64;
const MAX_RECENT_BYTES: usize = 1 << 20;
/// Readers that read the store by themselves at once.
const MAX_REPLAYS: usize = 16;
/// Runs held before those without readers are removed.
const MAX_IDLE: usize = 1024;

/// The runs that are followed in this process.
pub(crate) struct LogFollowers {
    runs: Mutex<HashMap<RunId, Weak<FollowedRun>>>,
    replays: Arc<Semaphore>,
}

impl Default for LogFollowers {
    fn default() -> Self {
        Self {
            runs: Mutex::default(),
            replays: Arc::new(Semaphore::new(MAX_REPLAYS)),
        }
    }
}

impl LogFollowers {
    /// A reader of a run's log after number `after`.
    pub(crate) fn reader(
        &self,
        store: &Store,
        run: &RunId,
        after: u64,
        poll_interval: Duration,
    ) -> LogReader {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        if runs.len() > MAX_IDLE {
            runs.retain(|_, run| run.strong_count() > 0);
        }
        let known = runs.get(run).and_then(Weak::upgrade);
        let followed = known.unwrap_or_else(|| {
            let followed = Arc::new(FollowedRun {
                store: store.clone(),
                run: run.clone(),
                poll_interval,
                recent: Mutex::default(),
                changed: watch::Sender::new(()),
            });
            runs.insert(run.clone(), Arc::downgrade(&followed));
            followed
        });
        LogReader {
            followed,
            replays: Arc::clone(&self.replays),
            changes: None,
            after,
            batch: Vec::new().into_iter(),
            ended: false,
        }
    }
}

/// A run that readers of this process follow.
struct FollowedRun {
    store: Store,
    run: RunId,
    poll_interval: Duration,
    recent: Mutex<RecentEntries>,
    /// Changes when `recent` does.
    changed: watch::Sender<()>,
}

/// The last entries that the task of a run has read.
#[derive(Default)]
struct RecentEntries {
    entries: VecDeque<Arc<LogEntry>>,
    bytes: usize,
    /// The number up to which the task has read.
    position: u64,
    /// Whether the task goes on.
    is_read: bool,
    /// Why the task ended, where the store failed.
    failure: Option<ServiceError>,
}

/// What there is after a number.
enum Following {
    Entries(Vec<Arc<LogEntry>>),
    /// The task has read up to there.
    Awaited,
    /// The store has to be read: the entries are no longer kept here, or no task reads.
    InStore,
    Failed(ServiceError),
}

impl RecentEntries {
    fn after(&self, after: u64) -> Following {
        let first = self.entries.front().map_or(u64::MAX, |entry| entry.seq);
        let skipped = after
            .saturating_add(1)
            .checked_sub(first)
            .and_then(|skipped| usize::try_from(skipped).ok());
        match skipped {
            Some(skipped) if skipped < self.entries.len() => {
                Following::Entries(self.entries.iter().skip(skipped).cloned().collect())
            }
            _ if self.is_read && self.position <= after => Following::Awaited,
            _ => self.failure.clone().map_or(Following::InStore, Following::Failed),
        }
    }

    /// Takes in what follows `position`.
    fn push(&mut self, batch: Vec<LogEntry>) {
        for entry in batch {
            self.position = entry.seq;
            self.bytes += entry.data.len();
            self.entries.push_back(Arc::new(entry));
        }
        while self.entries.len() > MAX_RECENT || (self.bytes > MAX_RECENT_BYTES && self.entries.len() > 1) {
            let dropped = self.entries.pop_front().map_or(0, |entry| entry.data.len());
            self.bytes = self.bytes.saturating_sub(dropped);
        }
    }
}

impl FollowedRun {
    fn recent(&self) -> MutexGuard<'_, RecentEntries> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells of changes from here on; a task reads on after `after` unless one reads already.
    fn join(self: &Arc<Self>, after: u64) -> watch::Receiver<()> {
        let mut recent = self.recent();
        let changes = self.changed.subscribe();
        if !recent.is_read {
            if recent.position != after {
                *recent = RecentEntries::default();
            }
            (recent.is_read, recent.position, recent.failure) = (true, after, None);
            let followed = Arc::clone(self);
            tokio::spawn(async move { followed.read_on(after).await });
        }
        changes
    }

    /// Reads the log after a number until it ends, the store fails or nobody follows the run.
    async fn read_on(self: Arc<Self>, mut after: u64) {
        let mut tail = self.store.log.tail(&self.run);
        loop {
            // What is appended from here on changes the hint again, so that nothing is missed between read and wait.
            tail.borrow_and_update();
            let failure = match self.read(after).await {
                Ok(batch) if !batch.is_empty() => {
                    after = batch.last().map_or(after, |entry| entry.seq);
                    let ends = batch.last().is_some_and(|entry| entry.terminal);
                    let mut recent = self.recent();
                    recent.push(batch);
                    recent.is_read = !ends;
                    drop(recent);
                    self.changed.send_replace(());
                    if ends {
                        return;
                    }
                    continue;
                }
                Ok(_) => match self.is_past_the_end(after).await {
                    Ok(false) => {
                        tokio::select! {
                            // A notification and a timeout both mean: read again.
                            waited = tokio::time::timeout(self.poll_interval, tail.changed()) => {
                                if matches!(waited, Ok(Err(_))) {
                                    tokio::time::sleep(self.poll_interval).await;
                                    tail = self.store.log.tail(&self.run);
                                }
                            }
                            () = self.changed.closed() => {
                                let mut recent = self.recent();
                                // Nobody joins while the lock is held.
                                recent.is_read = self.changed.receiver_count() > 0;
                                if !recent.is_read {
                                    return;
                                }
                            }
                        }
                        continue;
                    }
                    Ok(true) => None,
                    Err(error) => Some(error),
                },
                Err(error) => Some(error),
            };
            let mut recent = self.recent();
            (recent.is_read, recent.failure) = (false, failure);
            drop(recent);
            self.changed.send_replace(());
            return;
        }
    }

    async fn read(&self, after: u64) -> Result<Vec<LogEntry>, ServiceError> {
        Ok(self.store.log.read(&self.run, after, BATCH).await?)
    }

    /// Whether a number is past the last event of a run that has ended.
    async fn is_past_the_end(&self, after: u64) -> Result<bool, ServiceError> {
        let job = self.store.jobs.summary(&self.run).await?;
        // Events that expired under a reader do not come any more.
        Ok(job.is_none_or(|job| job.status.is_final() && job.last_seq <= after.max(job.expired_seq)))
    }
}

/// One reader of one log.
pub(crate) struct LogReader {
    followed: Arc<FollowedRun>,
    replays: Arc<Semaphore>,
    /// Where the reader learns of entries, once it has come to the end of what is stored.
    changes: Option<watch::Receiver<()>>,
    after: u64,
    batch: std::vec::IntoIter<Arc<LogEntry>>,
    ended: bool,
}

impl LogReader {
    /// The next entry; waits for it. None after the last one.
    pub(crate) async fn next(&mut self) -> Result<Option<Arc<LogEntry>>, ServiceError> {
        while !self.ended {
            if let Some(entry) = self.batch.next() {
                self.after = entry.seq;
                self.ended = entry.terminal;
                return Ok(Some(entry));
            }
            match self.more().await? {
                Some(batch) => self.batch = batch.into_iter(),
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The entries that follow, one at least; waits for them. None past the end.
    async fn more(&mut self) -> Result<Option<Vec<Arc<LogEntry>>>, ServiceError> {
        loop {
            if let Some(changes) = &mut self.changes {
                changes.borrow_and_update();
            }
            let following = self.followed.recent().after(self.after);
            match (following, &mut self.changes) {
                (Following::Entries(entries), _) => return Ok(Some(entries)),
                // The sender lives as long as the run is followed.
                (Following::Awaited, Some(changes)) => drop(changes.changed().await),
                (Following::Awaited, changes) => *changes = Some(self.followed.join(self.after)),
                (Following::Failed(error), Some(_)) => return Err(error),
                (Following::InStore | Following::Failed(_), _) => {
                    let read = self.replay().await?;
                    if !read.is_empty() {
                        return Ok(Some(read));
                    }
                    if self.followed.is_past_the_end(self.after).await? {
                        return Ok(None);
                    }
                    self.changes = Some(self.followed.join(self.after));
                }
            }
        }
    }

    /// The entries that follow, from the store.
    async fn replay(&self) -> Result<Vec<Arc<LogEntry>>, ServiceError> {
        // The semaphore is never closed.
        let _turn = self.replays.acquire().await.ok();
        let read = self.followed.read(self.after).await?;
        Ok(read.into_iter().map(Arc::new).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use store::conformance::entries;
    use store::engines::memory::InMemoryStore;
    use store::jobs::{ClaimScope, Lease, NewJob};
    use store::log::{EventLog, RunEnd};
    use wire::run::{RunKind, RunStatus};

    use super::*;

    /// A log that counts how often it is read.
    struct CountingLog(Arc<dyn EventLog>, Arc<AtomicUsize>);

    #[async_trait]
    impl EventLog for CountingLog {
        async fn append(
            &self,
            lease: &Lease,
            after: u64,
            entries: Vec<LogEntry>,
        ) -> Result<(), store::Error> {
            self.0.append(lease, after, entries).await
        }

        async fn finish(
            &self,
            lease: &Lease,
            after: u64,
            entries: Vec<LogEntry>,
            ending: RunEnd,
        ) -> Result<(), store::Error> {
            self.0.finish(lease, after, entries, ending).await
        }

        async fn read(&self, run: &RunId, after: u64, limit: usize) -> Result<Vec<LogEntry>, store::Error> {
            self.1.fetch_add(1, Ordering::SeqCst);
            self.0.read(run, after, limit).await
        }

        fn tail(&self, run: &RunId) -> watch::Receiver<u64> {
            self.0.tail(run)
        }
    }

    /// A run that a worker has, and a count of the reads of its log.
    async fn begun() -> (Store, Lease, Arc<AtomicUsize>) {
        let (mut store, reads) = (InMemoryStore::open(), Arc::new(AtomicUsize::new(0)));
        store.log = Arc::new(CountingLog(Arc::clone(&store.log), Arc::clone(&reads)));
        let new = NewJob {
            id: RunId::from_random([1; 16]),
            kind: RunKind::Scrape,
            request: "{}".into(),
            shown_request: None,
            owner: None,
            idempotency_key: None,
            queue_limit: 9,
            admission: store::jobs::Admission::default(),
        };
        store.jobs.enqueue(new).await.unwrap();
        let hour = Duration::from_secs(3600);
        let (lease, _) = store.jobs.claim(hour, ClaimScope::Any).await.unwrap().unwrap();
        (store, lease, reads)
    }

    async fn finish(store: &Store, lease: &Lease, after: u64) {
        let ending = RunEnd {
            status: RunStatus::Completed,
            result: None,
            error: None,
            usage: None,
            metered: Vec::new(),
        };
        let last = entries(after + 1, after + 1, true);
        store.log.finish(lease, after, last, ending).await.unwrap();
    }

    async fn read_all(mut reader: LogReader) -> Vec<u64> {
        let mut seen = Vec::new();
        while let Some(entry) = reader.next().await.unwrap() {
            seen.push(entry.seq);
        }
        seen
    }

    #[tokio::test]
    async fn an_event_costs_the_store_as_much_for_a_hundred_readers_as_for_one() {
        const EVENTS: usize = 20;
        let mut costs = Vec::new();
        for count in [1, 100] {
            let (store, lease, reads) = begun().await;
            let followers = LogFollowers::default();
            let hour = Duration::from_secs(3600);
            let reading: Vec<_> = (0..count)
                .map(|_| tokio::spawn(read_all(followers.reader(&store, &lease.run, 0, hour))))
                .collect();
            for after in 0..EVENTS as u64 {
                tokio::time::sleep(Duration::from_millis(2)).await;
                let one = entries(after + 1, after + 1, false);
                store.log.append(&lease, after, one).await.unwrap();
            }
            finish(&store, &lease, EVENTS as u64).await;
            for reader in reading {
                assert_eq!(reader.await.unwrap(), (1..=EVENTS as u64 + 1).collect::<Vec<_>>());
            }
            costs.push(reads.load(Ordering::SeqCst));
        }
        // Readers that come at the same moment may each find that nothing is there yet.
        assert!(costs[1] <= 2 * (EVENTS + 1) + MAX_REPLAYS + 1, "{costs:?}");
    }

    #[tokio::test]
    async fn readers_that_begin_late_or_fall_behind_miss_nothing() {
        let (store, lease, _) = begun().await;
        let followers = LogFollowers::default();
        let reader = |after| followers.reader(&store, &lease.run, after, Duration::from_millis(20));
        let live = tokio::spawn(read_all(reader(0)));
        let mut slow = reader(0);
        store.log.append(&lease, 0, entries(1, 3, false)).await.unwrap();
        assert_eq!(slow.next().await.unwrap().map(|entry| entry.seq), Some(1));
        let much = (MAX_RECENT * 3) as u64;
        for after in 3..much {
            let one = entries(after + 1, after + 1, false);
            store.log.append(&lease, after, one).await.unwrap();
            if after % 20 == 0 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        let late = tokio::spawn(read_all(reader(much - 5)));
        let early = tokio::spawn(read_all(reader(much + 1)));
        finish(&store, &lease, much).await;
        assert_eq!(live.await.unwrap(), (1..=much + 1).collect::<Vec<_>>());
        assert_eq!(read_all(slow).await, (2..=much + 1).collect::<Vec<_>>());
        assert_eq!(late.await.unwrap(), (much - 4..=much + 1).collect::<Vec<_>>());
        assert_eq!(early.await.unwrap(), Vec::<u64>::new(), "it had seen the end");
        assert_eq!(read_all(reader(much)).await, [much + 1], "the run has ended");
    }

    #[tokio::test]
    async fn a_run_that_nobody_follows_any_more_is_not_read() {
        let (store, lease, reads) = begun().await;
        let followers = LogFollowers::default();
        let mut reader = followers.reader(&store, &lease.run, 0, Duration::from_millis(5));
        let waited = tokio::time::timeout(Duration::from_millis(40), reader.next()).await;
        assert!(waited.is_err(), "nothing is there yet");
        assert!(
            reads.load(Ordering::SeqCst) > 2,
            "it is looked for by the clock too"
        );
        let followed = Arc::downgrade(&reader.followed);
        drop(reader);
        while followed.strong_count() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        store.log.append(&lease, 0, entries(1, 1, false)).await.unwrap();
        let mut again = followers.reader(&store, &lease.run, 0, Duration::from_millis(5));
        assert_eq!(again.next().await.unwrap().map(|entry| entry.seq), Some(1));
    }

    #[test]
    fn nothing_comes_after_the_last_number_that_there_is() {
        let recent = RecentEntries {
            is_read: true,
            ..RecentEntries::default()
        };
        assert!(matches!(recent.after(u64::MAX), Following::Awaited));
    }
}
