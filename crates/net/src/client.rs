//! The client: configured once, cheap to clone, the only way out.

use std::net::SocketAddr;
use std::sync::Arc;

use http::HeaderValue;
use rustls::pki_types::CertificateDer;
use tokio::time::Instant;
use url::Url;

use crate::cache::{Cache, CacheConfig};
use crate::connect::Connector;
use crate::dial::{Dial, Socket, TcpDialer};
use crate::error::Error;
use crate::exchange::{Streaming, exchange};
use crate::guard::{Guard, Target};
use crate::polite::{Polite, Politeness};
use crate::pool::Pool;
use crate::resolve::{Resolve, SystemResolver};
use crate::robots::RobotsCache;
use crate::tls::Tls;
use crate::upstream::Upstream;
use crate::{AllowRule, Limits, Request, Response};

/// How a client behaves. The default reaches the public internet directly and nothing else. Proxies named
/// in the environment are ignored.
pub struct Config {
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
    /// How hosts are spared.
    pub politeness: Politeness,
}

impl Default for Config {
    fn default() -> Self {
        Config {
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
            politeness: Politeness::default(),
        }
    }
}

/// The way out. Clones share connections, cache, robots rules and the care for hosts.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) connector: Connector,
    pub(crate) pool: Pool,
    pub(crate) limits: Limits,
    pub(crate) user_agent: HeaderValue,
    pub(crate) cache: Cache,
    pub(crate) polite: Polite,
    pub(crate) robots: RobotsCache,
}

impl Client {
    /// A client of this configuration.
    pub fn new(config: Config) -> Result<Client, Error> {
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
            inner: Arc::new(Inner {
                connector,
                pool: Pool::new(),
                limits: config.limits,
                user_agent,
                cache: Cache::new(config.cache),
                polite: Polite::new(config.politeness),
                robots: RobotsCache::new(&config.user_agent),
            }),
        })
    }

    /// Fetches a page whole: follows redirects, tries again where that is safe, uses the cache and the
    /// given jar, and is polite when asked to. A failure status is a response, not an error.
    pub async fn fetch(&self, request: Request) -> Result<Response, Error> {
        crate::fetch::fetch(self, request).await
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
        let target = Target::of(url)?;
        let connector = &self.inner.connector;
        connector.guard.screen_target(&target, granted)?;
        let (socket, _) = connector.socket(&target, granted, &self.inner.limits).await?;
        match target.secure {
            true => connector.tls.secure_http1(&target.host, socket).await,
            false => Ok(socket),
        }
    }

    /// Says no where the site's robots.txt forbids a page, for engines that fetch pages by themselves.
    pub async fn obey_robots(&self, url: &Url, granted: bool) -> Result<(), Error> {
        let mut request = Request::get(url.clone());
        request.granted = granted;
        let robots = self.inner.robots.of(self, &request).await?;
        match robots.allows(url) {
            true => Ok(()),
            false => Err(Error::RobotsDisallowed),
        }
    }

    /// The bounds for requests that bring none.
    pub fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    /// Says whether the guard would refuse this URL, as far as that is known without asking the resolver.
    pub fn screen(&self, url: &Url, granted: bool) -> Result<(), Error> {
        self.inner.connector.guard.screen(url, granted).map(|_| ())
    }

    /// The whole check of a URL, names resolved, without a connection: for URLs that are kept for later, as
    /// webhooks and model endpoints are.
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
