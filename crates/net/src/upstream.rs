//! The operator's own proxy, when there is one: a tunnel through it to a checked address.

use std::net::SocketAddr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use url::Url;

use crate::Limits;
use crate::connect::{Connector, refusal};
use crate::dial::Socket;
use crate::error::Error;
use crate::guard::Target;

/// An HTTP proxy that all connections go through. Names are still resolved and checked here, and the proxy
/// is asked for the checked address, so that it cannot resolve to something else.
pub(crate) struct Upstream {
    target: Target,
    /// The operator vouches for the proxy's own address.
    trusted: bool,
    authorization: Option<String>,
}

impl Upstream {
    /// Most bytes of the proxy's answer to CONNECT.
    const HEAD_BYTES: usize = 8 * 1024;

    pub(crate) fn new(url: &Url, trusted: bool) -> Result<Upstream, Error> {
        if url.scheme() != "http" {
            return Err(Error::Config("a proxy's URL begins with http://".into()));
        }
        let authorization = (!url.username().is_empty()).then(|| {
            let decode = |text| {
                percent_encoding::percent_decode_str(text)
                    .decode_utf8_lossy()
                    .into_owned()
            };
            let pair = format!(
                "{}:{}",
                decode(url.username()),
                decode(url.password().unwrap_or_default())
            );
            format!("Proxy-Authorization: Basic {}\r\n", STANDARD.encode(pair))
        });
        Ok(Upstream {
            target: Target::of(url)?,
            trusted,
            authorization,
        })
    }

    pub(crate) async fn tunnel(
        &self,
        connector: &Connector,
        to: SocketAddr,
        limits: &Limits,
    ) -> Result<Box<dyn Socket>, Error> {
        let proxies = connector
            .guard
            .addresses(&self.target, self.trusted, limits.resolve)
            .await?;
        let proxy = *proxies.first().ok_or(Error::Dns)?;
        let mut socket = connector.dialer.dial(proxy).await.map_err(|why| refusal(&why))?;
        let authorization = self.authorization.as_deref().unwrap_or_default();
        let ask = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n{authorization}\r\n");
        socket
            .write_all(ask.as_bytes())
            .await
            .map_err(|why| refusal(&why))?;
        let mut head = Vec::new();
        // One byte at a time: what follows the head already belongs to the tunnel.
        while !head.ends_with(b"\r\n\r\n") {
            if head.len() >= Self::HEAD_BYTES {
                return Err(Error::Connect("the proxy's answer is too long"));
            }
            head.push(socket.read_u8().await.map_err(|why| refusal(&why))?);
        }
        let status = head.get(9..12).unwrap_or_default();
        match (head.starts_with(b"HTTP/1."), status) {
            (true, b"200") => Ok(socket),
            (true, b"407") => Err(Error::Connect("the proxy wants other credentials")),
            _ => Err(Error::Connect("the proxy refused")),
        }
    }
}
