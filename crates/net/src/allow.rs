//! Allow rules: what the operator permits beyond the public internet.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use crate::Error;

/// One permission: a host, a host with a port, an address, or a block of addresses (CIDR).
///
/// `intranet.corp`, `*.corp`, `nas:8080`, `10.1.2.3`, `[fd00::1]:8080`, `10.0.0.0/8`. A rule for a name
/// opens the addresses it resolves to, except metadata services and our own ports, which only a rule for
/// an address or a block opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowRule {
    pattern: HostPattern,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostPattern {
    Name(String),
    /// Every name below this one.
    Subdomains(String),
    Block(IpAddr, u8),
}

impl AllowRule {
    /// Whether the rule names this host (as the URL parser writes it) at this port.
    pub(crate) fn names(&self, host: &str, port: u16) -> bool {
        let host = host.trim_end_matches('.');
        let same = match &self.pattern {
            HostPattern::Name(name) => name == host,
            HostPattern::Subdomains(name) => host
                .strip_suffix(name.as_str())
                .is_some_and(|head| head.len() > 1 && head.ends_with('.')),
            HostPattern::Block(..) => false,
        };
        same && self.port.is_none_or(|only| only == port)
    }

    /// Whether the rule is for addresses, and not for names.
    pub(crate) fn is_block(&self) -> bool {
        matches!(self.pattern, HostPattern::Block(..))
    }

    /// Whether the rule covers this very address.
    pub(crate) fn covers(&self, address: SocketAddr) -> bool {
        let HostPattern::Block(base, length) = self.pattern else {
            return false;
        };
        let same = match (base, address.ip().to_canonical()) {
            (IpAddr::V4(base), IpAddr::V4(ip)) => {
                (u32::from(base) ^ u32::from(ip))
                    .checked_shr(32 - u32::from(length))
                    .unwrap_or(0)
                    == 0
            }
            (IpAddr::V6(base), IpAddr::V6(ip)) => {
                (u128::from(base) ^ u128::from(ip))
                    .checked_shr(128 - u32::from(length))
                    .unwrap_or(0)
                    == 0
            }
            _ => false,
        };
        same && self.port.is_none_or(|only| only == address.port())
    }
}

impl FromStr for AllowRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        let wrong = || {
            Error::Config(format!(
                "{text:?} is neither a host, host:port, address nor block"
            ))
        };
        if let Some((base, length)) = text.split_once('/') {
            let base: IpAddr = base.parse().map_err(|_| wrong())?;
            let length: u8 = length.parse().map_err(|_| wrong())?;
            let widest = if base.is_ipv4() { 32 } else { 128 };
            return match length {
                0..=128 if length <= widest => Ok(AllowRule {
                    pattern: HostPattern::Block(base.to_canonical(), length),
                    port: None,
                }),
                _ => Err(wrong()),
            };
        }
        let (below, rest) = match text.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let bare_v6 = rest.parse::<std::net::Ipv6Addr>().is_ok();
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !bare_v6 => (host, Some(port.parse().map_err(|_| wrong())?)),
            _ => (rest, None),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let bracketed = if host.contains(':') {
            format!("[{host}]")
        } else {
            host.to_owned()
        };
        let pattern = match url::Host::parse(&bracketed).map_err(|_| wrong())? {
            url::Host::Ipv4(ip) => HostPattern::Block(ip.into(), 32),
            url::Host::Ipv6(ip) => match IpAddr::V6(ip).to_canonical() {
                ip @ IpAddr::V4(_) => HostPattern::Block(ip, 32),
                ip => HostPattern::Block(ip, 128),
            },
            url::Host::Domain(name) if below => {
                HostPattern::Subdomains(name.trim_end_matches('.').to_owned())
            }
            url::Host::Domain(name) => HostPattern::Name(name.trim_end_matches('.').to_owned()),
        };
        match pattern {
            HostPattern::Block(..) if below => Err(wrong()),
            pattern => Ok(AllowRule { pattern, port }),
        }
    }
}

impl fmt::Display for AllowRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.pattern {
            HostPattern::Name(name) => f.write_str(name)?,
            HostPattern::Subdomains(name) => write!(f, "*.{name}")?,
            HostPattern::Block(IpAddr::V4(ip), 32) => write!(f, "{ip}")?,
            HostPattern::Block(IpAddr::V6(ip), 128) => write!(f, "[{ip}]")?,
            HostPattern::Block(ip, length) => write!(f, "{ip}/{length}")?,
        }
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> AllowRule {
        text.parse().unwrap()
    }

    #[test]
    fn a_rule_is_written_as_it_is_read() {
        for text in [
            "intranet.corp",
            "*.corp",
            "nas:8080",
            "10.1.2.3",
            "[fd00::1]:8080",
            "10.0.0.0/8",
            "fd00::/8",
        ] {
            assert_eq!(rule(text).to_string(), text);
        }
        assert_eq!(rule("::1").to_string(), "[::1]");
        assert_eq!(rule("NAS.Local.").to_string(), "nas.local");
        assert_eq!(rule("0x7f.1:80").to_string(), "127.0.0.1:80");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "a b",
            "10.0.0.0/33",
            "fd00::/129",
            "host:port",
            "*.10.0.0.1",
            "/8",
            "x/8",
        ] {
            assert!(text.parse::<AllowRule>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_block_covers_its_addresses_and_no_more() {
        let at = |text: &str| text.parse::<SocketAddr>().unwrap();
        assert!(rule("10.0.0.0/8").covers(at("10.255.0.1:80")));
        assert!(!rule("10.0.0.0/8").covers(at("11.0.0.1:80")));
        assert!(rule("127.0.0.1:80").covers(at("[::ffff:127.0.0.1]:80")));
        assert!(!rule("127.0.0.1:80").covers(at("127.0.0.1:81")));
        assert!(rule("0.0.0.0/0").covers(at("1.2.3.4:1")));
        assert!(!rule("0.0.0.0/0").covers(at("[::1]:1")));
    }

    #[test]
    fn a_star_stands_for_the_names_below_only() {
        assert!(rule("*.corp").names("a.b.corp", 1));
        assert!(!rule("*.corp").names("corp", 1));
        assert!(!rule("*.corp").names("evilcorp", 1));
        assert!(!rule("nas").names("nas.evil.test", 1));
        assert!(rule("nas").names("nas.", 1));
    }
}
