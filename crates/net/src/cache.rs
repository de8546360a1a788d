//! In-memory HTTP cache (RFC 9111, as a shared cache).

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, Method, StatusCode, header};
use tokio::time::Instant;

use crate::redirect::without_fragment;
use crate::request::{Request, Response};
use crate::retry::http_date;

/// Size of the cache, in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheConfig {
    /// Most bytes of all bodies together; zero disables the cache.
    pub bytes: usize,
    /// Largest body that is stored.
    pub body_bytes: usize,
    /// Longest freshness lifetime, whatever a response says.
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

/// URL, and whether the operator granted access: a response fetched under a grant is never given to a request
/// without one.
type CacheKey = (String, bool);

/// Result of a cache lookup.
pub(crate) enum CacheLookup {
    /// A response that can be used as it is.
    Fresh(Box<Response>),
    /// A response that the server has to confirm.
    Stale(Arc<CachedResponse>),
    Miss,
}

/// A stored response.
pub(crate) struct CachedResponse {
    response: Response,
    fresh_until: Instant,
}

impl CachedResponse {
    /// Adds the validators to a request.
    pub(crate) fn add_validators(&self, headers: &mut HeaderMap) {
        for (have, ask) in [
            (header::ETAG, header::IF_NONE_MATCH),
            (header::LAST_MODIFIED, header::IF_MODIFIED_SINCE),
        ] {
            if let Some(value) = self.response.headers.get(have) {
                headers.insert(ask, value.clone());
            }
        }
    }

    fn weight(&self) -> usize {
        // A header map is about as large as a small page.
        self.response.body.len() + 2048
    }
}

/// The cache. The least recently used response is dropped first.
pub(crate) struct Cache {
    config: CacheConfig,
    entries: Mutex<CacheEntries>,
}

#[derive(Default)]
struct CacheEntries {
    stored: HashMap<CacheKey, (Arc<CachedResponse>, u64)>,
    order: BTreeMap<u64, CacheKey>,
    clock: u64,
    bytes: usize,
}

impl Cache {
    pub(crate) fn new(config: CacheConfig) -> Cache {
        Cache {
            config,
            entries: Mutex::default(),
        }
    }

    pub(crate) fn lookup(&self, request: &Request) -> CacheLookup {
        if !self.is_cacheable(request) {
            return CacheLookup::Miss;
        }
        let Some(stored) = self.lock().get(&key(request)) else {
            return CacheLookup::Miss;
        };
        if stored.fresh_until > Instant::now() && !request.no_cache {
            return CacheLookup::Fresh(Box::new(Response {
                from_cache: true,
                ..stored.response.clone()
            }));
        }
        let has = |name| stored.response.headers.contains_key(name);
        match has(header::ETAG) || has(header::LAST_MODIFIED) {
            true => CacheLookup::Stale(stored),
            false => CacheLookup::Miss,
        }
    }

    /// Stores a response where that is allowed, and turns "not modified" into the stored response.
    pub(crate) fn store_or_update(
        &self,
        request: &Request,
        stale: Option<Arc<CachedResponse>>,
        response: Response,
    ) -> Response {
        if let (StatusCode::NOT_MODIFIED, Some(stored)) = (response.status, stale) {
            let mut renewed = stored.response.clone();
            let is_taken =
                |name: &HeaderName| *name != header::CONTENT_LENGTH && *name != header::CONTENT_ENCODING;
            // All lines of a name take the place of all that were there.
            for name in response.headers.keys().filter(|name| is_taken(name)) {
                renewed.headers.remove(name);
                for value in response.headers.get_all(name) {
                    renewed.headers.append(name.clone(), value.clone());
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
        if !self.is_cacheable(request) || response.truncated || response.body.len() > self.config.body_bytes {
            return;
        }
        let Some(lifetime) = freshness_lifetime(response, SystemTime::now(), self.config.longest) else {
            return;
        };
        if varies_by_more_than_headers(&response.headers) {
            return;
        }
        let stored = CachedResponse {
            response: Response {
                // A copy, since the cache has its own bound and takes no part of the budget for bodies in use.
                body: Bytes::copy_from_slice(&response.body),
                ..response.clone()
            },
            fresh_until: Instant::now() + lifetime,
        };
        self.lock().put(key(request), Arc::new(stored), self.config.bytes);
    }

    /// Only GET requests without body and without any header of the caller, a cookie included: what a caller
    /// alone may see cannot be told by the names of headers. All requests left differ in their URL only.
    fn is_cacheable(&self, request: &Request) -> bool {
        self.config.bytes > 0
            && request.method == Method::GET
            && request.body.is_empty()
            && request.headers.is_empty()
            && request.identity.is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, CacheEntries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CacheEntries {
    fn get(&mut self, key: &CacheKey) -> Option<Arc<CachedResponse>> {
        self.clock += 1;
        let now = self.clock;
        let (stored, used) = self.stored.get_mut(key)?;
        self.order.remove(used);
        *used = now;
        self.order.insert(now, key.clone());
        Some(stored.clone())
    }

    fn put(&mut self, key: CacheKey, stored: Arc<CachedResponse>, most: usize) {
        self.clock += 1;
        self.bytes += stored.weight();
        self.order.insert(self.clock, key.clone());
        if let Some((old, used)) = self.stored.insert(key, (stored, self.clock)) {
            self.order.remove(&used);
            self.bytes -= old.weight();
        }
        while self.bytes > most {
            let Some((_, oldest)) = self.order.pop_first() else {
                break;
            };
            if let Some((old, _)) = self.stored.remove(&oldest) {
                self.bytes -= old.weight();
            }
        }
    }
}

fn key(request: &Request) -> CacheKey {
    (without_fragment(&request.url).to_owned(), request.granted)
}

/// Whether a response depends on more than the request's headers, which are the same for all cached requests.
fn varies_by_more_than_headers(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(header::VARY).iter();
    values.any(|value| value.as_bytes().contains(&b'*'))
}

/// The freshness lifetime (zero: to be confirmed each time); `None` when the response must not be stored.
fn freshness_lifetime(response: &Response, now: SystemTime, longest: Duration) -> Option<Duration> {
    let headers = &response.headers;
    if !matches!(response.status.as_u16(), 200 | 203 | 301 | 308 | 404 | 410)
        || headers.contains_key(header::SET_COOKIE)
    {
        return None;
    }
    let control = CacheControl::read(headers);
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
    let response_date = date(header::DATE).unwrap_or(now);
    let lifetime = if control.confirm {
        Duration::ZERO
    } else if let Some(seconds) = control.max_age {
        Duration::from_secs(seconds)
    } else if headers.contains_key(header::EXPIRES) {
        date(header::EXPIRES)
            .and_then(|at| at.duration_since(response_date).ok())
            .unwrap_or_default()
    } else if let Some(changed) = date(header::LAST_MODIFIED).filter(|_| response.status.is_success()) {
        // The heuristic of RFC 9111, 4.2.2: a tenth of the age, here at most an hour.
        response_date
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
    let remaining = lifetime
        .saturating_sub(Duration::from_secs(age.unwrap_or(0)))
        .min(longest);
    (validated || !remaining.is_zero()).then_some(remaining)
}

/// What `Cache-Control` says to a shared cache.
#[derive(Default)]
struct CacheControl {
    forbids: bool,
    confirm: bool,
    max_age: Option<u64>,
}

impl CacheControl {
    fn read(headers: &HeaderMap) -> CacheControl {
        let mut control = CacheControl::default();
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
