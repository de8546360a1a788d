//! Fair shares in memory: whose turn it is, and what each claim is charged.

use std::time::Duration;

use tokio::time::Instant;
use wire::run::RunStatus;

use super::MemoryState;
use crate::Error;
use crate::jobs::{ClaimScope, Lease, LeasedJob, NewJob, WorkerCapabilities};
use crate::shares::ShareState;

impl MemoryState {
    /// Refuses a job for which there is no room in the queue.
    pub(super) fn check_queues(&self, new: &NewJob) -> Result<(), Error> {
        let owner = new.owner.as_deref().unwrap_or_default();
        let queued = self.owners.get(owner).map_or(0, |state| state.queued);
        if let Some(limit) = new.admission.owner_queue_limit
            && usize::try_from(queued).is_ok_and(|queued| queued >= limit)
        {
            return Err(Error::OwnerQueueFull { limit });
        }
        let limit = new.queue_limit;
        if self.waiting.len() >= limit {
            return Err(Error::QueueFull { limit });
        }
        Ok(())
    }

    fn owner_of(&self, place: u64) -> String {
        let owner = self
            .runs
            .get(&place)
            .and_then(|run| run.job.summary.owner.clone());
        owner.unwrap_or_default()
    }

    /// Counts a job that was put in the queue, and sets the share that came with it.
    pub(super) fn count_queued(&mut self, place: u64) {
        let owner = self.owner_of(place);
        let admission = self.runs.get(&place).map(|run| run.admission.clone());
        let admission = admission.unwrap_or_default();
        let state = self.owners.entry(owner.clone()).or_default();
        state.queued += 1;
        if let Some(share) = admission.share {
            state.share = share;
        }
        self.waiting.insert((owner, admission.priority, place));
    }

    /// Counts a job that was given back to the queue.
    pub(super) fn count_released(&mut self, place: u64) {
        let owner = self.owner_of(place);
        let priority = self.runs.get(&place).map(|run| run.admission.priority);
        let state = self.owners.entry(owner.clone()).or_default();
        state.queued += 1;
        self.waiting.insert((owner, priority.unwrap_or_default(), place));
    }

    /// The place of the run to be taken next: one that lost its worker, else that of the owner whose turn it is.
    pub(super) fn next(&self, scope: ClaimScope, worker: WorkerCapabilities) -> Option<u64> {
        let now = Instant::now();
        let mut lost = self.runs.iter().filter(|(_, run)| {
            run.job.summary.status == RunStatus::Running
                && run.held_until.is_none_or(|until| until <= now)
                && scope.takes(run.job.summary.lost_workers + 1)
                && worker.meet(run.admission.needs)
        });
        if let Some((place, _)) = lost.next() {
            return Some(*place);
        }
        // Of owners that stand alike, the one whose job is the oldest.
        let served = self.owners.iter().filter(|(_, state)| state.may_be_served());
        let first = |(owner, state): (&String, &ShareState)| {
            Some((state.start(self.floor), self.first_of(owner, scope, worker)?))
        };
        served.filter_map(first).min().map(|(_, place)| place)
    }

    fn first_of(&self, owner: &str, scope: ClaimScope, worker: WorkerCapabilities) -> Option<u64> {
        let waiting = self.waiting.range((owner.to_owned(), 0, 0)..);
        let mut places = waiting
            .take_while(|(other, ..)| other == owner)
            .map(|(.., place)| *place);
        places.find(|place| {
            let run = self.runs.get(place);
            run.is_some_and(|run| {
                scope.takes(run.job.summary.lost_workers) && worker.meet(run.admission.needs)
            })
        })
    }

    /// Leases a run, and charges its owner if it waited in the queue.
    pub(super) fn lease(&mut self, place: u64, ttl: Duration) -> Option<(Lease, LeasedJob)> {
        let owner = self.owner_of(place);
        let record = self.runs.get_mut(&place)?;
        if record.job.summary.status == RunStatus::Queued {
            let state = self.owners.entry(owner.clone()).or_default();
            let (charged, floor) = state.charge(self.floor);
            self.floor = floor;
            state.queued = state.queued.saturating_sub(1);
            state.running += 1;
            record.claimed = Some((Instant::now(), charged));
            self.waiting.remove(&(owner, record.admission.priority, place));
        }
        Some(record.lease(ttl))
    }

    /// Corrects the charge of a run that its worker ends or gives back. True when the owner has only so many at once.
    pub(super) fn settle(&mut self, place: u64) -> bool {
        let owner = self.owner_of(place);
        let claimed = self.runs.get_mut(&place).and_then(|run| run.claimed.take());
        let (Some(state), Some((since, charged))) = (self.owners.get_mut(&owner), claimed) else {
            return false;
        };
        state.running = state.running.saturating_sub(1);
        let took = i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX);
        state.settle(charged, took);
        state.share.running.is_some()
    }
}
