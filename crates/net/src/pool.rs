//! Open connections kept for the next request to the same place.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::{http1, http2};
use tokio::time::Instant;

use crate::guard::Target;

/// Whose connections may be shared: the same scheme, host and port, reached by the same permission. A
/// connection opened under a grant is never given to a request that has none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) target: Target,
    pub(crate) granted: bool,
}

/// An open connection to a checked address.
pub(crate) struct Link {
    pub(crate) sender: Sender,
    pub(crate) remote: SocketAddr,
}

pub(crate) enum Sender {
    H1(http1::SendRequest<Full<Bytes>>),
    H2(http2::SendRequest<Full<Bytes>>),
}

impl Sender {
    fn is_open(&self) -> bool {
        match self {
            Sender::H1(sender) => sender.is_ready(),
            Sender::H2(sender) => !sender.is_closed(),
        }
    }
}

/// Idle connections, newest last.
pub(crate) struct Pool {
    idle: Mutex<HashMap<Key, Vec<(Link, Instant)>>>,
}

impl Pool {
    /// Most idle connections per key.
    const PER_KEY: usize = 6;
    /// Most keys with idle connections; beyond, the pool starts anew.
    const KEYS: usize = 512;
    /// How long a connection may lie idle.
    const IDLE: Duration = Duration::from_secs(60);

    pub(crate) fn new() -> Pool {
        Pool {
            idle: Mutex::default(),
        }
    }

    /// An open connection for this key, if there is one. An HTTP/2 connection stays in the pool as well.
    pub(crate) fn take(&self, key: &Key) -> Option<Link> {
        let mut idle = self.lock();
        let links = idle.get_mut(key)?;
        let now = Instant::now();
        links.retain(|(link, since)| link.sender.is_open() && now.duration_since(*since) < Self::IDLE);
        let taken = match links.last_mut() {
            Some((
                Link {
                    sender: Sender::H2(sender),
                    remote,
                },
                since,
            )) => {
                *since = now;
                Some(Link {
                    sender: Sender::H2(sender.clone()),
                    remote: *remote,
                })
            }
            Some(_) => links.pop().map(|(link, _)| link),
            None => None,
        };
        if links.is_empty() {
            idle.remove(key);
        }
        taken
    }

    pub(crate) fn put(&self, key: Key, link: Link) {
        if !link.sender.is_open() {
            return;
        }
        let mut idle = self.lock();
        if idle.len() >= Self::KEYS && !idle.contains_key(&key) {
            idle.clear();
        }
        let links = idle.entry(key).or_default();
        if links.len() >= Self::PER_KEY {
            links.remove(0);
        }
        links.push((link, Instant::now()));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Vec<(Link, Instant)>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
