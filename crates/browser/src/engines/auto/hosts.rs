//! What is known of hosts: whether a browser showed more of a page there than the network alone.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use url::Url;

/// How long something is known. Sites are rebuilt seldom, and a mistake should not last.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);
/// Most hosts that are remembered; the oldest knowledge goes first.
const MAX_HOSTS: usize = 4096;

/// Whether a browser helps with the pages of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BrowserHelp {
    /// A page yielded much more in a browser.
    Helps,
    /// A page that seemed to need its scripts yielded no more with them.
    IsNoHelp,
}

/// The hosts of which something is known.
#[derive(Default)]
pub(super) struct HostKnowledge(Mutex<HashMap<String, (BrowserHelp, Instant)>>);

impl HostKnowledge {
    pub(super) fn of(&self, url: &Url) -> Option<BrowserHelp> {
        let hosts = self.lock();
        let (help, since) = hosts.get(&origin(url))?;
        (since.elapsed() < LIFETIME).then_some(*help)
    }

    pub(super) fn learn(&self, url: &Url, help: BrowserHelp) {
        let mut hosts = self.lock();
        if hosts.len() >= MAX_HOSTS {
            hosts.retain(|_, (_, since)| since.elapsed() < LIFETIME);
        }
        if hosts.len() >= MAX_HOSTS
            && let Some(oldest) = hosts.iter().min_by_key(|(_, (_, since))| *since)
        {
            let oldest = oldest.0.clone();
            hosts.remove(&oldest);
        }
        hosts.insert(origin(url), (help, Instant::now()));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, (BrowserHelp, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_host_is_known_for_a_day_and_the_oldest_is_forgotten_first() {
        let known = HostKnowledge::default();
        let page = |host: usize| Url::parse(&format!("http://h{host}.example/{host}")).unwrap();
        known.learn(&page(0), BrowserHelp::Helps);
        tokio::time::advance(Duration::from_secs(1)).await;
        for host in 1..=MAX_HOSTS {
            known.learn(&page(host), BrowserHelp::IsNoHelp);
        }
        assert_eq!(known.of(&page(0)), None);
        assert_eq!(
            known.of(&page(1).join("/other").unwrap()),
            Some(BrowserHelp::IsNoHelp)
        );
        assert_eq!(known.of(&Url::parse("http://h1.example:81/").unwrap()), None);
        tokio::time::advance(LIFETIME).await;
        assert_eq!(known.of(&page(1)), None);
    }
}
