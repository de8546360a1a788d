//! Turns: a bound on works at once, where those beyond it wait for theirs, in the order of arrival.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use wire::Code;

use crate::error::ServiceError;

/// Most works that wait. A waiting one holds no more than its request, of two megabytes at most.
const MAX_WAITING: usize = 128;
/// How long one waits before it is refused: as long as a page waits for room in memory.
const MAX_WAIT: Duration = Duration::from_secs(120);

/// A bound on works of one kind.
pub(crate) struct Turns {
    most: usize,
    what: &'static str,
    running: Semaphore,
    waiting: Semaphore,
}

impl Turns {
    /// At most so many at once; `what` ends the sentence "32 ...".
    pub(crate) fn new(most: usize, what: &'static str) -> Self {
        Self {
            most,
            what,
            running: Semaphore::new(most),
            waiting: Semaphore::new(MAX_WAITING),
        }
    }

    /// Waits for a turn, which lasts until the permit is dropped.
    ///
    /// # Errors
    /// When too many wait already, or this one has waited for too long.
    pub(crate) async fn take(&self) -> Result<SemaphorePermit<'_>, ServiceError> {
        if let Ok(turn) = self.running.try_acquire() {
            return Ok(turn);
        }
        let _place = self.waiting.try_acquire().map_err(|_| self.refusal())?;
        match tokio::time::timeout(MAX_WAIT, self.running.acquire()).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(self.refusal()),
        }
    }

    fn refusal(&self) -> ServiceError {
        let text = format!("{} {} already", self.most, self.what);
        ServiceError::new(Code::RateLimited, text).again_after(Duration::from_secs(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn those_beyond_the_bound_wait_and_only_those_beyond_the_waiting_are_refused() {
        let turns = Turns::new(2, "pages are being read");
        let (first, _second) = (turns.take().await.unwrap(), turns.take().await.unwrap());
        let third = async {
            let begun = tokio::time::Instant::now();
            let turn = turns.take().await;
            (begun.elapsed(), turn.is_ok())
        };
        let leaving = async {
            tokio::time::sleep(Duration::from_secs(30)).await;
            drop(first);
        };
        let ((waited, has_turn), ()) = tokio::join!(third, leaving);
        assert_eq!((waited.as_secs(), has_turn), (30, true));
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_ever_and_the_places_of_those_who_left_are_free() {
        let turns = Turns::new(1, "pages are being read");
        let _first = turns.take().await.unwrap();
        let places: Vec<_> = (0..MAX_WAITING).map(|_| turns.take()).collect();
        let mut places: Vec<_> = places.into_iter().map(Box::pin).collect();
        for place in &mut places {
            assert!(futures_util::poll!(place).is_pending());
        }
        let refused = turns.take().await.unwrap_err();
        assert_eq!(refused.code, Code::RateLimited);
        assert_eq!(refused.message, "1 pages are being read already");
        drop(places);
        let begun = tokio::time::Instant::now();
        assert!(turns.take().await.is_err());
        assert_eq!(begun.elapsed(), MAX_WAIT);
    }
}
