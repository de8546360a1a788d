//! One request and its response over one connection, within the time limits.

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

use crate::decode::BodyDecoder;
use crate::error::{Error, SizeLimit, TimeLimit};
use crate::inner::ClientInner;
use crate::pool::{PoolKey, PooledConnection, Sender};
use crate::{Limits, Request};

/// A response whose body is read part by part.
pub struct Streaming {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The address that answered. Never shown to a client.
    pub remote: SocketAddr,
    /// From the request to these headers.
    pub first_byte: Duration,
    body: BodyDecoder,
    idle: Duration,
    deadline: Instant,
    cancel: CancellationToken,
    pool_return: Option<PoolReturn>,
}

impl Streaming {
    /// The next part of the decoded body, never empty; `None` at its end. After an error nothing more comes.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let next = Instant::now() + self.idle;
        let (until, wait) = match next < self.deadline {
            true => (next, TimeLimit::Idle),
            false => (self.deadline, TimeLimit::Total),
        };
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(Error::Cancelled),
            part = timeout_at(until, self.body.next()) => {
                let part = part.map_err(|_| Error::Timeout(wait))?;
                if matches!(part, Ok(None))
                    && !self.body.cut
                    && let Some(PoolReturn { inner, key, connection }) = self.pool_return.take()
                    && let Some(inner) = inner.upgrade()
                {
                    inner.pool.put(key, connection);
                }
                part
            }
        }
    }

    /// Moves the time limit of the whole answer by the time that a wait of ours took.
    pub(crate) fn exclude_wait(&mut self, time: Duration) {
        self.deadline += time;
    }

    /// Whether the body ended only because the size limit cuts it.
    pub fn is_cut(&self) -> bool {
        self.body.cut
    }
}

/// Sends one request to where its URL says and waits for the headers of the answer.
pub(crate) async fn exchange(
    inner: &Arc<ClientInner>,
    request: &Request,
    limits: &Limits,
    deadline: Instant,
) -> Result<Streaming, Error> {
    let target = inner.connector.guard.screen(&request.url, request.granted)?;
    let key = PoolKey {
        target,
        granted: request.granted,
    };
    tokio::select! {
        biased;
        () = request.cancel.cancelled() => Err(Error::Cancelled),
        answer = timeout_at(deadline, send_over_connection(inner, key, request, limits, deadline)) => {
            answer.map_err(|_| Error::Timeout(TimeLimit::Total))?
        }
    }
}

async fn send_over_connection(
    inner: &Arc<ClientInner>,
    key: PoolKey,
    request: &Request,
    limits: &Limits,
    deadline: Instant,
) -> Result<Streaming, Error> {
    let began = Instant::now();
    let mut reuse = true;
    let (answer, remote, pool_return) = loop {
        let pooled = if reuse { inner.pool.take(&key) } else { None };
        let (mut connection, fresh) = match pooled {
            Some(mut connection) => match connection.sender.is_usable().await {
                true => (connection, false),
                false => continue,
            },
            None => (
                inner.connector.open(&key.target, request.granted, limits).await?,
                true,
            ),
        };
        let message = message(inner, request, &connection.sender)?;
        match send(&mut connection, message, limits).await {
            Ok(answer) => {
                break (
                    answer,
                    connection.remote,
                    return_to_pool(inner, key, connection, fresh),
                );
            }
            // A connection that lay idle may have been closed while we were not looking. Nothing of the
            // request was handled then, or it is one that may be sent twice.
            Err(SendFailure { stage, .. })
                if !fresh
                    && (stage == SendStage::Unsent
                        || (stage == SendStage::Broken && is_safe(&request.method))) =>
            {
                inner.pool.forget(&key);
                reuse = false;
            }
            Err(SendFailure { error, .. }) => return Err(error),
        }
    };
    let (head, body) = answer.into_parts();
    if head.headers.len() > limits.header_count || header_bytes(&head.headers) > limits.header_bytes {
        return Err(Error::TooLarge(SizeLimit::Headers));
    }
    Ok(Streaming {
        status: head.status,
        body: BodyDecoder::new(body, is_ended_by_close(&head), &head.headers, limits),
        headers: head.headers,
        remote,
        first_byte: began.elapsed(),
        idle: limits.idle,
        deadline,
        cancel: request.cancel.clone(),
        pool_return,
    })
}

/// A connection that goes back to the pool when its response has been read to the end.
struct PoolReturn {
    inner: Weak<ClientInner>,
    key: PoolKey,
    connection: PooledConnection,
}

/// Puts a new HTTP/2 connection, which can be shared, into the pool at once. An HTTP/1 connection returns when its
/// response has been read.
fn return_to_pool(
    inner: &Arc<ClientInner>,
    key: PoolKey,
    connection: PooledConnection,
    fresh: bool,
) -> Option<PoolReturn> {
    match &connection.sender {
        Sender::H1(_) => {
            return Some(PoolReturn {
                inner: Arc::downgrade(inner),
                key,
                connection,
            });
        }
        Sender::H2(_) if fresh => inner.pool.put(key, connection),
        Sender::H2(_) => {}
    }
    None
}

/// How far a failed request got, which decides whether it may be sent again on a new connection.
#[derive(Debug, PartialEq, Eq)]
enum SendStage {
    /// The request was not sent.
    Unsent,
    /// The connection broke before a response came.
    Broken,
    /// The server answered, or a time limit passed.
    Answered,
}

struct SendFailure {
    error: Error,
    stage: SendStage,
}

async fn send(
    connection: &mut PooledConnection,
    mut message: http::Request<Full<Bytes>>,
    limits: &Limits,
) -> Result<http::Response<Incoming>, SendFailure> {
    let limit_reached = Arc::new(Notify::new());
    let (seen, notifier) = (AtomicU32::new(0), limit_reached.clone());
    hyper::ext::on_informational(&mut message, move |_| {
        if seen.fetch_add(1, Ordering::Relaxed) >= Limits::INFORMATIONAL {
            notifier.notify_one();
        }
    });
    let answer = async {
        match &mut connection.sender {
            Sender::H1(sender) => sender.try_send_request(message).await,
            Sender::H2(sender) => sender.try_send_request(message).await,
        }
    };
    let too_many = SendFailure {
        error: Error::BadResponse("too many informational answers"),
        stage: SendStage::Answered,
    };
    tokio::select! {
        () = limit_reached.notified() => Err(too_many),
        answer = timeout(limits.first_byte, answer) => match answer {
            Err(_) => Err(SendFailure { error: Error::Timeout(TimeLimit::FirstByte), stage: SendStage::Answered }),
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(mut failed)) => {
                let unsent = failed.take_message().is_some();
                let error = classify_hyper_error(failed.error());
                let stage = match &error {
                    _ if unsent => SendStage::Unsent,
                    Error::Connect(_) | Error::Exit(_) | Error::Incomplete => SendStage::Broken,
                    _ => SendStage::Answered,
                };
                Err(SendFailure { error, stage })
            }
        }
    }
}

fn classify_hyper_error(error: &hyper::Error) -> Error {
    if error.is_parse_too_large() {
        Error::TooLarge(SizeLimit::Headers)
    } else if error.is_parse() || error.is_parse_status() || error.is_parse_version_h2() {
        Error::BadResponse("its head could not be read")
    } else if error.is_user() {
        Error::BadRequest("its parts do not fit together")
    } else if error.is_incomplete_message() {
        Error::Connect("closed without an answer")
    } else {
        Error::Connect("connection broken")
    }
}

/// Whether nothing but the end of the connection says where the body ends (RFC 9112, 6.3).
fn is_ended_by_close(head: &http::response::Parts) -> bool {
    head.version < http::Version::HTTP_2
        && !head.headers.contains_key(header::CONTENT_LENGTH)
        && !head.headers.contains_key(header::TRANSFER_ENCODING)
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
fn message(
    inner: &ClientInner,
    request: &Request,
    sender: &Sender,
) -> Result<http::Request<Full<Bytes>>, Error> {
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
        if !CONNECTION_HEADERS.contains(&name.as_str()) {
            headers.append(name.clone(), value.clone());
        }
    }
    if request.is_own_service
        && let Some(parent) = inner.trace_parent.and_then(|source| source())
    {
        headers.insert(TRACE_PARENT, parent);
    }
    let mut default = |name, value: &HeaderValue| {
        if !headers.contains_key(&name) {
            headers.insert(name, value.clone());
        }
    };
    for name in [header::USER_AGENT, header::ACCEPT_LANGUAGE] {
        if let Some(value) = request.identity.get(&name) {
            default(name, value);
        }
    }
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

/// The trace that a request belongs to (W3C Trace Context).
const TRACE_PARENT: &str = "traceparent";

const UNSENDABLE: Error = Error::InvalidUrl("it cannot be written into a request");

const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// Headers that belong to the connection.
const CONNECTION_HEADERS: &[&str] = &[
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
