//! Usage and stored bytes of owners in memory.

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{InMemoryStore, MemoryState};
use crate::Error;
use crate::owners::{MeteredUsage, Owners, UsageKey, UsageQuery, UsageTotal};
use crate::shares::OwnerShare;

impl MemoryState {
    /// Adds what a run used to the usage of its owner, on this day.
    pub(super) fn meter(&mut self, place: u64, metered: &[MeteredUsage]) {
        let Some(record) = self.runs.get(&place) else {
            return;
        };
        let day = Timestamp::now().to_zoned(TimeZone::UTC).date();
        let summary = &record.job.summary;
        for MeteredUsage { model, amounts } in metered {
            let key = UsageKey {
                owner: summary.owner.clone().unwrap_or_default(),
                day,
                key: record.admission.key.clone().unwrap_or_default(),
                kind: summary.kind.as_str().to_owned(),
                model: model.clone(),
            };
            self.usage.entry(key).or_default().add(amounts);
        }
    }
}

#[async_trait]
impl Owners for InMemoryStore {
    async fn set_share(&self, owner: &str, share: OwnerShare) -> Result<(), Error> {
        self.state().owners.entry(owner.to_owned()).or_default().share = share;
        self.notifier.notify_jobs();
        Ok(())
    }

    async fn add_usage(&self, used: Vec<UsageTotal>) -> Result<(), Error> {
        let mut state = self.state();
        for UsageTotal { key, amounts } in used {
            state.usage.entry(key).or_default().add(&amounts);
        }
        Ok(())
    }

    async fn usage(&self, query: UsageQuery) -> Result<Vec<UsageTotal>, Error> {
        let state = self.state();
        let wanted = state.usage.iter().filter(|(key, _)| {
            (query.from..=query.to).contains(&key.day)
                && query.owner.as_ref().is_none_or(|owner| *owner == key.owner)
        });
        let total = |(key, amounts): (&UsageKey, &_)| UsageTotal {
            key: key.clone(),
            amounts: *amounts,
        };
        Ok(wanted.map(total).collect())
    }

    async fn stored_bytes(&self, owner: &str) -> Result<u64, Error> {
        let state = self.state();
        let theirs = state
            .runs
            .values()
            .filter(|run| run.job.summary.owner.as_deref().unwrap_or_default() == owner);
        let bytes = theirs.map(|run| {
            let log: usize = run.log.iter().map(|entry| entry.data.len()).sum();
            log + run.job.result.as_ref().map_or(0, String::len)
        });
        Ok(bytes.sum::<usize>() as u64)
    }

    async fn forget(&self, owner: &str) -> Result<bool, Error> {
        let mut state = self.state();
        let is_theirs =
            |run: &super::RunRecord| run.job.summary.owner.as_deref().unwrap_or_default() == owner;
        if state.runs.values().any(is_theirs) {
            return Ok(false);
        }
        state.usage.retain(|key, _| key.owner != owner);
        state.owners.remove(owner);
        Ok(true)
    }
}
