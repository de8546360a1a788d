//! Many large pages at once through a server in its own process: all of them are read, within the budget of memory.

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{ServerProcess, serving};

const PAGES: u8 = 64;
/// Bytes of each page: the most that a page may have.
const PAGE: usize = 16 << 20;
/// One page in so many is words from end to end. The others have most of their bytes in a comment, so that a build
/// without optimisation is done in time; their body and source take as much memory.
const WORDS_EVERY: u8 = 32;
/// Megabytes for all that is in flight: the default.
const BUDGET: u64 = 256;
/// What the server needs beside: connections, answers that are being written, code. In megabytes.
const BESIDE: u64 = 96;

/// Writes a page whose title is its number.
fn answer(mut stream: TcpStream) -> std::io::Result<()> {
    let mut request = [0; 4096];
    let read = stream.read(&mut request)?;
    let head = String::from_utf8_lossy(&request[..read]).into_owned();
    let number: u8 = head
        .trim_start_matches("GET /")
        .split(' ')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let sentence = "The kettle boils water quickly and quietly in the morning, every morning of the week. ";
    let opening = format!(
        "<!doctype html><title>Page {number}</title><main><h1>Page {number}</h1><p>{}</p>",
        sentence.repeat(10)
    );
    let (before, part, after) = match number % WORDS_EVERY {
        0 => ("", format!("<p>{}</p>", sentence.repeat(20)), ""),
        _ => ("<!--", "x".repeat(64 * 1024), "-->"),
    };
    let parts = (PAGE - opening.len() - before.len() - after.len()) / part.len();
    let length = opening.len() + before.len() + parts * part.len() + after.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{opening}{before}"
    )?;
    for _ in 0..parts {
        stream.write_all(part.as_bytes())?;
    }
    stream.write_all(after.as_bytes())
}

fn site() -> u16 {
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || answer(stream.unwrap()));
        }
    });
    port
}

#[test]
fn large_pages_at_once_are_all_read_within_the_budget() {
    let (folder, port) = (TempDir::new().unwrap(), site());
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    command
        .args(["--engine", "http", "--allow-hosts", "127.0.0.0/8"])
        .env("HUNTSMAN_DATA_DIR", folder.path())
        .current_dir(folder.path());
    let server = ServerProcess::start(command);
    let before = server.memory("VmRSS");
    let readers: Vec<_> = (0..PAGES)
        .map(|number| {
            let address = server.address.clone();
            std::thread::spawn(move || {
                // A host of its own for each page, so that politeness does not hold them back.
                let url = format!("http://127.0.0.{}:{port}/{number}", number + 1);
                let body = json!({"url": url, "nocache": true, "effort": "max"}).to_string();
                (
                    number,
                    serving::ask(&address, "POST", "/v1/extract/markdown", "", &body),
                )
            })
        })
        .collect();
    for reader in readers {
        let (number, answer) = reader.join().unwrap();
        let shown: String = answer.body.chars().take(300).collect();
        assert_eq!(answer.status, 200, "page {number}: {shown}");
        let read: Value = serde_json::from_str(&answer.body).unwrap();
        let content = read["content"].as_str().unwrap();
        assert!(
            content.contains(&format!("Page {number}")),
            "page {number}: {shown}"
        );
    }
    let most = (server.memory("VmHWM") - before) / 1024;
    println!(
        "{PAGES} pages of {} MB at once: the server grew by {most} MB",
        PAGE >> 20
    );
    assert!(most < BUDGET + BESIDE, "{most} MB");
    assert_eq!(server.ask("GET", "/healthz", "", "").status, 200);
}
