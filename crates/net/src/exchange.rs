//! One request and its answer over one connection, within the time limits.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use http_body_util::Full;
use hyper::body::Incoming;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use url::{Position, Url};

use crate::client::Inner;
use crate::decode::Decoded;
use crate::error::{Error, Size, Wait};
use crate::pool::{Key, Link, Sender};
use crate::{Limits, Request};

/// An answer whose body is read part by part.
pub struct Streaming {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The address that answered. Never show it to a client.
    pub remote: SocketAddr,
    /// From the request to these headers.
    pub first_byte: Duration,
    body: Decoded,
    idle: Duration,
    deadline: Instant,
    cancel: CancellationToken,
    lent: Option<Lent>,
}

impl Streaming {
    /// The next part of the decoded body, never empty; `None` at its end. After an error nothing more comes.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let next = Instant::now() + self.idle;
        let (until, wait) = match next < self.deadline {
            true => (next, Wait::Idle),
            false => (self.deadline, Wait::Total),
        };
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Error::Cancelled),
            part = timeout_at(until, self.body.next()) => {
                let part = part.map_err(|_| Error::Timeout(wait))?;
                if matches!(part, Ok(None))
                    && !self.body.cut
                    && let Some(Lent { inner, key, link }) = self.lent.take()
                    && let Some(inner) = inner.upgrade()
                {
                    inner.pool.put(key, link);
                }
                part
            }
        }
    }

    /// Whether the body ended only because the size limit cuts it.
    pub fn is_cut(&self) -> bool {
        self.body.cut
    }
}

/// Sends one request to where its URL says and waits for the headers of the answer.
pub(crate) async fn exchange(
    inner: &Arc<Inner>,
    request: &Request,
    limits: &Limits,
    deadline: Instant,
) -> Result<Streaming, Error> {
    let target = inner.connector.guard.screen(&request.url, request.granted)?;
    let key = Key {
        target,
        granted: request.granted,
    };
    tokio::select! {
        biased;
        () = request.cancel.cancelled() => Err(Error::Cancelled),
        answer = timeout_at(deadline, attempt(inner, key, request, limits, deadline)) => {
            answer.map_err(|_| Error::Timeout(Wait::Total))?
        }
    }
}

async fn attempt(
    inner: &Arc<Inner>,
    key: Key,
    request: &Request,
    limits: &Limits,
    deadline: Instant,
) -> Result<Streaming, Error> {
    let began = Instant::now();
    let mut reuse = true;
    let (answer, remote, lent) = loop {
        let pooled = if reuse { inner.pool.take(&key) } else { None };
        let (mut link, fresh) = match pooled {
            Some(mut link) => match link.sender.is_usable().await {
                true => (link, false),
                false => continue,
            },
            None => (
                inner.connector.open(&key.target, request.granted, limits).await?,
                true,
            ),
        };
        let message = message(inner, request, &link.sender)?;
        match send(&mut link, message, limits).await {
            Ok(answer) => {
                break (answer, link.remote, keep(inner, key, link, fresh));
            }
            // A connection that lay idle may have been closed while we were not looking. Nothing of the
            // request was handled then, or it is one that may be sent twice.
            Err(Failure { stale, .. })
                if !fresh
                    && (stale == Stale::Unsent || (stale == Stale::Broken && is_safe(&request.method))) =>
            {
                inner.pool.forget(&key);
                reuse = false;
            }
            Err(Failure { why, .. }) => return Err(why),
        }
    };
    let (head, body) = answer.into_parts();
    if head.headers.len() > limits.header_count || header_bytes(&head.headers) > limits.header_bytes {
        return Err(Error::TooLarge(Size::Headers));
    }
    Ok(Streaming {
        status: head.status,
        body: Decoded::new(body, &head.headers, limits),
        headers: head.headers,
        remote,
        first_byte: began.elapsed(),
        idle: limits.idle,
        deadline,
        cancel: request.cancel.clone(),
        lent,
    })
}

/// A connection that goes back to the pool when its answer has been read to the end.
struct Lent {
    inner: Weak<Inner>,
    key: Key,
    link: Link,
}

/// Puts a new HTTP/2 connection into the pool at once, for it can be shared; an HTTP/1 connection is lent to
/// its answer first.
fn keep(inner: &Arc<Inner>, key: Key, link: Link, fresh: bool) -> Option<Lent> {
    match &link.sender {
        Sender::H1(_) => {
            return Some(Lent {
                inner: Arc::downgrade(inner),
                key,
                link,
            });
        }
        Sender::H2(_) if fresh => inner.pool.put(key, link),
        Sender::H2(_) => {}
    }
    None
}

/// How a failed send can be seen when its connection was an old one.
#[derive(Debug, PartialEq, Eq)]
enum Stale {
    /// The request never left.
    Unsent,
    /// The connection broke before an answer came.
    Broken,
    /// The server did answer, or took its time.
    No,
}

struct Failure {
    why: Error,
    stale: Stale,
}

async fn send(
    link: &mut Link,
    mut message: http::Request<Full<Bytes>>,
    limits: &Limits,
) -> Result<http::Response<Incoming>, Failure> {
    let flood = Arc::new(Notify::new());
    let (seen, bell) = (AtomicU32::new(0), flood.clone());
    hyper::ext::on_informational(&mut message, move |_| {
        if seen.fetch_add(1, Ordering::Relaxed) >= Limits::INFORMATIONAL {
            bell.notify_one();
        }
    });
    let answer = async {
        match &mut link.sender {
            Sender::H1(sender) => sender.try_send_request(message).await,
            Sender::H2(sender) => sender.try_send_request(message).await,
        }
    };
    let flooded = Failure {
        why: Error::BadResponse("too many informational answers"),
        stale: Stale::No,
    };
    tokio::select! {
        () = flood.notified() => Err(flooded),
        answer = timeout(limits.first_byte, answer) => match answer {
            Err(_) => Err(Failure { why: Error::Timeout(Wait::FirstByte), stale: Stale::No }),
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(mut failed)) => {
                let unsent = failed.take_message().is_some();
                let why = read_failure(failed.error());
                let stale = match &why {
                    _ if unsent => Stale::Unsent,
                    Error::Connect(_) | Error::Incomplete => Stale::Broken,
                    _ => Stale::No,
                };
                Err(Failure { why, stale })
            }
        }
    }
}

fn read_failure(why: &hyper::Error) -> Error {
    if why.is_parse_too_large() {
        Error::TooLarge(Size::Headers)
    } else if why.is_parse() || why.is_parse_status() || why.is_parse_version_h2() {
        Error::BadResponse("its head could not be read")
    } else if why.is_user() {
        Error::BadRequest("its parts do not fit together")
    } else if why.is_incomplete_message() {
        Error::Connect("closed without an answer")
    } else {
        Error::Connect("connection broken")
    }
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn header_bytes(headers: &HeaderMap) -> usize {
    headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + 4)
        .sum()
}

/// The request as this kind of connection wants it.
fn message(inner: &Inner, request: &Request, sender: &Sender) -> Result<http::Request<Full<Bytes>>, Error> {
    let url = &request.url;
    let mut message = http::Request::new(Full::new(request.body.clone()));
    *message.method_mut() = request.method.clone();
    *message.uri_mut() = match sender {
        Sender::H1(_) => Uri::from(path_of(url)?),
        Sender::H2(_) => url[..Position::AfterQuery].parse().map_err(|_| UNSENDABLE)?,
    };
    let headers = message.headers_mut();
    if let Sender::H1(_) = sender {
        let host = &url[Position::BeforeHost..Position::AfterPort];
        headers.insert(header::HOST, HeaderValue::from_str(host).map_err(|_| UNSENDABLE)?);
    }
    for (name, value) in &request.headers {
        if !OF_CONNECTION.contains(&name.as_str()) {
            headers.append(name.clone(), value.clone());
        }
    }
    let mut default = |name, value: &HeaderValue| {
        if !headers.contains_key(&name) {
            headers.insert(name, value.clone());
        }
    };
    default(header::USER_AGENT, &inner.user_agent);
    default(header::ACCEPT, &HeaderValue::from_static(ACCEPT));
    default(
        header::ACCEPT_LANGUAGE,
        &HeaderValue::from_static("en-US,en;q=0.9,*;q=0.5"),
    );
    default(
        header::ACCEPT_ENCODING,
        &HeaderValue::from_static("gzip, br, zstd, deflate"),
    );
    Ok(message)
}

fn path_of(url: &Url) -> Result<PathAndQuery, Error> {
    url[Position::BeforePath..Position::AfterQuery]
        .parse()
        .map_err(|_| UNSENDABLE)
}

const UNSENDABLE: Error = Error::InvalidUrl("it cannot be written into a request");

const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// Headers that are the connection's business.
const OF_CONNECTION: &[&str] = &[
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "upgrade",
    "keep-alive",
    "te",
    "trailer",
    "expect",
    "proxy-connection",
    "proxy-authorization",
];
