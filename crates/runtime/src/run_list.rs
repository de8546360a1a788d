//! Where a list of runs goes on when the run at its place has been deleted.

use jiff::Timestamp;
use store::jobs::{JobQuery, Jobs};
use wire::RunId;

/// Runs that are looked at at once.
const BATCH: usize = 200;

/// The oldest run of an owner that was created after a time; none where there is none. Runs are looked at from the newest on.
///
/// # Errors
/// When the store fails.
pub(crate) async fn oldest_after(
    jobs: &dyn Jobs,
    owner: Option<&str>,
    time: Timestamp,
) -> Result<Option<RunId>, store::Error> {
    let mut oldest: Option<RunId> = None;
    loop {
        let query = JobQuery {
            owner: owner.map(str::to_owned),
            status: None,
            before: oldest.clone(),
            limit: BATCH,
        };
        let batch = jobs.list(query).await?;
        let is_last = batch.len() < BATCH;
        let is_reached = batch.last().is_none_or(|last| last.created_at <= time);
        let newer = batch.into_iter().take_while(|job| job.created_at > time);
        if let Some(job) = newer.last() {
            oldest = Some(job.id);
        }
        if is_reached || is_last {
            return Ok(oldest);
        }
    }
}
