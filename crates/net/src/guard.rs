//! Guard: decides whether a URL may be reached, and at which checked addresses.

mod bounds;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use url::{Host, Url};

use crate::classes::{Class, classify};
use crate::error::{Blocked, Error, TimeLimit};
use crate::{AllowRule, Limits, Resolve};

pub use bounds::HostBounds;

/// Destination of a request: the parts of a URL that the pool and the guard need.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Destination {
    /// TLS or not.
    pub secure: bool,
    /// The host as the URL parser writes it.
    pub host: Host<String>,
    /// The port, the scheme's own one where the URL names none.
    pub port: u16,
}

impl Destination {
    /// The target of an http or https URL (for the proxy also ws and wss).
    pub fn of(url: &Url) -> Result<Destination, Error> {
        let secure = match url.scheme() {
            "http" | "ws" => false,
            "https" | "wss" => true,
            _ => return Err(Error::Blocked(Blocked::Scheme)),
        };
        let host = url
            .host()
            .ok_or(Error::InvalidUrl("it names no host"))?
            .to_owned();
        let port = url
            .port_or_known_default()
            .ok_or(Error::InvalidUrl("it names no port"))?;
        Ok(Destination { secure, host, port })
    }

    /// Whether a grant for `self` still holds at `next`: the same host, at the same port or at one of the
    /// two well-known ones.
    pub fn shares_grant(&self, next: &Destination) -> bool {
        self.host == next.host && (self.port == next.port || [80, 443].contains(&next.port))
    }
}

/// Parses a URL by the WHATWG rules. What is sent later is the re-serialised result, never the text.
pub fn parse_url(text: &str) -> Result<Url, Error> {
    if text.len() > Limits::URL_BYTES {
        return Err(Error::InvalidUrl("it is too long"));
    }
    let url = Url::parse(text).map_err(|error| {
        Error::InvalidUrl(match error {
            url::ParseError::RelativeUrlWithoutBase => "it has no scheme; begin it with https://",
            url::ParseError::EmptyHost => "it names no host",
            url::ParseError::InvalidPort => "its port is not a number up to 65535",
            _ => "its host is not a correct host name",
        })
    })?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        _ => Err(Error::Blocked(Blocked::Scheme)),
    }
}

/// The scheme of an address that was written without one: `http` for this machine itself, which seldom has a certificate,
/// and `https` for every other host.
pub fn usual_scheme(address: &str) -> &'static str {
    let host = Url::parse(&format!("https://{address}")).ok();
    let is_loopback = match host.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    if is_loopback { "http" } else { "https" }
}

/// Decides which addresses may be reached. Holds no connection and no state.
#[derive(Clone)]
pub struct Guard {
    rules: Vec<AllowRule>,
    own: Vec<SocketAddr>,
    resolver: Arc<dyn Resolve>,
    bounds: Option<Arc<HostBounds>>,
}

impl Guard {
    /// A guard with the operator's rules. `own` are the addresses this service listens on.
    pub fn new(rules: Vec<AllowRule>, own: Vec<SocketAddr>, resolver: Arc<dyn Resolve>) -> Guard {
        Guard {
            rules,
            own,
            resolver,
            bounds: None,
        }
    }

    /// The same guard, which also holds these bounds.
    pub fn bounded(&self, bounds: HostBounds) -> Guard {
        Guard {
            bounds: Some(Arc::new(bounds)),
            ..self.clone()
        }
    }

    /// The same guard without bounds.
    pub(crate) fn unbounded(&self) -> Guard {
        Guard {
            bounds: None,
            ..self.clone()
        }
    }

    /// All checks that need no resolver: length, user info, port, local names, and the class of literal addresses.
    pub fn screen(&self, url: &Url, granted: bool) -> Result<Destination, Error> {
        if url.as_str().len() > Limits::URL_BYTES {
            return Err(Error::InvalidUrl("it is too long"));
        }
        let target = Destination::of(url)?;
        self.screen_target(&target, granted)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Error::Blocked(Blocked::UserInfo));
        }
        Ok(target)
    }

    /// As [`Guard::screen`], for a target that came without a URL (a CONNECT request).
    pub fn screen_target(&self, target: &Destination, granted: bool) -> Result<(), Error> {
        if let Some(bounds) = &self.bounds {
            bounds.screen(&target.host, target.port)?;
        }
        let opened = granted || self.is_named(target);
        if BAD_PORTS.contains(&target.port) && !opened && !self.is_covered(target) {
            return Err(Error::Blocked(Blocked::Port));
        }
        match &target.host {
            Host::Domain(name) => {
                if !opened && is_local_name(name) {
                    return Err(Error::Blocked(Blocked::Name));
                }
                Ok(())
            }
            Host::Ipv4(ip) => self.judge(SocketAddr::new((*ip).into(), target.port), opened),
            Host::Ipv6(ip) => self.judge(SocketAddr::new((*ip).into(), target.port), opened),
        }
    }

    /// The addresses that may be dialled for a target. Every answer of the resolver must be allowed: one
    /// bad answer refuses the host.
    pub async fn addresses(
        &self,
        target: &Destination,
        granted: bool,
        limit: Duration,
    ) -> Result<Vec<SocketAddr>, Error> {
        self.screen_target(target, granted)?;
        let name = match &target.host {
            Host::Ipv4(ip) => return Ok(vec![SocketAddr::new((*ip).into(), target.port)]),
            Host::Ipv6(ip) => return Ok(vec![SocketAddr::new((*ip).into(), target.port)]),
            Host::Domain(name) => name,
        };
        let answers = tokio::time::timeout(limit, self.resolver.resolve(name))
            .await
            .map_err(|_| Error::Timeout(TimeLimit::Resolve))?
            .map_err(|_| Error::Dns)?;
        if answers.is_empty() {
            return Err(Error::Dns);
        }
        let opened = granted || self.is_named(target);
        let mut addresses = Vec::with_capacity(answers.len());
        for ip in answers {
            let address = SocketAddr::new(ip, target.port);
            self.judge(address, opened)?;
            if let Some(bounds) = &self.bounds {
                bounds.judge(&target.host, address)?;
            }
            addresses.push(address);
        }
        Ok(addresses)
    }

    /// Judges one address. `opened` means that the operator named the host: private addresses are then
    /// fine, metadata services and our own ports are not.
    pub fn judge(&self, address: SocketAddr, opened: bool) -> Result<(), Error> {
        if self.rules.iter().any(|rule| rule.covers(address)) {
            return Ok(());
        }
        if self.is_own(address) {
            return Err(Error::Blocked(Blocked::Own));
        }
        match classify(address.ip()) {
            Class::Public => Ok(()),
            Class::Metadata => Err(Error::Blocked(Blocked::Address)),
            _ if opened => Ok(()),
            _ => Err(Error::Blocked(Blocked::Address)),
        }
    }

    /// Refuses a connection whose two ends are the same machine although the address looked public.
    pub fn judge_ends(&self, far: SocketAddr, near: Option<IpAddr>, opened: bool) -> Result<(), Error> {
        let same = near.is_some_and(|near| near.to_canonical() == far.ip().to_canonical());
        match same && !opened && !self.rules.iter().any(|rule| rule.covers(far)) {
            true => Err(Error::Blocked(Blocked::Own)),
            false => Ok(()),
        }
    }

    /// Whether a rule names the host of this target.
    pub fn is_named(&self, target: &Destination) -> bool {
        match &target.host {
            Host::Domain(name) => self.rules.iter().any(|rule| rule.names(name, target.port)),
            _ => false,
        }
    }

    fn is_covered(&self, target: &Destination) -> bool {
        let ip: IpAddr = match &target.host {
            Host::Domain(_) => return false,
            Host::Ipv4(ip) => (*ip).into(),
            Host::Ipv6(ip) => (*ip).into(),
        };
        self.rules
            .iter()
            .any(|rule| rule.covers(SocketAddr::new(ip, target.port)))
    }

    fn is_own(&self, address: SocketAddr) -> bool {
        let ip = address.ip().to_canonical();
        self.own.iter().any(|own| {
            let listens = own.ip().to_canonical();
            // One that listens everywhere is reached by every address of the machine; of those we know
            // the loopback ones here, and the rest by `judge_ends`.
            let is_own_ip =
                listens == ip || (listens.is_unspecified() && (ip.is_loopback() || ip.is_unspecified()));
            is_own_ip && own.port() == address.port()
        })
    }
}

/// Names that are local by definition (RFC 6761, RFC 6762, RFC 8375, the reserved
/// `internal`, and cluster-internal ones), and names of one label, which a search list may complete.
fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    let last = name.rsplit('.').next().unwrap_or(name);
    !name.contains('.')
        || [
            "localhost",
            "local",
            "internal",
            "onion",
            "svc",
            "localdomain",
            "intranet",
            "lan",
        ]
        .contains(&last)
        || ["cluster.local", "home.arpa"]
            .iter()
            .any(|zone| name.ends_with(zone))
}

/// The ports that browsers refuse, for they belong to other protocols (Fetch standard, "bad port").
const BAD_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723,
    2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

#[cfg(test)]
mod tests;
