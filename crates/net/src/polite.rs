//! Sparing a host: few requests at once, a pause between them, and silence when it asks for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until};
use url::Url;

/// How hosts are spared.
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
pub(crate) struct Polite {
    rules: Politeness,
    hosts: Mutex<HashMap<String, Arc<Host>>>,
}

struct Host {
    slots: Arc<Semaphore>,
    /// When the next request may start.
    next: Mutex<Option<Instant>>,
}

impl Polite {
    /// Hosts remembered before the quiet ones are forgotten.
    const HOSTS: usize = 4096;

    pub(crate) fn new(rules: Politeness) -> Polite {
        Polite {
            rules,
            hosts: Mutex::default(),
        }
    }

    pub(crate) fn delay(&self) -> Duration {
        self.rules.delay
    }

    /// Waits for one's turn at the host of `url`. The permit is held while the exchange goes on.
    pub(crate) async fn turn(&self, url: &Url, delay: Duration) -> Option<OwnedSemaphorePermit> {
        let host = self.host(url);
        let permit = host.slots.clone().acquire_owned().await.ok();
        let delay = delay.min(self.rules.longest_delay);
        // Each one takes the next free instant and leaves the one after it to whoever comes then.
        let wait = {
            let mut next = host.next.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let start = next.map_or(now, |next| next.max(now));
            *next = (start > now || !delay.is_zero()).then(|| start + delay);
            (start > now).then_some(start)
        };
        // Even a sleep of no length waits for the next tick of the clock.
        if let Some(start) = wait {
            sleep_until(start).await;
        }
        permit
    }

    /// Keeps everybody from the host of `url` for this long.
    pub(crate) fn hold(&self, url: &Url, pause: Duration) {
        let host = self.host(url);
        let until = Instant::now() + pause;
        let mut next = host.next.lock().unwrap_or_else(PoisonError::into_inner);
        *next = Some(next.map_or(until, |next| next.max(until)));
    }

    fn host(&self, url: &Url) -> Arc<Host> {
        let name = url.host_str().unwrap_or_default();
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = hosts.get(name) {
            return host.clone();
        }
        if hosts.len() >= Self::HOSTS {
            let now = Instant::now();
            hosts.retain(|_, host| {
                let next = host.next.lock().unwrap_or_else(PoisonError::into_inner);
                Arc::strong_count(host) > 1 || next.is_some_and(|next| next > now)
            });
        }
        let slots = Arc::new(Semaphore::new(self.rules.per_host.max(1)));
        let host = Arc::new(Host {
            slots,
            next: Mutex::new(None),
        });
        hosts.insert(name.to_owned(), host.clone());
        host
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
        let polite = Polite::new(Politeness::default());
        let (page, began) = (at("http://ok.test/"), Instant::now());
        for _ in 0..3 {
            polite.turn(&page, Duration::from_secs(2)).await;
        }
        assert_eq!(began.elapsed().as_secs(), 4);
        polite.turn(&at("http://b.test/"), Duration::from_secs(2)).await;
        assert_eq!(began.elapsed().as_secs(), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_requests_at_once_than_allowed() {
        let polite = Arc::new(Polite::new(Politeness {
            per_host: 1,
            ..Politeness::default()
        }));
        let page = at("http://ok.test/");
        let first = polite.turn(&page, Duration::ZERO).await;
        let second = tokio::time::timeout(Duration::from_secs(9), polite.turn(&page, Duration::ZERO)).await;
        assert!(second.is_err(), "the second waits for the first");
        drop(first);
        assert!(polite.turn(&page, Duration::ZERO).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_asks_for_silence_gets_it() {
        let polite = Polite::new(Politeness::default());
        let (page, began) = (at("http://ok.test/"), Instant::now());
        polite.hold(&page, Duration::from_secs(5));
        polite.turn(&page, Duration::ZERO).await;
        assert_eq!(began.elapsed().as_secs(), 5);
    }

    #[tokio::test(start_paused = true)]
    async fn a_site_cannot_ask_for_an_endless_pause() {
        let polite = Polite::new(Politeness::default());
        let (page, began) = (at("http://ok.test/"), Instant::now());
        polite.turn(&page, Duration::from_secs(86_400)).await;
        polite.turn(&page, Duration::from_secs(86_400)).await;
        assert_eq!(began.elapsed(), Politeness::default().longest_delay);
    }
}
