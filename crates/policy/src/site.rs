//! Site: the part of the web that belongs together, and the addresses that a text names.

use std::net::Ipv4Addr;

use url::{Host, Url};

/// A registrable domain with its port, or one server with its port where there is no registrable domain (an IP
/// address, `localhost`). The default port of a scheme is no port, so that `http` and `https` are one site.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Site {
    domain: String,
    port: Option<u16>,
}

impl Site {
    /// The site of an address; none where the address has no host.
    pub fn of(url: &Url) -> Option<Self> {
        let domain = match url.host()? {
            Host::Domain(name) => registrable(name),
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => address.to_string(),
        };
        Some(Self {
            domain,
            port: url.port(),
        })
    }

    /// The site of `host` or `host:port`; none where that is no host.
    pub fn of_host(text: &str) -> Option<Self> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if host.ends_with(']') || !host.contains(':') => (host, port.parse().ok()),
            _ => (text, None),
        };
        let url = Url::parse(&format!("https://{host}/")).ok()?;
        Some(Self {
            port,
            ..Self::of(&url)?
        })
    }

    /// Whether both have one registrable domain, or one server, whatever their ports.
    pub fn is_same_domain(&self, site: &Site) -> bool {
        self.domain == site.domain
    }
}

impl std::fmt::Display for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.port {
            Some(port) => write!(f, "{}:{port}", self.domain),
            None => f.write_str(&self.domain),
        }
    }
}

fn registrable(name: &str) -> String {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    psl::domain_str(&name).map_or_else(|| name.clone(), str::to_owned)
}

/// Addresses that a text names with their scheme. A bare word is none, however much it looks like a host: `readme.md`,
/// `main.rs` and `report.zip` are files, and hosts that anybody may own.
pub fn addresses_in(text: &str) -> Vec<Url> {
    words_of(text).filter_map(with_scheme).collect()
}

/// Addresses that a text names with their scheme, and its bare words that may be hosts: for rules that forbid, never for
/// such as allow.
pub(crate) fn hosts_in(text: &str) -> Vec<Url> {
    words_of(text).filter_map(address_of).collect()
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let separators =
        |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '(' | ')' | '<' | '>' | ',' | ';' | '|');
    let punctuation = |c: char| matches!(c, '.' | ':' | '!' | '?' | '`' | '*' | '[' | ']');
    text.split(separators)
        .map(move |word| word.trim_matches(punctuation))
}

fn with_scheme(word: &str) -> Option<Url> {
    let scheme = word.split_once("://")?.0;
    match scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https") {
        true => Url::parse(word).ok(),
        false => None,
    }
}

fn address_of(word: &str) -> Option<Url> {
    if word.contains("://") {
        return with_scheme(word);
    }
    let host = word.split(['/', '?', '#']).next().unwrap_or_default();
    let name = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let is_spelled = !word.contains('@')
        && name.contains('.')
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-'));
    // A file name such as report.pdf is no host: its ending is no known suffix of the net.
    let is_known = psl::suffix(name.as_bytes()).is_some_and(|suffix| suffix.is_known());
    let is_named = || is_known && psl::domain_str(&name).is_some_and(|domain| domain.len() > 3);
    let is_host = is_spelled && (name.parse::<Ipv4Addr>().is_ok() || is_named());
    match is_host || name == "localhost" {
        true => Url::parse(&format!("https://{host}/")).ok(),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_found_in_words() {
        let text = "log in at shop.example.com/a, then (https://b.example.org/x?y=1). See report.pdf and \
                    a.b@mail.example.com at localhost:8080!";
        let names = |urls: Vec<Url>| -> Vec<String> {
            let names = urls.iter().map(|url| url.host_str().unwrap().to_owned());
            names.collect()
        };
        assert_eq!(
            names(hosts_in(text)),
            ["shop.example.com", "b.example.org", "localhost"]
        );
        assert_eq!(names(addresses_in(text)), ["b.example.org"]);
        let files = "fix readme.md, main.rs and report.zip at shop.example.com or ftp://a.example.org";
        assert_eq!(addresses_in(files), []);
        assert_eq!(
            names(hosts_in("never visit 192.168.1.1 or 10.20.30.40")),
            ["192.168.1.1", "10.20.30.40"]
        );
    }

    #[test]
    fn a_site_is_one_whether_it_comes_from_an_address_or_from_a_host() {
        for (url, host) in [
            ("https://www.shop.co.uk/a", "shop.co.uk"),
            ("http://shop.co.uk:8080/", "a.shop.co.uk:8080"),
            ("http://127.0.0.1:9/", "127.0.0.1:9"),
            ("http://[::1]:9/", "[::1]:9"),
            ("http://localhost/", "localhost"),
        ] {
            assert_eq!(
                Site::of(&Url::parse(url).unwrap()),
                Site::of_host(host),
                "{url} {host}"
            );
        }
        assert_ne!(Site::of_host("127.0.0.1:9"), Site::of_host("127.0.0.1:10"));
        assert_eq!(Site::of_host("a b"), None);
    }
}
