//! `SteadyClock`: the time of day, which does not go back while the process runs.

use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// Remembers the latest time that was seen, so that a clock that is set back revives no key that has expired and gives no
/// day's budget a second time.
#[derive(Debug, Default)]
pub(super) struct SteadyClock(AtomicI64);

impl SteadyClock {
    /// The time now, or the latest that was seen.
    pub(super) fn now(&self) -> Timestamp {
        self.at(Timestamp::now())
    }

    fn at(&self, now: Timestamp) -> Timestamp {
        let millis = now.as_millisecond();
        let latest = self.0.fetch_max(millis, Ordering::Relaxed);
        match latest > millis {
            true => Timestamp::from_millisecond(latest).unwrap_or(now),
            false => now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_stands_still_until_it_has_caught_up() {
        let clock = SteadyClock::default();
        let at = |second| Timestamp::from_second(second).unwrap();
        let seen = [100, 101, 40, 100, 102].map(|second| clock.at(at(second)).as_second());
        assert_eq!(seen, [100, 101, 101, 101, 102]);
        let real = Timestamp::now();
        assert!(clock.now() >= real);
    }
}
