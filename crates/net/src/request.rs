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
#[derive(Clone)]
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
        value.set_sensitive(!is_harmless(&name));
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

/// Headers whose values are no secret. The value of any other one may be a key, whatever the header is called.
fn is_harmless(name: &HeaderName) -> bool {
    [
        header::ACCEPT,
        header::ACCEPT_CHARSET,
        header::ACCEPT_ENCODING,
        header::ACCEPT_LANGUAGE,
        header::CONTENT_ENCODING,
        header::CONTENT_LANGUAGE,
        header::CONTENT_TYPE,
        header::IF_MODIFIED_SINCE,
        header::IF_NONE_MATCH,
        header::RANGE,
        header::REFERER,
        header::USER_AGENT,
    ]
    .contains(name)
}

/// Headers by name, without their values.
struct HeaderNames<'a>(&'a HeaderMap);

impl fmt::Debug for HeaderNames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.keys().map(HeaderName::as_str))
            .finish()
    }
}

/// Without the values of headers, the body and the cookies, any of which may be private.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &self.url.as_str())
            .field("headers", &HeaderNames(&self.headers))
            .field("identity", &HeaderNames(&self.identity))
            .field("bytes", &self.body.len())
            .field("robots", &self.robots)
            .field("no_cache", &self.no_cache)
            .field("granted", &self.granted)
            .field("is_own_service", &self.is_own_service)
            .finish_non_exhaustive()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_shown_without_values_and_its_keys_are_marked() {
        let url = Url::parse("https://ok.test/").unwrap();
        let jar = CookieJar::new();
        jar.set(&url, "id=s3cret");
        let mut request = Request::post(url, "text/plain", "s3cret")
            .header("x-subscription-token", "s3cret")
            .unwrap();
        request
            .headers
            .insert("x-own", HeaderValue::from_static("s3cret"));
        request.jar = Some(jar.clone());
        let shown = format!("{request:?} {jar:?} {:?}", jar.all());
        assert!(!shown.contains("s3cret"), "{shown}");
        assert!(shown.contains("x-subscription-token"), "{shown}");
        let is_marked = |name: &str| request.headers.get(name).map(HeaderValue::is_sensitive);
        assert_eq!(is_marked("x-subscription-token"), Some(true));
        assert_eq!(is_marked("content-type"), Some(false));
    }
}
