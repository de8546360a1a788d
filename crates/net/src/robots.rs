//! robots.txt rules (RFC 9309), and a cache of them by site.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use tokio::sync::OnceCell;
use tokio::time::Instant;
use url::{Position, Url};

use crate::error::{Error, TimeLimit};
use crate::{Limits, Oversize, Request, Response};

/// The rules of one site for one agent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Robots {
    rules: Vec<RobotsRule>,
    disallow_all: bool,
    /// The pause between two requests that the site asks for.
    pub crawl_delay: Option<Duration>,
    /// The site maps it names.
    pub sitemaps: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
struct RobotsRule {
    allows: bool,
    /// Normalised; `*` stands for anything and a final `$` for the end.
    pattern: String,
}

impl Robots {
    /// Most bytes of a robots.txt that are read (RFC 9309, 2.5).
    pub const BYTES: usize = 500 * 1024;

    /// Everything is allowed: what the absence of a file means.
    pub fn allow_all() -> Robots {
        Robots::default()
    }

    /// Nothing is allowed: what a failing server means.
    pub fn disallow_all() -> Robots {
        Robots {
            disallow_all: true,
            ..Robots::default()
        }
    }

    /// Parses a file. The groups that name `agent`, our product name, are joined; without any, those for `*` are.
    pub fn parse(text: &str, agent: &str) -> Robots {
        let mut ours = Robots::default();
        let mut for_everyone = Robots::default();
        let (mut has_own_group, mut for_us, mut for_all, mut in_rules) = (false, false, false, false);
        for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim();
            match key.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    // A name after rules begins a new group; names in a row share one.
                    if std::mem::take(&mut in_rules) {
                        (for_us, for_all) = (false, false);
                    }
                    for_all |= value == "*";
                    for_us |= is_same_product(value, agent);
                    has_own_group |= for_us;
                }
                "sitemap" => ours.sitemaps.push(value.to_owned()),
                field => {
                    in_rules = true;
                    for (applies, robots) in [(for_us, &mut ours), (for_all, &mut for_everyone)] {
                        if applies {
                            robots.add_directive(field, value);
                        }
                    }
                }
            }
        }
        match has_own_group {
            true => ours,
            false => Robots {
                sitemaps: ours.sitemaps,
                ..for_everyone
            },
        }
    }

    fn add_directive(&mut self, field: &str, value: &str) {
        match field {
            // An empty rule matches nothing.
            "allow" | "disallow" if !value.is_empty() => {
                self.rules.push(RobotsRule {
                    allows: field == "allow",
                    pattern: normalize(value),
                });
            }
            "crawl-delay" => {
                let seconds = value
                    .parse::<f64>()
                    .ok()
                    .filter(|seconds| (0.0..86_400.0).contains(seconds));
                self.crawl_delay = seconds.map(Duration::from_secs_f64).or(self.crawl_delay);
            }
            _ => {}
        }
    }

    /// Whether the page may be fetched: the longest matching rule decides, and allowing wins a tie.
    pub fn allows(&self, url: &Url) -> bool {
        let path = normalize(&url[Position::BeforePath..Position::AfterQuery]);
        if path == "/robots.txt" {
            return true;
        }
        if self.disallow_all {
            return false;
        }
        let matching = self.rules.iter().filter(|rule| matches(&rule.pattern, &path));
        matching
            .max_by_key(|rule| (rule.pattern.len(), rule.allows))
            .is_none_or(|rule| rule.allows)
    }
}

/// Whether a group's name means the agent: the same product token, whatever version follows it.
fn is_same_product(name: &str, agent: &str) -> bool {
    let token = |text: &str| {
        let end = text
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
            .unwrap_or(text.len());
        text.get(..end).unwrap_or_default().to_ascii_lowercase()
    };
    !token(agent).is_empty() && token(name) == token(agent)
}

/// The path with exactly those octets percent-encoded that have to be, so that equal paths compare equal.
fn normalize(path: &str) -> String {
    const KEPT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`');
    let mut text = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let (head, tail) = rest.split_at(at);
        text.extend(utf8_percent_encode(head, KEPT));
        let (code, after) = match (tail.get(..3), tail.get(3..)) {
            (Some(code), Some(after)) => (code, after),
            _ => (tail, ""),
        };
        let octet = percent_decode_str(code)
            .next()
            .filter(|_| percent_decode_str(code).count() == 1);
        match octet {
            Some(octet) if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => {
                text.push(char::from(octet))
            }
            Some(_) => text.push_str(&code.to_ascii_uppercase()),
            None => text.extend(utf8_percent_encode(code, KEPT)),
        }
        rest = after;
    }
    text.extend(utf8_percent_encode(rest, KEPT));
    text
}

/// Whether the pattern matches from the start of the path. Each piece between stars is taken at its leftmost
/// place, which is linear in the path for each star.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let last = if anchored { pieces.pop() } else { None };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = rest.get(at + piece.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    match last {
        Some(last) => rest.ends_with(last),
        None => !anchored || rest.is_empty(),
    }
}

/// Cache key: the origin, and whether the operator granted access to it.
type SiteKey = (String, bool);

/// What a look-up of the rules of a site gives, shared by those that need them at the same time.
pub(crate) type RobotsLookup = OnceCell<Result<Arc<Robots>, Error>>;

/// Rules of sites seen before, with the end of their lifetime.
pub(crate) struct RobotsCache {
    agent: String,
    sites: Mutex<HashMap<SiteKey, (Arc<Robots>, Instant)>>,
    /// Look-ups under way, each as long as somebody waits for it.
    lookups: Mutex<HashMap<SiteKey, Weak<RobotsLookup>>>,
}

impl RobotsCache {
    const TTL: Duration = Duration::from_secs(24 * 3600);
    /// Lifetime of the rules of a failing server, which may recover soon.
    const FAILURE_TTL: Duration = Duration::from_secs(300);
    const SITES: usize = 2048;

    pub(crate) fn new(user_agent: &str) -> RobotsCache {
        let agent = user_agent.split(['/', ' ']).next().unwrap_or_default();
        RobotsCache {
            agent: agent.to_owned(),
            sites: Mutex::default(),
            lookups: Mutex::default(),
        }
    }

    /// The rules for the site of this request, if they are known and not too old.
    pub(crate) fn get(&self, request: &Request) -> Option<Arc<Robots>> {
        let sites = self.lock();
        let (robots, expires) = sites.get(&site_key(request))?;
        (*expires > Instant::now()).then(|| robots.clone())
    }

    /// The look-up for the site of this request: the one that is under way, or a new one.
    pub(crate) fn lookup(&self, request: &Request) -> Arc<RobotsLookup> {
        let mut lookups = self.lookups.lock().unwrap_or_else(PoisonError::into_inner);
        let key = site_key(request);
        if let Some(lookup) = lookups.get(&key).and_then(Weak::upgrade) {
            return lookup;
        }
        lookups.retain(|_, lookup| lookup.strong_count() > 0);
        let lookup = Arc::default();
        lookups.insert(key, Arc::downgrade(&lookup));
        lookup
    }

    /// Ends the look-up for the site of this request: who comes later begins another one.
    pub(crate) fn end_lookup(&self, request: &Request) {
        let mut lookups = self.lookups.lock().unwrap_or_else(PoisonError::into_inner);
        lookups.remove(&site_key(request));
    }

    /// The request for the robots.txt of the site of `page`. It is not cancelled with `page`, since others may wait for it too.
    pub(crate) fn request_for(page: &Request, limits: &Limits) -> Request {
        let mut url = page.url.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        url.set_fragment(None);
        Request {
            granted: page.granted,
            limits: Some(Limits {
                body_bytes: Robots::BYTES,
                oversize: Oversize::Cut,
                redirects: 5,
                attempts: 1,
                total: Duration::from_secs(20),
                ..limits.clone()
            }),
            ..Request::get(url)
        }
    }

    /// Reads the outcome of that request (RFC 9309, 2.3.1) and stores the rules for the site of `page`.
    ///
    /// # Errors
    /// Failures that the page itself would meet, too, such as an unknown host, and those that are not the site's.
    pub(crate) fn store(
        &self,
        page: &Request,
        outcome: Result<Response, Error>,
    ) -> Result<Arc<Robots>, Error> {
        let (robots, ttl) = match outcome {
            Ok(file) if file.status.is_success() => (
                Robots::parse(&String::from_utf8_lossy(&file.body), &self.agent),
                Self::TTL,
            ),
            Ok(file) if file.status.is_server_error() || file.status.as_u16() == 429 => {
                (Robots::disallow_all(), Self::FAILURE_TTL)
            }
            // No file, or one behind endless redirects: no rules.
            Ok(_) | Err(Error::TooManyRedirects) => (Robots::allow_all(), Self::TTL),
            Err(
                error @ (Error::Blocked(_)
                | Error::BlockedRedirect { .. }
                | Error::InvalidUrl(_)
                | Error::Dns
                | Error::Connect(_)
                | Error::Exit(_)
                | Error::Tls(_)
                | Error::Timeout(TimeLimit::Room)
                | Error::Cancelled),
            ) => return Err(error),
            Err(_) => (Robots::disallow_all(), Self::FAILURE_TTL),
        };
        let (robots, now) = (Arc::new(robots), Instant::now());
        let mut sites = self.lock();
        if sites.len() >= Self::SITES {
            sites.retain(|_, (_, expires)| *expires > now);
            if sites.len() >= Self::SITES {
                sites.clear();
            }
        }
        sites.insert(site_key(page), (robots.clone(), now + ttl));
        Ok(robots)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SiteKey, (Arc<Robots>, Instant)>> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn site_key(request: &Request) -> SiteKey {
    (request.url[..Position::BeforePath].to_owned(), request.granted)
}

#[cfg(test)]
mod tests;
