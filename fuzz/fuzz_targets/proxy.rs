//! Any bytes as a browser's request to the local proxy: nothing but a public address is dialled.

#![no_main]

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use libfuzzer_sys::fuzz_target;
use net::classes::{Class, classify};
use net::proxy::{Proxy, ProxyConfig};
use net::{Client, ClientConfig, Dial, Resolve, Socket};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};

/// Answers names, and notes what was dialled.
#[derive(Clone, Default)]
struct World {
    dialled: Arc<Mutex<Vec<SocketAddr>>>,
}

#[async_trait]
impl Resolve for World {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let address = match host.trim_end_matches('.') {
            "p.example" => "93.184.216.34",
            "l.example" => "127.0.0.1",
            "m.example" => "169.254.169.254",
            "t.example" => "10.0.0.7",
            "v.example" => "2606:4700::1111",
            _ => return Err(io::Error::other("no such name")),
        };
        Ok(vec![address.parse().expect("an address")])
    }
}

#[async_trait]
impl Dial for World {
    async fn dial(&self, address: SocketAddr) -> io::Result<Box<dyn Socket>> {
        self.dialled.lock().expect("no panic").push(address);
        let (near, mut far) = tokio::io::duplex(4096);
        tokio::spawn(async move {
            let _ = far.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok").await;
            let _ = tokio::io::copy(&mut far, &mut tokio::io::sink()).await;
        });
        Ok(Box::new(near))
    }
}

struct Fixture {
    runtime: Runtime,
    proxy: Proxy,
    world: World,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let world = World::default();
    let config = ClientConfig {
        resolver: Some(Arc::new(world.clone())),
        dialer: Some(Arc::new(world.clone())),
        ..ClientConfig::default()
    };
    let proxy = runtime.block_on(async {
        let client = Client::new(config).expect("a client");
        Proxy::start(&client, ProxyConfig::default()).await.expect("a proxy")
    });
    Fixture { runtime, proxy, world }
});

async fn exchange(address: SocketAddr, request: &[u8]) -> Vec<u8> {
    let mut answer = Vec::new();
    let Ok(mut socket) = TcpStream::connect(address).await else { return answer };
    // No wait for a port to become free: thousands of connections follow each other.
    let _ = socket.set_zero_linger();
    let _ = socket.write_all(request).await;
    let _ = socket.shutdown().await;
    let reading = async { while socket.read_buf(&mut answer).await.is_ok_and(|read| read > 0) {} };
    let _ = tokio::time::timeout(Duration::from_secs(5), reading).await;
    answer
}

fuzz_target!(|request: &[u8]| {
    let answer = FIXTURE.runtime.block_on(exchange(FIXTURE.proxy.address(), request));
    let dialled = std::mem::take(&mut *FIXTURE.world.dialled.lock().expect("no panic"));
    let shown = String::from_utf8_lossy(request);
    for address in &dialled {
        assert!(classify(address.ip()) == Class::Public, "{address} was dialled for {shown:?}");
        // The name before the port, or the address itself, stands in the request.
        assert!(shown.contains(&address.port().to_string()) || address.port() == 80, "{address} for {shown:?}");
    }
    if !answer.is_empty() {
        assert!(answer.starts_with(b"HTTP/1."), "{:?}", String::from_utf8_lossy(&answer));
    }
    let has_refusal = String::from_utf8_lossy(&answer).starts_with("HTTP/1.1 4");
    assert!(!has_refusal || dialled.is_empty() || answer.len() > 40, "refused and dialled: {shown:?}");
});
