//! Diagnostics of fetches: what they carry and what they never carry.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use net::proxy::{Proxy, ProxyConfig};
use tracing_subscriber::fmt::MakeWriter;

use crate::world::{World, get, page, redirect};

/// Keeps what is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Captures every event of the process: other tests may have registered the call sites in their threads already.
    fn capture(&self) {
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_ansi(false)
            .with_writer(self.clone())
            .finish();
        tracing::subscriber::set_global_default(subscriber).unwrap();
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Log;

    fn make_writer(&'a self) -> Log {
        self.clone()
    }
}

#[tokio::test]
async fn a_fetch_is_logged_with_host_and_sizes_and_without_anything_private() {
    let log = Log::default();
    log.capture();
    let world = World::new()
        .site("logged.test", |asked| {
            match asked.line.contains("/start-s3cret") {
                true => redirect(302, "/end-s3cret?token=query-s3cret"),
                false => page("body-s3cret"),
            }
        })
        .name("private.test", &["127.0.0.1"]);
    let request = get("http://logged.test/start-s3cret?token=query-s3cret#fragment-s3cret")
        .header("authorization", "Bearer header-s3cret")
        .unwrap()
        .header("x-api-key", "key-s3cret")
        .unwrap();
    let polite = net::Request {
        robots: net::RobotsMode::Obey,
        ..request
    };
    world.client().fetch(polite).await.unwrap();
    let refused = world.client().fetch(get("http://private.test/path-s3cret")).await;
    assert!(refused.is_err());
    let proxy = Proxy::start(&world.client(), ProxyConfig::default())
        .await
        .unwrap();
    let mut stream = tokio::net::TcpStream::connect(proxy.address()).await.unwrap();
    let ask = "GET http://private.test/path-s3cret?query-s3cret HTTP/1.1\r\nHost: private.test\r\nConnection: close\r\n\r\n";
    let ask = crate::proxy::authorized(&proxy, ask);
    tokio::io::AsyncWriteExt::write_all(&mut stream, ask.as_bytes())
        .await
        .unwrap();
    let mut answer = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut answer)
        .await
        .unwrap();
    let text = log.text();
    for expected in [
        "host=\"logged.test\"",
        "method=GET",
        "status=200 bytes=11",
        "cached=false retries=0 redirects=1",
        "looked up robots.txt",
        "fetch failed",
        "error=\"URL_BLOCKED\"",
        "proxy connection failed",
        "refused=true",
    ] {
        assert!(text.contains(expected), "{expected} is missing in {text}");
    }
    assert!(!text.contains("s3cret"), "{text}");
}
