//! The port `Frontier` of the engine in memory.

use async_trait::async_trait;

use super::InMemoryStore;
use crate::Error;
use crate::frontier::{Frontier, FrontierReply, FrontierStatus, FrontierUpdate, TakenAddress};
use crate::jobs::Lease;

#[async_trait]
impl Frontier for InMemoryStore {
    async fn open(&self, lease: &Lease) -> Result<FrontierStatus, Error> {
        self.state().leased_run(lease)?.frontier.open(lease)
    }

    async fn update(&self, lease: &Lease, update: FrontierUpdate) -> Result<FrontierReply, Error> {
        let mut state = self.state();
        let frontier = &mut state.leased_run(lease)?.frontier;
        frontier.check(lease)?;
        Ok(frontier.apply(update))
    }

    async fn take(&self, lease: &Lease, limit: usize, busy: &[String]) -> Result<Vec<TakenAddress>, Error> {
        let mut state = self.state();
        let record = state.leased_run(lease)?;
        record.frontier.check(lease)?;
        let after_seq = record.job.summary.last_seq;
        Ok(record.frontier.take(limit, busy, after_seq))
    }
}
