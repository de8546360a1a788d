//! `GuessLimit`: how many wrong keys an address may present in a time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Wrong keys that an address may present at once.
const BURST: u32 = 20;
/// After this long, one more may come.
const INTERVAL: Duration = Duration::from_secs(3);
/// Most addresses that are kept in mind.
const MAX_ADDRESSES: usize = 50_000;

/// Counts of wrong keys by address.
#[derive(Debug, Default)]
pub struct GuessLimit(Mutex<HashMap<IpAddr, Instant>>);

impl GuessLimit {
    /// How long the address has to wait before it may present a wrong key again; none when it may now.
    pub fn wait(&self, address: IpAddr, now: Instant) -> Option<Duration> {
        let due = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = due.get(&address)?.saturating_duration_since(now);
        ahead
            .checked_sub(INTERVAL * (BURST - 1))
            .filter(|wait| !wait.is_zero())
    }

    /// Counts a wrong key.
    pub fn count(&self, address: IpAddr, now: Instant) {
        let mut due = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if due.len() >= MAX_ADDRESSES {
            due.retain(|_, due| *due > now);
            if due.len() >= MAX_ADDRESSES {
                due.clear();
            }
        }
        let due = due.entry(address).or_insert(now);
        // Bounded, so that a flood is not remembered for longer than an hour.
        *due = ((*due).max(now) + INTERVAL).min(now + Duration::from_secs(3600));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_guesses_waits_and_no_other_does() {
        let (limit, now) = (GuessLimit::default(), Instant::now());
        let [guesser, other] = [[10, 0, 0, 1], [10, 0, 0, 2]].map(IpAddr::from);
        for _ in 0..BURST {
            assert_eq!(limit.wait(guesser, now), None);
            limit.count(guesser, now);
        }
        let wait = limit.wait(guesser, now).unwrap();
        assert!(wait <= INTERVAL && limit.wait(other, now).is_none());
        assert_eq!(limit.wait(guesser, now + wait), None);
    }
}
