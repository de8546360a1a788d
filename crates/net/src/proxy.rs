//! Forward proxy on loopback that puts a browser behind the guard.
//!
//! A browser resolves, redirects and retries on its own, so interception inside it is not enough. It gets
//! this proxy instead of the network: the proxy resolves each host once, checks every address and connects
//! to the address it checked. Plain requests come in absolute form, everything else (https, WebSockets) as
//! CONNECT. Each proxy has a password of its own, so that neither other programs of the machine nor other
//! sessions of the browser use it.

mod budget;

use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine;
use bytes::Bytes;
use http::header::{self, HeaderName, HeaderValue};
use http::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1 as client_http1;
use hyper::server::conn::http1 as server_http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::debug;
use url::{Host, Position, Url};

use crate::client::Client;
use crate::dial::Socket;
use crate::error::{Blocked, Error, TimeLimit};
use crate::guard::Destination;
use crate::inner::ClientInner;

pub use budget::{TrafficBudget, TrafficLimits};

use budget::MeteredSocket;

/// Further rules of a session, applied to each connection or plain request after the guard has allowed it
/// and before anything is sent.
pub trait ConnectionFilter: Send + Sync + 'static {
    /// Whether the browser may talk to this target.
    fn admits(&self, target: &Destination) -> bool;
}

/// Configuration of a proxy.
#[derive(Default)]
pub struct ProxyConfig {
    /// The session's own rules; none means that whatever the guard allows is allowed.
    pub gate: Option<Arc<dyn ConnectionFilter>>,
    /// Hosts that the operator named, whatever their address class (but no metadata service), on every port.
    pub granted: Vec<String>,
    /// What may pass in all. A session that needs another proxy goes on with the same budget.
    pub budget: Arc<TrafficBudget>,
}

/// A running proxy. Dropping it stops it and closes every connection through it.
pub struct Proxy {
    address: SocketAddr,
    password: String,
    shared: Arc<ProxyState>,
    stop: CancellationToken,
}

/// A connection that was refused or failed, so that the caller can say why a part of a page is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedConnection {
    /// The host as the browser asked for it.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The reason.
    pub why: Error,
}

struct ProxyState {
    inner: Arc<ClientInner>,
    gate: Option<Arc<dyn ConnectionFilter>>,
    granted: HashSet<String>,
    /// The `Proxy-Authorization` of the session's browser.
    expected: HeaderValue,
    budget: Arc<TrafficBudget>,
    passed: AtomicU64,
    denied: AtomicU64,
    last_denied: Mutex<VecDeque<FailedConnection>>,
    last_failed: Mutex<VecDeque<FailedConnection>>,
    slots: Arc<Semaphore>,
}

impl Proxy {
    /// The user whom [`Proxy::password`] belongs to.
    pub const USER: &'static str = "huntsman";
    /// The header of the proxy's own answers with the code of their [`Error`]: of requests that did not reach their site.
    pub const ERROR_HEADER: &'static str = "x-error-code";
    /// Refusals remembered.
    const REMEMBERED: usize = 64;
    /// Most connections at once, tunnels included. Further ones wait until one of them ends.
    const CONNECTIONS: usize = 512;

    /// Starts a proxy for `client` on a free loopback port.
    pub async fn start(client: &Client, config: ProxyConfig) -> Result<Proxy, Error> {
        Self::with_connections(client, config, Self::CONNECTIONS).await
    }

    async fn with_connections(
        client: &Client,
        config: ProxyConfig,
        connections: usize,
    ) -> Result<Proxy, Error> {
        let unbound =
            |error: std::io::Error| Error::Config(format!("no loopback port for the proxy: {error}"));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .await
            .map_err(unbound)?;
        let address = listener.local_addr().map_err(unbound)?;
        let password = random_password()?;
        let shared = Arc::new(ProxyState {
            inner: client.inner.clone(),
            gate: config.gate,
            granted: config.granted.into_iter().collect(),
            expected: authorization(&password)?,
            budget: config.budget,
            passed: AtomicU64::new(0),
            denied: AtomicU64::new(0),
            last_denied: Mutex::default(),
            last_failed: Mutex::default(),
            slots: Arc::new(Semaphore::new(connections)),
        });
        let stop = CancellationToken::new();
        tokio::spawn(serve(listener, shared.clone(), stop.clone()));
        Ok(Proxy {
            address,
            password,
            shared,
            stop,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as browsers take it: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The password that its browser must send, with the name [`Proxy::USER`]. It is random, and of this proxy alone.
    pub fn password(&self) -> &str {
        &self.password
    }

    /// What has been used of the session's limits.
    pub fn budget(&self) -> &Arc<TrafficBudget> {
        &self.shared.budget
    }

    /// Connections and plain requests let through so far.
    pub fn passed(&self) -> u64 {
        self.shared.passed.load(Ordering::Relaxed)
    }

    /// Refusals so far.
    pub fn denied(&self) -> u64 {
        self.shared.denied.load(Ordering::Relaxed)
    }

    /// The last refusals, oldest first; they are forgotten with this call.
    pub fn take_denied(&self) -> Vec<FailedConnection> {
        lock(&self.shared.last_denied).drain(..).collect()
    }

    /// Why the last try to reach this host failed, refusals included; it is forgotten with this call.
    pub fn take_failure(&self, host: &str, port: u16) -> Option<Error> {
        let mut failed = lock(&self.shared.last_failed);
        let at = failed
            .iter()
            .rposition(|failure| failure.host == host && failure.port == port)?;
        failed.remove(at).map(|failure| failure.why)
    }

    /// Stops it and closes every connection through it.
    pub fn stop(&self) {
        self.stop.cancel();
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn serve(listener: TcpListener, shared: Arc<ProxyState>, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                tokio::spawn(stop.clone().run_until_cancelled_owned(connection(
                    stream,
                    shared.clone(),
                    stop.clone(),
                )));
            }
            // Most likely out of file descriptors: wait for other connections to end.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// The right of a connection to last, which a tunnel that it becomes takes along.
struct ConnectionLease {
    /// Ends it.
    stop: CancellationToken,
    _slot: Arc<OwnedSemaphorePermit>,
}

impl ConnectionLease {
    /// Runs a tunnel until it ends, or the proxy does.
    fn spawn_tunnel(self, tunnel: impl Future<Output = ()> + Send + 'static) {
        let ConnectionLease { stop, _slot: slot } = self;
        tokio::spawn(async move {
            stop.run_until_cancelled(tunnel).await;
            drop(slot);
        });
    }
}

async fn connection(stream: TcpStream, shared: Arc<ProxyState>, stop: CancellationToken) {
    let Ok(slot) = shared.slots.clone().acquire_owned().await else {
        return;
    };
    let slot = Arc::new(slot);
    let service = service_fn(move |request| {
        let (shared, lease) = (
            shared.clone(),
            ConnectionLease {
                stop: stop.clone(),
                _slot: slot.clone(),
            },
        );
        async move { Ok::<_, Infallible>(handle(shared, lease, request).await) }
    });
    // How the browser ends its connection does not matter here.
    let _ = server_http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(300))
        .preserve_header_case(true)
        .auto_date_header(false)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades()
        .await;
}

type ProxyResponse = Response<BoxBody<Bytes, hyper::Error>>;

async fn handle(
    shared: Arc<ProxyState>,
    lease: ConnectionLease,
    request: Request<Incoming>,
) -> ProxyResponse {
    if request.headers().get(header::PROXY_AUTHORIZATION) != Some(&shared.expected) {
        let mut response = text(
            StatusCode::PROXY_AUTHENTICATION_REQUIRED,
            "credentials are needed\n",
        );
        response.headers_mut().insert(
            header::PROXY_AUTHENTICATE,
            HeaderValue::from_static("Basic realm=\"huntsman\""),
        );
        return response;
    }
    let Some(target) = target(&request) else {
        return text(
            StatusCode::BAD_REQUEST,
            "this is a proxy; ask it for an absolute address\n",
        );
    };
    let opened = match shared.open(&target).await {
        Ok(socket) if request.method() == Method::CONNECT => Ok(tunnel(socket, lease, request)),
        Ok(socket) => forward(socket, &shared, lease, request).await,
        Err(error) => Err(error),
    };
    match opened {
        Ok(response) => {
            debug!(host = %target.host, port = target.port, "proxy connected");
            shared.passed.fetch_add(1, Ordering::Relaxed);
            response
        }
        Err(error) => shared.refuse(&target, error),
    }
}

impl ProxyState {
    async fn open(&self, target: &Destination) -> Result<Box<dyn Socket>, Error> {
        let granted = self.granted.contains(&target.host.to_string());
        let connector = &self.inner.connector;
        connector.guard.screen_target(target, granted)?;
        if self.gate.as_ref().is_some_and(|gate| !gate.admits(target)) {
            return Err(Error::Blocked(Blocked::Session));
        }
        if !self.budget.admits_connection() {
            return Err(Error::BudgetExceeded);
        }
        let (socket, _) = connector.socket(target, granted, &self.inner.limits).await?;
        let budget = self.budget.clone();
        Ok(Box::new(MeteredSocket { socket, budget }))
    }

    fn refuse(&self, target: &Destination, error: Error) -> ProxyResponse {
        let status = match &error {
            Error::Blocked(_)
            | Error::BlockedRedirect { .. }
            | Error::InvalidUrl(_)
            | Error::BudgetExceeded => StatusCode::FORBIDDEN,
            Error::Timeout(_) => StatusCode::GATEWAY_TIMEOUT,
            _ => StatusCode::BAD_GATEWAY,
        };
        let refused = status == StatusCode::FORBIDDEN;
        debug!(host = %target.host, port = target.port, refused, error = error.code(), "proxy connection failed");
        let failure = FailedConnection {
            host: target.host.to_string(),
            port: target.port,
            why: error.clone(),
        };
        if refused {
            self.denied.fetch_add(1, Ordering::Relaxed);
            remember(&self.last_denied, failure.clone());
        }
        remember(&self.last_failed, failure);
        let mut response = text(status, &format!("{error}\n"));
        response
            .headers_mut()
            .insert(Proxy::ERROR_HEADER, HeaderValue::from_static(error.code()));
        response
    }
}

/// 128 random bits in hexadecimal.
fn random_password() -> Result<String, Error> {
    let mut random = [0_u8; 16];
    getrandom::fill(&mut random).map_err(|error| Error::Config(format!("no random numbers: {error}")))?;
    Ok(format!("{:032x}", u128::from_ne_bytes(random)))
}

fn authorization(password: &str) -> Result<HeaderValue, Error> {
    let pair = format!("{}:{password}", Proxy::USER);
    let pair = base64::engine::general_purpose::STANDARD.encode(pair);
    let mut value = HeaderValue::from_str(&format!("Basic {pair}"))
        .map_err(|_| Error::Config("the proxy's password is not usable".into()))?;
    value.set_sensitive(true);
    Ok(value)
}

fn lock(list: &Mutex<VecDeque<FailedConnection>>) -> MutexGuard<'_, VecDeque<FailedConnection>> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remember(list: &Mutex<VecDeque<FailedConnection>>, failure: FailedConnection) {
    let mut list = lock(list);
    if list.len() >= Proxy::REMEMBERED {
        list.pop_front();
    }
    list.push_back(failure);
}

/// The destination of a proxy request.
fn target(request: &Request<Incoming>) -> Option<Destination> {
    let uri = request.uri();
    if request.method() == Method::CONNECT {
        let authority = uri.authority()?;
        // The same parser as for every other address, so that no host is read in two ways.
        let host = Host::parse(authority.host()).ok()?;
        return Some(Destination {
            secure: true,
            host,
            port: authority.port_u16()?,
        });
    }
    let url = Url::parse(&uri.to_string()).ok()?;
    Destination::of(&url).ok().filter(|target| !target.secure)
}

fn tunnel(mut socket: Box<dyn Socket>, lease: ConnectionLease, request: Request<Incoming>) -> ProxyResponse {
    lease.spawn_tunnel(async move {
        if let Ok(upgraded) = hyper::upgrade::on(request).await {
            let mut near = TokioIo::new(upgraded);
            let _ = tokio::io::copy_bidirectional(&mut near, &mut socket).await;
        }
    });
    empty(StatusCode::OK)
}

/// Sends a plain request on and streams the response back as it is, coded and all.
async fn forward(
    socket: Box<dyn Socket>,
    shared: &ProxyState,
    lease: ConnectionLease,
    mut request: Request<Incoming>,
) -> Result<ProxyResponse, Error> {
    let url = Url::parse(&request.uri().to_string()).map_err(|_| Error::InvalidUrl("it cannot be read"))?;
    let upgrade = request.headers().get(header::UPGRADE).cloned();
    let near = upgrade.as_ref().map(|_| hyper::upgrade::on(&mut request));
    let (mut head, body) = request.into_parts();
    head.uri = url[Position::BeforePath..Position::AfterQuery]
        .parse::<Uri>()
        .map_err(|_| Error::InvalidUrl("it cannot be written into a request"))?;
    let host = HeaderValue::from_str(&url[Position::BeforeHost..Position::AfterPort]);
    head.headers.insert(
        header::HOST,
        host.map_err(|_| Error::InvalidUrl("its host cannot be sent"))?,
    );
    drop_hop_headers(&mut head.headers, upgrade);
    let limits = &shared.inner.limits;
    let (mut sender, connection) = client_http1::Builder::new()
        .preserve_header_case(true)
        .max_headers(limits.header_count)
        .handshake(TokioIo::new(socket))
        .await
        .map_err(|_| Error::Connect("the handshake failed"))?;
    tokio::spawn(
        lease
            .stop
            .clone()
            .run_until_cancelled_owned(connection.with_upgrades()),
    );
    let sent = timeout(
        limits.first_byte,
        sender.send_request(Request::from_parts(head, body)),
    )
    .await;
    let mut response = sent
        .map_err(|_| Error::Timeout(TimeLimit::FirstByte))?
        .map_err(|_| Error::Connect("closed without an answer"))?;
    if response.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED {
        // Only we may ask the browser for a proxy's password.
        return Err(Error::BadResponse("a server is no proxy"));
    }
    if response.status() == StatusCode::SWITCHING_PROTOCOLS
        && let Some(near) = near
    {
        let far = hyper::upgrade::on(&mut response);
        lease.spawn_tunnel(async move {
            if let (Ok(near), Ok(far)) = (near.await, far.await) {
                let _ = tokio::io::copy_bidirectional(&mut TokioIo::new(near), &mut TokioIo::new(far)).await;
            }
        });
        return Ok(response.map(|body| body.boxed()));
    }
    drop_hop_headers(response.headers_mut(), None);
    Ok(response.map(|body| body.boxed()))
}

/// Takes out what concerns one connection only (RFC 9110, 7.6.1), and puts the upgrade back where there is one.
fn drop_hop_headers(headers: &mut HeaderMap, upgrade: Option<HeaderValue>) {
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|word| word.trim().parse().ok())
        .collect();
    for name in named {
        headers.remove(name);
    }
    for name in [
        "connection",
        "proxy-connection",
        "proxy-authorization",
        "proxy-authenticate",
        "keep-alive",
        "te",
        "upgrade",
    ] {
        headers.remove(name);
    }
    if let Some(upgrade) = upgrade {
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::UPGRADE, upgrade);
    }
}

fn text(status: StatusCode, content: &str) -> ProxyResponse {
    let body = Full::new(Bytes::from(content.to_owned())).map_err(|never: Infallible| match never {});
    let mut response = Response::new(body.boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/plain; charset=utf-8"),
    );
    response
}

fn empty(status: StatusCode) -> ProxyResponse {
    let mut response = text(status, "");
    response.headers_mut().remove(header::CONTENT_TYPE);
    response
}

#[cfg(test)]
mod tests;
