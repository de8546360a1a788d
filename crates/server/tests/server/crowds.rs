//! Clients that hold more than their share: connections, streams, slow heads, slow bodies and HTTP/2 without end.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use server::ServerSettings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

use crate::client::{Answer, Ask};
use crate::http2::{Http2, PING, RST_STREAM, SETTINGS};
use crate::stand::Stand;

/// Reads until the server closes the connection.
async fn rest(socket: &mut TcpStream) -> String {
    let mut rest = Vec::new();
    let reading = socket.read_to_end(&mut rest);
    let ended = tokio::time::timeout(Duration::from_secs(30), reading).await;
    // What the server has not read before it closes resets the connection, which is an end as well.
    let _ = ended.expect("the server closes the connection");
    String::from_utf8_lossy(&rest).into_owned()
}

/// Waits until a request is answered with this status.
async fn until_status(stand: &Stand, status: u16) {
    let began = Instant::now();
    while stand.get("/healthz").await.status != status {
        assert!(began.elapsed() < Duration::from_secs(30));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn an_address_with_too_many_connections_gets_no_more_and_others_do() {
    let settings = ServerSettings {
        connections_per_address: Some(3),
        ..ServerSettings::default()
    };
    let stand = Stand::with(settings).await;
    let mut held = join_all((0..3).map(|_| TcpStream::connect(stand.at))).await;
    let mut answer = Answer::read(TcpStream::connect(stand.at).await.unwrap()).await;
    assert_eq!(
        (
            answer.status,
            answer.header("x-error-code"),
            answer.header("retry-after")
        ),
        (429, Some("RATE_LIMITED"), Some("5"))
    );
    let body = answer.json().await;
    assert!(body["error"].as_str().unwrap().contains("connections"), "{body}");
    let elsewhere = TcpSocket::new_v4().unwrap();
    elsewhere.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut other = elsewhere.connect(stand.at).await.unwrap();
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {}\r\n\r\n", stand.at);
    other.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(Answer::read(other).await.status, 200);
    held.pop();
    until_status(&stand, 200).await;
}

#[tokio::test]
async fn a_thousand_connections_that_ask_nothing_are_let_go_while_others_are_served() {
    server::raise_file_limit();
    let settings = ServerSettings {
        head_time: Duration::from_secs(3),
        ..ServerSettings::default()
    };
    let stand = Stand::with(settings).await;
    let mut idle: Vec<TcpStream> = Vec::new();
    for _ in 0..10 {
        // Fewer at once than the system queues for the server.
        let more = join_all((0..100).map(|_| TcpStream::connect(stand.at))).await;
        idle.extend(more.into_iter().map(Result::unwrap));
        assert_eq!(stand.get("/healthz").await.status, 200);
    }
    assert!(
        join_all(idle.iter_mut().map(rest))
            .await
            .iter()
            .all(String::is_empty)
    );
}

#[tokio::test]
async fn a_connection_that_was_used_and_asks_no_more_is_let_go() {
    let settings = ServerSettings {
        head_time: Duration::from_secs(1),
        ..ServerSettings::default()
    };
    let stand = Stand::with(settings).await;
    let mut socket = TcpStream::connect(stand.at).await.unwrap();
    let request = format!("GET /healthz HTTP/1.1\r\nhost: {}\r\n\r\n", stand.at);
    socket.write_all(request.as_bytes()).await.unwrap();
    let answer = rest(&mut socket).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}

#[tokio::test]
async fn a_thousand_heads_that_come_byte_by_byte_are_let_go_while_others_are_served() {
    server::raise_file_limit();
    let settings = ServerSettings {
        head_time: Duration::from_secs(3),
        ..ServerSettings::default()
    };
    let stand = &Stand::with(settings).await;
    let dripping = (0..1000).map(|_| async move {
        let mut socket = TcpStream::connect(stand.at).await.unwrap();
        let began = Instant::now();
        let mut head = b"GET /healthz HTTP/1.1\r\nx-slow: "
            .iter()
            .chain(std::iter::repeat(&b'a'));
        while socket.write_all(&[*head.next().unwrap()]).await.is_ok() {
            assert!(began.elapsed() < Duration::from_secs(30), "still open");
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    });
    let served = async {
        for _ in 0..20 {
            assert_eq!(stand.get("/healthz").await.status, 200);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::join!(join_all(dripping), served);
}

#[tokio::test]
async fn a_body_that_drips_is_refused_and_its_connection_ends() {
    let settings = ServerSettings {
        body_start: Duration::from_millis(500),
        ..ServerSettings::default()
    };
    let stand = Stand::with(settings).await;
    let mut socket = TcpStream::connect(stand.at).await.unwrap();
    let host = stand.at;
    let head = format!("POST /api/scrape HTTP/1.1\r\nhost: {host}\r\ncontent-length: 500\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    let began = Instant::now();
    let (mut reading, mut writing) = socket.split();
    let dripping = async {
        while writing.write_all(b" ").await.is_ok() {
            assert!(began.elapsed() < Duration::from_secs(25), "still open");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let mut said = Vec::new();
    let (_, read) = tokio::join!(dripping, reading.read_to_end(&mut said));
    // A reset after the answer is an end as well.
    let _ = read;
    let said = String::from_utf8_lossy(&said);
    assert!(
        said.starts_with("HTTP/1.1 408 ") && said.contains("REQUEST_TIMEOUT") && said.contains("1024 bytes"),
        "{said}"
    );
}

#[tokio::test]
async fn a_head_too_large_or_with_too_many_headers_is_refused() {
    let stand = Stand::start().await;
    let many = (0..101).fold(Ask::get("/healthz"), |ask, number| {
        ask.header(&format!("x-{number}"), "1")
    });
    let large = Ask::get("/healthz").header("x-large", &"a".repeat(100_000));
    for ask in [many, large] {
        assert_eq!(ask.send(stand.at).await.status, 431);
    }
    assert_eq!(stand.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_key_with_too_many_streams_gets_no_more_and_begins_no_run() {
    let keys = ["first-key-of-two", "second-key-of-two"];
    let settings = ServerSettings {
        api_keys: keys.iter().map(|it| it.parse().unwrap()).collect(),
        streams_per_key: Some(2),
        ..ServerSettings::default()
    };
    let stand = Stand::with(settings).await;
    let stream = |key: &str| {
        Ask::json("/api/scrape/stream", &stand.request(&["/silent"]))
            .header("authorization", &format!("Bearer {key}"))
            .send(stand.at)
    };
    let first = stream(keys[0]).await;
    let run = first.header("x-run-id").unwrap().to_owned();
    let second = stream(keys[0]).await;
    assert_eq!((first.status, second.status), (200, 200));
    let follow = format!("/v1/runs/{run}/events");
    let follow = || {
        Ask::get(&follow)
            .header("authorization", &format!("Bearer {}", keys[0]))
            .send(stand.at)
    };
    for mut refused in [stream(keys[0]).await, follow().await] {
        assert_eq!(
            (refused.status, refused.header("x-error-code")),
            (429, Some("RATE_LIMITED"))
        );
        assert!(refused.header("retry-after").is_some());
        assert!(
            refused.json().await["error"]
                .as_str()
                .unwrap()
                .starts_with("2 event streams")
        );
    }
    assert_eq!(stream(keys[1]).await.status, 200);
    let mut runs = Ask::get("/v1/runs")
        .header("authorization", &format!("Bearer {}", keys[0]))
        .send(stand.at)
        .await;
    assert_eq!(runs.json().await["runs"].as_array().unwrap().len(), 2);
    drop(second);
    let began = Instant::now();
    while follow().await.status != 200 {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "a place that is freed is given again"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn http2() -> ServerSettings {
    ServerSettings {
        ping: Duration::from_millis(300),
        idle: Duration::from_secs(2),
        head_time: Duration::from_secs(2),
        stalled: Duration::from_secs(2),
        heartbeat: Duration::from_millis(100),
        ..ServerSettings::default()
    }
}

/// A run that goes on until the test ends.
async fn endless(stand: &Stand) -> String {
    let ask = Ask::json("/api/scrape", &stand.request(&["/silent"]));
    let run = ask.send(stand.at).await.json().await["session_id"].take();
    format!("/v1/runs/{}/events", run.as_str().unwrap())
}

#[tokio::test]
async fn a_peer_that_answers_no_ping_is_dead_whatever_it_has_asked() {
    let stand = Stand::with(http2()).await;
    let path = endless(&stand).await;
    let mut dead = Http2::connect(stand.at, &[]).await;
    assert!(dead.get(1, &path).await);
    assert!(dead.drain(false).await.contains(&PING));
    let mut alive = Http2::connect(stand.at, &[]).await;
    assert!(alive.get(1, &path).await);
    // Follows the run for longer than an idle connection lives.
    let lives = tokio::time::timeout(Duration::from_secs(5), alive.drain(true)).await;
    assert!(lives.is_err(), "{lives:?}");
}

#[tokio::test]
async fn a_peer_that_answers_pings_and_asks_nothing_more_is_let_go() {
    let stand = Stand::with(http2()).await;
    let mut idler = Http2::connect(stand.at, &[]).await;
    assert!(idler.get(1, "/healthz").await);
    let kinds = idler.drain(true).await;
    assert!(kinds.contains(&PING), "{kinds:?}");
    // The beginning of a request's head, which never comes whole, holds no connection either.
    let mut half = Http2::connect(stand.at, &[]).await;
    assert!(half.get(1, "/healthz").await && half.send(1, 0, 3, &[0x82]).await);
    half.drain(true).await;
}

#[tokio::test]
async fn a_peer_that_takes_no_byte_of_its_stream_is_let_go() {
    let stand = Stand::with(http2()).await;
    let path = endless(&stand).await;
    // Setting 4 is the size of each stream's window.
    let mut stalled = Http2::connect(stand.at, &[(4, 0)]).await;
    assert!(stalled.get(1, &path).await);
    let kinds = stalled.drain(true).await;
    assert!(kinds.contains(&SETTINGS), "{kinds:?}");
}

#[tokio::test]
async fn a_flood_of_requests_that_are_reset_at_once_ends_its_connection() {
    let stand = Stand::with(http2()).await;
    let path = endless(&stand).await;
    let mut flood = Http2::connect(stand.at, &[]).await;
    let mut sent = 0_u32;
    while sent < 20_000 && flood.get(2 * sent + 1, &path).await {
        flood
            .send(RST_STREAM, 0, 2 * sent + 1, &8_u32.to_be_bytes())
            .await;
        sent += 1;
    }
    flood.drain(true).await;
    assert!(sent < 20_000, "every one of {sent} requests was taken");
    assert_eq!(stand.get("/healthz").await.json().await, json!({"status": "ok"}));
}
