//! Answers kept for the next time they are asked for (RFC 9111, as a shared cache).

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use tokio::time::Instant;

use crate::redirect::without_fragment;
use crate::request::{Request, Response};
use crate::retry::http_date;

/// How much is kept, in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheConfig {
    /// Most bytes of all bodies together; zero keeps nothing.
    pub bytes: usize,
    /// Largest body that is kept.
    pub body_bytes: usize,
    /// Longest time an answer counts as fresh, whatever it says of itself.
    pub longest: Duration,
}

impl Default for CacheConfig {
    fn default() -> Self {
        CacheConfig {
            bytes: 64 << 20,
            body_bytes: 4 << 20,
            longest: Duration::from_secs(24 * 3600),
        }
    }
}

impl CacheConfig {
    /// No cache at all.
    pub fn off() -> CacheConfig {
        CacheConfig {
            bytes: 0,
            ..CacheConfig::default()
        }
    }
}

/// What an address was reached by is part of the key: an answer fetched under a grant is never given to a
/// request without one.
type Key = (String, bool);

/// What the cache has for a request.
pub(crate) enum Look {
    /// An answer that can be used as it is.
    Fresh(Box<Response>),
    /// An answer that the server has to confirm.
    Stale(Arc<Kept>),
    Nothing,
}

/// An answer with what is needed to judge it later.
pub(crate) struct Kept {
    response: Response,
    until: Instant,
    /// The request headers that the answer was chosen by.
    vary: Vec<(HeaderName, Option<HeaderValue>)>,
}

impl Kept {
    /// Adds the validators to a request.
    pub(crate) fn ask(&self, headers: &mut HeaderMap) {
        for (have, ask) in [
            (header::ETAG, header::IF_NONE_MATCH),
            (header::LAST_MODIFIED, header::IF_MODIFIED_SINCE),
        ] {
            if let Some(value) = self.response.headers.get(have) {
                headers.insert(ask, value.clone());
            }
        }
    }

    fn fits(&self, request: &Request) -> bool {
        self.vary
            .iter()
            .all(|(name, value)| request.headers.get(name) == value.as_ref())
    }

    fn weight(&self) -> usize {
        // A header map is about as large as a small page.
        self.response.body.len() + 2048
    }
}

/// The cache. The least recently used answer goes first.
pub(crate) struct Cache {
    config: CacheConfig,
    shelf: Mutex<Shelf>,
}

#[derive(Default)]
struct Shelf {
    kept: HashMap<Key, (Arc<Kept>, u64)>,
    order: BTreeMap<u64, Key>,
    clock: u64,
    bytes: usize,
}

impl Cache {
    pub(crate) fn new(config: CacheConfig) -> Cache {
        Cache {
            config,
            shelf: Mutex::default(),
        }
    }

    pub(crate) fn look(&self, request: &Request) -> Look {
        if !self.is_for(request) {
            return Look::Nothing;
        }
        let Some(kept) = self.lock().get(&key(request)).filter(|kept| kept.fits(request)) else {
            return Look::Nothing;
        };
        if kept.until > Instant::now() && !request.no_cache {
            return Look::Fresh(Box::new(Response {
                from_cache: true,
                ..kept.response.clone()
            }));
        }
        let has = |name| kept.response.headers.contains_key(name);
        match has(header::ETAG) || has(header::LAST_MODIFIED) {
            true => Look::Stale(kept),
            false => Look::Nothing,
        }
    }

    /// Keeps an answer where that is lawful, and turns "not modified" into the answer that was kept.
    pub(crate) fn keep(&self, request: &Request, stale: Option<Arc<Kept>>, response: Response) -> Response {
        if let (StatusCode::NOT_MODIFIED, Some(kept)) = (response.status, stale) {
            let mut renewed = kept.response.clone();
            for (name, value) in &response.headers {
                if name != header::CONTENT_LENGTH && name != header::CONTENT_ENCODING {
                    renewed.headers.insert(name.clone(), value.clone());
                }
            }
            renewed.url = response.url;
            renewed.remote = response.remote;
            renewed.timing = response.timing;
            self.store(request, &renewed);
            return Response {
                from_cache: true,
                ..renewed
            };
        }
        self.store(request, &response);
        response
    }

    fn store(&self, request: &Request, response: &Response) {
        if !self.is_for(request) || response.truncated || response.body.len() > self.config.body_bytes {
            return;
        }
        let Some(life) = life(response, SystemTime::now(), self.config.longest) else {
            return;
        };
        let Some(vary) = vary(request, &response.headers) else {
            return;
        };
        let kept = Kept {
            response: response.clone(),
            until: Instant::now() + life,
            vary,
        };
        self.lock().put(key(request), Arc::new(kept), self.config.bytes);
    }

    /// Only plain reading by nobody in particular: no body, no credentials, no range.
    fn is_for(&self, request: &Request) -> bool {
        let personal = [header::AUTHORIZATION, header::COOKIE, header::RANGE];
        self.config.bytes > 0
            && request.method == Method::GET
            && request.body.is_empty()
            && !personal.iter().any(|name| request.headers.contains_key(name))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn get(&mut self, key: &Key) -> Option<Arc<Kept>> {
        self.clock += 1;
        let now = self.clock;
        let (kept, used) = self.kept.get_mut(key)?;
        self.order.remove(used);
        *used = now;
        self.order.insert(now, key.clone());
        Some(kept.clone())
    }

    fn put(&mut self, key: Key, kept: Arc<Kept>, most: usize) {
        self.clock += 1;
        self.bytes += kept.weight();
        self.order.insert(self.clock, key.clone());
        if let Some((old, used)) = self.kept.insert(key, (kept, self.clock)) {
            self.order.remove(&used);
            self.bytes -= old.weight();
        }
        while self.bytes > most {
            let Some((_, oldest)) = self.order.pop_first() else {
                break;
            };
            if let Some((old, _)) = self.kept.remove(&oldest) {
                self.bytes -= old.weight();
            }
        }
    }
}

fn key(request: &Request) -> Key {
    (without_fragment(&request.url).to_owned(), request.granted)
}

/// The request headers an answer depends on; `None` when it depends on what cannot be compared.
fn vary(request: &Request, headers: &HeaderMap) -> Option<Vec<(HeaderName, Option<HeaderValue>)>> {
    let mut names = Vec::new();
    for value in headers.get_all(header::VARY) {
        for word in value
            .to_str()
            .ok()?
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
        {
            let name: HeaderName = word.parse().ok().filter(|_| word != "*")?;
            let value = request.headers.get(&name).cloned();
            names.push((name, value));
        }
    }
    Some(names)
}

/// How long an answer counts as fresh (zero: it has to be confirmed each time); `None` when it must not
/// be kept.
fn life(response: &Response, now: SystemTime, longest: Duration) -> Option<Duration> {
    let headers = &response.headers;
    if !matches!(response.status.as_u16(), 200 | 203 | 301 | 308 | 404 | 410)
        || headers.contains_key(header::SET_COOKIE)
    {
        return None;
    }
    let control = Control::read(headers);
    if control.forbids {
        return None;
    }
    let validated = headers.contains_key(header::ETAG) || headers.contains_key(header::LAST_MODIFIED);
    let date = |name| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .and_then(http_date)
    };
    let said_at = date(header::DATE).unwrap_or(now);
    let full = if control.confirm {
        Duration::ZERO
    } else if let Some(seconds) = control.max_age {
        Duration::from_secs(seconds)
    } else if headers.contains_key(header::EXPIRES) {
        date(header::EXPIRES)
            .and_then(|at| at.duration_since(said_at).ok())
            .unwrap_or_default()
    } else if let Some(changed) = date(header::LAST_MODIFIED).filter(|_| response.status.is_success()) {
        // A tenth of its age is the usual guess, and an hour is enough of it for a scraper.
        said_at
            .duration_since(changed)
            .unwrap_or_default()
            .div_f64(10.0)
            .min(Duration::from_secs(3600))
    } else {
        Duration::ZERO
    };
    let age = headers
        .get(header::AGE)
        .and_then(|value| value.to_str().ok())
        .and_then(|text| text.trim().parse().ok());
    let left = full
        .saturating_sub(Duration::from_secs(age.unwrap_or(0)))
        .min(longest);
    (validated || !left.is_zero()).then_some(left)
}

/// What `Cache-Control` says to a shared cache.
#[derive(Default)]
struct Control {
    forbids: bool,
    confirm: bool,
    max_age: Option<u64>,
}

impl Control {
    fn read(headers: &HeaderMap) -> Control {
        let mut control = Control::default();
        let mut shared = None;
        let values = headers
            .get_all(header::CACHE_CONTROL)
            .iter()
            .filter_map(|value| value.to_str().ok());
        for word in values.flat_map(|value| value.split(',')) {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let seconds = value.trim().trim_matches('"').parse::<u64>().ok();
            match key.trim().to_ascii_lowercase().as_str() {
                "no-store" | "private" => control.forbids = true,
                "no-cache" => control.confirm = true,
                "max-age" => control.max_age = seconds.or(control.max_age),
                "s-maxage" => shared = seconds,
                _ => {}
            }
        }
        control.max_age = shared.or(control.max_age);
        control
    }
}
