//! Fetching a page: redirects, retries, cache, cookies and politeness around single exchanges.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderValue, header};
use tokio::time::{Instant, sleep};
use tracing::{Instrument, debug, debug_span};
use url::Url;

use crate::Limits;
use crate::cache::CacheLookup;
use crate::error::Error;
use crate::exchange::{Streaming, exchange};
use crate::inner::ClientInner;
use crate::redirect::{follow, without_fragment};
use crate::request::{Request, Response, RobotsMode, Timing};
use crate::retry::retry_delay;
use crate::robots::{Robots, RobotsCache};

/// Fetches a page. Diagnostics name the host and sizes, never a path, a query or headers.
pub(crate) async fn fetch(inner: &Arc<ClientInner>, request: Request) -> Result<Response, Error> {
    let host = request.url.host_str().unwrap_or_default();
    let span = debug_span!("fetch", host, method = %request.method);
    async {
        let began = Instant::now();
        let outcome = follow_redirects(inner, request).await;
        let millis = began.elapsed().as_millis();
        match &outcome {
            Ok(response) => debug!(
                status = response.status.as_u16(),
                bytes = response.body.len(),
                millis,
                cached = response.from_cache,
                retries = response.timing.tries.saturating_sub(1),
                redirects = response.hops.len(),
                "fetched"
            ),
            Err(error) => debug!(error = error.code(), millis, "fetch failed"),
        }
        outcome
    }
    .instrument(span)
    .await
}

async fn follow_redirects(inner: &Arc<ClientInner>, mut request: Request) -> Result<Response, Error> {
    let began = Instant::now();
    let limits = request.limits.take().unwrap_or_else(|| inner.limits.clone());
    let mut run = FetchRun {
        inner,
        deadline: began + limits.total,
        limits,
        waited: Duration::ZERO,
        tries: 0,
    };
    let mut hops: Vec<Url> = Vec::new();
    let mut seen = vec![(request.method.clone(), without_fragment(&request.url).to_owned())];
    loop {
        let mut response = run.fetch_one(&request).await?;
        if let Some(jar) = &request.jar {
            let cookies = response.headers.get_all(header::SET_COOKIE).iter();
            let changed = cookies
                .filter_map(|value| value.to_str().ok())
                .filter(|value| jar.set(&request.url, value));
            // Many sites redirect to the same address once to set a cookie; without a new cookie it is a circle.
            if changed.count() > 0 {
                seen.clear();
            }
        }
        let Some(next) = follow(&request, response.status, &response.headers)? else {
            response.hops = hops;
            response.timing.waited = run.waited;
            response.timing.total = began.elapsed();
            response.timing.tries = run.tries;
            return Ok(response);
        };
        let step = (next.method.clone(), without_fragment(&next.url).to_owned());
        if hops.len() >= run.limits.redirects as usize || seen.contains(&step) {
            return Err(Error::TooManyRedirects);
        }
        seen.push(step);
        hops.push(std::mem::replace(&mut request, next).url);
        run.tries = 0;
    }
}

/// The robots.txt rules for the site of a request, from the cache or fetched.
pub(crate) async fn robots_of(inner: &Arc<ClientInner>, request: &Request) -> Result<Arc<Robots>, Error> {
    if let Some(robots) = inner.robots.get(request) {
        return Ok(robots);
    }
    // The box makes the recursion finite in size: fetching a page fetches robots.txt first.
    let file = Box::pin(fetch(inner, RobotsCache::request_for(request, &inner.limits))).await;
    let robots = inner.robots.store(request, file);
    debug!(
        host = request.url.host_str(),
        error = robots.as_ref().err().map(Error::code),
        "looked up robots.txt"
    );
    robots
}

/// One fetch in progress: what the requests of a chain of redirects share.
struct FetchRun<'a> {
    inner: &'a Arc<ClientInner>,
    limits: Limits,
    deadline: Instant,
    waited: Duration,
    tries: u32,
}

impl FetchRun<'_> {
    /// The pause that the site's robots.txt asks for.
    async fn crawl_delay(&self, request: &Request) -> Result<Duration, Error> {
        let least = self.inner.host_limiter.delay();
        let robots = robots_of(self.inner, request).await?;
        match robots.allows(&request.url) {
            true => Ok(robots.crawl_delay.unwrap_or(least).max(least)),
            false => Err(Error::RobotsDisallowed),
        }
    }

    /// The response to one request, without following redirects.
    async fn fetch_one(&mut self, request: &Request) -> Result<Response, Error> {
        let inner = self.inner;
        // Neither robots.txt nor the cache is sent about an address that may not be reached.
        inner.connector.guard.screen(&request.url, request.granted)?;
        let delay = match request.robots {
            RobotsMode::Ignore => Duration::ZERO,
            RobotsMode::Obey => self.crawl_delay(request).await?,
        };
        let mut sent = request.clone();
        sent.headers.remove(header::COOKIE);
        let cookie = request.jar.as_ref().and_then(|jar| jar.header(&request.url));
        if let Some(value) = cookie.and_then(|text| HeaderValue::from_str(&text).ok()) {
            sent.headers.insert(header::COOKIE, value);
        } else if let Some(value) = request.headers.get(header::COOKIE) {
            sent.headers.insert(header::COOKIE, value.clone());
        }
        let stale = match inner.cache.lookup(&sent) {
            CacheLookup::Fresh(response) => return Ok(*response),
            CacheLookup::Stale(stale) => {
                stale.add_validators(&mut sent.headers);
                Some(stale)
            }
            CacheLookup::Miss => None,
        };
        loop {
            self.tries += 1;
            let began = Instant::now();
            let permit = tokio::select! {
                () = request.cancel.cancelled() => return Err(Error::Cancelled),
                permit = inner.host_limiter.acquire(&request.url, delay) => permit,
            };
            self.exclude_wait(began.elapsed());
            let outcome = match exchange(inner, &sent, &self.limits, self.deadline).await {
                Ok(streaming) => read_body(&sent, streaming).await,
                Err(error) => Err(error),
            };
            drop(permit);
            let seen = outcome
                .as_ref()
                .map(|response| (response.status, &response.headers));
            let Some(pause) = retry_delay(&request.method, seen, self.tries, &self.limits) else {
                return outcome.map(|response| inner.cache.store_or_update(&sent, stale, response));
            };
            if outcome
                .as_ref()
                .is_ok_and(|response| response.headers.contains_key(header::RETRY_AFTER))
            {
                inner.host_limiter.pause_host(&request.url, pause);
            }
            tokio::select! {
                () = request.cancel.cancelled() => return Err(Error::Cancelled),
                () = sleep(pause) => {}
            }
            self.waited += pause;
            self.deadline = Instant::now() + self.limits.total;
        }
    }

    /// Takes the wait for the host off the time limit.
    fn exclude_wait(&mut self, time: Duration) {
        self.waited += time;
        self.deadline += time;
    }
}

/// Reads the body to its end. What came before it broke off is kept and marked as truncated.
async fn read_body(request: &Request, mut streaming: Streaming) -> Result<Response, Error> {
    let first = streaming.chunk().await?;
    let (body, flaw) = match first {
        None => (Bytes::new(), None),
        Some(first) => match streaming.chunk().await {
            // Most small pages come in one part, which then needs no copy.
            Ok(None) => (first, None),
            Ok(Some(second)) => {
                // The announced length is a hint only.
                let announced = streaming
                    .headers
                    .get(header::CONTENT_LENGTH)
                    .and_then(|value| value.to_str().ok());
                let announced = announced.and_then(|text| text.parse().ok()).unwrap_or(0usize);
                let mut body =
                    BytesMut::with_capacity(announced.min(1 << 20).max(first.len() + second.len()));
                body.extend_from_slice(&first);
                body.extend_from_slice(&second);
                let flaw = loop {
                    match streaming.chunk().await {
                        Ok(Some(part)) => body.extend_from_slice(&part),
                        Ok(None) => break None,
                        Err(error) => break Some(error),
                    }
                };
                (body.freeze(), flaw)
            }
            Err(error) => (first, Some(error)),
        },
    };
    let flaw = match flaw {
        None => None,
        Some(error @ (Error::BadEncoding | Error::Incomplete)) => Some(error),
        Some(error) => return Err(error),
    };
    Ok(Response {
        url: request.url.clone(),
        status: streaming.status,
        truncated: flaw.is_some() || streaming.is_cut(),
        flaw,
        body,
        hops: Vec::new(),
        from_cache: false,
        remote: streaming.remote,
        timing: Timing {
            first_byte: streaming.first_byte,
            ..Timing::default()
        },
        headers: streaming.headers,
    })
}
