//! `Pacing`: when the next request to a host may start, by how fast it answers and what it refuses.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

/// Longest pause that follows from slow answers.
const LONGEST: Duration = Duration::from_secs(5);
/// First pause of a host that refuses.
const FIRST_REFUSAL: Duration = Duration::from_secs(1);
/// Longest pause of a host that refuses.
const LONGEST_REFUSAL: Duration = Duration::from_secs(60);
/// Part of its answer's time that a host is left alone.
const SHARE: u32 = 4;
/// Hosts from which on those that are idle are forgotten.
const MAX_HOSTS: usize = 10_000;

/// How a host answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostReply {
    /// In time.
    Served,
    /// With 429 or 503.
    Refused,
}

#[derive(Debug)]
struct HostPace {
    next: Instant,
    pause: Duration,
    /// The pause after a refusal; none when the last answer was none.
    refusal: Option<Duration>,
    in_flight: usize,
}

/// The paces of all hosts of a run.
pub(super) struct Pacing {
    /// The pause that is asked for, in place of one by the host's speed.
    fixed: Option<Duration>,
    hosts: HashMap<String, HostPace>,
}

impl Pacing {
    pub(super) fn new(fixed: Option<Duration>) -> Self {
        Self {
            fixed,
            hosts: HashMap::new(),
        }
    }

    /// When the next request to a host may start; counts it.
    pub(super) fn begin(&mut self, host: &str, now: Instant) -> Instant {
        if self.hosts.len() >= MAX_HOSTS {
            self.hosts.retain(|_, pace| pace.in_flight > 0 || pace.next > now);
        }
        let first = self.fixed.unwrap_or_default();
        let pace = self.hosts.entry(host.to_owned()).or_insert(HostPace {
            next: now,
            pause: first,
            refusal: None,
            in_flight: 0,
        });
        let start = pace.next.max(now);
        pace.next = start + pace.pause;
        pace.in_flight += 1;
        start
    }

    /// Takes in how a host answered, and how long that took.
    pub(super) fn end(&mut self, host: &str, reply: HostReply, took: Duration, now: Instant) {
        let Some(pace) = self.hosts.get_mut(host) else {
            return;
        };
        pace.in_flight = pace.in_flight.saturating_sub(1);
        match reply {
            HostReply::Refused => {
                let pause = pace
                    .refusal
                    .map_or(FIRST_REFUSAL, |pause| pause * 2)
                    .min(LONGEST_REFUSAL);
                pace.refusal = Some(pause);
                pace.pause = pace.pause.max(pause);
                pace.next = pace.next.max(now + pause);
            }
            HostReply::Served => {
                // A host that has refused is trusted again step by step.
                pace.refusal = pace
                    .refusal
                    .map(|pause| pause / 2)
                    .filter(|pause| *pause >= FIRST_REFUSAL);
                let wanted = self.fixed.unwrap_or_else(|| (took / SHARE).min(LONGEST));
                pace.pause = match pace.refusal {
                    Some(refusal) => refusal.max(wanted),
                    None => (pace.pause + wanted) / 2,
                };
                if let Some(fixed) = self.fixed.filter(|_| pace.refusal.is_none()) {
                    pace.pause = fixed;
                }
            }
        }
    }

    /// The hosts of which no further page is to be taken: as many are on their way, or it wants a long pause.
    pub(super) fn busy(&self, most: usize, now: Instant) -> Vec<String> {
        let is_busy = |pace: &HostPace| pace.in_flight >= most || pace.next > now + LONGEST;
        let busy = self.hosts.iter().filter(|(_, pace)| is_busy(pace));
        busy.map(|(host, _)| host.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_fixed_pause_is_kept_and_a_slow_host_is_left_alone_longer() {
        let now = Instant::now();
        let mut fixed = Pacing::new(Some(SECOND));
        let starts: Vec<Duration> = (0..3).map(|_| fixed.begin("a", now) - now).collect();
        assert_eq!(starts, [Duration::ZERO, SECOND, SECOND * 2]);
        fixed.end("a", HostReply::Served, SECOND * 100, now);
        assert_eq!(fixed.begin("a", now) - now, SECOND * 3);
        let mut free = Pacing::new(None);
        free.begin("a", now);
        free.end("a", HostReply::Served, SECOND * 8, now);
        free.begin("a", now);
        assert_eq!(
            free.begin("a", now) - now,
            SECOND,
            "half of a quarter of the answer's time"
        );
        assert_eq!(free.begin("b", now), now, "other hosts do not wait");
        assert_eq!(free.busy(1, now).len(), 2);
    }

    #[test]
    fn a_host_that_refuses_is_asked_less_and_less_and_then_again() {
        let now = Instant::now();
        let mut pacing = Pacing::new(None);
        let mut waits = Vec::new();
        for _ in 0..8 {
            pacing.begin("a", now);
            pacing.end("a", HostReply::Refused, Duration::ZERO, now);
            waits.push(pacing.hosts["a"].refusal.unwrap().as_secs());
        }
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
        for _ in 0..12 {
            pacing.begin("a", now);
            pacing.end("a", HostReply::Served, Duration::ZERO, now);
        }
        assert!(pacing.hosts["a"].refusal.is_none() && pacing.hosts["a"].pause < SECOND);
    }
}
