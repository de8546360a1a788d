//! `RowFrames`: the newest rows of followed runs as they are sent, so that a row is made once for all who look at a run.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use wire::{Family, LogEntry, RunId, sse};

use super::timeline::row_of;

/// Rows of a run that are kept. Who is behind by more makes the rows anew.
const MAX_KEPT: usize = 64;
/// Runs after which those that nobody follows any more are forgotten.
const MAX_RUNS: usize = 256;

/// The rows of all runs that somebody follows.
#[derive(Debug, Default)]
pub(crate) struct RowFrames(Mutex<HashMap<RunId, Weak<RunRowFrames>>>);

/// The newest rows of one run, by the numbers of their events. All who follow the run share them.
#[derive(Debug)]
pub(crate) struct RunRowFrames {
    family: Family,
    kept: Mutex<VecDeque<(u64, Arc<str>)>>,
}

impl RowFrames {
    /// The rows of a run of this family.
    pub(super) fn of(&self, run: &RunId, family: Family) -> Arc<RunRowFrames> {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = runs.get(run).and_then(Weak::upgrade) {
            return known;
        }
        if runs.len() >= MAX_RUNS {
            runs.retain(|_, rows| rows.strong_count() > 0);
        }
        let rows = Arc::new(RunRowFrames {
            family,
            kept: Mutex::default(),
        });
        runs.insert(run.clone(), Arc::downgrade(&rows));
        rows
    }
}

impl RunRowFrames {
    fn kept(&self) -> MutexGuard<'_, VecDeque<(u64, Arc<str>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The row of an event, as an event of the stream of rows.
    pub(super) fn frame(&self, entry: &LogEntry) -> String {
        let known = self
            .kept()
            .iter()
            .rev()
            .find(|(seq, _)| *seq == entry.seq)
            .map(|(_, frame)| Arc::clone(frame));
        if let Some(frame) = known {
            return frame.to_string();
        }
        let frame = sse::numbered_frame(&LogEntry {
            seq: entry.seq,
            at: entry.at,
            name: "row".into(),
            audience: entry.audience,
            terminal: entry.terminal,
            data: serde_json::to_string(&row_of(self.family, entry)).unwrap_or_default(),
        });
        let mut kept = self.kept();
        // Another follower may have been as fast, and one that is far behind has nothing for the others.
        if kept.back().is_none_or(|(newest, _)| *newest < entry.seq) {
            if kept.len() >= MAX_KEPT {
                kept.pop_front();
            }
            kept.push_back((entry.seq, frame.as_str().into()));
        }
        frame
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wire::Audience;

    use super::*;

    fn entry(seq: u64) -> LogEntry {
        LogEntry {
            seq,
            at: jiff::Timestamp::UNIX_EPOCH,
            name: "step".into(),
            audience: Audience::Public,
            terminal: false,
            data: json!({"type": "step", "data": {"action": "read", "message": format!("page {seq}")}})
                .to_string(),
        }
    }

    #[test]
    fn followers_of_a_run_get_the_same_rows_whether_they_are_kept_or_not() {
        let frames = RowFrames::default();
        let run = RunId::parse("run_00000000000000000000000000000001").unwrap();
        let (one, other) = (frames.of(&run, Family::Scrape), frames.of(&run, Family::Scrape));
        assert!(Arc::ptr_eq(&one, &other));
        let of_one: Vec<String> = (1..=200).map(|seq| one.frame(&entry(seq))).collect();
        assert_eq!(one.kept().len(), MAX_KEPT);
        let of_other: Vec<String> = (1..=200).map(|seq| other.frame(&entry(seq))).collect();
        assert_eq!(of_one, of_other);
        drop((one, other));
        assert!(frames.of(&run, Family::Scrape).kept().is_empty());
    }

    #[test]
    fn runs_that_nobody_follows_are_forgotten() {
        let frames = RowFrames::default();
        let run = |number: usize| RunId::parse(&format!("run_{number:032x}")).unwrap();
        for number in 0..4 * MAX_RUNS {
            frames.of(&run(number), Family::Scrape);
        }
        assert!(frames.0.lock().unwrap().len() <= MAX_RUNS);
    }
}
