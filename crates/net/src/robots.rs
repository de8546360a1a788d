//! What a site's robots.txt allows us (RFC 9309).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use tokio::time::Instant;
use url::{Position, Url};

use crate::error::Error;
use crate::request::{Request, RobotsMode};
use crate::{Client, Limits, Oversize};

/// The rules of one site for one agent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Robots {
    rules: Vec<Rule>,
    forbidden: bool,
    /// The pause between two requests that the site asks for.
    pub crawl_delay: Option<Duration>,
    /// The site maps it names.
    pub sitemaps: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
struct Rule {
    allows: bool,
    /// Normalised; `*` stands for anything and a final `$` for the end.
    pattern: String,
}

impl Robots {
    /// Most bytes of a robots.txt that are read (RFC 9309, 2.5).
    pub const BYTES: usize = 500 * 1024;

    /// Everything is allowed: what the absence of a file means.
    pub fn open() -> Robots {
        Robots::default()
    }

    /// Nothing is allowed: what a failing server means.
    pub fn closed() -> Robots {
        Robots {
            forbidden: true,
            ..Robots::default()
        }
    }

    /// Reads a file. `agent` is our product name; its groups are used together, or else those for `*`.
    pub fn parse(text: &str, agent: &str) -> Robots {
        let mut ours = Robots::default();
        let mut everyones = Robots::default();
        let (mut named, mut for_us, mut for_all, mut in_rules) = (false, false, false, false);
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
                    for_us |= is_product(value, agent);
                    named |= for_us;
                }
                "sitemap" => ours.sitemaps.push(value.to_owned()),
                field => {
                    in_rules = true;
                    for (applies, robots) in [(for_us, &mut ours), (for_all, &mut everyones)] {
                        if applies {
                            robots.take(field, value);
                        }
                    }
                }
            }
        }
        match named {
            true => ours,
            false => Robots {
                sitemaps: ours.sitemaps,
                ..everyones
            },
        }
    }

    fn take(&mut self, field: &str, value: &str) {
        match field {
            // An empty rule matches nothing.
            "allow" | "disallow" if !value.is_empty() => {
                self.rules.push(Rule {
                    allows: field == "allow",
                    pattern: normal(value),
                });
            }
            "crawl-delay" => {
                let seconds = value
                    .parse::<f64>()
                    .ok()
                    .filter(|it| it.is_finite() && (0.0..86_400.0).contains(it));
                self.crawl_delay = seconds.map(Duration::from_secs_f64).or(self.crawl_delay);
            }
            _ => {}
        }
    }

    /// Whether the page may be fetched: the longest matching rule decides, and allowing wins a tie.
    pub fn allows(&self, url: &Url) -> bool {
        let path = normal(&url[Position::BeforePath..Position::AfterQuery]);
        if path == "/robots.txt" {
            return true;
        }
        if self.forbidden {
            return false;
        }
        let matching = self.rules.iter().filter(|rule| matches(&rule.pattern, &path));
        matching
            .max_by_key(|rule| (rule.pattern.len(), rule.allows))
            .is_none_or(|rule| rule.allows)
    }
}

/// Whether a group's name means the agent: the same product token, whatever version follows it.
fn is_product(name: &str, agent: &str) -> bool {
    let token = |text: &str| {
        let end = text
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
            .unwrap_or(text.len());
        text.get(..end).unwrap_or_default().to_ascii_lowercase()
    };
    !token(agent).is_empty() && token(name) == token(agent)
}

/// One spelling for one path: percent-encoded are exactly the octets that have to be.
fn normal(path: &str) -> String {
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

/// Matches from the start of the path. Linear in the path for each star: pieces are taken leftmost first.
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

/// By origin and by whether the operator granted it: the rules, and until when they hold.
type Sites = HashMap<(String, bool), (Arc<Robots>, Instant)>;

/// The rules of sites already asked.
pub(crate) struct RobotsCache {
    agent: String,
    sites: Mutex<Sites>,
}

impl RobotsCache {
    const LIFE: Duration = Duration::from_secs(24 * 3600);
    /// A failing server may be well again soon.
    const SHORT_LIFE: Duration = Duration::from_secs(300);
    const SITES: usize = 2048;

    pub(crate) fn new(user_agent: &str) -> RobotsCache {
        let agent = user_agent.split(['/', ' ']).next().unwrap_or_default();
        RobotsCache {
            agent: agent.to_owned(),
            sites: Mutex::default(),
        }
    }

    /// Says how long to pause before the page, or that it is forbidden.
    pub(crate) async fn admit(
        &self,
        client: &Client,
        request: &Request,
        least: Duration,
    ) -> Result<Duration, Error> {
        let robots = self.of(client, request).await?;
        match robots.allows(&request.url) {
            true => Ok(robots.crawl_delay.unwrap_or(least).max(least)),
            false => Err(Error::RobotsDisallowed),
        }
    }

    /// The rules of the site of this request, fetched when they are not known.
    pub(crate) async fn of(&self, client: &Client, request: &Request) -> Result<Arc<Robots>, Error> {
        let site = request.url[..Position::BeforePath].to_owned();
        let key = (site, request.granted);
        let now = Instant::now();
        if let Some((robots, until)) = self.lock().get(&key)
            && *until > now
        {
            return Ok(robots.clone());
        }
        let (robots, life) = self.ask(client, request).await?;
        let robots = Arc::new(robots);
        let mut sites = self.lock();
        if sites.len() >= Self::SITES {
            sites.retain(|_, (_, until)| *until > now);
            if sites.len() >= Self::SITES {
                sites.clear();
            }
        }
        sites.insert(key, (robots.clone(), now + life));
        Ok(robots)
    }

    async fn ask(&self, client: &Client, request: &Request) -> Result<(Robots, Duration), Error> {
        let mut url = request.url.clone();
        url.set_path("/robots.txt");
        url.set_query(None);
        url.set_fragment(None);
        let mut ask = Request::get(url);
        ask.granted = request.granted;
        ask.cancel = request.cancel.clone();
        ask.robots = RobotsMode::Ignore;
        ask.limits = Some(Limits {
            body_bytes: Robots::BYTES,
            oversize: Oversize::Cut,
            redirects: 5,
            attempts: 1,
            total: Duration::from_secs(20),
            ..client.inner.limits.clone()
        });
        // A fetch asks for robots.txt, and that is a fetch: the box ends the circle of types.
        let answer = Box::pin(client.fetch(ask)).await;
        Ok(match answer {
            Ok(page) if page.status.is_success() => (
                Robots::parse(&String::from_utf8_lossy(&page.body), &self.agent),
                Self::LIFE,
            ),
            Ok(page) if page.status.is_server_error() || page.status.as_u16() == 429 => {
                (Robots::closed(), Self::SHORT_LIFE)
            }
            // No file, or one that hides behind endless redirects: no rules.
            Ok(_) | Err(Error::TooManyRedirects) => (Robots::open(), Self::LIFE),
            // The page itself would fail the same way; say so instead of "forbidden".
            Err(
                why @ (Error::Blocked(_)
                | Error::InvalidUrl(_)
                | Error::Dns
                | Error::Connect(_)
                | Error::Tls(_)
                | Error::Cancelled),
            ) => return Err(why),
            Err(_) => (Robots::closed(), Self::SHORT_LIFE),
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Sites> {
        self.sites.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
