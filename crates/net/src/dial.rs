//! Dialing: from a checked address to an open byte stream.

use std::io;
use std::net::{IpAddr, SocketAddr};

use async_trait::async_trait;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};
use tokio::net::TcpStream;

/// A byte stream in both directions.
pub trait Socket: AsyncRead + AsyncWrite + Send + Unpin + 'static {
    /// The local address, if there is one. A local address equal to the remote one means that we called ourselves.
    fn local_ip(&self) -> Option<IpAddr> {
        None
    }
}

impl Socket for TcpStream {
    fn local_ip(&self) -> Option<IpAddr> {
        self.local_addr().ok().map(|own| own.ip())
    }
}

impl Socket for DuplexStream {}

/// Opens connections to addresses that the guard has already approved.
#[async_trait]
pub trait Dial: Send + Sync + 'static {
    /// Connects to exactly this address.
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Socket>>;
}

/// Plain TCP.
#[derive(Debug, Clone, Copy, Default)]
pub struct TcpDialer;

#[async_trait]
impl Dial for TcpDialer {
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Socket>> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Box::new(stream))
    }
}
