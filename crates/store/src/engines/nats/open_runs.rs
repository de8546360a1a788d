//! `OpenRuns`: this process's copy of the runs that have not ended, and the decision which of them may be claimed.
//!
//! The copy is a hint: a claim is decided by the compare-and-set on the run's own subject. No two clocks are compared: time
//! is counted between beats of this process that came back from the cluster, so that while NATS is down no lease runs
//! out.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use wire::run::RunStatus;

use crate::Error;
use crate::jobs::{Admission, ClaimScope, JobNeeds, WorkerCapabilities};
use crate::shares::{OwnerShare, ShareState};

/// Removed runs that are remembered, so that an older message about one does not bring it back.
const REMEMBERED: usize = 4096;

/// An open run, as it is stored for every process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OpenRecord {
    /// Schema version.
    pub(super) v: u32,
    pub(super) created: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<String>,
    pub(super) status: RunStatus,
    pub(super) epoch: u64,
    pub(super) lost: u32,
    /// Lower ones of an owner are claimed first.
    #[serde(default = "usual_priority")]
    pub(super) priority: u8,
    #[serde(default, skip_serializing_if = "JobNeeds::is_any")]
    pub(super) needs: JobNeeds,
    /// How long a lease holds without renewal, in milliseconds.
    pub(super) ttl: u64,
    pub(super) session: String,
}

fn usual_priority() -> u8 {
    Admission::USUAL_PRIORITY
}

impl OpenRecord {
    fn owner(&self) -> &str {
        self.owner.as_deref().unwrap_or_default()
    }
}

/// What a process says of itself every few seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Beat {
    /// Schema version.
    pub(super) v: u32,
    /// The newest schema version that the process reads.
    pub(super) reads: u32,
    pub(super) program: String,
    pub(super) role: String,
    pub(super) host: String,
    pub(super) pid: u32,
    /// What its workers have; none where it has no workers, or an earlier version, whose workers take every run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) has: Option<WorkerCapabilities>,
    /// Runs whose leases the process has renewed in time, with their epochs.
    pub(super) holds: Vec<(String, u64)>,
}

#[derive(Debug)]
struct OpenRun {
    record: OpenRecord,
    /// The sequence of its record.
    seq: u64,
    /// When its lease was last known to be held.
    renewed: Duration,
    /// When it was taken from the queue, and what its owner was charged for it, in milliseconds.
    charged: Option<(Instant, i64)>,
    /// Whether it could not be claimed as its record says, so that claims leave it out until it has another record or
    /// [`OpenRuns::take_back`].
    is_set_aside: bool,
    generation: u64,
}

/// The runs. Every process sees the same claims in the same order, so that the virtual times of the owners, by which
/// [`crate::shares`] decides whose turn it is, are nearly the same everywhere.
#[derive(Debug, Default)]
pub(super) struct OpenRuns {
    runs: HashMap<String, OpenRun>,
    /// By creation.
    order: BTreeSet<(i64, String)>,
    /// Those that a worker has, by creation.
    running: BTreeSet<(i64, String)>,
    /// Those that wait, by owner, priority and creation.
    waiting: BTreeSet<(String, u8, i64, String)>,
    owners: HashMap<String, ShareState>,
    /// Virtual time of the owner served last.
    floor: i64,
    /// Runs that are being enqueued by this process, with their owners.
    admitted: HashMap<String, String>,
    removed: VecDeque<(String, u64)>,
    clock: Duration,
    generation: u64,
    is_snapshot: bool,
}

impl OpenRuns {
    /// Takes in a record with the sequence of its message. False when a newer one is known.
    pub(super) fn put(&mut self, run: &str, seq: u64, record: OpenRecord) -> bool {
        let known = self.runs.get(run).map_or(0, |known| known.seq);
        let removed = self
            .removed
            .iter()
            .rfind(|(id, _)| id == run)
            .map_or(0, |(_, seq)| *seq);
        self.admitted.remove(run);
        if removed > seq || known > seq {
            return false;
        }
        if known == seq {
            if let Some(known) = self.runs.get_mut(run) {
                known.generation = self.generation;
            }
            return false;
        }
        let before = self.drop_run(run, record.status == RunStatus::Running);
        let charged = self.count(run, &record, before);
        self.order.insert((record.created, run.to_owned()));
        let entry = OpenRun {
            record,
            seq,
            renewed: self.clock,
            charged,
            is_set_aside: false,
            generation: self.generation,
        };
        self.runs.insert(run.to_owned(), entry);
        true
    }

    /// Counts a run for its owner; what its owner is charged for it, if a worker has it.
    fn count(
        &mut self,
        run: &str,
        record: &OpenRecord,
        before: Option<(RunStatus, Option<(Instant, i64)>)>,
    ) -> Option<(Instant, i64)> {
        let (owner, place) = (record.owner().to_owned(), (record.created, run.to_owned()));
        let state = self.owners.entry(owner.clone()).or_default();
        match record.status {
            RunStatus::Queued => {
                state.queued += 1;
                self.waiting.insert((owner, record.priority, place.0, place.1));
                None
            }
            RunStatus::Running => {
                state.running += 1;
                self.running.insert(place);
                match before {
                    // Another worker goes on with it.
                    Some((RunStatus::Running, charged)) => charged,
                    // What a snapshot names was begun at an unknown time.
                    None if self.is_snapshot => None,
                    Some(_) | None => {
                        let (charge, floor) = state.charge(self.floor);
                        self.floor = floor;
                        Some((Instant::now(), charge))
                    }
                }
            }
            RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => None,
        }
    }

    /// Sets the share of an owner.
    pub(super) fn set_share(&mut self, owner: &str, share: OwnerShare) {
        self.owners.entry(owner.to_owned()).or_default().share = share;
    }

    /// The share of an owner.
    pub(super) fn share(&self, owner: &str) -> OwnerShare {
        self.owners
            .get(owner)
            .map(|state| state.share)
            .unwrap_or_default()
    }

    /// Keeps room in the queue for a run that is being enqueued, until its record is there or [`OpenRuns::give_up`].
    pub(super) fn admit(
        &mut self,
        run: &str,
        owner: &str,
        queue_limit: usize,
        owner_limit: Option<usize>,
    ) -> Result<(), Error> {
        let queued = self.owners.get(owner).map_or(0, |state| state.queued);
        let admitted = self.admitted.values().filter(|other| *other == owner).count();
        if let Some(limit) = owner_limit
            && usize::try_from(queued).is_ok_and(|queued| queued + admitted >= limit)
        {
            return Err(Error::OwnerQueueFull { limit });
        }
        if self.waiting.len() + self.admitted.len() >= queue_limit {
            return Err(Error::QueueFull { limit: queue_limit });
        }
        self.admitted.insert(run.to_owned(), owner.to_owned());
        Ok(())
    }

    /// A run is not enqueued after all.
    pub(super) fn give_up(&mut self, run: &str) {
        self.admitted.remove(run);
    }

    /// Forgets a run that has ended, as a message of this sequence says. True when its owner has only so many at once, so
    /// that another one of its runs may begin.
    pub(super) fn remove(&mut self, run: &str, seq: u64) -> bool {
        let known = self.runs.get(run);
        if known.is_some_and(|known| known.seq > seq) {
            return false;
        }
        let owner = known.map(|known| known.record.owner().to_owned());
        self.drop_run(run, false);
        self.removed.push_back((run.to_owned(), seq));
        if self.removed.len() > REMEMBERED {
            self.removed.pop_front();
        }
        owner.is_some_and(|owner| self.share(&owner).running.is_some())
    }

    /// Takes a run out; its status and charge. The charge is corrected unless another worker goes on with the run.
    fn drop_run(&mut self, run: &str, goes_on: bool) -> Option<(RunStatus, Option<(Instant, i64)>)> {
        let known = self.runs.remove(run)?;
        let place = (known.record.created, run.to_owned());
        let record = known.record;
        self.order.remove(&place);
        let state = self.owners.entry(record.owner().to_owned()).or_default();
        match record.status {
            RunStatus::Queued => {
                state.queued = state.queued.saturating_sub(1);
                let owner = record.owner().to_owned();
                self.waiting.remove(&(owner, record.priority, place.0, place.1));
            }
            RunStatus::Running => {
                state.running = state.running.saturating_sub(1);
                self.running.remove(&place);
                if let Some((since, charged)) = known.charged.filter(|_| !goes_on) {
                    let took = i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX);
                    state.settle(charged, took);
                }
            }
            RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => {}
        }
        Some((record.status, known.charged))
    }

    /// A snapshot begins: what it does not name has ended.
    pub(super) fn begin_snapshot(&mut self) {
        self.generation += 1;
        self.is_snapshot = true;
    }

    /// A snapshot is complete. Records that this process wrote meanwhile, after `before`, stay.
    pub(super) fn end_snapshot(&mut self, before: u64) {
        self.is_snapshot = false;
        let generation = self.generation;
        let gone: Vec<String> = self
            .runs
            .iter()
            .filter(|(_, run)| run.generation < generation && run.seq <= before)
            .map(|(id, _)| id.clone())
            .collect();
        for id in gone {
            self.drop_run(&id, false);
        }
    }

    /// Another process has renewed its leases.
    pub(super) fn renewed(&mut self, session: &str, beat: &Beat) {
        for (run, epoch) in &beat.holds {
            if let Some(run) = self.runs.get_mut(run)
                && run.record.session == session
                && run.record.epoch == *epoch
            {
                run.renewed = self.clock;
            }
        }
    }

    /// Leaves a run out of claims, since it is not as this record says. False where it has another record by now.
    pub(super) fn set_aside(&mut self, run: &str, record: &OpenRecord) -> bool {
        let known = self.runs.get_mut(run).filter(|known| known.record == *record);
        known.map(|known| known.is_set_aside = true).is_some()
    }

    /// The record of a run that claims leave out.
    pub(super) fn aside(&self, run: &str) -> Option<OpenRecord> {
        let known = self.runs.get(run).filter(|known| known.is_set_aside)?;
        Some(known.record.clone())
    }

    /// Lets claims try a run again.
    pub(super) fn take_back(&mut self, run: &str) {
        if let Some(known) = self.runs.get_mut(run) {
            known.is_set_aside = false;
        }
    }

    /// This process has renewed a lease. False where others believe that it holds for another time.
    pub(super) fn renew(&mut self, run: &str, epoch: u64, ttl: u64) -> bool {
        let Some(run) = self.runs.get_mut(run).filter(|run| run.record.epoch == epoch) else {
            return true;
        };
        run.renewed = self.clock;
        run.record.ttl == ttl
    }

    /// Time has passed during which beats of other processes would have come.
    pub(super) fn pass(&mut self, time: Duration) {
        self.clock += time;
    }

    /// How many there are with each status: queued, running.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.waiting.len(), self.running.len())
    }

    /// How many wait or have lost their worker that none of these workers can do.
    pub(super) fn stranded(&self, workers: &[WorkerCapabilities]) -> usize {
        let is_free = |run: &OpenRun| {
            run.record.status == RunStatus::Queued
                || run.renewed + Duration::from_millis(run.record.ttl) <= self.clock
        };
        let is_stranded = |run: &&OpenRun| {
            !run.record.needs.is_any()
                && is_free(run)
                && !workers.iter().any(|worker| worker.meet(run.record.needs))
        };
        self.runs.values().filter(is_stranded).count()
    }

    /// The run to be taken next, without those that were tried: one that lost its worker, else that of the owner whose turn
    /// it is.
    pub(super) fn next(
        &self,
        scope: ClaimScope,
        worker: WorkerCapabilities,
        tried: &HashSet<String>,
    ) -> Option<(String, OpenRecord)> {
        let is_lost = |id: &&String| {
            self.runs.get(*id).is_some_and(|run| {
                !run.is_set_aside
                    && run.renewed + Duration::from_millis(run.record.ttl) <= self.clock
                    && scope.takes(run.record.lost + 1)
                    && worker.meet(run.record.needs)
                    && !tried.contains(*id)
            })
        };
        let mut running = self.running.iter().map(|(_, id)| id);
        let found = match running.find(is_lost) {
            Some(lost) => Some(lost),
            None => {
                // Of owners that stand alike, the one whose job is the oldest.
                let served = self.owners.iter().filter(|(_, state)| state.may_be_served());
                let first = |(owner, state): (&String, &ShareState)| {
                    let (created, id) = self.first_of(owner, scope, worker, tried)?;
                    Some((state.start(self.floor), created, id))
                };
                served.filter_map(first).min().map(|(.., id)| id)
            }
        };
        let id = found?;
        Some((id.clone(), self.runs.get(id)?.record.clone()))
    }

    fn first_of(
        &self,
        owner: &str,
        scope: ClaimScope,
        worker: WorkerCapabilities,
        tried: &HashSet<String>,
    ) -> Option<(i64, &String)> {
        let waiting = self
            .waiting
            .range((owner.to_owned(), 0, i64::MIN, String::new())..);
        let is_taken = |run: &OpenRun| {
            !run.is_set_aside && scope.takes(run.record.lost) && worker.meet(run.record.needs)
        };
        waiting
            .take_while(|(other, ..)| other == owner)
            .filter(|(.., id)| !tried.contains(id))
            .find(|(.., id)| self.runs.get(id).is_some_and(is_taken))
            .map(|(_, _, created, id)| (*created, id))
    }

    /// Runs created before a moment, of this owner where one is named, newest first.
    pub(super) fn newest(&self, before: i64, owner: Option<&str>) -> Vec<(i64, String)> {
        let is_of_owner = |id: &str| {
            let run = self.runs.get(id);
            owner.is_none_or(|owner| run.is_some_and(|run| run.record.owner() == owner))
        };
        let older = self.order.range(..(before, String::new()));
        older.rev().filter(|(_, id)| is_of_owner(id)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(created: i64, status: RunStatus) -> OpenRecord {
        OpenRecord {
            v: 1,
            created,
            owner: None,
            status,
            epoch: 1,
            lost: 0,
            priority: 3,
            needs: JobNeeds::ANY,
            ttl: 12_000,
            session: "s1".into(),
        }
    }

    fn next(runs: &OpenRuns) -> Option<String> {
        runs.next(ClaimScope::Any, WorkerCapabilities::ALL, &HashSet::new())
            .map(|(id, _)| id)
    }

    #[test]
    fn a_lease_runs_out_only_while_beats_come_back() {
        let mut runs = OpenRuns::default();
        runs.put("a", 1, record(1, RunStatus::Running));
        let beat = |epoch| Beat {
            v: 1,
            reads: 1,
            program: String::new(),
            role: String::new(),
            host: String::new(),
            pid: 1,
            has: None,
            holds: vec![("a".into(), epoch)],
        };
        runs.pass(Duration::from_secs(9));
        runs.renewed("s1", &beat(1));
        runs.pass(Duration::from_secs(9));
        assert_eq!(next(&runs), None, "it was renewed");
        runs.renewed("s2", &beat(1));
        runs.renewed("s1", &beat(2));
        runs.pass(Duration::from_secs(3));
        assert_eq!(
            next(&runs).as_deref(),
            Some("a"),
            "neither session nor epoch was its own"
        );
    }

    #[test]
    fn messages_that_come_late_change_nothing() {
        let mut runs = OpenRuns::default();
        assert!(runs.put("a", 5, record(1, RunStatus::Running)));
        assert!(!runs.put("a", 4, record(1, RunStatus::Queued)));
        runs.remove("a", 4);
        assert_eq!(runs.counts(), (0, 1));
        runs.remove("a", 7);
        assert!(!runs.put("a", 6, record(1, RunStatus::Queued)), "it has ended");
        assert_eq!(runs.counts(), (0, 0));
    }

    #[test]
    fn what_is_set_aside_is_not_claimed_until_it_has_another_record_or_is_taken_back() {
        let mut runs = OpenRuns::default();
        for (number, run) in [(1, "a"), (2, "b")] {
            runs.put(run, number, record(1, RunStatus::Queued));
        }
        assert!(runs.set_aside("a", &record(1, RunStatus::Queued)));
        assert!(
            !runs.set_aside("b", &record(1, RunStatus::Running)),
            "it is another record"
        );
        assert_eq!(next(&runs).as_deref(), Some("b"));
        runs.take_back("a");
        assert_eq!(next(&runs).as_deref(), Some("a"));

        runs.put("a", 3, record(1, RunStatus::Running));
        runs.pass(Duration::from_secs(12));
        assert_eq!(next(&runs).as_deref(), Some("a"), "its lease has run out");
        runs.set_aside("a", &record(1, RunStatus::Running));
        assert_eq!(next(&runs).as_deref(), Some("b"));
        runs.put("a", 4, record(1, RunStatus::Queued));
        assert_eq!((next(&runs).as_deref(), runs.aside("a")), (Some("a"), None));
    }

    #[test]
    fn a_snapshot_removes_what_it_does_not_name() {
        let mut runs = OpenRuns::default();
        runs.put("a", 1, record(1, RunStatus::Queued));
        runs.put("b", 2, record(2, RunStatus::Queued));
        runs.begin_snapshot();
        runs.put("b", 2, record(2, RunStatus::Queued));
        runs.put("c", 9, record(3, RunStatus::Queued));
        runs.end_snapshot(8);
        assert_eq!(runs.newest(i64::MAX, None).len(), 2);
        assert_eq!(next(&runs).as_deref(), Some("b"));
    }
}
