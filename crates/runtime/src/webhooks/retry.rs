//! `DeliveryTimes`: how long a receiver may take, and when a message that was not taken is sent again.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// How much longer each wait is than the one before it.
const FACTOR: u32 = 3;
/// By how much a wait is longer or shorter at random, so that receivers that come back are not asked by all at once.
const JITTER: f64 = 0.2;

/// The time of a receiver, and the waits between tries: each three times the one before, up to a longest one, until a day has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryTimes {
    /// How long a receiver may take to answer; at most half a minute, since a claim holds for a minute.
    pub receiver: Duration,
    /// The first wait.
    pub first: Duration,
    /// The longest wait.
    pub longest: Duration,
    /// How long after the first try the last one is.
    pub total: Duration,
}

impl Default for DeliveryTimes {
    fn default() -> Self {
        Self {
            receiver: Duration::from_secs(15),
            first: Duration::from_secs(5),
            longest: Duration::from_secs(6 * 3600),
            total: Duration::from_secs(24 * 3600),
        }
    }
}

impl DeliveryTimes {
    /// When to try again after `tries` tries, of which the first was at `began`; none when the time is over. `random` is
    /// from 0 to 1, `asked` what the receiver asks to wait.
    pub(super) fn next(
        &self,
        tries: u32,
        began: Timestamp,
        now: Timestamp,
        random: f64,
        asked: Option<Duration>,
    ) -> Option<Timestamp> {
        let last = began + signed(self.total);
        if now >= last {
            return None;
        }
        let grown = FACTOR.saturating_pow(tries.saturating_sub(1));
        let wait = self.first.saturating_mul(grown).min(self.longest);
        let wait = wait.mul_f64(1.0 + JITTER * (2.0 * random - 1.0));
        let wait = wait.max(asked.unwrap_or_default());
        Some((now + signed(wait)).min(last))
    }
}

fn signed(duration: Duration) -> SignedDuration {
    SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_for_a_day_and_then_end() {
        let schedule = DeliveryTimes::default();
        let began = Timestamp::from_second(1_800_000_000).unwrap();
        let mut now = began;
        let mut waits = Vec::new();
        for tries in 1..100 {
            let Some(next) = schedule.next(tries, began, now, 0.5, None) else {
                break;
            };
            waits.push(next.duration_since(now).as_secs());
            now = next;
        }
        assert_eq!(waits[..5], [5, 15, 45, 135, 405]);
        assert_eq!(now, began + SignedDuration::from_hours(24));
        assert!(waits.len() < 20, "{waits:?}");
        let asked = Some(Duration::from_secs(60));
        let next = |random, asked| {
            let next = schedule.next(1, began, began, random, asked).unwrap();
            next.duration_since(began).as_millis()
        };
        assert_eq!(next(0.0, None), 4_000);
        assert_eq!(next(1.0, None), 6_000);
        assert_eq!(next(0.5, asked), 60_000);
    }
}
