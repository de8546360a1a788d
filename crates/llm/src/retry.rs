//! Retry policy: how often and after which wait a request is sent again.

use std::time::Duration;

/// How often a request is sent again before its first delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// Most tries, the first included; 1 never asks again.
    pub attempts: u32,
    /// The first wait; it doubles each time.
    pub base: Duration,
    /// The longest wait. A provider that asks for more is not waited for.
    pub longest: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: 4,
            base: Duration::from_millis(500),
            longest: Duration::from_secs(30),
        }
    }
}

impl Retry {
    /// Never asks again.
    pub const NEVER: Self = Self {
        attempts: 1,
        base: Duration::ZERO,
        longest: Duration::ZERO,
    };

    /// The wait after `tries` failed ones, or `None` when enough is enough.
    ///
    /// A wait the provider names is kept to the millisecond or not at all; ours is drawn between half of its step and
    /// the whole, so that many clients do not return together.
    pub fn wait(&self, tries: u32, asked: Option<Duration>) -> Option<Duration> {
        if tries >= self.attempts {
            return None;
        }
        if let Some(asked) = asked {
            return (asked <= self.longest).then_some(asked);
        }
        let step = self
            .base
            .saturating_mul(2_u32.saturating_pow(tries.saturating_sub(1).min(16)))
            .min(self.longest);
        Some(step.mul_f64(0.5 + fastrand::f64() / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_stay_within_their_step_and_end() {
        let retry = Retry {
            attempts: 5,
            base: Duration::from_millis(100),
            longest: Duration::from_millis(300),
        };
        for (tries, step) in [(1, 100), (2, 200), (3, 300), (4, 300)] {
            let wait = retry.wait(tries, None).expect("another try").as_millis();
            assert!((step / 2..=step).contains(&wait), "{wait} after {tries}");
        }
        assert_eq!(retry.wait(5, None), None);
    }

    #[test]
    fn a_wait_the_provider_names_is_kept_exactly_or_not_at_all() {
        let retry = Retry::default();
        assert_eq!(
            retry.wait(1, Some(Duration::from_millis(1234))),
            Some(Duration::from_millis(1234))
        );
        assert_eq!(retry.wait(1, Some(Duration::from_secs(3600))), None);
        assert_eq!(Retry::NEVER.wait(1, Some(Duration::ZERO)), None);
    }
}
