//! Per-host limits: concurrent requests, pauses between them, and `Retry-After`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};
use url::Url;

/// Limits of the requests to one host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Politeness {
    /// Most requests to one host at the same time.
    pub per_host: usize,
    /// Shortest pause between the starts of two requests to one host that obey robots.txt, when the site
    /// asks for no longer one.
    pub delay: Duration,
    /// Longest `Crawl-delay` that is honoured; one that asks for more gets this much.
    pub longest_delay: Duration,
}

impl Default for Politeness {
    fn default() -> Self {
        Politeness {
            per_host: 6,
            delay: Duration::from_millis(500),
            longest_delay: Duration::from_secs(30),
        }
    }
}

/// The state of all hosts.
pub(crate) struct HostLimiter {
    rules: Politeness,
    hosts: Mutex<HashMap<String, Arc<HostState>>>,
}

struct HostState {
    slots: Arc<Semaphore>,
    /// Held by the request that starts next, while it waits for its time.
    turn: tokio::sync::Mutex<()>,
    /// When the next request may start.
    next: Mutex<Option<Instant>>,
}

impl HostLimiter {
    /// Number of hosts from which on the idle ones are dropped.
    const HOSTS: usize = 4096;

    pub(crate) fn new(rules: Politeness) -> HostLimiter {
        HostLimiter {
            rules,
            hosts: Mutex::default(),
        }
    }

    pub(crate) fn delay(&self) -> Duration {
        self.rules.delay
    }

    /// Waits for a free slot at the host of `url`. The permit is held while the exchange goes on.
    pub(crate) async fn acquire(&self, url: &Url, delay: Duration) -> Option<OwnedSemaphorePermit> {
        let host = self.host(url);
        let permit = host.slots.clone().acquire_owned().await.ok();
        let delay = delay.min(self.rules.longest_delay);
        // One after the other, in the order they came. Only a request that starts delays those after it: one that is dropped
        // while it waits leaves its turn to the next.
        let _turn = host.turn.lock().await;
        let mut start = Instant::now();
        while let Some(later) = host.later() {
            sleep_until(later).await;
            start = later;
        }
        if !delay.is_zero() {
            *host.next() = Some(start + delay);
        }
        permit
    }

    /// Lets no request to the host of `url` start for this long.
    pub(crate) fn pause_host(&self, url: &Url, pause: Duration) {
        let host = self.host(url);
        let until = Instant::now() + pause;
        let mut next = host.next();
        *next = Some(next.map_or(until, |next| next.max(until)));
    }

    fn host(&self, url: &Url) -> Arc<HostState> {
        let name = url.host_str().unwrap_or_default();
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = hosts.get(name) {
            return host.clone();
        }
        if hosts.len() >= Self::HOSTS {
            let now = Instant::now();
            hosts.retain(|_, host| Arc::strong_count(host) > 1 || host.next().is_some_and(|next| next > now));
        }
        let slots = Arc::new(Semaphore::new(self.rules.per_host.max(1)));
        let host = Arc::new(HostState {
            slots,
            turn: tokio::sync::Mutex::default(),
            next: Mutex::new(None),
        });
        hosts.insert(name.to_owned(), host.clone());
        host
    }
}

impl HostState {
    fn next(&self) -> MutexGuard<'_, Option<Instant>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the next request may start, where that is not now. Even a sleep of zero length waits for the next tick of the clock.
    fn later(&self) -> Option<Instant> {
        self.next().filter(|next| *next > Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(url: &str) -> Url {
        url.parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn requests_to_one_host_keep_their_distance_and_others_do_not_wait() {
        let limiter = HostLimiter::new(Politeness::default());
        let (page, began) = (at("http://ok.test/"), Instant::now());
        for _ in 0..3 {
            limiter.acquire(&page, Duration::from_secs(2)).await;
        }
        assert_eq!(began.elapsed().as_secs(), 4);
        limiter
            .acquire(&at("http://b.test/"), Duration::from_secs(2))
            .await;
        assert_eq!(began.elapsed().as_secs(), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_requests_at_once_than_allowed() {
        let limiter = Arc::new(HostLimiter::new(Politeness {
            per_host: 1,
            ..Politeness::default()
        }));
        let page = at("http://ok.test/");
        let first = limiter.acquire(&page, Duration::ZERO).await;
        let second =
            tokio::time::timeout(Duration::from_secs(9), limiter.acquire(&page, Duration::ZERO)).await;
        assert!(second.is_err(), "the second waits for the first");
        drop(first);
        assert!(limiter.acquire(&page, Duration::ZERO).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_asks_for_silence_gets_it() {
        let limiter = HostLimiter::new(Politeness::default());
        let (page, began) = (at("http://ok.test/"), Instant::now());
        limiter.pause_host(&page, Duration::from_secs(5));
        limiter.acquire(&page, Duration::ZERO).await;
        assert_eq!(began.elapsed().as_secs(), 5);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_is_given_up_delays_none_after_it() {
        let limiter = HostLimiter::new(Politeness::default());
        let (page, delay, began) = (at("http://ok.test/"), Duration::from_secs(30), Instant::now());
        limiter.acquire(&page, delay).await;
        for _ in 0..5 {
            let given_up = tokio::time::timeout(Duration::from_secs(1), limiter.acquire(&page, delay)).await;
            assert!(given_up.is_err());
        }
        limiter.acquire(&page, delay).await;
        assert_eq!(began.elapsed().as_secs(), 30);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_holds_for_a_request_that_waits_already() {
        let limiter = HostLimiter::new(Politeness::default());
        let (page, delay, began) = (at("http://ok.test/"), Duration::from_secs(2), Instant::now());
        limiter.acquire(&page, delay).await;
        let silence = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            limiter.pause_host(&page, Duration::from_secs(9));
        };
        tokio::join!(limiter.acquire(&page, delay), silence);
        assert_eq!(began.elapsed().as_secs(), 10);
    }

    #[tokio::test(start_paused = true)]
    async fn a_site_cannot_ask_for_an_endless_pause() {
        let limiter = HostLimiter::new(Politeness::default());
        let (page, began) = (at("http://ok.test/"), Instant::now());
        limiter.acquire(&page, Duration::from_secs(86_400)).await;
        limiter.acquire(&page, Duration::from_secs(86_400)).await;
        assert_eq!(began.elapsed(), Politeness::default().longest_delay);
    }
}
