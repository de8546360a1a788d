//! Pool of idle connections.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::{http1, http2};
use tokio::time::Instant;

use crate::guard::Destination;

/// Which requests may share a connection: the same scheme, host and port, reached by the same permission. A
/// connection opened under a grant is never given to a request that has none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PoolKey {
    pub(crate) target: Destination,
    pub(crate) granted: bool,
}

/// An open connection to a checked address.
pub(crate) struct PooledConnection {
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
type IdleConnections = HashMap<PoolKey, Vec<(PooledConnection, Instant)>>;

/// Idle connections by key.
pub(crate) struct ConnectionPool {
    idle: Mutex<IdleConnections>,
}

impl ConnectionPool {
    /// Most idle connections per key.
    const PER_KEY: usize = 6;
    /// Most keys with idle connections; one more empties the pool.
    const KEYS: usize = 512;
    /// From this many keys on, each new key removes closed and old connections.
    const MANY: usize = 64;
    /// Longest time a connection stays idle.
    const IDLE: Duration = Duration::from_secs(60);

    pub(crate) fn new() -> ConnectionPool {
        ConnectionPool {
            idle: Mutex::default(),
        }
    }

    /// An open connection for this key, if there is one. An HTTP/2 connection stays in the pool as well.
    pub(crate) fn take(&self, key: &PoolKey) -> Option<PooledConnection> {
        let mut idle = self.lock();
        let connections = idle.get_mut(key)?;
        let now = Instant::now();
        connections.retain(|(connection, since)| {
            connection.sender.is_open() && now.duration_since(*since) < Self::IDLE
        });
        let taken = match connections.last_mut() {
            Some((
                PooledConnection {
                    sender: Sender::H2(sender),
                    remote,
                },
                since,
            )) => {
                *since = now;
                Some(PooledConnection {
                    sender: Sender::H2(sender.clone()),
                    remote: *remote,
                })
            }
            Some(_) => connections.pop().map(|(connection, _)| connection),
            None => None,
        };
        if connections.is_empty() {
            idle.remove(key);
        }
        taken
    }

    pub(crate) fn put(&self, key: PoolKey, connection: PooledConnection) {
        if !connection.sender.is_open() {
            return;
        }
        let mut idle = self.lock();
        let now = Instant::now();
        if idle.len() >= Self::MANY && !idle.contains_key(&key) {
            idle.retain(|_, connections| {
                connections.retain(|(connection, since)| {
                    connection.sender.is_open() && now.duration_since(*since) < Self::IDLE
                });
                !connections.is_empty()
            });
            if idle.len() >= Self::KEYS {
                idle.clear();
            }
        }
        let connections = idle.entry(key).or_default();
        if connections.len() >= Self::PER_KEY {
            connections.remove(0);
        }
        connections.push((connection, now));
    }

    /// Drops every connection of this key, after one of them turned out to be broken.
    pub(crate) fn forget(&self, key: &PoolKey) {
        self.lock().remove(key);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, IdleConnections> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
