//! `Set-Cookie` headers of any text: a cookie goes back as it came, to its own site only, and within the limits of a jar.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use net::{Cookie, CookieJar};
use url::Url;

const ADDRESSES: [&str; 12] = [
    "https://example.com/a/b",
    "https://www.example.com/a",
    "http://www.example.com/a/b/c?d",
    "https://badexample.com/a/b",
    "https://a.github.io/",
    "https://b.github.io/",
    "http://127.0.0.1/",
    "http://1.127.0.0.1.test/",
    "https://[::1]:8443/a",
    "https://com./",
    "https://example.co.uk/",
    "https://xn--bcher-kva.example/",
];

#[derive(Debug, Arbitrary)]
struct Answers<'a> {
    /// Whose answer it is, and its header.
    headers: Vec<(u8, &'a str)>,
}

fn address(number: u8) -> Url {
    Url::parse(ADDRESSES[usize::from(number) % ADDRESSES.len()]).expect("an address")
}

fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default().trim_end_matches('.')
}

/// Whether a host that set this cookie is one that a request to `url` may give it to.
fn may_receive(cookie: &Cookie, url: &Url) -> bool {
    let (host, domain) = (host(url), cookie.domain.as_str());
    let is_below = host.strip_suffix(domain).is_some_and(|head| head.ends_with('.'));
    let is_name = url.domain().is_some();
    let is_suffix = psl::suffix_str(domain) == Some(domain);
    (host == domain || (!cookie.host_only && is_below && is_name && !is_suffix))
        && (!cookie.secure || url.scheme() == "https")
        && url.path().starts_with(cookie.path.as_str())
}

fuzz_target!(|answers: Answers<'_>| {
    let jar = CookieJar::new();
    for (number, header) in answers.headers.iter().take(200) {
        let at = address(*number);
        let before = jar.all();
        if !jar.set(&at, header) {
            assert_eq!(jar.all(), before, "{header:?}");
            continue;
        }
        for cookie in jar.all().iter().filter(|cookie| !before.contains(cookie)) {
            assert!(host(&at) == cookie.domain || host(&at).ends_with(&format!(".{}", cookie.domain)), "{at} {header:?}");
            assert!(cookie.name.len() + cookie.value.len() <= CookieJar::COOKIE_BYTES);
            assert!(cookie.path.starts_with('/'), "{header:?}");
            assert!(!cookie.name.starts_with("__Host-") || (cookie.host_only && cookie.path == "/" && cookie.secure));
            goes_back(cookie);
        }
    }
    assert!(jar.all().len() <= CookieJar::ALL);
    for text in ADDRESSES {
        let url = Url::parse(text).expect("an address");
        for cookie in jar.matching(&url) {
            assert!(may_receive(&cookie, &url), "{cookie:?} to {url}");
        }
        let header = jar.header(&url).unwrap_or_default();
        assert!(!header.bytes().any(|byte| matches!(byte, b'\r' | b'\n' | 0)), "{header:?}");
    }
});

/// A cookie set again from what is sent back has its name and its value.
fn goes_back(cookie: &Cookie) {
    let url = Url::parse(&format!("https://{}/", bracketed(&cookie.domain))).expect("a host");
    let alone = CookieJar::new();
    alone.insert(Cookie { path: "/".into(), host_only: true, expires: None, ..cookie.clone() });
    let sent = alone.header(&url).expect("a cookie of this host");
    assert!(!sent.contains(';'), "{sent:?}");
    let again = CookieJar::new();
    let attributes = if cookie.secure { "; Path=/; Secure" } else { "; Path=/" };
    again.set(&url, &format!("{sent}{attributes}"));
    assert_eq!(again.header(&url), Some(sent), "{cookie:?}");
}

fn bracketed(host: &str) -> String {
    match host.contains(':') && !host.starts_with('[') {
        true => format!("[{host}]"),
        false => host.to_owned(),
    }
}
