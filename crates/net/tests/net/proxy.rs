//! The proxy for browsers.

use std::net::SocketAddr;
use std::sync::Arc;

use base64::Engine as _;
use net::guard::Destination;
use net::proxy::{ConnectionFilter, Proxy, ProxyConfig, TrafficBudget, TrafficLimits};
use net::{Client, ClientConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::world::{World, page};

/// Sends a request with the proxy's password, and returns what comes back until it closes or falls silent after a body.
async fn ask(proxy: &Proxy, request: &str) -> String {
    send(proxy.address(), &authorized(proxy, request)).await
}

/// The request with the proxy's password.
pub(crate) fn authorized(proxy: &Proxy, request: &str) -> String {
    let pair = format!("{}:{}", Proxy::USER, proxy.password());
    let pair = base64::engine::general_purpose::STANDARD.encode(pair);
    request.replacen("\r\n", &format!("\r\nProxy-Authorization: Basic {pair}\r\n"), 1)
}

/// Sends bytes to the proxy.
async fn send(proxy: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(proxy).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn plain(url: &str) -> String {
    let host = url.trim_start_matches("http://").split('/').next().unwrap();
    format!("GET {url} HTTP/1.1\r\nHost: {host}\r\nProxy-Connection: keep-alive\r\nConnection: close\r\n\r\n")
}

fn world() -> World {
    World::new()
        .site("ok.test", |asked| {
            page(format!(
                "{} {:?} {:?}",
                asked.line,
                asked.header("host"),
                asked.header("proxy-connection")
            ))
        })
        .name("internal.test", &["127.0.0.1"])
        .name("mixed.test", &["93.184.216.34", "10.0.0.1"])
}

async fn proxy(world: &World, config: ProxyConfig) -> Proxy {
    Proxy::start(&world.client(), config).await.unwrap()
}

#[tokio::test]
async fn a_plain_page_comes_through() {
    let world = world();
    let proxy = proxy(&world, ProxyConfig::default()).await;
    let answer = ask(&proxy, &plain("http://ok.test/a?b")).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.ends_with("GET /a?b Some(\"ok.test\") None"), "{answer}");
    assert_eq!((proxy.passed(), proxy.denied()), (1, 0));
}

#[tokio::test]
async fn nothing_nearby_is_reached_by_any_way() {
    let world = world();
    let proxy = proxy(&world, ProxyConfig::default()).await;
    let hosts = [
        "127.0.0.1",
        "localhost",
        "0x7f.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "169.254.169.254",
        "internal.test",
        "mixed.test",
    ];
    for host in hosts {
        let answer = ask(&proxy, &plain(&format!("http://{host}:8080/"))).await;
        assert!(
            answer.starts_with("HTTP/1.1 403") && answer.contains("URL_BLOCKED"),
            "{host}: {answer}"
        );
        let tunnel = format!("CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\nConnection: close\r\n\r\n");
        let answer = ask(&proxy, &tunnel).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{host}: {answer}");
    }
    assert_eq!((world.canary_hits(), proxy.passed()), (0, 0));
    assert_eq!(proxy.denied(), 2 * hosts.len() as u64);
    let denied = proxy.take_denied();
    assert_eq!(
        (denied[0].host.as_str(), denied[0].port, denied[0].why.code()),
        ("127.0.0.1", 8080, "URL_BLOCKED")
    );
    assert!(proxy.take_denied().is_empty());
}

/// The echo behind a tunnel is a real one, reached by a grant.
#[tokio::test]
async fn a_granted_host_is_tunnelled_and_stopping_closes_the_tunnel() {
    let echo = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = echo.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (mut stream, _) = echo.accept().await.unwrap();
        let (mut read, mut write) = stream.split();
        let _ = tokio::io::copy(&mut read, &mut write).await;
    });
    let client = Client::new(ClientConfig::default()).unwrap();
    let proxy = Proxy::start(&client, ProxyConfig::default()).await.unwrap();
    let request = format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n");
    let refused = ask(
        &proxy,
        &request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
    )
    .await;
    assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
    let config = ProxyConfig {
        granted: vec!["127.0.0.1".into()],
        ..ProxyConfig::default()
    };
    let proxy = Proxy::start(&client, config).await.unwrap();
    let mut stream = TcpStream::connect(proxy.address()).await.unwrap();
    stream
        .write_all(authorized(&proxy, &request).as_bytes())
        .await
        .unwrap();
    let mut head = [0; 19];
    stream.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 200 OK\r\n\r\n".as_slice());
    stream.write_all(b"ping").await.unwrap();
    let mut back = [0; 4];
    stream.read_exact(&mut back).await.unwrap();
    assert_eq!(&back, b"ping");
    proxy.stop();
    assert!(matches!(stream.read(&mut back).await, Ok(0) | Err(_)));
    assert!(TcpStream::connect(proxy.address()).await.is_err() || ask(&proxy, &request).await.is_empty());
}

#[tokio::test]
async fn the_sessions_own_rules_hold_as_well() {
    struct Only(&'static str);
    impl ConnectionFilter for Only {
        fn admits(&self, target: &Destination) -> bool {
            target.host.to_string() == self.0
        }
    }
    let world = world().site("b.test", |_| page("here"));
    let proxy = proxy(
        &world,
        ProxyConfig {
            gate: Some(Arc::new(Only("ok.test"))),
            ..ProxyConfig::default()
        },
    )
    .await;
    assert!(
        ask(&proxy, &plain("http://ok.test/"))
            .await
            .starts_with("HTTP/1.1 200")
    );
    assert!(
        ask(&proxy, &plain("http://b.test/"))
            .await
            .starts_with("HTTP/1.1 403")
    );
    assert_eq!(world.lines().len(), 1);
}

#[tokio::test]
async fn without_the_password_of_this_very_proxy_nothing_passes() {
    let world = world();
    let proxy = Proxy::start(&world.client(), ProxyConfig::default())
        .await
        .unwrap();
    let other = Proxy::start(&world.client(), ProxyConfig::default())
        .await
        .unwrap();
    let plain = plain("http://ok.test/");
    let tunnel = "CONNECT ok.test:443 HTTP/1.1\r\nHost: ok.test:443\r\nConnection: close\r\n\r\n".to_owned();
    let upgrade =
        "GET http://ok.test/ws HTTP/1.1\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n"
            .to_owned();
    for request in [plain.clone(), tunnel, upgrade] {
        let wrong = request.replacen("\r\n", "\r\nProxy-Authorization: Basic aHVudHNtYW46eA==\r\n", 1);
        for request in [request.clone(), wrong, authorized(&other, &request)] {
            let answer = send(proxy.address(), &request).await;
            assert!(answer.starts_with("HTTP/1.1 407"), "{request}: {answer}");
        }
    }
    assert_eq!((world.dialled().len(), proxy.passed(), other.passed()), (0, 0, 0));
    let answer = ask(&proxy, &plain).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(world.asked()[0].header("proxy-authorization"), None);
}

#[tokio::test]
async fn a_session_that_has_used_up_its_requests_is_refused_by_name() {
    let world = world();
    let limits = TrafficLimits {
        requests: 2,
        ..TrafficLimits::default()
    };
    let config = ProxyConfig {
        budget: TrafficBudget::new(limits),
        ..ProxyConfig::default()
    };
    let proxy = proxy(&world, config).await;
    for _ in 0..2 {
        let answer = ask(&proxy, &plain("http://ok.test/")).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    assert!(!proxy.budget().is_spent());
    let answer = ask(&proxy, &plain("http://ok.test/")).await;
    assert!(
        answer.starts_with("HTTP/1.1 403") && answer.contains("BUDGET_EXCEEDED"),
        "{answer}"
    );
    assert!(proxy.budget().is_spent());
    assert_eq!(
        proxy.take_failure("ok.test", 80),
        Some(net::Error::BudgetExceeded)
    );
    assert_eq!(world.asked().len(), 2);
}

#[tokio::test]
async fn a_tunnel_is_a_request_of_the_session() {
    let world = world();
    let limits = TrafficLimits {
        requests: 1,
        ..TrafficLimits::default()
    };
    let config = ProxyConfig {
        budget: TrafficBudget::new(limits),
        ..ProxyConfig::default()
    };
    let proxy = proxy(&world, config).await;
    let tunnel = "CONNECT ok.test:80 HTTP/1.1\r\nHost: ok.test:80\r\n\r\n";
    let mut first = TcpStream::connect(proxy.address()).await.unwrap();
    let request = authorized(&proxy, tunnel);
    first.write_all(request.as_bytes()).await.unwrap();
    let mut head = [0; 12];
    first.read_exact(&mut head).await.unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    let answer = ask(
        &proxy,
        &tunnel.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
    )
    .await;
    assert!(
        answer.starts_with("HTTP/1.1 403") && answer.contains("BUDGET_EXCEEDED"),
        "{answer}"
    );
    assert_eq!(world.dialled().len(), 1);
}

#[tokio::test]
async fn a_session_that_has_used_up_its_bytes_is_cut_off_in_the_middle() {
    let world = World::new().site("big.test", |_| page("x".repeat(1 << 20)));
    let limits = TrafficLimits {
        bytes: 100_000,
        ..TrafficLimits::default()
    };
    let config = ProxyConfig {
        budget: TrafficBudget::new(limits),
        ..ProxyConfig::default()
    };
    let proxy = proxy(&world, config).await;
    let answer = ask(&proxy, &plain("http://big.test/")).await;
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.len() < 400_000,
        "{}",
        answer.len()
    );
    let answer = ask(&proxy, &plain("http://big.test/")).await;
    assert!(answer.contains("BUDGET_EXCEEDED"), "{answer}");
}

#[tokio::test]
async fn an_upgrade_passes() {
    let raw = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nhello";
    let world = World::new().raw("ok.test", raw);
    let proxy = proxy(&world, ProxyConfig::default()).await;
    let asked = "GET http://ok.test/ws HTTP/1.1\r\nHost: ok.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
    let answer = ask(&proxy, asked).await;
    assert!(
        answer.starts_with("HTTP/1.1 101") && answer.ends_with("hello"),
        "{answer}"
    );
}

#[tokio::test]
async fn what_is_no_proxy_request_is_refused() {
    let world = world();
    let proxy = proxy(&world, ProxyConfig::default()).await;
    for request in [
        "GET / HTTP/1.1\r\nHost: ok.test\r\nConnection: close\r\n\r\n",
        "GET https://ok.test/ HTTP/1.1\r\nConnection: close\r\n\r\n",
        "CONNECT nonsense HTTP/1.1\r\nConnection: close\r\n\r\n",
    ] {
        let answer = ask(&proxy, request).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{request:?}: {answer}");
    }
    assert!(world.dialled().is_empty());
}
