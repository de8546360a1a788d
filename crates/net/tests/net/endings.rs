//! Ends of bodies: which are whole, which are lost, and that a lost one is asked for once more.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::Response;
use hyper::body::{Body, Frame};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use net::{Client, Dial, Error, Socket};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Sleep;

use crate::tls::{acceptor, client, root};
use crate::world::{
    Ending::{self, Closed, Reset},
    World, get,
};

const WHOLE: &str = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole";

fn lost() -> Vec<(String, Ending)> {
    let plain = |headers: &str, body: &str| format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n{body}");
    let half = "x".repeat(500);
    vec![
        (plain("Content-Length: 5000", &half), Closed),
        (plain("Content-Length: 5000", &half), Reset),
        (plain("Content-Length: 5000", ""), Closed),
        (plain("Content-Length: 5000", ""), Reset),
        (plain("Transfer-Encoding: chunked", "a\r\n0123456789\r\n"), Closed),
        (plain("Transfer-Encoding: chunked", "a\r\n0123456789\r\n"), Reset),
        (plain("Transfer-Encoding: chunked", "64\r\n0123456789"), Closed),
        (
            plain("Transfer-Encoding: chunked", "a\r\n0123456789\r\n0\r\n"),
            Closed,
        ),
        // The end of a plain connection ends a body of unknown length, a reset does not.
        (plain("Content-Type: text/html", &half), Reset),
    ]
}

fn answers(answers: &[(&str, Ending)]) -> World {
    World::new().raws("ok.test", answers)
}

#[tokio::test(start_paused = true)]
async fn a_body_that_ends_early_is_an_error_after_one_more_try() {
    for (answer, ending) in lost() {
        let world = answers(&[(&answer, ending)]);
        let refused = world.client().fetch(get("http://ok.test/")).await.unwrap_err();
        assert_eq!(refused, Error::Incomplete, "{answer:.60} {ending:?}");
        assert_eq!(refused.code(), "CONNECTION_LOST");
        assert_eq!(world.asked().len(), 2, "{answer:.60} {ending:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_whole_the_second_time_is_whole() {
    for (answer, ending) in lost() {
        let world = answers(&[(&answer, ending), (WHOLE, Closed)]);
        let page = world.client().fetch(get("http://ok.test/")).await.unwrap();
        assert_eq!((page.body.as_ref(), page.timing.tries), (b"whole".as_ref(), 2));
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_answer_to_what_is_not_idempotent_is_not_asked_for_again() {
    for (answer, ending) in lost() {
        let world = answers(&[(&answer, ending), (WHOLE, Closed)]);
        let post = net::Request::post("http://ok.test/".parse().unwrap(), "text/plain", "x");
        assert_eq!(world.client().fetch(post).await.unwrap_err(), Error::Incomplete);
        assert_eq!(world.asked().len(), 1, "{answer:.60} {ending:?}");
    }
}

#[tokio::test]
async fn a_stream_says_that_it_was_lost() {
    for (answer, ending) in lost() {
        let world = answers(&[(&answer, ending)]);
        let mut stream = world.client().open(get("http://ok.test/")).await.unwrap();
        let end = loop {
            match stream.chunk().await {
                Ok(Some(_)) => {}
                end => break end,
            }
        };
        assert_eq!(end, Err(Error::Incomplete), "{answer:.60} {ending:?}");
    }
}

#[tokio::test]
async fn a_body_of_unknown_length_ends_with_its_connection() {
    for headers in ["Content-Type: text/html", "Connection: close"] {
        let world = answers(&[(&format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\nall of it"), Closed)]);
        assert_eq!(
            world.client().fetch(get("http://ok.test/")).await.unwrap().body,
            "all of it"
        );
    }
}

/// A TLS server that sends bytes and leaves, with or without saying so.
struct Leaving {
    answer: &'static str,
    says_goodbye: bool,
    connections: AtomicUsize,
}

#[async_trait]
impl Dial for Leaving {
    async fn dial(&self, _: SocketAddr) -> io::Result<Box<dyn Socket>> {
        self.connections.fetch_add(1, Ordering::SeqCst);
        let (near, far) = tokio::io::duplex(64 * 1024);
        let (answer, says_goodbye) = (self.answer, self.says_goodbye);
        tokio::spawn(async move {
            let mut stream = acceptor(&[b"http/1.1"]).accept(far).await.unwrap();
            let _ = stream.read(&mut [0; 4096]).await;
            stream.write_all(answer.as_bytes()).await.unwrap();
            stream.flush().await.unwrap();
            if says_goodbye {
                stream.shutdown().await.unwrap();
            }
        });
        Ok(Box::new(near))
    }
}

#[tokio::test]
async fn a_secure_body_of_unknown_length_is_whole_only_if_the_server_says_goodbye() {
    for (headers, says_goodbye, outcome) in [
        ("Content-Length: 4", false, Ok("page")),
        ("Content-Length: 4", true, Ok("page")),
        ("Content-Length: 9", true, Err(Error::Incomplete)),
        ("Content-Type: text/html", true, Ok("page")),
        // Anyone on the way could have cut it here (RFC 9112, 9.8).
        ("Content-Type: text/html", false, Err(Error::Incomplete)),
    ] {
        let answer: &'static str = format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\npage").leak();
        let server = Arc::new(Leaving {
            answer,
            says_goodbye,
            connections: AtomicUsize::new(0),
        });
        let fetched = client(server.clone(), root())
            .fetch(get("https://ok.test/"))
            .await;
        assert_eq!(
            fetched.map(|page| page.body),
            outcome.clone().map(Bytes::from),
            "{headers} {says_goodbye}"
        );
        let tries = if outcome.is_ok() { 1 } else { 2 };
        assert_eq!(server.connections.load(Ordering::SeqCst), tries);
    }
}

/// A body of one part. Its end, or its failure, comes a little later, so that the part is on its way by then.
struct Parts {
    first: Option<Bytes>,
    fails: bool,
    pause: Pin<Box<Sleep>>,
}

impl Body for Parts {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        std::task::ready!(self.pause.as_mut().poll(cx));
        Poll::Ready(self.fails.then(|| Err(io::Error::other("no more"))))
    }
}

/// An HTTP/2 server whose bodies end early where the path says so.
struct Resetting;

#[async_trait]
impl Dial for Resetting {
    async fn dial(&self, _: SocketAddr) -> io::Result<Box<dyn Socket>> {
        let (near, far) = tokio::io::duplex(64 * 1024);
        tokio::spawn(async move {
            let stream = acceptor(&[b"h2"]).accept(far).await.unwrap();
            let answer = service_fn(|request: http::Request<hyper::body::Incoming>| async move {
                let mut response = Response::new(Parts {
                    first: Some(Bytes::from_static(b"0123456789")),
                    fails: request.uri().path() == "/reset",
                    pause: Box::pin(tokio::time::sleep(Duration::from_millis(50))),
                });
                if request.uri().path() == "/short" {
                    response
                        .headers_mut()
                        .insert("content-length", "100".parse().unwrap());
                }
                Ok::<_, Infallible>(response)
            });
            let server = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
            let _ = server.serve_connection(TokioIo::new(stream), answer).await;
        });
        Ok(Box::new(near))
    }
}

#[tokio::test]
async fn a_reset_stream_of_http2_is_lost() {
    let client: Client = client(Arc::new(Resetting), root());
    for (path, outcome) in [
        ("whole", Ok("0123456789")),
        ("reset", Err(Error::Incomplete)),
        ("short", Err(Error::Incomplete)),
    ] {
        let fetched = client.fetch(get(&format!("https://ok.test/{path}"))).await;
        assert_eq!(fetched.map(|page| page.body), outcome.map(Bytes::from), "{path}");
    }
}
