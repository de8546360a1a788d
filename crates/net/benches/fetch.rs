//! Cost of a fetch compared with a bare hyper connection: processor time of the client's thread for each page.
//!
//! Run with `cargo bench -p net --bench fetch --profile fast`. The server has a thread of its own, whose
//! time does not count. The figures are medians of several rounds; the ratio is what to watch.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use net::{CacheConfig, Client, ClientConfig};
use tokio::net::{TcpListener, TcpStream};

const ROUNDS: usize = 9;

fn main() {
    println!(
        "{:<22} {:>12} {:>12} {:>7}",
        "page", "hyper us", "ours us", "ratio"
    );
    for (name, bytes, packed, fetches) in [
        ("2 kB", 2_000, false, 2000),
        ("100 kB", 100_000, false, 500),
        ("100 kB gzip", 100_000, true, 300),
    ] {
        let server = serve(page(bytes), packed);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let bare = measure(fetches, |count| {
            runtime.block_on(with_hyper(server, count, packed))
        });
        let client = client();
        let ours = measure(fetches, |count| {
            runtime.block_on(with_net(&client, server, count))
        });
        println!("{name:<22} {bare:>12.1} {ours:>12.1} {:>7.2}", ours / bare);
    }
}

/// Words that compress about as well as a page does.
fn page(bytes: usize) -> Vec<u8> {
    let words = [
        "<p class=item>",
        "lamp",
        "price",
        "</p>",
        "and",
        "light",
        "<a href=/p/17>",
    ];
    let mut text = String::from("<!doctype html>");
    for n in 0u64.. {
        if text.len() >= bytes {
            break;
        }
        let pick = n.wrapping_mul(6_364_136_223_846_793_005) >> 33;
        text.push_str(words[pick as usize % words.len()]);
        text.push_str(&(pick % 1000).to_string());
    }
    text.truncate(bytes);
    text.into_bytes()
}

fn serve(body: Vec<u8>, packed: bool) -> SocketAddr {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async move {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            let body = Bytes::from(if packed { pack(&body) } else { body });
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                stream.set_nodelay(true).unwrap();
                let body = body.clone();
                let answer = service_fn(move |_: Request<hyper::body::Incoming>| {
                    let mut response = Response::new(Full::new(body.clone()));
                    let headers = response.headers_mut();
                    headers.insert(
                        "content-type",
                        http::HeaderValue::from_static("text/html; charset=utf-8"),
                    );
                    if packed {
                        headers.insert("content-encoding", http::HeaderValue::from_static("gzip"));
                    }
                    async move { Ok::<_, Infallible>(response) }
                });
                tokio::spawn(
                    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), answer),
                );
            }
        });
    });
    told.recv().unwrap()
}

fn pack(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn client() -> Client {
    let allow = vec!["127.0.0.1".parse().unwrap()];
    Client::new(ClientConfig {
        allow,
        cache: CacheConfig::off(),
        ..ClientConfig::default()
    })
    .unwrap()
}

async fn with_hyper(server: SocketAddr, count: usize, packed: bool) {
    let stream = TcpStream::connect(server).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake::<_, Full<Bytes>>(TokioIo::new(stream))
            .await
            .unwrap();
    tokio::spawn(connection);
    for _ in 0..count {
        let request = Request::get("/")
            .header("host", "127.0.0.1")
            .body(Full::default())
            .unwrap();
        sender.ready().await.unwrap();
        let response = sender.send_request(request).await.unwrap();
        let mut body = response.into_body().collect().await.unwrap().to_bytes();
        if packed {
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(body.as_ref())
                .read_to_end(&mut plain)
                .unwrap();
            body = plain.into();
        }
        assert!(body.len() >= 2000);
    }
}

async fn with_net(client: &Client, server: SocketAddr, count: usize) {
    let url: url::Url = format!("http://{server}/").parse().unwrap();
    for _ in 0..count {
        let page = client.fetch(net::Request::get(url.clone())).await.unwrap();
        assert!(page.body.len() >= 2000);
    }
}

/// Median processor time of one fetch, in microseconds.
fn measure(fetches: usize, run: impl Fn(usize)) -> f64 {
    run(fetches / 4);
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let before = thread_time();
            run(fetches);
            thread_time() - before
        })
        .collect();
    times.sort();
    times[ROUNDS / 2].as_secs_f64() * 1e6 / fetches as f64
}

/// Time this thread has spent on a processor (Linux: the first number of `schedstat`, in nanoseconds).
fn thread_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("this bench needs Linux");
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}
