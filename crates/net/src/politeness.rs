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
    /// Held by the request with a pause that starts next, while it waits for its time and a slot.
    turn: tokio::sync::Mutex<()>,
    times: Mutex<StartTimes>,
}

/// When requests to a host may start.
#[derive(Default)]
struct StartTimes {
    /// The next one of those that keep a pause.
    paced: Option<Instant>,
    /// Any: the host has asked for silence until then.
    any: Option<Instant>,
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

    /// Waits for a free slot at the host of `url`, and where `delay` is not zero until so much time has passed since the start
    /// of the last request with a pause. The permit is held while the exchange goes on.
    pub(crate) async fn acquire(&self, url: &Url, delay: Duration) -> Option<OwnedSemaphorePermit> {
        let host = self.host(url);
        let delay = delay.min(self.rules.longest_delay);
        if delay.is_zero() {
            let (permit, _) = host.slot(Instant::now()).await?;
            host.wait(|times| times.any).await;
            return Some(permit);
        }
        // One after the other, in the order they came. Only a request that starts delays those after it: one that is dropped
        // while it waits leaves its turn to the next. A slot is taken last, so that whoever waits for a time holds none.
        let _turn = host.turn.lock().await;
        let begun = host.wait(StartTimes::last).await;
        let (permit, begun) = host.slot(begun).await?;
        let begun = host.wait(|times| times.any).await.max(begun);
        host.times().paced = Some(begun + delay);
        Some(permit)
    }

    /// Lets no request to the host of `url` start for this long.
    pub(crate) fn pause_host(&self, url: &Url, pause: Duration) {
        let host = self.host(url);
        let mut times = host.times();
        times.any = times.any.max(Some(Instant::now() + pause));
    }

    fn host(&self, url: &Url) -> Arc<HostState> {
        let name = url.host_str().unwrap_or_default();
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = hosts.get(name) {
            return host.clone();
        }
        if hosts.len() >= Self::HOSTS {
            let now = Instant::now();
            hosts.retain(|_, host| Arc::strong_count(host) > 1 || host.times().last() > Some(now));
        }
        let slots = Arc::new(Semaphore::new(self.rules.per_host.max(1)));
        let host = Arc::new(HostState {
            slots,
            turn: tokio::sync::Mutex::default(),
            times: Mutex::default(),
        });
        hosts.insert(name.to_owned(), host.clone());
        host
    }
}

impl StartTimes {
    fn last(&self) -> Option<Instant> {
        self.paced.max(self.any)
    }
}

impl HostState {
    fn times(&self) -> MutexGuard<'_, StartTimes> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A free slot, and the time when it was there: `begun` where one is free at once.
    async fn slot(&self, begun: Instant) -> Option<(OwnedSemaphorePermit, Instant)> {
        if let Ok(permit) = self.slots.clone().try_acquire_owned() {
            return Some((permit, begun));
        }
        let permit = self.slots.clone().acquire_owned().await.ok()?;
        Some((permit, Instant::now()))
    }

    /// Waits until the time that `of` names has come, also where it is moved on meanwhile; answers the time that was waited for,
    /// or now. Even a sleep of zero length waits for the next tick of the clock.
    async fn wait(&self, of: impl Fn(&StartTimes) -> Option<Instant>) -> Instant {
        let mut begun = Instant::now();
        loop {
            let until = of(&self.times()).filter(|until| *until > Instant::now());
            let Some(until) = until else { return begun };
            sleep_until(until).await;
            begun = until;
        }
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
    async fn a_request_without_a_pause_does_not_wait_for_the_pauses_of_others() {
        let limiter = Arc::new(HostLimiter::new(Politeness::default()));
        let (page, began) = (at("http://ok.test/"), Instant::now());
        let mut paced = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let (limiter, page) = (limiter.clone(), page.clone());
            paced.spawn(async move { limiter.acquire(&page, Duration::from_secs(30)).await.is_some() });
        }
        tokio::task::yield_now().await;
        for _ in 0..8 {
            limiter.acquire(&page, Duration::ZERO).await;
        }
        assert_eq!(began.elapsed(), Duration::ZERO);
        assert_eq!(paced.join_all().await, [true; 8]);
        assert_eq!(began.elapsed().as_secs(), 7 * 30, "those with a pause keep it");
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
