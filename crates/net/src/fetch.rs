//! Fetching a page: redirects, retries, cache, cookies and politeness around single exchanges.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderValue, header};
use tokio::time::{Instant, sleep, timeout};
use tracing::field::Empty;
use tracing::{Instrument, Span, debug, debug_span};
use url::Url;

use crate::Limits;
use crate::budget::BodyReservation;
use crate::cache::CacheLookup;
use crate::error::{Blocked, Error, TimeLimit};
use crate::exchange::{Streaming, exchange};
use crate::inner::ClientInner;
use crate::redirect::{follow, without_fragment};
use crate::request::{Request, Response, RobotsMode, Timing};
use crate::retry::retry_delay;
use crate::robots::{Robots, RobotsCache};

/// Fetches a page. Diagnostics name the host and sizes, never a path, a query or headers.
pub(crate) async fn fetch(inner: &Arc<ClientInner>, request: Request) -> Result<Response, Error> {
    let host = request.url.host_str().unwrap_or_default();
    let span = debug_span!(
        "fetch",
        host,
        method = %request.method,
        status = Empty,
        bytes = Empty,
        error = Empty
    );
    async {
        let began = Instant::now();
        let outcome = follow_redirects(inner, request).await;
        let millis = began.elapsed().as_millis();
        let span = Span::current();
        match &outcome {
            Ok(response) => {
                let (status, bytes) = (response.status.as_u16(), response.body.len());
                debug!(
                    status,
                    bytes,
                    millis,
                    cached = response.from_cache,
                    retries = response.timing.tries.saturating_sub(1),
                    redirects = response.hops.len(),
                    "fetched"
                );
                span.record("status", status).record("bytes", bytes);
            }
            Err(error) => {
                debug!(error = error.code(), millis, "fetch failed");
                span.record("error", error.code());
            }
        }
        outcome
    }
    .instrument(span)
    .await
}

async fn follow_redirects(inner: &Arc<ClientInner>, mut request: Request) -> Result<Response, Error> {
    let began = Instant::now();
    let mut limits = request.limits.take().unwrap_or_else(|| inner.limits.clone());
    limits.body_bytes = limits.body_bytes.min(inner.limits.body_bytes);
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
        let outcome = run.fetch_one(&request).await;
        let mut response = outcome.map_err(|error| match error {
            Error::Blocked(why) if !hops.is_empty() => Error::BlockedRedirect {
                target: request.url.origin().ascii_serialization(),
                why,
            },
            other => other,
        })?;
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
        if !request.hop_filter.allows(&next.url) {
            return Err(Error::BlockedRedirect {
                target: next.url.origin().ascii_serialization(),
                why: Blocked::Session,
            });
        }
        let step = (next.method.clone(), without_fragment(&next.url).to_owned());
        if hops.len() >= run.limits.redirects as usize || seen.contains(&step) {
            return Err(Error::TooManyRedirects);
        }
        seen.push(step);
        hops.push(std::mem::replace(&mut request, next).url);
        run.tries = 0;
    }
}

/// The robots.txt rules for the site of a request, from the cache or fetched: once for all requests that need them at the same
/// time. Where one that fetches them is dropped or cancelled, another one goes on.
pub(crate) async fn robots_of(inner: &Arc<ClientInner>, request: &Request) -> Result<Arc<Robots>, Error> {
    if let Some(robots) = inner.robots.get(request) {
        return Ok(robots);
    }
    let lookup = inner.robots.lookup(request);
    tokio::select! {
        () = request.cancel.cancelled() => Err(Error::Cancelled),
        robots = lookup.get_or_init(|| fetch_robots(inner, request)) => robots.clone(),
    }
}

async fn fetch_robots(inner: &Arc<ClientInner>, request: &Request) -> Result<Arc<Robots>, Error> {
    // Another look-up may have ended since.
    if let Some(robots) = inner.robots.get(request) {
        return Ok(robots);
    }
    // The box makes the recursion finite in size: fetching a page fetches robots.txt first.
    let file = Box::pin(fetch(inner, RobotsCache::request_for(request, &inner.limits))).await;
    let robots = inner.robots.store(request, file);
    inner.robots.end_lookup(request);
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
    /// The pause that the site's robots.txt asks for. The time of looking it up is not the page's.
    async fn crawl_delay(&mut self, request: &Request) -> Result<Duration, Error> {
        let least = request.pause.unwrap_or_else(|| self.inner.host_limiter.delay());
        let (began, wait) = (Instant::now(), request.own_waits.begin());
        let robots = robots_of(self.inner, request).await?;
        drop(wait);
        self.exclude_wait(began.elapsed());
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
        if let Some(mut value) = cookie.and_then(|text| HeaderValue::from_str(&text).ok()) {
            value.set_sensitive(true);
            sent.headers.insert(header::COOKIE, value);
        } else if let Some(value) = request.headers.get(header::COOKIE) {
            sent.headers.insert(header::COOKIE, value.clone());
        }
        // With the validators of a stale answer a request is another one than the cache was asked for.
        let mut asked = None;
        let stale = match inner.cache.lookup(&sent) {
            CacheLookup::Fresh(response) => return Ok(*response),
            CacheLookup::Stale(stale) => {
                asked = Some(sent.clone());
                stale.add_validators(&mut sent.headers);
                Some(stale)
            }
            CacheLookup::Miss => None,
        };
        loop {
            self.tries += 1;
            let (began, wait) = (Instant::now(), request.own_waits.begin());
            let permit = tokio::select! {
                () = request.cancel.cancelled() => return Err(Error::Cancelled),
                permit = inner.host_limiter.acquire(&request.url, delay) => permit,
            };
            drop(wait);
            self.exclude_wait(began.elapsed());
            let outcome = match exchange(inner, &sent, &self.limits, self.deadline).await {
                Ok(streaming) => self.read_response(&sent, streaming).await,
                Err(error) => Err(error),
            };
            drop(permit);
            let seen = outcome
                .as_ref()
                .map(|response| (response.status, &response.headers));
            let Some(pause) = retry_delay(&request.method, seen, self.tries, &self.limits) else {
                let asked = asked.as_ref().unwrap_or(&sent);
                return outcome.map(|response| inner.cache.store_or_update(asked, stale, response));
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

    async fn read_response(
        &mut self,
        request: &Request,
        mut streaming: Streaming,
    ) -> Result<Response, Error> {
        let body = self.read_body(request, &mut streaming).await?;
        Ok(Response {
            url: request.url.clone(),
            status: streaming.status,
            truncated: streaming.is_cut(),
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

    /// Reads the body to its end. Before a part is stored, its bytes are taken from the budget.
    async fn read_body(&mut self, request: &Request, streaming: &mut Streaming) -> Result<Bytes, Error> {
        let Some(first) = streaming.chunk().await? else {
            return Ok(Bytes::new());
        };
        let mut reservation = self.inner.body_budget.reserve();
        self.make_room(request, streaming, &mut reservation, first.len())
            .await?;
        // Most small pages come in one part, which then needs no copy.
        let Some(mut part) = streaming.chunk().await? else {
            return Ok(reservation.attach(first));
        };
        // The announced length is a hint only. What of this memory is never written to is never used.
        let announced = streaming.headers.get(header::CONTENT_LENGTH);
        let announced = announced.and_then(|value| value.to_str().ok()?.parse().ok());
        let announced = announced.unwrap_or(0usize).min(self.limits.body_bytes);
        let mut body = BytesMut::with_capacity(announced.max(first.len() + part.len()));
        body.extend_from_slice(&first);
        drop(first);
        loop {
            self.make_room(request, streaming, &mut reservation, body.len() + part.len())
                .await?;
            body.extend_from_slice(&part);
            match streaming.chunk().await? {
                Some(next) => part = next,
                None => return Ok(reservation.attach(body)),
            }
        }
    }

    /// Waits until the budget of all bodies has room for a body of this size.
    async fn make_room(
        &mut self,
        request: &Request,
        streaming: &mut Streaming,
        reservation: &mut BodyReservation,
        bytes: usize,
    ) -> Result<(), Error> {
        if !reservation.is_short_of(bytes) {
            return Ok(());
        }
        let (began, _wait) = (Instant::now(), request.own_waits.begin());
        let room = tokio::select! {
            () = request.cancel.cancelled() => return Err(Error::Cancelled),
            room = timeout(self.limits.room, reservation.grow_to(bytes)) => room,
        };
        self.exclude_wait(began.elapsed());
        streaming.exclude_wait(began.elapsed());
        room.map_err(|_| Error::Timeout(TimeLimit::Room))
    }

    /// Takes a wait of ours off the time limit.
    fn exclude_wait(&mut self, time: Duration) {
        self.waited += time;
        self.deadline += time;
    }
}
