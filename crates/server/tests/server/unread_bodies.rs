//! Requests that are answered before their bodies were read.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use crate::stand::Stand;

/// The next answer on a connection: its head in lower case.
async fn head(socket: &mut BufReader<TcpStream>) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let read = socket.read_line(&mut head).await.unwrap();
        assert!(read > 0, "the connection was closed after {head:?}");
    }
    let head = head.to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.unwrap().parse().unwrap()];
    socket.read_exact(&mut body).await.unwrap();
    head
}

fn request(stand: &Stand, path: &str, more: &str, length: usize) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\n{more}content-length: {length}\r\n\r\n",
        stand.at
    )
}

#[tokio::test]
async fn the_next_request_of_a_refused_client_is_answered_on_the_same_connection() {
    let stand = Stand::start().await;
    let mut socket = BufReader::new(TcpStream::connect(stand.at).await.unwrap());
    for (path, more, status) in [
        ("/no/such/path", "", " 404 "),
        ("/api/scrape", "origin: https://evil.example\r\n", " 403 "),
        ("/v1/runs", "", " 405 "),
        ("/no/such/path", "", " 404 "),
    ] {
        let announced = request(&stand, path, more, 4);
        socket.write_all(announced.as_bytes()).await.unwrap();
        // The body comes in a packet of its own, as with many clients.
        tokio::time::sleep(Duration::from_millis(100)).await;
        socket.write_all(b"body").await.unwrap();
        let head = head(&mut socket).await;
        assert!(
            head.contains(status) && !head.contains("connection: close"),
            "{head}"
        );
    }
}

#[tokio::test]
async fn a_body_that_is_long_or_does_not_come_ends_the_connection_and_the_answer_says_so() {
    let stand = Stand::start().await;
    for (more, length) in [("", 1 << 20), ("", 4), ("expect: 100-continue\r\n", 4)] {
        let mut socket = BufReader::new(TcpStream::connect(stand.at).await.unwrap());
        let announced = request(&stand, "/no/such/path", more, length);
        socket.write_all(announced.as_bytes()).await.unwrap();
        let head = head(&mut socket).await;
        assert!(
            head.contains(" 404 ") && head.contains("connection: close"),
            "{head}"
        );
        assert_eq!(
            socket.read(&mut [0; 1]).await.unwrap(),
            0,
            "the connection goes on"
        );
    }
}
