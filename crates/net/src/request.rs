//! Requests and responses as values.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::{CookieJar, Error, HopFilter, Limits, OwnWaits};

/// One request. [`Request::get`] and [`Request::post`] fill in what is usual.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Where to; what is sent is this URL re-serialised.
    pub url: Url,
    /// Further headers. `User-Agent`, `Accept`, `Accept-Language` and `Accept-Encoding` are added where
    /// they are missing; what belongs to the connection (`Host`, `Connection`, ...) is dropped. The answer to
    /// a request with further headers is not cached, and a redirect to another origin carries none of them.
    pub headers: HeaderMap,
    /// `User-Agent` and `Accept-Language` in place of the client's, where they are set here. Unlike `headers` they go along
    /// with every redirect; the answer is not cached either.
    pub identity: HeaderMap,
    /// The body.
    pub body: Bytes,
    /// Bounds, when not the client's.
    pub limits: Option<Limits>,
    /// Cookies to send and to keep. Only [`Client::fetch`](crate::Client::fetch) uses it.
    pub jar: Option<CookieJar>,
    /// Whether to be a polite crawler. Only [`Client::fetch`](crate::Client::fetch) uses it.
    pub robots: RobotsMode,
    /// Shortest pause between the starts of two requests to one host that obey robots.txt, in place of
    /// [`Politeness::delay`](crate::Politeness::delay). A longer one that the site asks for is kept.
    pub pause: Option<Duration>,
    /// Ask the server even if the cache has a fresh answer.
    pub no_cache: bool,
    /// The operator typed this very host: addresses of its class are allowed, for this host only and not
    /// for redirects to others.
    pub granted: bool,
    /// The host is a service that the operator set up (a model server, an MCP server, a search engine), and not a page:
    /// the request carries the trace that it belongs to ([`ClientConfig::trace_parent`](crate::ClientConfig::trace_parent)).
    /// A redirect to another origin carries none.
    pub is_own_service: bool,
    /// Which addresses its redirects may lead to. Only [`Client::fetch`](crate::Client::fetch) follows redirects.
    pub hop_filter: HopFilter,
    /// Cancels the request.
    pub cancel: CancellationToken,
    /// Told of the waits that are not the server's.
    pub own_waits: OwnWaits,
}

/// Gives the value of `traceparent` for the work that is being done now; none outside a trace.
pub type TraceParentSource = fn() -> Option<HeaderValue>;

/// Whether robots.txt and the polite pause between requests to one host are observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RobotsMode {
    /// Not observed: the page was named by a person.
    #[default]
    Ignore,
    /// Observed: the page was found by the program itself.
    Obey,
}

impl Request {
    /// A request without body.
    pub fn get(url: Url) -> Request {
        Request {
            method: Method::GET,
            url,
            headers: HeaderMap::new(),
            identity: HeaderMap::new(),
            body: Bytes::new(),
            limits: None,
            jar: None,
            robots: RobotsMode::Ignore,
            pause: None,
            no_cache: false,
            granted: false,
            is_own_service: false,
            hop_filter: HopFilter::default(),
            cancel: CancellationToken::new(),
            own_waits: OwnWaits::default(),
        }
    }

    /// A request with a body of the given content type.
    pub fn post(url: Url, content_type: &'static str, body: impl Into<Bytes>) -> Request {
        let mut request = Request::get(url);
        request.method = Method::POST;
        request.body = body.into();
        request
            .headers
            .insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        request
    }

    /// Adds a header. The value is checked; its text never appears in the error.
    pub fn header(mut self, name: &str, value: &str) -> Result<Request, Error> {
        let name: HeaderName = name
            .parse()
            .map_err(|_| Error::BadRequest("a header name has a forbidden character"))?;
        let mut value: HeaderValue = value
            .parse()
            .map_err(|_| Error::BadRequest("a header value has a forbidden character"))?;
        value.set_sensitive(is_credential(&name));
        self.headers.append(name, value);
        Ok(self)
    }

    /// Sets a header of `identity`. The value is checked; its text never appears in the error.
    pub fn identity(mut self, name: &'static str, value: &str) -> Result<Request, Error> {
        let value = value
            .parse()
            .map_err(|_| Error::BadRequest("a header value has a forbidden character"))?;
        self.identity.insert(HeaderName::from_static(name), value);
        Ok(self)
    }
}

/// Headers that carry the caller's credentials and therefore never go to another origin.
pub(crate) fn is_credential(name: &HeaderName) -> bool {
    [header::AUTHORIZATION, header::COOKIE, header::PROXY_AUTHORIZATION].contains(name)
        || [
            "x-api-key",
            "api-key",
            "x-auth-token",
            "x-goog-api-key",
            "x-csrf-token",
        ]
        .contains(&name.as_str())
}

/// A whole response.
#[derive(Clone)]
pub struct Response {
    /// The URL that answered, after all redirects.
    pub url: Url,
    /// Its status. A failure status is an answer too; see [`Response::accepted`].
    pub status: StatusCode,
    /// Its headers. `Content-Encoding` still names the coding, which the body no longer has.
    pub headers: HeaderMap,
    /// The decoded body, or its first part when `truncated`. Its bytes count against the client's
    /// [budget](crate::ClientConfig::memory_budget) until the last clone of them is dropped.
    pub body: Bytes,
    /// Whether the body was cut at the size limit ([`Oversize::Cut`](crate::Oversize::Cut)).
    pub truncated: bool,
    /// The URLs that redirected, in order.
    pub hops: Vec<Url>,
    /// Whether the body came from the cache (asked anew or not).
    pub from_cache: bool,
    /// The address that answered. For diagnostics and tests; never shown to a client.
    pub remote: SocketAddr,
    /// Times of the fetch.
    pub timing: Timing,
}

/// Times of a fetch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timing {
    /// Waits for a free slot at the host and between tries.
    pub waited: Duration,
    /// From the last request to its response headers.
    pub first_byte: Duration,
    /// Everything together.
    pub total: Duration,
    /// Tries made, the last one included.
    pub tries: u32,
}

/// Without body and headers, which may be long or private.
impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("url", &self.url.as_str())
            .field("status", &self.status)
            .field("bytes", &self.body.len())
            .field("truncated", &self.truncated)
            .field("from_cache", &self.from_cache)
            .finish_non_exhaustive()
    }
}

impl Response {
    /// A header as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The response itself when its status is a success (2xx, 304), an error naming the status otherwise.
    pub fn accepted(self) -> Result<Response, Error> {
        match self.status.is_success() || self.status == StatusCode::NOT_MODIFIED {
            true => Ok(self),
            false => Err(Error::Upstream {
                status: self.status.as_u16(),
            }),
        }
    }
}
