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
    /// Waits until a request can be sent. A connection comes back to the pool when the last answer has been
    /// read, which may be a moment before its own task has noticed.
    pub(crate) async fn is_usable(&mut self) -> bool {
        match self {
            Sender::H1(sender) => sender.ready().await.is_ok(),
            Sender::H2(sender) => sender.ready().await.is_ok(),
        }
    }

    fn is_open(&self) -> bool {
        match self {
            Sender::H1(sender) => !sender.is_closed(),
            Sender::H2(sender) => !sender.is_closed(),
        }
    }
}

/// Idle connections of each key, newest last, with the time since when they lie there.
type Idle = HashMap<Key, Vec<(Link, Instant)>>;

/// Connections waiting for their next request.
pub(crate) struct Pool {
    idle: Mutex<Idle>,
}

impl Pool {
    /// Most idle connections per key.
    const PER_KEY: usize = 6;
    /// Most keys with idle connections; beyond, the pool starts anew.
    const KEYS: usize = 512;
    /// From this many keys on, each new one sweeps the pool.
    const MANY: usize = 64;
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
        let now = Instant::now();
        if idle.len() >= Self::MANY && !idle.contains_key(&key) {
            // A new host among many: time to let go of what nobody came back for.
            idle.retain(|_, links| {
                links
                    .retain(|(link, since)| link.sender.is_open() && now.duration_since(*since) < Self::IDLE);
                !links.is_empty()
            });
            if idle.len() >= Self::KEYS {
                idle.clear();
            }
        }
        let links = idle.entry(key).or_default();
        if links.len() >= Self::PER_KEY {
            links.remove(0);
        }
        links.push((link, now));
    }

    /// Lets go of every connection of this key: one of them has just shown to be of no use.
    pub(crate) fn forget(&self, key: &Key) {
        self.lock().remove(key);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
