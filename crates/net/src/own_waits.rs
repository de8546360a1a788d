//! Waits of ours: for a slot at a host, for memory and for a browser. They are no fault of the page, and no time limit of a
//! page counts them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep};

/// A clock of the waits of one piece of work. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct OwnWaits(Arc<Mutex<Waits>>);

#[derive(Debug, Default)]
struct Waits {
    /// Time of the waits that have ended.
    ended: Duration,
    /// Waits under way, and when the first of them began.
    open: Option<(usize, Instant)>,
}

/// One wait, until it is dropped.
#[derive(Debug)]
pub struct OwnWait(OwnWaits);

impl OwnWaits {
    /// Begins a wait. Waits that overlap count once.
    pub fn begin(&self) -> OwnWait {
        let mut waits = self.lock();
        waits.open = match waits.open {
            Some((count, since)) => Some((count + 1, since)),
            None => Some((1, Instant::now())),
        };
        OwnWait(self.clone())
    }

    /// Time waited so far, the waits under way included.
    fn total(&self) -> Duration {
        let waits = self.lock();
        waits.ended + waits.open.map_or(Duration::ZERO, |(_, since)| since.elapsed())
    }

    /// What the work gives within this time, waits of ours not counted; `None` when it takes longer.
    pub async fn timeout<T>(&self, longest: Duration, work: impl Future<Output = T>) -> Option<T> {
        let began = Instant::now();
        let before = self.total();
        tokio::pin!(work);
        loop {
            let waited = self.total().saturating_sub(before);
            let left = longest.saturating_sub(began.elapsed().saturating_sub(waited));
            if left.is_zero() {
                return None;
            }
            tokio::select! {
                biased;
                done = &mut work => return Some(done),
                () = sleep(left) => {}
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waits> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for OwnWait {
    fn drop(&mut self) {
        let mut waits = self.0.lock();
        if let Some((count, since)) = waits.open {
            waits.open = (count > 1).then(|| (count - 1, since));
            if count == 1 {
                waits.ended += since.elapsed();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn only_the_time_of_the_page_counts() {
        let waits = OwnWaits::default();
        let work = async {
            sleep(4 * SECOND).await;
            let wait = waits.begin();
            sleep(20 * SECOND).await;
            let beside = waits.begin();
            drop(wait);
            sleep(20 * SECOND).await;
            drop(beside);
            sleep(4 * SECOND).await;
        };
        assert_eq!(waits.timeout(10 * SECOND, work).await, Some(()));
        let begun = Instant::now();
        let slow = async {
            let wait = waits.begin();
            sleep(20 * SECOND).await;
            drop(wait);
            sleep(11 * SECOND).await;
        };
        assert_eq!(waits.timeout(10 * SECOND, slow).await, None);
        assert_eq!(begun.elapsed(), 30 * SECOND);
    }
}
