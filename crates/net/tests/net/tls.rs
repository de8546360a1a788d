//! TLS: certificates and HTTP/2.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::Response;
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use net::{CertificateDer, Client, ClientConfig, Dial, Socket};
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::TlsAcceptor;

use crate::world::{World, get};

/// A site behind TLS with a certificate for `ok.test` from a root of our own.
struct Secure {
    acceptor: TlsAcceptor,
    connections: AtomicUsize,
}

impl Secure {
    fn new(protocols: &[&[u8]]) -> Arc<Secure> {
        Arc::new(Secure {
            acceptor: acceptor(protocols),
            connections: AtomicUsize::new(0),
        })
    }

    fn client(self: &Arc<Self>, extra_roots: Vec<CertificateDer<'static>>) -> Client {
        client(self.clone(), extra_roots)
    }
}

/// A client that knows `ok.test` and `b.test` and reaches both by this dialer.
pub fn client(dialer: Arc<dyn Dial>, extra_roots: Vec<CertificateDer<'static>>) -> Client {
    let world = World::new()
        .name("ok.test", &["93.184.216.34"])
        .name("b.test", &["93.184.216.34"]);
    Client::new(ClientConfig {
        dialer: Some(dialer),
        extra_roots,
        ..world.config()
    })
    .unwrap()
}

/// The near end of TLS for `ok.test`.
pub fn acceptor(protocols: &[&[u8]]) -> TlsAcceptor {
    let certificate = CertificateDer::from(include_bytes!("certs/ok.test.der").to_vec());
    let key = PrivateKeyDer::try_from(include_bytes!("certs/ok.test.key.der").to_vec()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    TlsAcceptor::from(Arc::new(config))
}

#[async_trait::async_trait]
impl Dial for Secure {
    async fn dial(&self, _: SocketAddr) -> io::Result<Box<dyn Socket>> {
        self.connections.fetch_add(1, Ordering::SeqCst);
        let (near, far) = tokio::io::duplex(64 * 1024);
        let acceptor = self.acceptor.clone();
        tokio::spawn(async move {
            let Ok(stream) = acceptor.accept(far).await else {
                return;
            };
            let answer = service_fn(|request: http::Request<hyper::body::Incoming>| async move {
                let told = format!("{:?} {}", request.version(), request.uri().path());
                Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(told))))
            });
            let server = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
            let _ = server.serve_connection(TokioIo::new(stream), answer).await;
        });
        Ok(Box::new(near))
    }
}

pub fn root() -> Vec<CertificateDer<'static>> {
    vec![CertificateDer::from(include_bytes!("certs/root.der").to_vec())]
}

#[tokio::test]
async fn both_sides_choose_the_newest_protocol() {
    for (protocols, told) in [
        (&[b"h2".as_slice(), b"http/1.1"] as &[&[u8]], "HTTP/2.0 /a"),
        (&[b"http/1.1"], "HTTP/1.1 /a"),
        (&[], "HTTP/1.1 /a"),
    ] {
        let site = Secure::new(protocols);
        let client = site.client(root());
        for _ in 0..3 {
            assert_eq!(client.fetch(get("https://ok.test/a")).await.unwrap().body, told);
        }
        assert_eq!(site.connections.load(Ordering::SeqCst), 1, "{told}");
    }
}

#[tokio::test]
async fn many_requests_share_one_http2_connection() {
    let site = Secure::new(&[b"h2"]);
    let client = site.client(root());
    client.fetch(get("https://ok.test/first")).await.unwrap();
    let fetches: Vec<_> = (0..20)
        .map(|n| {
            let client = client.clone();
            tokio::spawn(async move {
                client
                    .fetch(get(&format!("https://ok.test/{n}")))
                    .await
                    .unwrap()
                    .body
            })
        })
        .collect();
    for (n, fetch) in fetches.into_iter().enumerate() {
        assert_eq!(fetch.await.unwrap(), format!("HTTP/2.0 /{n}"));
    }
    assert_eq!(site.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn only_known_roots_and_the_right_name_count() {
    let site = Secure::new(&[b"h2"]);
    let unknown = site
        .client(vec![])
        .fetch(get("https://ok.test/"))
        .await
        .unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "the secure connection failed: its certificate comes from an unknown issuer"
    );
    let wrong = site
        .client(root())
        .fetch(get("https://b.test/"))
        .await
        .unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "the secure connection failed: its certificate is for another host"
    );
    assert_eq!(wrong.code(), "TLS_FAILED");
}

/// A server that waits for no more than a connection to say that it speaks HTTP.
struct Plain;

#[async_trait::async_trait]
impl Dial for Plain {
    async fn dial(&self, _: SocketAddr) -> io::Result<Box<dyn Socket>> {
        let (near, mut far) = tokio::io::duplex(64 * 1024);
        tokio::spawn(async move {
            let _ = far.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
            let _ = far.read_to_end(&mut Vec::new()).await;
        });
        Ok(Box::new(near))
    }
}

#[tokio::test]
async fn a_port_without_tls_is_told() {
    let refused = client(Arc::new(Plain), root());
    let refused = refused.open(get("https://ok.test/")).await.err().unwrap();
    assert_eq!(
        refused.to_string(),
        "the secure connection failed: the server does not answer in TLS; it may answer at http://"
    );
    assert_eq!(refused.code(), "TLS_FAILED");
}

#[tokio::test(start_paused = true)]
async fn a_port_that_waits_for_http_takes_too_long() {
    let world = World::new().raw("ok.test", "HTTP/1.1 400 Bad Request\r\n\r\n");
    let refused = world.client().open(get("https://ok.test/")).await.err().unwrap();
    assert_eq!(refused.code(), "TIMEOUT");
}
