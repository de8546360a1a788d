//! Cookie jar of one run (RFC 6265, without the parts for a user interface).

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use url::{Host, Url};

/// A stored cookie.
#[derive(Clone, PartialEq, Eq)]
pub struct Cookie {
    /// Its name.
    pub name: String,
    /// Its value, as sent.
    pub value: String,
    /// The host it was set by, or the domain it was set for.
    pub domain: String,
    /// Whether only that very host gets it.
    pub host_only: bool,
    /// The path below which it is sent.
    pub path: String,
    /// Only over TLS.
    pub secure: bool,
    /// Not for scripts. Stored for the browser engine, which takes the jar over.
    pub http_only: bool,
    /// When it ends; a session cookie ends with the run.
    pub expires: Option<SystemTime>,
    /// Which requests of other sites carry it. Stored for the browser engine; the browser's own rule where absent.
    pub same_site: Option<SameSite>,
}

/// Without the value, which may be a key.
impl fmt::Debug for Cookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cookie")
            .field("name", &self.name)
            .field("domain", &self.domain)
            .field("host_only", &self.host_only)
            .field("path", &self.path)
            .field("secure", &self.secure)
            .field("http_only", &self.http_only)
            .field("expires", &self.expires)
            .field("same_site", &self.same_site)
            .finish_non_exhaustive()
    }
}

/// Which requests of other sites carry a cookie (RFC 6265bis, 5.5.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SameSite {
    /// None.
    Strict,
    /// Navigations only.
    Lax,
    /// All.
    None,
}

impl SameSite {
    /// Reads the attribute, in any case; none for other words.
    pub fn parse(text: &str) -> Option<SameSite> {
        match text.to_ascii_lowercase().as_str() {
            "strict" => Some(SameSite::Strict),
            "lax" => Some(SameSite::Lax),
            "none" => Some(SameSite::None),
            _ => None,
        }
    }

    /// The attribute, as it is usually spelled.
    pub fn as_str(self) -> &'static str {
        match self {
            SameSite::Strict => "Strict",
            SameSite::Lax => "Lax",
            SameSite::None => "None",
        }
    }
}

/// A jar, cheap to clone; all clones share the cookies. One per run, so runs never see each other's.
#[derive(Debug, Clone, Default)]
pub struct CookieJar {
    cookies: Arc<Mutex<Vec<Cookie>>>,
}

impl CookieJar {
    /// Most bytes of one cookie, name and value together.
    pub const COOKIE_BYTES: usize = 4096;
    /// Most cookies of one domain; the oldest goes first.
    pub const PER_DOMAIN: usize = 60;
    /// Most cookies of the jar; the oldest goes first.
    pub const ALL: usize = 1500;

    /// An empty jar.
    pub fn new() -> CookieJar {
        CookieJar::default()
    }

    /// Takes one `Set-Cookie` value from an answer to `url`. Returns whether the jar changed; a cookie that
    /// the host may not set is ignored.
    pub fn set(&self, url: &Url, header: &str) -> bool {
        let now = SystemTime::now();
        match parse(url, header, now) {
            Some(cookie) if url.scheme() == "https" || !self.hides_secure(&cookie, now) => {
                self.insert(cookie)
            }
            _ => false,
        }
    }

    /// Whether a cookie of an answer without TLS would replace a secure one, or be sent before one (RFC 6265bis, 5.7).
    fn hides_secure(&self, cookie: &Cookie, now: SystemTime) -> bool {
        self.lock().iter().any(|old| {
            old.secure
                && old.name == cookie.name
                && (is_within(&old.domain, &cookie.domain) || is_within(&cookie.domain, &old.domain))
                && is_below(&cookie.path, &old.path)
                && old.expires.is_none_or(|at| at > now)
        })
    }

    /// Puts a whole cookie in, for example one that a browser has collected. Returns whether the jar changed.
    pub fn insert(&self, cookie: Cookie) -> bool {
        let mut cookies = self.lock();
        let is_same =
            |old: &Cookie| old.name == cookie.name && old.domain == cookie.domain && old.path == cookie.path;
        let now = SystemTime::now();
        let is_expired = cookie.expires.is_some_and(|at| at <= now);
        if let Some(at) = cookies.iter().position(is_same) {
            if is_expired {
                cookies.remove(at);
                return true;
            }
            let changed = cookies.get(at) != Some(&cookie);
            if let Some(old) = cookies.get_mut(at) {
                *old = cookie;
            }
            return changed;
        }
        if is_expired {
            return false;
        }
        cookies.retain(|old| old.expires.is_none_or(|at| at > now));
        let of_domain = cookies.iter().filter(|old| old.domain == cookie.domain).count();
        if of_domain >= Self::PER_DOMAIN
            && let Some(oldest) = cookies.iter().position(|old| old.domain == cookie.domain)
        {
            cookies.remove(oldest);
        }
        if cookies.len() >= Self::ALL {
            cookies.remove(0);
        }
        cookies.push(cookie);
        true
    }

    /// The `Cookie` header for a request to `url`, longest paths first; `None` when there is nothing to send.
    pub fn header(&self, url: &Url) -> Option<String> {
        let mut cookies = self.matching(url);
        cookies.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let pairs: Vec<String> = cookies
            .iter()
            .map(|cookie| match cookie.name.is_empty() {
                true => cookie.value.clone(),
                false => format!("{}={}", cookie.name, cookie.value),
            })
            .collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    /// The cookies that are sent to `url`.
    pub fn matching(&self, url: &Url) -> Vec<Cookie> {
        let now = SystemTime::now();
        let Some(host) = host_of(url) else {
            return Vec::new();
        };
        let secure = url.scheme() == "https";
        let belongs = |cookie: &&Cookie| {
            let domain = match cookie.host_only {
                true => cookie.domain == host,
                false => is_within(&host, &cookie.domain),
            };
            domain
                && is_below(url.path(), &cookie.path)
                && (secure || !cookie.secure)
                && cookie.expires.is_none_or(|at| at > now)
        };
        self.lock().iter().filter(belongs).cloned().collect()
    }

    /// All cookies, oldest first.
    pub fn all(&self) -> Vec<Cookie> {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Cookie>> {
        self.cookies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parse(url: &Url, header: &str, now: SystemTime) -> Option<Cookie> {
    if header.bytes().any(|b| b < 0x20 && b != b'\t' || b == 0x7f) {
        return None;
    }
    let mut parts = header.split(';');
    let pair = parts.next()?;
    let (name, value) = match pair.split_once('=') {
        Some((name, value)) => (name.trim(), value.trim()),
        None => ("", pair.trim()),
    };
    if name.len() + value.len() > CookieJar::COOKIE_BYTES || (name.is_empty() && value.is_empty()) {
        return None;
    }
    // Sent back without a name, "=sid=1" would be taken for the cookie "sid", whose prefix nobody checked.
    if name.is_empty() && value.contains('=') {
        return None;
    }
    let host = host_of(url)?;
    let mut cookie = Cookie {
        name: name.to_owned(),
        value: value.to_owned(),
        domain: host.clone(),
        host_only: true,
        path: default_path(url.path()).to_owned(),
        secure: false,
        http_only: false,
        expires: None,
        same_site: None,
    };
    let mut max_age = None;
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let value = value.trim();
        match key.trim().to_ascii_lowercase().as_str() {
            "secure" => cookie.secure = true,
            "httponly" => cookie.http_only = true,
            "samesite" => cookie.same_site = SameSite::parse(value),
            "path" if value.starts_with('/') => cookie.path = value.to_owned(),
            "path" => cookie.path = default_path(url.path()).to_owned(),
            "domain" if !value.is_empty() => {
                let domain = value.trim_start_matches('.').to_ascii_lowercase();
                let domain = idna_lower(&domain)?;
                if domain == host {
                    cookie.host_only = is_public_suffix(&domain)
                        || matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_)));
                } else if is_within(&host, &domain) && !is_public_suffix(&domain) {
                    cookie.host_only = false;
                    cookie.domain = domain;
                } else {
                    return None;
                }
            }
            "expires" => cookie.expires = cookie.expires.or_else(|| crate::retry::http_date(value)),
            "max-age" => max_age = value.parse::<i64>().ok().or(max_age),
            _ => {}
        }
    }
    if let Some(seconds) = max_age {
        cookie.expires = Some(match u64::try_from(seconds) {
            // Four hundred days is the longest life browsers grant.
            Ok(seconds) if seconds > 0 => now + Duration::from_secs(seconds.min(400 * 86_400)),
            _ => SystemTime::UNIX_EPOCH,
        });
    }
    let tls = url.scheme() == "https";
    let is_allowed = (tls || !cookie.secure)
        && (!cookie.name.starts_with("__Secure-") || cookie.secure)
        && (!cookie.name.starts_with("__Host-") || (cookie.secure && cookie.host_only && cookie.path == "/"));
    is_allowed.then_some(cookie)
}

fn host_of(url: &Url) -> Option<String> {
    url.host_str().map(|host| host.trim_end_matches('.').to_owned())
}

fn idna_lower(domain: &str) -> Option<String> {
    match Host::parse(domain).ok()? {
        Host::Domain(name) => Some(name),
        Host::Ipv4(ip) => Some(ip.to_string()),
        Host::Ipv6(_) => None,
    }
}

/// A name under which anyone can register: `com`, `co.uk`, `github.io`.
pub fn is_public_suffix(domain: &str) -> bool {
    psl::suffix_str(domain) == Some(domain)
}

/// The domain of a host that its owner has registered: `shop.co.uk` of `www.shop.co.uk`; none for a public suffix or a host
/// without one. The host is a name, no IP address.
pub fn registrable_domain(host: &str) -> Option<&str> {
    psl::domain_str(host.trim_end_matches('.'))
}

fn is_within(host: &str, domain: &str) -> bool {
    host == domain
        || (host.strip_suffix(domain).is_some_and(|head| head.ends_with('.'))
            && host.parse::<std::net::IpAddr>().is_err())
}

fn is_below(path: &str, cookie_path: &str) -> bool {
    path.strip_prefix(cookie_path)
        .is_some_and(|rest| rest.is_empty() || cookie_path.ends_with('/') || rest.starts_with('/'))
}

fn default_path(path: &str) -> &str {
    match path.rfind('/') {
        Some(at) if at > 0 => path.get(..at).unwrap_or("/"),
        _ => "/",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn sent(at: &str, header: &str, to: &str) -> Option<String> {
        let jar = CookieJar::new();
        jar.set(&url(at), header);
        jar.header(&url(to))
    }

    #[test]
    fn a_cookie_goes_back_to_its_host_only() {
        let set = "id=1";
        assert_eq!(
            sent("http://ok.test/a/b", set, "http://ok.test/a/c"),
            Some("id=1".into())
        );
        assert_eq!(sent("http://ok.test/a/b", set, "http://ok.test/x"), None);
        assert_eq!(sent("http://ok.test/a/b", set, "http://www.ok.test/a/b"), None);
        assert_eq!(
            sent("http://ok.test/", "id=1; Path=/shop", "http://ok.test/shopping"),
            None
        );
        assert_eq!(
            sent("http://ok.test/", "id=1; Path=/shop", "http://ok.test/shop/1"),
            Some("id=1".into())
        );
    }

    #[test]
    fn a_domain_cookie_reaches_the_hosts_below() {
        let set = "id=1; Domain=.Example.co.uk; Path=/";
        assert_eq!(
            sent("http://a.example.co.uk/", set, "http://b.example.co.uk/"),
            Some("id=1".into())
        );
        assert_eq!(
            sent("http://a.example.co.uk/", set, "http://badexample.co.uk/"),
            None
        );
    }

    #[test]
    fn nobody_sets_cookies_for_a_public_suffix_or_a_stranger() {
        for domain in ["co.uk", "uk", "github.io", "other.test", "1.2.3.4"] {
            let set = format!("id=1; Domain={domain}; Path=/");
            assert_eq!(
                sent("http://a.example.co.uk/", &set, "http://a.example.co.uk/"),
                None,
                "{domain}"
            );
            assert_eq!(
                sent("http://a.github.io/", &set, "http://b.github.io/"),
                None,
                "{domain}"
            );
        }
    }

    #[test]
    fn secure_cookies_stay_on_tls() {
        assert_eq!(sent("https://ok.test/", "id=1; Secure", "http://ok.test/"), None);
        assert_eq!(
            sent("https://ok.test/", "id=1; Secure", "https://ok.test/"),
            Some("id=1".into())
        );
        assert_eq!(sent("http://ok.test/", "id=1; Secure", "https://ok.test/"), None);
        assert_eq!(
            sent(
                "https://ok.test/",
                "__Host-id=1; Secure; Path=/a",
                "https://ok.test/a"
            ),
            None
        );
    }

    #[test]
    fn an_answer_without_tls_does_not_replace_a_secure_cookie() {
        for (header, is_taken) in [
            ("id=2; Path=/a", false),
            ("id=2; Path=/a/b", false),
            ("id=2; Path=/a; Domain=ok.test", false),
            ("id=; Path=/a; Max-Age=0", false),
            ("id=2; Path=/", true),
            ("other=2; Path=/a", true),
        ] {
            let jar = CookieJar::new();
            assert!(jar.set(&url("https://www.ok.test/"), "id=1; Secure; Path=/a"));
            assert_eq!(jar.set(&url("http://www.ok.test/"), header), is_taken, "{header}");
            let sent = jar.header(&url("https://www.ok.test/a/b")).unwrap();
            assert!(sent.starts_with("id=1"), "{header}: {sent}");
        }
        let jar = CookieJar::new();
        let at = url("https://ok.test/");
        assert!(jar.set(&at, "id=1; Secure"));
        assert!(jar.set(&at, "id=2"));
        assert_eq!(jar.header(&at).as_deref(), Some("id=2"));
    }

    #[test]
    fn a_cookie_without_a_name_passes_for_no_other() {
        let at = "http://ok.test/";
        assert_eq!(sent(at, "token", at).as_deref(), Some("token"));
        assert_eq!(sent(at, "=token", at).as_deref(), Some("token"));
        for header in ["=sid=1", "=__Host-sid=1", "==", " = =", "=;Path=/"] {
            assert_eq!(sent(at, header, at), None, "{header}");
        }
    }

    #[test]
    fn a_dead_cookie_removes_a_living_one() {
        let jar = CookieJar::new();
        let at = url("http://ok.test/");
        assert!(jar.set(&at, "id=1; Max-Age=60"));
        assert!(!jar.set(&at, "id=1; Max-Age=60; Path=/; HttpOnly=") || jar.header(&at).is_some());
        assert!(jar.set(&at, "id=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"));
        assert_eq!(jar.header(&at), None);
    }

    #[test]
    fn longer_paths_come_first_and_a_new_value_replaces_the_old() {
        let jar = CookieJar::new();
        let at = url("http://ok.test/a/b");
        jar.set(&at, "x=1; Path=/");
        jar.set(&at, "y=2; Path=/a");
        jar.set(&at, "x=3; Path=/");
        assert_eq!(jar.header(&at).as_deref(), Some("y=2; x=3"));
    }

    #[test]
    fn a_jar_does_not_grow_without_end() {
        let jar = CookieJar::new();
        let at = url("http://ok.test/");
        for n in 0..500 {
            jar.set(&at, &format!("n{n}=1"));
        }
        assert_eq!(jar.all().len(), CookieJar::PER_DOMAIN);
        assert!(jar.header(&at).unwrap().contains("n499=1"));
    }
}
