//! A web site on loopback whose replies a test decides and which records its requests.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use futures_util::StreamExt as _;
use http::{HeaderMap, Method, StatusCode};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// One request as the site saw it.
#[derive(Debug, Clone)]
pub struct SiteRequest {
    /// The method.
    pub method: Method,
    /// Path with query.
    pub path: String,
    /// All headers.
    pub headers: HeaderMap,
    /// The body, whole.
    pub body: Bytes,
}

/// What the site answers.
#[derive(Debug, Clone)]
pub struct SiteReply {
    status: StatusCode,
    headers: Vec<(String, String)>,
    pieces: Vec<Bytes>,
    pause: Duration,
    delay: Duration,
    endless: bool,
    breaks: bool,
}

impl SiteReply {
    /// A page.
    pub fn html(body: impl Into<String>) -> Self {
        Self::bytes("text/html; charset=utf-8", body.into())
    }

    /// Anything, under a content type.
    pub fn bytes(content_type: &str, body: impl Into<Bytes>) -> Self {
        Self {
            status: StatusCode::OK,
            headers: vec![("content-type".into(), content_type.into())],
            pieces: vec![body.into()],
            pause: Duration::ZERO,
            delay: Duration::ZERO,
            endless: false,
            breaks: false,
        }
    }

    /// A redirect to another address.
    pub fn redirect(status: u16, to: &str) -> Self {
        Self::bytes("text/plain", "")
            .status(status)
            .header("location", to)
    }

    /// With another status.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = StatusCode::from_u16(status).expect("a status");
        self
    }

    /// With a further header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// The body in pieces of `size` bytes, with a pause before each.
    #[must_use]
    pub fn dripping(mut self, size: usize, pause: Duration) -> Self {
        let whole: Vec<u8> = self.pieces.concat();
        self.pieces = whole.chunks(size.max(1)).map(Bytes::copy_from_slice).collect();
        self.pause = pause;
        self
    }

    /// After a time without a word.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// After the body, silence: the connection stays open and says no more.
    #[must_use]
    pub fn never_ending(mut self) -> Self {
        self.endless = true;
        self
    }

    /// The first `bytes` bytes only, and then the connection breaks.
    #[must_use]
    pub fn broken_after(mut self, bytes: usize) -> Self {
        let whole: Vec<u8> = self.pieces.concat();
        let start = whole.get(..bytes).unwrap_or(&whole);
        self.pieces = vec![Bytes::copy_from_slice(start)];
        self.breaks = true;
        self
    }

    /// The first `bytes` bytes only, and then the regular end of the answer.
    #[must_use]
    pub fn cut_after(mut self, bytes: usize) -> Self {
        self = self.broken_after(bytes);
        self.breaks = false;
        self
    }

    fn into_response(self) -> Response {
        let Self {
            status,
            headers,
            pieces,
            pause,
            endless,
            breaks,
            delay: _,
        } = self;
        let sent = futures_util::stream::iter(pieces).then(move |piece| async move {
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
            Ok::<_, std::io::Error>(piece)
        });
        let body = if endless {
            Body::from_stream(sent.chain(futures_util::stream::pending()))
        } else if breaks {
            let broken = async {
                // The part before it has to leave first.
                tokio::task::yield_now().await;
                Err(std::io::Error::other("broken on purpose"))
            };
            Body::from_stream(sent.chain(futures_util::stream::once(broken)))
        } else {
            Body::from_stream(sent)
        };
        let mut response = Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(name, value);
        }
        response.body(body).expect("a response")
    }
}

/// The site; it goes away when this is dropped.
#[derive(Debug)]
pub struct TestSite {
    at: SocketAddr,
    asked: Arc<Mutex<Vec<SiteRequest>>>,
    serving: JoinHandle<()>,
}

impl TestSite {
    /// Serves on a free port of 127.0.0.1; `answer` decides every reply.
    pub async fn start(answer: impl Fn(&SiteRequest) -> SiteReply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let at = listener.local_addr().expect("an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&asked), Arc::new(answer));
        let router = Router::new().fallback(move |request: Request| {
            let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
            async move {
                let (head, body) = request.into_parts();
                let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
                let path = head
                    .uri
                    .path_and_query()
                    .map_or("/", |path| path.as_str())
                    .to_owned();
                let received = SiteRequest {
                    method: head.method,
                    path,
                    headers: head.headers,
                    body,
                };
                let reply = answer(&received);
                log.lock().expect("the log").push(received);
                if !reply.delay.is_zero() {
                    tokio::time::sleep(reply.delay).await;
                }
                reply.into_response()
            }
        });
        let serving = tokio::spawn(async move { axum::serve(listener, router).await.expect("serving") });
        Self { at, asked, serving }
    }

    /// Serves fixed pages: `(path, html)`; any other path is a 404.
    pub async fn of_pages(pages: &[(&str, &str)]) -> Self {
        let pages: Vec<(String, String)> = pages
            .iter()
            .map(|(path, html)| ((*path).into(), (*html).into()))
            .collect();
        Self::start(
            move |asked| match pages.iter().find(|(path, _)| *path == asked.path) {
                Some((_, html)) => SiteReply::html(html.clone()),
                None => SiteReply::html("<h1>Not found</h1>").status(404),
            },
        )
        .await
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.at
    }

    /// The address of a path, which begins with `/`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.at)
    }

    /// Every request so far, in order of arrival.
    pub fn asked(&self) -> Vec<SiteRequest> {
        self.asked.lock().expect("the log").clone()
    }

    /// How often a path was asked for.
    pub fn hits(&self, path: &str) -> usize {
        self.asked().iter().filter(|request| request.path == path).count()
    }
}

impl Drop for TestSite {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
