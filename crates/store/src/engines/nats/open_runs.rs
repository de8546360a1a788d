//! `OpenRuns`: this process's copy of the runs that have not ended, and the decision which of them may be claimed.
//!
//! The copy is a hint: a claim is decided by the compare-and-set on the run's own subject. No two clocks are compared: time
//! is counted between beats of this process that came back from the cluster, so that while NATS is down no lease runs
//! out.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wire::run::RunStatus;

use crate::jobs::ClaimScope;

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
    /// How long a lease holds without renewal, in milliseconds.
    pub(super) ttl: u64,
    pub(super) session: String,
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
    generation: u64,
}

/// The runs.
#[derive(Debug, Default)]
pub(super) struct OpenRuns {
    runs: HashMap<String, OpenRun>,
    /// By creation.
    order: BTreeMap<(i64, String), ()>,
    removed: VecDeque<(String, u64)>,
    clock: Duration,
    generation: u64,
}

impl OpenRuns {
    /// Takes in a record with the sequence of its message. False when a newer one is known.
    pub(super) fn put(&mut self, run: &str, seq: u64, record: OpenRecord) -> bool {
        let known = self.runs.get(run).map_or(0, |known| known.seq);
        let removed = self.removed.iter().rfind(|(id, _)| id == run).map_or(0, |(_, seq)| *seq);
        if removed > seq || known > seq {
            return false;
        }
        if known == seq {
            if let Some(known) = self.runs.get_mut(run) {
                known.generation = self.generation;
            }
            return false;
        }
        self.drop_run(run);
        self.order.insert((record.created, run.to_owned()), ());
        let entry = OpenRun {
            record,
            seq,
            renewed: self.clock,
            generation: self.generation,
        };
        self.runs.insert(run.to_owned(), entry);
        true
    }

    /// Forgets a run that has ended, as a message of this sequence says.
    pub(super) fn remove(&mut self, run: &str, seq: u64) {
        if self.runs.get(run).is_none_or(|known| known.seq <= seq) {
            self.drop_run(run);
            self.removed.push_back((run.to_owned(), seq));
            if self.removed.len() > REMEMBERED {
                self.removed.pop_front();
            }
        }
    }

    fn drop_run(&mut self, run: &str) {
        if let Some(known) = self.runs.remove(run) {
            self.order.remove(&(known.record.created, run.to_owned()));
        }
    }

    /// A snapshot begins: what it does not name has ended.
    pub(super) fn begin_snapshot(&mut self) {
        self.generation += 1;
    }

    /// A snapshot is complete. Records that this process wrote meanwhile, after `before`, stay.
    pub(super) fn end_snapshot(&mut self, before: u64) {
        let generation = self.generation;
        let gone: Vec<String> = self
            .runs
            .iter()
            .filter(|(_, run)| run.generation < generation && run.seq <= before)
            .map(|(id, _)| id.clone())
            .collect();
        for id in gone {
            self.drop_run(&id);
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

    /// Time has passed during which beats of other processes would have come.
    pub(super) fn pass(&mut self, time: Duration) {
        self.clock += time;
    }

    /// How many wait.
    pub(super) fn queued(&self) -> usize {
        let queued = |run: &&OpenRun| run.record.status == RunStatus::Queued;
        self.runs.values().filter(queued).count()
    }

    /// How many there are with each status: queued, running.
    pub(super) fn counts(&self) -> (usize, usize) {
        let queued = self.queued();
        (queued, self.runs.len() - queued)
    }

    fn is_claimable(&self, run: &OpenRun, scope: ClaimScope) -> bool {
        match run.record.status {
            RunStatus::Queued => scope == ClaimScope::Any || run.record.lost == 0,
            RunStatus::Running => {
                let held = run.renewed + Duration::from_millis(run.record.ttl);
                scope == ClaimScope::Any && held <= self.clock
            }
            // A record that was left behind: claiming it finds the run's end and removes it.
            RunStatus::Completed | RunStatus::Failed | RunStatus::Cancelled => true,
        }
    }

    /// The oldest run that may be claimed, without those that were tried.
    pub(super) fn oldest(
        &self,
        scope: ClaimScope,
        tried: &HashSet<String>,
    ) -> Option<(String, OpenRecord)> {
        self.order
            .keys()
            .filter(|(_, id)| !tried.contains(id))
            .filter_map(|(_, id)| Some((id, self.runs.get(id)?)))
            .find(|(_, run)| self.is_claimable(run, scope))
            .map(|(id, run)| (id.clone(), run.record.clone()))
    }

    /// Runs created before a moment, newest first.
    pub(super) fn newest(&self, before: i64) -> Vec<(i64, String)> {
        let older = self.order.range(..(before, String::new()));
        older.rev().map(|(key, ())| key.clone()).collect()
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
            ttl: 12_000,
            session: "s1".into(),
        }
    }

    fn oldest(runs: &OpenRuns) -> Option<String> {
        runs.oldest(ClaimScope::Any, &HashSet::new()).map(|(id, _)| id)
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
            holds: vec![("a".into(), epoch)],
        };
        runs.pass(Duration::from_secs(9));
        runs.renewed("s1", &beat(1));
        runs.pass(Duration::from_secs(9));
        assert_eq!(oldest(&runs), None, "it was renewed");
        runs.renewed("s2", &beat(1));
        runs.renewed("s1", &beat(2));
        runs.pass(Duration::from_secs(3));
        assert_eq!(oldest(&runs).as_deref(), Some("a"), "neither session nor epoch was its own");
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
    fn a_snapshot_removes_what_it_does_not_name() {
        let mut runs = OpenRuns::default();
        runs.put("a", 1, record(1, RunStatus::Queued));
        runs.put("b", 2, record(2, RunStatus::Queued));
        runs.begin_snapshot();
        runs.put("b", 2, record(2, RunStatus::Queued));
        runs.put("c", 9, record(3, RunStatus::Queued));
        runs.end_snapshot(8);
        assert_eq!(runs.newest(i64::MAX).len(), 2);
        assert_eq!(oldest(&runs).as_deref(), Some("b"));
    }
}
