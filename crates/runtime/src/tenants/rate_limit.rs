//! `RateLimiter`: requests a minute of each tenant, by the generic cell rate algorithm (ITU-T I.371).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const WINDOW: Duration = Duration::from_secs(60);
/// Most tenants that are kept in mind; those whose window is over are dropped first.
const MAX_TENANTS: usize = 10_000;

/// When the next request of each tenant would be due, if all came evenly.
#[derive(Debug, Default)]
pub(super) struct RateLimiter(Mutex<HashMap<String, Instant>>);

/// How a tenant stands with its requests, for the headers of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateState {
    /// Requests in a minute.
    pub limit: u64,
    /// Requests that may come at once now.
    pub remaining: u64,
    /// Until all of them may.
    pub reset: Duration,
    /// Until the next one may, when this one may not.
    pub retry_after: Option<Duration>,
}

impl RateLimiter {
    /// Counts a request.
    pub(super) fn take(&self, tenant: &str, limit: u64, now: Instant) -> RateState {
        let limit = limit.max(1);
        let interval = Duration::from_secs_f64(WINDOW.as_secs_f64() / precise(limit));
        let mut due = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if due.len() >= MAX_TENANTS && !due.contains_key(tenant) {
            due.retain(|_, due| *due > now);
        }
        let known = due.get_mut(tenant);
        let earlier = known.as_deref().copied().unwrap_or(now).max(now);
        let ahead = earlier.duration_since(now);
        // Half an interval of tolerance: the sum of a window's intervals is not exact.
        let allowed = ahead + interval <= WINDOW + interval / 2;
        let next = if allowed { earlier + interval } else { earlier };
        match known {
            Some(due) => *due = next,
            None => {
                due.insert(tenant.to_owned(), next);
            }
        }
        let ahead = next.duration_since(now);
        let used = ahead.as_secs_f64() / interval.as_secs_f64();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "rounded to whole requests, and at most the limit"
        )]
        let used = (used.ceil() as u64).min(limit);
        RateState {
            limit,
            remaining: limit - used,
            reset: ahead,
            retry_after: (!allowed).then(|| (ahead + interval).saturating_sub(WINDOW)),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
fn precise(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_as_many_as_allowed_come_at_once_and_then_one_by_one() {
        for limit in [1, 7, 60, 1000] {
            let (rates, now) = (RateLimiter::default(), Instant::now());
            let accepted = (0..limit + 50).filter(|_| rates.take("a", limit, now).retry_after.is_none());
            assert_eq!(accepted.count() as u64, limit);
            let refused = rates.take("a", limit, now);
            let wait = refused.retry_after.unwrap();
            assert!(refused.remaining == 0 && wait <= refused.reset, "{refused:?}");
            assert_eq!(rates.take("a", limit, now + wait).retry_after, None);
            assert!(rates.take("a", limit, now + wait).retry_after.is_some());
            assert_eq!(
                rates.take("b", limit, now).remaining,
                limit - 1,
                "others have their own"
            );
        }
    }
}
