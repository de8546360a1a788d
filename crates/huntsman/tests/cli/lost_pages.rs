//! Pages whose connection is lost, and pages in encodings that the header denies.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{SiteReply, TestSite};

use super::{KETTLE, beside, words};

/// A server that ends its answers early, each in its own way.
fn losing_server() -> SocketAddr {
    static TRIES: AtomicUsize = AtomicUsize::new(0);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || lose(stream, &TRIES));
        }
    });
    address
}

fn lose(mut stream: TcpStream, tries: &AtomicUsize) {
    let mut start = [0; 6];
    stream.read_exact(&mut start).unwrap();
    let path = start[5];
    if path != b'r' {
        let _ = stream.read(&mut [0; 4096]);
    }
    let half = &KETTLE[..300];
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
    let announced = format!("{head}Content-Length: {}\r\n\r\n", KETTLE.len());
    let answer = match path {
        // Whole at the second request.
        b's' if tries.fetch_add(1, Ordering::SeqCst) > 0 => format!("{announced}{KETTLE}"),
        b'c' => format!(
            "{head}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{half}\r\n",
            half.len()
        ),
        _ => format!("{announced}{half}"),
    };
    stream.write_all(answer.as_bytes()).unwrap();
    if path == b'r' {
        // Most of the request is unread, so that closing resets the connection. What was sent arrives before that.
        std::thread::sleep(Duration::from_millis(300));
    }
}

#[tokio::test]
async fn a_page_whose_connection_is_lost_is_no_result() {
    let (folder, server) = (TempDir::new().unwrap(), losing_server());
    for path in ["plain", "reset", "chunked"] {
        let url = format!("http://{server}/{path}");
        let output = beside(&folder, &words(&["scrape", "--engine", "http"], &[url])).await;
        assert_eq!(output.status.code(), Some(1), "{path}");
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&result["status"], &result["error"]["code"], &result["item"]),
            (&json!("failed"), &json!("CONNECTION_LOST"), &Value::Null),
            "{path}"
        );
    }
    let url = format!("http://{server}/second-time");
    let output = beside(&folder, &words(&["scrape", "--engine", "http"], &[url])).await;
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), &result["item"]["title"]),
        (Some(0), &json!("Kettle K2"))
    );
}

#[tokio::test]
async fn a_page_in_utf16_is_read_whatever_its_header_says() {
    let folder = TempDir::new().unwrap();
    let site = TestSite::start(|asked| {
        let text = format!(
            "\u{feff}{}",
            KETTLE.replace("A kettle of steel", "Чайник из стали")
        );
        let bytes: fn(u16) -> [u8; 2] = match asked.path.as_str() {
            "/little" => u16::to_le_bytes,
            _ => u16::to_be_bytes,
        };
        let bytes: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
        SiteReply::bytes("text/html; charset=utf-8", bytes)
    })
    .await;
    for path in ["/little", "/big"] {
        let words = words(
            &["scrape", "--engine", "http", "--format", "text"],
            &[site.url(path)],
        );
        let output = beside(&folder, &words).await;
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("Чайник из стали"), "{path} {text}");
    }
}
