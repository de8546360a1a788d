//! Name resolution: the port, and the resolver of the operating system.

use std::io;
use std::net::IpAddr;

use async_trait::async_trait;

/// Resolves host names. The guard asks once per hop, classifies every answer and dials one of exactly
/// these addresses; nothing resolves the name a second time.
#[async_trait]
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of `host`, best first. An empty list and an error both mean that there is none.
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The resolver of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let mut addresses: Vec<IpAddr> = Vec::new();
        for address in tokio::net::lookup_host((host, 0)).await? {
            if !addresses.contains(&address.ip()) {
                addresses.push(address.ip());
            }
        }
        Ok(addresses)
    }
}
