//! Traffic budget: how many requests and bytes one session may send through a proxy.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::dial::Socket;

/// Limits of one session. The defaults are no limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrafficLimits {
    /// Most requests. The proxy counts plain requests and tunnels; whoever sees the requests within tunnels counts
    /// them by [`TrafficBudget::count_request`].
    pub requests: u64,
    /// Most bytes, in both directions and with all headers.
    pub bytes: u64,
}

impl Default for TrafficLimits {
    fn default() -> Self {
        TrafficLimits {
            requests: u64::MAX,
            bytes: u64::MAX,
        }
    }
}

/// What a session has used of its [`TrafficLimits`]. Once it is used up, it stays so: nothing passes any more.
#[derive(Debug, Default)]
pub struct TrafficBudget {
    limits: TrafficLimits,
    connections: AtomicU64,
    requests: AtomicU64,
    bytes: AtomicU64,
    is_spent: AtomicBool,
}

impl TrafficBudget {
    /// A budget of which nothing is used.
    pub fn new(limits: TrafficLimits) -> Arc<TrafficBudget> {
        Arc::new(TrafficBudget {
            limits,
            ..TrafficBudget::default()
        })
    }

    /// Counts a request that the session's browser reports. Those that the proxy sees are counted apart, since they
    /// are partly the same.
    pub fn count_request(&self) {
        self.add(&self.requests, 1, self.limits.requests);
    }

    /// Counts a plain request or a tunnel; false when it may not pass.
    pub(crate) fn admits_connection(&self) -> bool {
        self.add(&self.connections, 1, self.limits.requests);
        !self.is_spent()
    }

    fn count_bytes(&self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.add(&self.bytes, bytes, self.limits.bytes);
    }

    fn add(&self, counter: &AtomicU64, amount: u64, limit: u64) {
        let before = counter.fetch_add(amount, Ordering::Relaxed);
        if before.saturating_add(amount) > limit {
            self.is_spent.store(true, Ordering::Relaxed);
        }
    }

    /// Whether it is used up.
    pub fn is_spent(&self) -> bool {
        self.is_spent.load(Ordering::Relaxed)
    }
}

/// A socket whose bytes are counted, and which breaks when the budget is used up.
pub(crate) struct MeteredSocket {
    pub(crate) socket: Box<dyn Socket>,
    pub(crate) budget: Arc<TrafficBudget>,
}

impl MeteredSocket {
    fn check(&self) -> io::Result<()> {
        match self.budget.is_spent() {
            true => Err(io::Error::other("the session's traffic budget is used up")),
            false => Ok(()),
        }
    }
}

impl Socket for MeteredSocket {
    fn local_ip(&self) -> Option<IpAddr> {
        self.socket.local_ip()
    }
}

impl AsyncRead for MeteredSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check()?;
        let filled = buffer.filled().len();
        let read = Pin::new(&mut self.socket).poll_read(context, buffer);
        self.budget
            .count_bytes(buffer.filled().len().saturating_sub(filled));
        read
    }
}

impl AsyncWrite for MeteredSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check()?;
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        if let Poll::Ready(Ok(count)) = &written {
            self.budget.count_bytes(*count);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
