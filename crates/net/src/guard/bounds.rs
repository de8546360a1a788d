//! `HostBounds`: the hosts that one user of a client may reach, on top of what the guard allows everybody.

use std::net::SocketAddr;

use url::Host;

use crate::AllowRule;
use crate::error::{Blocked, Error};

/// Hosts that may be reached, and hosts that may not. A forbidden host stays forbidden when it is allowed too. Rules only
/// ever take away: what the guard refuses is refused whatever is allowed here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostBounds {
    /// The only hosts that may be reached; every host when empty.
    pub allowed: Vec<AllowRule>,
    /// Hosts that may not be reached.
    pub forbidden: Vec<AllowRule>,
}

impl HostBounds {
    /// Checks a target before its host is resolved. The name of a host is let through where its addresses decide.
    pub(super) fn screen(&self, host: &Host<String>, port: u16) -> Result<(), Error> {
        let matches = |rule: &AllowRule| match address(host, port) {
            Some(address) => rule.covers(address),
            None => rule.names(&host.to_string(), port),
        };
        let may_be_covered = address(host, port).is_none() && self.allowed.iter().any(AllowRule::is_block);
        let is_allowed = self.allowed.is_empty() || may_be_covered || self.allowed.iter().any(matches);
        match is_allowed && !self.forbidden.iter().any(matches) {
            true => Ok(()),
            false => Err(Error::Blocked(Blocked::Policy)),
        }
    }

    /// Checks an address that the host of a target has.
    pub(super) fn judge(&self, host: &Host<String>, address: SocketAddr) -> Result<(), Error> {
        let name = host.to_string();
        let is_allowed = |rule: &AllowRule| rule.names(&name, address.port()) || rule.covers(address);
        let allowed = self.allowed.is_empty() || self.allowed.iter().any(is_allowed);
        match allowed && !self.forbidden.iter().any(|rule| rule.covers(address)) {
            true => Ok(()),
            false => Err(Error::Blocked(Blocked::Policy)),
        }
    }
}

/// The address of a target that is named by one.
fn address(host: &Host<String>, port: u16) -> Option<SocketAddr> {
    match *host {
        Host::Domain(_) => None,
        Host::Ipv4(ip) => Some(SocketAddr::new(ip.into(), port)),
        Host::Ipv6(ip) => Some(SocketAddr::new(ip.into(), port)),
    }
}
