//! HostTurns: keeps a shortest time between the starts of two pages of one host.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::address;

/// When the next page of each host of a run may begin. Bounded by the hosts of the request's list.
pub(super) struct HostTurns {
    delay: Duration,
    next: Mutex<HashMap<String, Instant>>,
}

impl HostTurns {
    pub(super) fn new(delay: Duration) -> Self {
        Self {
            delay,
            next: Mutex::default(),
        }
    }

    /// Pages in the order in which they are begun: where pages of a host keep their distance, those of different hosts by turns, so
    /// that the pages of one host, which wait, do not take all places from the others.
    pub(super) fn ordered(&self, mut pages: Vec<usize>, assets: &[String]) -> Vec<usize> {
        if self.delay.is_zero() {
            return pages;
        }
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut nth = |page: &usize| {
            let url = assets.get(*page).and_then(|asset| address::address(asset).ok());
            let host = url.and_then(|url| url.host_str().map(str::to_owned));
            let count = counts.entry(host.unwrap_or_default()).or_default();
            *count += 1;
            *count
        };
        pages.sort_by_cached_key(&mut nth);
        pages
    }

    /// Waits until a page of this asset's host may begin. What is no address does not wait.
    pub(super) async fn turn(&self, asset: &str) {
        if let Some(start) = self.take(asset) {
            sleep_until(start).await;
        }
    }

    /// Takes the next start of the host, and moves it on for the page after this one.
    fn take(&self, asset: &str) -> Option<Instant> {
        if self.delay.is_zero() {
            return None;
        }
        let url = address::address(asset).ok()?;
        let now = Instant::now();
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let host = next.entry(url.host_str()?.to_owned()).or_insert(now);
        let start = (*host).max(now);
        *host = start + self.delay;
        Some(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn pages_of_one_host_begin_apart_and_other_hosts_do_not_wait() {
        let turns = HostTurns::new(Duration::from_secs(2));
        let began = Instant::now();
        turns.turn("https://a.example/1").await;
        turns.turn("https://b.example/1").await;
        assert_eq!(began.elapsed(), Duration::ZERO);
        turns.turn("a.example/2").await;
        turns.turn("https://a.example/3").await;
        assert_eq!(began.elapsed(), Duration::from_secs(4));
        HostTurns::new(Duration::ZERO).turn("https://a.example/1").await;
        assert_eq!(began.elapsed(), Duration::from_secs(4));
    }

    #[test]
    fn pages_of_one_host_do_not_keep_those_of_another_waiting() {
        let assets = [
            "a.example/1",
            "a.example/2",
            "a.example/3",
            "https://b.example/1",
            "b.example/2",
        ];
        let assets = assets.map(str::to_owned);
        let pages: Vec<usize> = (0..5).collect();
        let turns = HostTurns::new(Duration::from_secs(2));
        assert_eq!(turns.ordered(pages.clone(), &assets), [0, 3, 1, 4, 2]);
        assert_eq!(
            HostTurns::new(Duration::ZERO).ordered(pages.clone(), &assets),
            pages
        );
    }
}
