//! A small internet in memory: names, addresses, sites. Nothing of it needs a socket or a clock, so tests
//! may stop the time.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use net::classes::{Class, classify};
use net::{CacheConfig, Client, ClientConfig, Dial, Resolve, Socket};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadBuf};

/// What a site was asked.
#[derive(Debug, Clone)]
pub struct Asked {
    pub line: String,
    pub headers: http::HeaderMap,
    pub body: Bytes,
}

impl Asked {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

type Site = Arc<dyn Fn(Asked) -> Response<Full<Bytes>> + Send + Sync>;

#[derive(Clone)]
enum Place {
    Http(Site),
    /// Bytes sent after the head of the first request, and whether the connection then stays open.
    Raw(Bytes, bool),
    /// What the connections get, one after the other, each with how it ends. The last one repeats.
    Raws(Arc<Mutex<VecDeque<(Bytes, Ending)>>>),
    /// A head, and then one byte of the body at each interval.
    Drip(Duration),
    /// Answers one request and closes the connection behind it without a word.
    Once(Site),
}

/// How a connection ends after its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Closed,
    Reset,
}

#[derive(Clone, Default)]
pub struct World {
    names: Arc<Mutex<HashMap<String, Vec<IpAddr>>>>,
    places: Arc<Mutex<HashMap<IpAddr, Place>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    dialled: Arc<Mutex<Vec<SocketAddr>>>,
    canary: Arc<AtomicUsize>,
}

impl World {
    pub fn new() -> World {
        World::default()
    }

    /// A site under a name, at a public address of its own.
    pub fn site(
        self,
        name: &str,
        answer: impl Fn(Asked) -> Response<Full<Bytes>> + Send + Sync + 'static,
    ) -> World {
        self.place(name, Place::Http(Arc::new(answer)))
    }

    pub fn once(
        self,
        name: &str,
        answer: impl Fn(Asked) -> Response<Full<Bytes>> + Send + Sync + 'static,
    ) -> World {
        self.place(name, Place::Once(Arc::new(answer)))
    }

    pub fn raw(self, name: &str, bytes: impl Into<Bytes>) -> World {
        self.place(name, Place::Raw(bytes.into(), false))
    }

    /// Each connection gets the next bytes.
    pub fn raws(self, name: &str, answers: &[(&str, Ending)]) -> World {
        let answers = answers
            .iter()
            .map(|(bytes, ending)| (Bytes::from((*bytes).to_owned()), *ending));
        self.place(name, Place::Raws(Arc::new(Mutex::new(answers.collect()))))
    }

    /// Sends these bytes and then nothing, without closing.
    pub fn silent_after(self, name: &str, bytes: impl Into<Bytes>) -> World {
        self.place(name, Place::Raw(bytes.into(), true))
    }

    pub fn dripping(self, name: &str, every: Duration) -> World {
        self.place(name, Place::Drip(every))
    }

    fn place(self, name: &str, place: Place) -> World {
        let address = {
            let mut places = self.places.lock().unwrap();
            let address = IpAddr::from([93, 184, 216, 34 + u8::try_from(places.len()).unwrap()]);
            places.insert(address, place);
            address
        };
        self.name(name, &[&address.to_string()])
    }

    pub fn name(self, name: &str, addresses: &[&str]) -> World {
        let addresses = addresses.iter().map(|ip| ip.parse().unwrap()).collect();
        self.names.lock().unwrap().insert(name.to_owned(), addresses);
        self
    }

    pub fn config(&self) -> ClientConfig {
        ClientConfig {
            resolver: Some(Arc::new(self.clone())),
            dialer: Some(Arc::new(self.clone())),
            cache: CacheConfig::off(),
            ..ClientConfig::default()
        }
    }

    pub fn client(&self) -> Client {
        Client::new(self.config()).unwrap()
    }

    /// Connections to anything that is not public.
    pub fn canary_hits(&self) -> usize {
        self.canary.load(Ordering::SeqCst)
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub fn lines(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.line).collect()
    }

    pub fn dialled(&self) -> Vec<SocketAddr> {
        self.dialled.lock().unwrap().clone()
    }

    async fn live(self, place: Place, mut stream: DuplexStream) {
        match place {
            Place::Http(site) => self.serve(site, stream, true).await,
            Place::Once(site) => self.serve(site, stream, false).await,
            Place::Drip(every) => {
                let mut head = [0; 4096];
                let _ = stream.read(&mut head).await;
                let _ = stream
                    .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                    .await;
                while stream.write_all(b"x").await.is_ok() {
                    tokio::time::sleep(every).await;
                }
            }
            Place::Raws(_) => unreachable!("dialling chose the bytes"),
            Place::Raw(bytes, stays) => {
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    let Ok(byte) = stream.read_u8().await else { return };
                    head.push(byte);
                }
                let line = String::from_utf8_lossy(&head).lines().next().unwrap().to_owned();
                self.asked.lock().unwrap().push(Asked {
                    line,
                    headers: Default::default(),
                    body: Bytes::new(),
                });
                let _ = stream.write_all(&bytes).await;
                if stays {
                    std::future::pending::<()>().await;
                }
            }
        }
    }

    async fn serve(&self, site: Site, stream: DuplexStream, keeps: bool) {
        let answered = Arc::new(tokio::sync::Notify::new());
        let bell = answered.clone();
        let service = service_fn(move |request: Request<hyper::body::Incoming>| {
            let (site, asked, bell) = (site.clone(), self.asked.clone(), bell.clone());
            async move {
                let (head, body) = request.into_parts();
                let body = body.collect().await.unwrap().to_bytes();
                let one = Asked {
                    line: format!("{} {}", head.method, head.uri),
                    headers: head.headers,
                    body,
                };
                asked.lock().unwrap().push(one.clone());
                bell.notify_one();
                Ok::<_, Infallible>(site(one))
            }
        });
        let connection =
            hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        if keeps {
            let _ = connection.await;
        } else {
            // The answer goes out and says "keep-alive", and then the server is gone.
            tokio::select! {
                _ = connection => {}
                () = async { answered.notified().await; tokio::time::sleep(Duration::from_secs(1)).await; } => {}
            }
        }
    }
}

#[async_trait]
impl Resolve for World {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let found = self.names.lock().unwrap().get(host).cloned();
        found.ok_or_else(|| io::Error::other("no such name"))
    }
}

#[async_trait]
impl Dial for World {
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Socket>> {
        self.dialled.lock().unwrap().push(address);
        if classify(address.ip()) != Class::Public {
            self.canary.fetch_add(1, Ordering::SeqCst);
        }
        let place = self.places.lock().unwrap().get(&address.ip()).cloned();
        let mut place = place.ok_or(io::ErrorKind::ConnectionRefused)?;
        let (near, far) = tokio::io::duplex(64 * 1024);
        if let Place::Raws(answers) = &place {
            let mut answers = answers.lock().unwrap();
            let (bytes, ending) = match answers.len() {
                1 => answers[0].clone(),
                _ => answers.pop_front().unwrap(),
            };
            drop(answers);
            place = Place::Raw(bytes, false);
            if ending == Ending::Reset {
                tokio::spawn(self.clone().live(place, far));
                return Ok(Box::new(Resetting(near)));
            }
        }
        tokio::spawn(self.clone().live(place, far));
        Ok(Box::new(near))
    }
}

/// A connection whose end is a reset.
struct Resetting(DuplexStream);

impl AsyncRead for Resetting {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        std::task::ready!(Pin::new(&mut self.0).poll_read(cx, into))?;
        Poll::Ready(match into.filled().len() > before {
            true => Ok(()),
            false => Err(io::ErrorKind::ConnectionReset.into()),
        })
    }
}

impl AsyncWrite for Resetting {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

impl Socket for Resetting {}

pub fn page(body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    Response::new(Full::new(body.into()))
}

pub fn status(code: u16) -> Response<Full<Bytes>> {
    Response::builder().status(code).body(Full::default()).unwrap()
}

pub fn with(mut response: Response<Full<Bytes>>, name: &'static str, value: &str) -> Response<Full<Bytes>> {
    response.headers_mut().append(name, value.parse().unwrap());
    response
}

pub fn redirect(code: u16, to: &str) -> Response<Full<Bytes>> {
    with(status(code), "location", to)
}

pub fn get(url: &str) -> net::Request {
    net::Request::get(url.parse().unwrap())
}
