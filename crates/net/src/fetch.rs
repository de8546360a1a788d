//! A page whole: redirects, second tries, cache, cookies and politeness around single exchanges.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderValue, header};
use tokio::time::{Instant, sleep};
use url::Url;

use crate::cache::Look;
use crate::error::Error;
use crate::exchange::{Streaming, exchange};
use crate::redirect::{follow, without_fragment};
use crate::request::{Request, Response, RobotsMode, Timing};
use crate::{Client, Limits, retry};

/// One fetch on its way.
struct Way<'a> {
    client: &'a Client,
    limits: Limits,
    deadline: Instant,
    waited: Duration,
    tries: u32,
}

pub(crate) async fn fetch(client: &Client, mut request: Request) -> Result<Response, Error> {
    let began = Instant::now();
    let limits = request
        .limits
        .take()
        .unwrap_or_else(|| client.inner.limits.clone());
    let deadline = began + limits.total;
    let mut way = Way {
        client,
        limits,
        deadline,
        waited: Duration::ZERO,
        tries: 0,
    };
    let mut hops: Vec<Url> = Vec::new();
    let mut seen = vec![(request.method.clone(), without_fragment(&request.url).to_owned())];
    loop {
        let mut response = way.answer(&request).await?;
        if let Some(jar) = &request.jar {
            let cookies = response.headers.get_all(header::SET_COOKIE).iter();
            let changed = cookies
                .filter_map(|value| value.to_str().ok())
                .filter(|value| jar.set(&request.url, value));
            // Coming back with a new cookie is how many sites greet; without one it is a circle.
            if changed.count() > 0 {
                seen.clear();
            }
        }
        let Some(next) = follow(&request, response.status, &response.headers)? else {
            response.hops = hops;
            response.timing.waited = way.waited;
            response.timing.total = began.elapsed();
            response.timing.tries = way.tries;
            return Ok(response);
        };
        let mark = (next.method.clone(), without_fragment(&next.url).to_owned());
        if hops.len() >= way.limits.redirects as usize || seen.contains(&mark) {
            return Err(Error::TooManyRedirects);
        }
        seen.push(mark);
        hops.push(std::mem::replace(&mut request, next).url);
        way.tries = 0;
    }
}

impl Way<'_> {
    /// The answer to one request, without following where it leads.
    async fn answer(&mut self, request: &Request) -> Result<Response, Error> {
        let inner = &self.client.inner;
        // Neither robots.txt nor the cache is asked about an address that may not be reached.
        inner.connector.guard.screen(&request.url, request.granted)?;
        let delay = match request.robots {
            RobotsMode::Ignore => Duration::ZERO,
            RobotsMode::Obey => {
                inner
                    .robots
                    .admit(self.client, request, inner.polite.delay())
                    .await?
            }
        };
        let mut asked = request.clone();
        asked.headers.remove(header::COOKIE);
        let cookie = request.jar.as_ref().and_then(|jar| jar.header(&request.url));
        if let Some(value) = cookie.and_then(|text| HeaderValue::from_str(&text).ok()) {
            asked.headers.insert(header::COOKIE, value);
        } else if let Some(value) = request.headers.get(header::COOKIE) {
            asked.headers.insert(header::COOKIE, value.clone());
        }
        let kept = match inner.cache.look(&asked) {
            Look::Fresh(response) => return Ok(*response),
            Look::Stale(kept) => {
                kept.ask(&mut asked.headers);
                Some(kept)
            }
            Look::Nothing => None,
        };
        loop {
            self.tries += 1;
            let turn = Instant::now();
            let permit = tokio::select! {
                () = request.cancel.cancelled() => return Err(Error::Cancelled),
                permit = inner.polite.turn(&request.url, delay) => permit,
            };
            self.wait_over(turn.elapsed());
            let outcome = match exchange(&self.client.inner, &asked, &self.limits, self.deadline).await {
                Ok(streaming) => whole(&asked, streaming).await,
                Err(why) => Err(why),
            };
            drop(permit);
            let seen = outcome
                .as_ref()
                .map(|response| (response.status, &response.headers));
            let Some(pause) = retry::pause(&request.method, seen, self.tries, &self.limits) else {
                return outcome.map(|response| inner.cache.keep(&asked, kept, response));
            };
            if outcome
                .as_ref()
                .is_ok_and(|response| response.headers.contains_key(header::RETRY_AFTER))
            {
                inner.polite.hold(&request.url, pause);
            }
            tokio::select! {
                () = request.cancel.cancelled() => return Err(Error::Cancelled),
                () = sleep(pause) => {}
            }
            self.waited += pause;
            self.deadline = Instant::now() + self.limits.total;
        }
    }

    fn wait_over(&mut self, time: Duration) {
        self.waited += time;
        self.deadline += time;
    }
}

/// Reads the body to its end. What came before a break in it is kept and flagged.
async fn whole(request: &Request, mut streaming: Streaming) -> Result<Response, Error> {
    let first = streaming.chunk().await?;
    let (body, flaw) = match first {
        None => (Bytes::new(), None),
        Some(first) => match streaming.chunk().await {
            // Most small pages come in one part, which then needs no copy.
            Ok(None) => (first, None),
            Ok(Some(second)) => {
                // What the server announces is a good guess, and no more than that.
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
                        Err(why) => break Some(why),
                    }
                };
                (body.freeze(), flaw)
            }
            Err(why) => (first, Some(why)),
        },
    };
    let flaw = match flaw {
        None => None,
        Some(why @ (Error::BadEncoding | Error::Incomplete)) => Some(why),
        Some(why) => return Err(why),
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
