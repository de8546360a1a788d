//! Hosts and origins of a storage state: what is read, and the patterns that tell clients so.

use url::{Host, Url};

/// A host name whose last label begins with a letter, so that no reader takes the name for an address.
macro_rules! name {
    () => {
        r"([A-Za-z0-9_][A-Za-z0-9_-]*\.)*[A-Za-z][A-Za-z0-9_-]*"
    };
}

/// An IPv4 address of four decimal numbers.
macro_rules! v4 {
    () => {
        concat!(
            r"((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\.){3}",
            r"(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
        )
    };
}

/// An IPv6 address in brackets, its longest run of zeros left out or not
/// ([RFC 4291, section 2.2](https://www.rfc-editor.org/rfc/rfc4291#section-2.2), forms 1 and 2).
macro_rules! v6 {
    () => {
        concat!(
            r"\[(([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}|([0-9A-Fa-f]{1,4}:){1,7}:|:(:[0-9A-Fa-f]{1,4}){1,7}",
            r"|([0-9A-Fa-f]{1,4}:){1}(:[0-9A-Fa-f]{1,4}){1,6}|([0-9A-Fa-f]{1,4}:){2}(:[0-9A-Fa-f]{1,4}){1,5}",
            r"|([0-9A-Fa-f]{1,4}:){3}(:[0-9A-Fa-f]{1,4}){1,4}|([0-9A-Fa-f]{1,4}:){4}(:[0-9A-Fa-f]{1,4}){1,3}",
            r"|([0-9A-Fa-f]{1,4}:){5}(:[0-9A-Fa-f]{1,4}){1,2}|([0-9A-Fa-f]{1,4}:){6}:[0-9A-Fa-f]{1,4}|::)\]"
        )
    };
}

/// A port without leading zeros.
macro_rules! port {
    () => {
        r"(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3}|0)"
    };
}

/// What [`parse`] reads, with or without a dot before it.
pub(super) const DOMAIN: &str = concat!(r"^\.?(", name!(), "|", v4!(), "|", v6!(), ")$");

/// What [`parse_origin`] reads.
pub(super) const ORIGIN: &str = concat!(
    r"^[Hh][Tt][Tt][Pp][Ss]?://(",
    name!(),
    "|",
    v4!(),
    "|",
    v6!(),
    ")(:",
    port!(),
    ")?/?$"
);

/// Reads a host as browsers write one: a name in ASCII, an IPv4 address of four numbers, or an IPv6 address in brackets.
/// Other spellings of addresses, such as `0x7f.1`, are none.
pub(super) fn parse(text: &str) -> Option<Host> {
    let host = Host::parse(text).ok()?;
    let is_plain = match &host {
        Host::Domain(_) => is_name(text),
        Host::Ipv4(address) => text == address.to_string(),
        Host::Ipv6(_) => true,
    };
    is_plain.then_some(host)
}

/// Reads an origin: `http` or `https`, a host and perhaps a port, with nothing behind but a slash.
pub(super) fn parse_origin(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let rest = text.get(url.scheme().len()..)?.strip_prefix("://")?;
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let host = match rest.rsplit_once(':') {
        Some((host, port)) if is_port(port) => host,
        _ => rest,
    };
    parse(host).map(|_| url)
}

fn is_name(text: &str) -> bool {
    let is_label = |label: &str| {
        let starts_well = !label.is_empty() && !label.starts_with('-');
        starts_well
            && label
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || it == b'-' || it == b'_')
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    text.split('.').all(is_label) && last.starts_with(|it: char| it.is_ascii_alphabetic())
}

fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok_and(|port| port.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a document that holds the pattern takes the text.
    fn is_described(pattern: &str, text: &str) -> bool {
        let schema = serde_json::json!({"type": "string", "pattern": pattern});
        jsonschema::validator_for(&schema).unwrap().is_valid(&text.into())
    }

    #[test]
    fn an_origin_is_read_where_its_pattern_says_so() {
        let read = [
            "https://shop.example",
            "HTTPS://Shop.example:8443/",
            "http://localhost:3000",
            "http://127.0.0.1:1",
            "http://my_app.test",
            "https://xn--bcher-kva.example",
            "http://[::1]:80",
            "http://[2001:db8::7]/",
            "http://[1:2:3:4:5:6:7:8]",
            "http://[::]",
        ];
        let refused = [
            "http://0*",
            "http://0",
            "http://0x7f.1",
            "http://127.1",
            "http://a..b",
            "http://a.example.",
            "http://-a.example",
            "https://a.example/path",
            "https://a.example?x",
            "https://a.example#x",
            "https://u@a.example",
            "https://u:p@a.example",
            "https://a.example:",
            "https://a.example:080",
            "https://a.example:65536",
            "https:a.example",
            "https:///a.example",
            "https:\\\\a.example",
            " https://a.example",
            "https://a.exa\tmple",
            "https://bücher.example",
            "http://[::1",
            "http://[1:2]",
            "http://[::1::]",
            "ftp://a.example",
            "",
        ];
        for text in read {
            assert!(parse_origin(text).is_some(), "{text}");
            assert!(is_described(ORIGIN, text), "{text}");
        }
        for text in refused {
            assert!(parse_origin(text).is_none(), "{text}");
            assert!(!is_described(ORIGIN, text), "{text}");
        }
    }

    #[test]
    fn a_domain_of_a_cookie_is_read_where_its_pattern_says_so() {
        for text in ["shop.example", "localhost", "127.0.0.1", "[::1]", "a-b.c1"] {
            assert!(parse(text).is_some() && is_described(DOMAIN, text), "{text}");
        }
        for text in [
            "*.shop.example",
            "a/b",
            "a b",
            "0x7f.1",
            "127.1",
            "a@b",
            "",
            "shop.1",
        ] {
            assert!(parse(text).is_none() && !is_described(DOMAIN, text), "{text}");
        }
    }
}
