//! Opening connections: resolve, check, dial, TLS and HTTP handshake.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;

use crate::Limits;
use crate::dial::{Dial, Socket};
use crate::error::{Error, TimeLimit};
use crate::guard::{Destination, Guard};
use crate::pool::{PooledConnection, Sender};
use crate::tls::Tls;
use crate::upstream::Upstream;

/// Opens connections. This is the only place that dials.
pub(crate) struct Connector {
    pub(crate) guard: Guard,
    pub(crate) dialer: Arc<dyn Dial>,
    pub(crate) tls: Tls,
    pub(crate) upstream: Option<Upstream>,
    /// Header limits hold for a connection, which many requests share, so they are the client's.
    pub(crate) limits: Limits,
}

impl Connector {
    /// Most addresses of one host that are tried.
    const ADDRESSES: usize = 4;

    /// Resolves once, checks every answer, and dials one of exactly these addresses.
    pub(crate) async fn socket(
        &self,
        target: &Destination,
        granted: bool,
        limits: &Limits,
    ) -> Result<(Box<dyn Socket>, SocketAddr), Error> {
        let addresses = self.guard.addresses(target, granted, limits.resolve).await?;
        let opened = granted || self.guard.is_named(target);
        let tries = addresses.len().min(Self::ADDRESSES);
        let share = limits.connect / u32::try_from(tries.max(1)).unwrap_or(1);
        let mut last = Error::Dns;
        for &address in addresses.iter().take(Self::ADDRESSES) {
            match self.dial(address, share, limits).await {
                Ok(socket) => {
                    // Behind an upstream proxy the near end is the way to the proxy, and says nothing.
                    let near = if self.upstream.is_some() {
                        None
                    } else {
                        socket.local_ip()
                    };
                    self.guard.judge_ends(address, near, opened)?;
                    return Ok((socket, address));
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn dial(
        &self,
        address: SocketAddr,
        share: Duration,
        limits: &Limits,
    ) -> Result<Box<dyn Socket>, Error> {
        let dialled = async {
            match &self.upstream {
                None => self
                    .dialer
                    .dial(address)
                    .await
                    .map_err(|error| Error::from_io(&error)),
                Some(upstream) => {
                    upstream
                        .tunnel(&self.guard, self.dialer.as_ref(), address, limits)
                        .await
                }
            }
        };
        let late = |_| {
            let late = Error::Timeout(TimeLimit::Connect);
            match &self.upstream {
                Some(upstream) => upstream.named(late),
                None => late,
            }
        };
        timeout(share, dialled).await.map_err(late)?
    }

    /// A connection ready for requests.
    pub(crate) async fn open(
        &self,
        target: &Destination,
        granted: bool,
        limits: &Limits,
    ) -> Result<PooledConnection, Error> {
        let (socket, remote) = self.socket(target, granted, limits).await?;
        let sender = if target.secure {
            let secured = timeout(limits.connect, self.tls.secure(&target.host, socket)).await;
            let (stream, http2) = secured.map_err(|_| Error::Timeout(TimeLimit::Connect))??;
            match http2 {
                true => self.handshake_http2(stream).await?,
                false => self.handshake_http1(stream).await?,
            }
        } else {
            self.handshake_http1(socket).await?
        };
        Ok(PooledConnection { sender, remote })
    }

    async fn handshake_http1<S>(&self, stream: S) -> Result<Sender, Error>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, connection) = http1::Builder::new()
            .max_buf_size(self.limits.header_bytes.max(8192))
            .max_headers(self.limits.header_count)
            .handshake::<_, Full<Bytes>>(TokioIo::new(stream))
            .await
            .map_err(|_| Error::Connect("the handshake failed"))?;
        // Errors of a connection reach the task that waits for its response.
        tokio::spawn(connection);
        Ok(Sender::H1(sender))
    }

    async fn handshake_http2<S>(&self, stream: S) -> Result<Sender, Error>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .initial_stream_window_size(1 << 20)
            .initial_connection_window_size(2 << 20)
            .max_header_list_size(u32::try_from(self.limits.header_bytes).unwrap_or(u32::MAX))
            .handshake::<_, Full<Bytes>>(TokioIo::new(stream))
            .await
            .map_err(|_| Error::Connect("the handshake failed"))?;
        tokio::spawn(connection);
        Ok(Sender::H2(sender))
    }
}
