//! Tunnel through the operator's own proxy to a checked address.

use std::net::SocketAddr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use url::Url;

use crate::Limits;
use crate::dial::{Dial, Socket};
use crate::error::Error;
use crate::guard::{Destination, Guard};

/// An HTTP proxy that all connections go through. Names are still resolved and checked here, and the proxy
/// is asked for the checked address, so that it cannot resolve to something else.
#[derive(Clone)]
pub(crate) struct Upstream {
    target: Destination,
    /// Whether the proxy may have a private address.
    trusted: bool,
    authorization: Option<String>,
    /// The country that it stands in, where it is one of several exits.
    country: Option<String>,
}

impl Upstream {
    /// Most bytes of the proxy's answer to CONNECT.
    const HEAD_BYTES: usize = 8 * 1024;

    pub(crate) fn new(url: &Url, trusted: bool) -> Result<Upstream, Error> {
        if url.scheme() != "http" {
            return Err(Error::Config("a proxy's URL begins with http://".into()));
        }
        let authorization = (!url.username().is_empty()).then(|| {
            let decode = |text| percent_encoding::percent_decode_str(text).decode_utf8_lossy();
            let password = decode(url.password().unwrap_or_default());
            let pair = format!("{}:{password}", decode(url.username()));
            format!("Proxy-Authorization: Basic {}\r\n", STANDARD.encode(pair))
        });
        Ok(Upstream {
            target: Destination::of(url)?,
            trusted,
            authorization,
            country: None,
        })
    }

    /// The operator's proxy in a country. Its errors name the country, and nothing of the proxy.
    pub(crate) fn exit(country: &str, url: &Url) -> Result<Upstream, Error> {
        Ok(Upstream {
            country: Some(country.to_owned()),
            ..Upstream::new(url, true)?
        })
    }

    pub(crate) async fn tunnel(
        &self,
        guard: &Guard,
        dialer: &dyn Dial,
        to: SocketAddr,
        limits: &Limits,
    ) -> Result<Box<dyn Socket>, Error> {
        let opened = self.open(guard, dialer, to, limits).await;
        opened.map_err(|error| self.named(error))
    }

    /// The error of a proxy as that of its country, where it has one, and else as one of the proxy.
    pub(crate) fn named(&self, error: Error) -> Error {
        match (&self.country, error) {
            (Some(_), cancelled @ Error::Cancelled) => cancelled,
            (Some(country), _) => Error::Exit(country.clone()),
            (None, Error::Dns) => Error::Connect("the host name of the proxy could not be resolved"),
            (None, Error::Connect("connection refused")) => {
                Error::Connect("the proxy does not answer: connection refused")
            }
            (None, error) => error,
        }
    }

    async fn open(
        &self,
        guard: &Guard,
        dialer: &dyn Dial,
        to: SocketAddr,
        limits: &Limits,
    ) -> Result<Box<dyn Socket>, Error> {
        // Where the proxy stands is the operator's affair.
        let proxies = guard
            .unbounded()
            .addresses(&self.target, self.trusted, limits.resolve)
            .await?;
        let proxy = *proxies.first().ok_or(Error::Dns)?;
        let mut socket = dialer.dial(proxy).await.map_err(|error| Error::from_io(&error))?;
        let authorization = self.authorization.as_deref().unwrap_or_default();
        let ask = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n{authorization}\r\n");
        socket
            .write_all(ask.as_bytes())
            .await
            .map_err(|error| Error::from_io(&error))?;
        let mut head = Vec::new();
        // One byte at a time: what follows the head already belongs to the tunnel.
        while !head.ends_with(b"\r\n\r\n") {
            if head.len() >= Self::HEAD_BYTES {
                return Err(Error::Connect("the proxy's answer is too long"));
            }
            head.push(socket.read_u8().await.map_err(|error| Error::from_io(&error))?);
        }
        let status = head.get(9..12).unwrap_or_default();
        match (head.starts_with(b"HTTP/1."), status) {
            (true, b"200") => Ok(socket),
            (true, b"407") => Err(Error::Connect("the proxy wants other credentials")),
            _ => Err(Error::Connect("the proxy refused")),
        }
    }
}
