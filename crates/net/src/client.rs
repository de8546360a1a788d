//! `Client`: the only entry to the network, configured once and cheap to clone.

use std::net::SocketAddr;
use std::sync::Arc;

use http::HeaderValue;
use rustls::pki_types::CertificateDer;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::budget::{BodyBudget, HeldRoom, ReadingRoom};
use crate::cache::{Cache, CacheConfig};
use crate::connect::Connector;
use crate::dial::{Dial, Socket, TcpDialer};
use crate::error::Error;
use crate::exchange::{Streaming, exchange};
use crate::fetch::{fetch, robots_of};
use crate::guard::{Destination, Guard, HostBounds};
use crate::inner::ClientInner;
use crate::politeness::{HostLimiter, Politeness};
use crate::pool::ConnectionPool;
use crate::resolve::{Resolve, SystemResolver};
use crate::robots::RobotsCache;
use crate::tls::Tls;
use crate::upstream::Upstream;
use crate::{AllowRule, Limits, OwnWaits, Request, Response, Robots, TraceParentSource};

/// How a client behaves. The default reaches the public internet directly and nothing else. Proxies named
/// in the environment are ignored.
pub struct ClientConfig {
    /// What the operator permits beyond the public internet.
    pub allow: Vec<AllowRule>,
    /// The addresses this service itself listens on; they are refused.
    pub own: Vec<SocketAddr>,
    /// Bounds for requests that bring none.
    pub limits: Limits,
    /// The `User-Agent`. Its first word, up to a slash, is the name looked up in robots.txt.
    pub user_agent: String,
    /// Resolves names; the system's resolver when absent.
    pub resolver: Option<Arc<dyn Resolve>>,
    /// Dials checked addresses; plain TCP when absent.
    pub dialer: Option<Arc<dyn Dial>>,
    /// Roots accepted beside Mozilla's list.
    pub extra_roots: Vec<CertificateDer<'static>>,
    /// An HTTP proxy (`http://[user:password@]host:port`) that every connection goes through.
    pub proxy: Option<Url>,
    /// Whether the proxy comes from the operator, whose proxy may have any address.
    pub proxy_granted: bool,
    /// The cache.
    pub cache: CacheConfig,
    /// Bytes for all that is in flight. A quarter of them is for fetched bodies, and never less than the largest
    /// size of one body; fetches wait for room there. The rest is for what readers make of large bodies
    /// ([`Client::reading_room`]).
    pub memory_budget: usize,
    /// Limits per host.
    pub politeness: Politeness,
    /// The value of `traceparent` (W3C Trace Context) for a request to a service of the operator
    /// ([`Request::is_own_service`](crate::Request::is_own_service)), asked for when the request is sent. No other request
    /// carries the header, unless the caller gives the request one.
    pub trace_parent: Option<TraceParentSource>,
}

impl Default for ClientConfig {
    fn default() -> Self {
        ClientConfig {
            allow: Vec::new(),
            own: Vec::new(),
            limits: Limits::default(),
            user_agent: concat!("Huntsman/", env!("CARGO_PKG_VERSION")).to_owned(),
            resolver: None,
            dialer: None,
            extra_roots: Vec::new(),
            proxy: None,
            proxy_granted: false,
            cache: CacheConfig::default(),
            memory_budget: 256 << 20,
            politeness: Politeness::default(),
            trace_parent: None,
        }
    }
}

/// The HTTP client. Clones share connections, cache, robots.txt rules and per-host limits.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<ClientInner>,
}

impl Client {
    /// A client of this configuration.
    pub fn new(config: ClientConfig) -> Result<Client, Error> {
        let user_agent = HeaderValue::from_str(&config.user_agent)
            .map_err(|_| Error::Config("the user agent has a forbidden character".into()))?;
        let upstream = config
            .proxy
            .map(|url| Upstream::new(&url, config.proxy_granted))
            .transpose()?;
        let resolver = config.resolver.unwrap_or_else(|| Arc::new(SystemResolver));
        let connector = Connector {
            guard: Guard::new(config.allow, config.own, resolver),
            dialer: config.dialer.unwrap_or_else(|| Arc::new(TcpDialer)),
            tls: Tls::new(&config.extra_roots)?,
            upstream,
            limits: config.limits.clone(),
        };
        Ok(Client {
            inner: Arc::new(ClientInner {
                connector,
                pool: ConnectionPool::new(),
                body_budget: BodyBudget::new(config.memory_budget / 4, config.limits.body_bytes),
                reading_room: ReadingRoom::new(config.memory_budget / 4 * 3),
                limits: config.limits,
                user_agent,
                cache: Cache::new(config.cache),
                host_limiter: Arc::new(HostLimiter::new(config.politeness)),
                robots: RobotsCache::new(&config.user_agent),
                trace_parent: config.trace_parent,
            }),
        })
    }

    /// A client whose connections leave through the operator's proxy in a country. It has its own connections, cache
    /// and robots.txt rules, and shares the memory budget and the limits per host.
    ///
    /// # Errors
    /// When the address is none of a proxy.
    pub fn exit(&self, country: &str, proxy: &Url, cache: CacheConfig) -> Result<Client, Error> {
        let upstream = Some(Upstream::exit(country, proxy)?);
        Ok(self.derived(self.inner.connector.guard.clone(), upstream, cache))
    }

    /// A client that reaches only the hosts within these bounds, redirects and what browsers load through it included.
    /// It has its own connections, cache and robots.txt rules, and shares the memory budget and the limits per host.
    pub fn bounded(&self, bounds: HostBounds, cache: CacheConfig) -> Client {
        let connector = &self.inner.connector;
        self.derived(connector.guard.bounded(bounds), connector.upstream.clone(), cache)
    }

    fn derived(&self, guard: Guard, upstream: Option<Upstream>, cache: CacheConfig) -> Client {
        let inner = &self.inner;
        let connector = Connector {
            guard,
            dialer: inner.connector.dialer.clone(),
            tls: inner.connector.tls.clone(),
            upstream,
            limits: inner.limits.clone(),
        };
        Client {
            inner: Arc::new(ClientInner {
                connector,
                pool: ConnectionPool::new(),
                body_budget: inner.body_budget.clone(),
                reading_room: inner.reading_room.clone(),
                limits: inner.limits.clone(),
                user_agent: inner.user_agent.clone(),
                cache: Cache::new(cache),
                host_limiter: inner.host_limiter.clone(),
                robots: RobotsCache::new(inner.user_agent.to_str().unwrap_or_default()),
                trace_parent: inner.trace_parent,
            }),
        }
    }

    /// Fetches a page whole: follows redirects, tries again where that is safe, uses the cache and the
    /// given jar, and is polite when asked to. A failure status is a response, not an error; a body that
    /// ended early is an error. No body is larger than this client's own limit, whatever the request says.
    pub async fn fetch(&self, request: Request) -> Result<Response, Error> {
        fetch(&self.inner, request).await
    }

    /// One exchange and no more: no redirect, no second try, no cache, no jar. The body comes as a stream.
    pub async fn open(&self, request: Request) -> Result<Streaming, Error> {
        let limits = request
            .limits
            .clone()
            .unwrap_or_else(|| self.inner.limits.clone());
        let deadline = Instant::now() + limits.total;
        exchange(&self.inner, &request, &limits, deadline).await
    }

    /// An open connection for a protocol on top of HTTP, such as a WebSocket: checked, dialled and, for https
    /// and wss, secured. `granted` as in [`Request::granted`].
    pub async fn socket(&self, url: &Url, granted: bool) -> Result<Box<dyn Socket>, Error> {
        let target = Destination::of(url)?;
        let connector = &self.inner.connector;
        connector.guard.screen_target(&target, granted)?;
        let (socket, _) = connector.socket(&target, granted, &self.inner.limits).await?;
        match target.secure {
            true => connector.tls.secure_http1(&target.host, socket).await,
            false => Ok(socket),
        }
    }

    /// Checks a page against its site's robots.txt, for engines that fetch pages by themselves.
    ///
    /// # Errors
    /// [`Error::RobotsDisallowed`] where the file forbids the page, and the errors of fetching the file.
    pub async fn obey_robots(&self, url: &Url, granted: bool) -> Result<(), Error> {
        let mut request = Request::get(url.clone());
        request.granted = granted;
        let robots = robots_of(&self.inner, &request).await?;
        match robots.allows(url) {
            true => Ok(()),
            false => Err(Error::RobotsDisallowed),
        }
    }

    /// The robots.txt rules of a page's site, from the cache or fetched. `granted` as in [`Request::granted`].
    ///
    /// # Errors
    /// Failures that the page itself would meet, too, such as an unknown host.
    pub async fn robots(
        &self,
        url: &Url,
        granted: bool,
        cancel: &CancellationToken,
    ) -> Result<Arc<Robots>, Error> {
        let mut request = Request::get(url.clone());
        request.granted = granted;
        request.cancel = cancel.clone();
        self.inner.connector.guard.screen(url, granted)?;
        robots_of(&self.inner, &request).await
    }

    /// Waits for room for what a reader makes of a large body, in bytes. A reader that holds room must not fetch before
    /// it has given the room back: whoever holds a body may wait for room, and never the other way round.
    ///
    /// # Errors
    /// [`TimeLimit::Room`](crate::TimeLimit::Room) when others hold the room for longer than
    /// [`Limits::room`], and [`Error::Cancelled`].
    pub async fn reading_room(
        &self,
        bytes: usize,
        cancel: &CancellationToken,
        waits: &OwnWaits,
    ) -> Result<HeldRoom, Error> {
        let (inner, _wait) = (&self.inner, waits.begin());
        inner.reading_room.hold(bytes, inner.limits.room, cancel).await
    }

    /// The bounds for requests that bring none.
    pub fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    /// Checks a URL against the guard as far as that is possible without resolving its host.
    pub fn screen(&self, url: &Url, granted: bool) -> Result<(), Error> {
        self.inner.connector.guard.screen(url, granted).map(|_| ())
    }

    /// Checks a URL with its host resolved, without a connection: for URLs stored for later use, such as webhooks
    /// and model endpoints.
    pub async fn check(&self, url: &Url, granted: bool) -> Result<(), Error> {
        let inner = &self.inner;
        let target = inner.connector.guard.screen(url, granted)?;
        inner
            .connector
            .guard
            .addresses(&target, granted, inner.limits.resolve)
            .await
            .map(|_| ())
    }
}
