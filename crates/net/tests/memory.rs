//! Memory of a process in which many large bodies arrive at once. In a process of its own, since it is measured.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(missing_docs)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::time::Duration;

use net::{CacheConfig, Client, ClientConfig, Politeness, Request};

const BODIES: usize = 64;
const BODY: usize = 16 << 20;
/// What the process needs beside the bodies: 64 connections with their buffers on both sides, threads, code; bodies of unknown
/// length are there twice for a moment when they grow, and the allocator keeps what was freed. 20 to 90 MB were measured, the
/// more the busier the machine.
const BESIDE: usize = 128 << 20;

/// A server that sends a body of `BODY` bytes to each connection, announced or in chunks.
fn server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || answer(stream.unwrap()));
        }
    });
    address
}

fn answer(mut stream: TcpStream) {
    let mut request = [0; 4096];
    let read = stream.read(&mut request).unwrap();
    let chunked = request[..read].starts_with(b"GET /chunked");
    let framing = match chunked {
        true => "Transfer-Encoding: chunked".to_owned(),
        false => format!("Content-Length: {BODY}"),
    };
    let head = format!("HTTP/1.1 200 OK\r\n{framing}\r\nConnection: close\r\n\r\n");
    let part = [b'x'; 64 * 1024];
    let send = |stream: &mut TcpStream| -> std::io::Result<()> {
        stream.write_all(head.as_bytes())?;
        for _ in 0..BODY / part.len() {
            if chunked {
                stream.write_all(format!("{:x}\r\n", part.len()).as_bytes())?;
            }
            stream.write_all(&part)?;
            if chunked {
                stream.write_all(b"\r\n")?;
            }
        }
        stream.write_all(if chunked { b"0\r\n\r\n" } else { b"" })
    };
    send(&mut stream).expect("the client reads the whole body");
}

/// A line of `/proc/self/status`, in bytes.
fn status(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    let kilobytes: usize = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes * 1024
}

/// Limits the allocator to one arena: otherwise it keeps what was freed for each thread apart, the more the busier the machine.
const ONE_ARENA: (&str, &str) = ("MALLOC_ARENA_MAX", "1");

/// Whether this process has one arena. One that has not runs its test again, which is the only one here, in a process that has, and
/// passes as that one does.
fn has_one_arena() -> bool {
    let (name, count) = ONE_ARENA;
    if std::env::var(name).as_deref() == Ok(count) {
        return true;
    }
    let again = Command::new(std::env::current_exe().unwrap())
        .arg("--nocapture")
        .env(name, count)
        .status();
    assert!(again.unwrap().success());
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn many_large_bodies_at_once_stay_within_the_budget_and_none_is_refused() {
    if !has_one_arena() {
        return;
    }
    let config = ClientConfig {
        allow: vec!["127.0.0.0/8".parse().unwrap()],
        cache: CacheConfig::off(),
        politeness: Politeness {
            per_host: BODIES,
            ..Politeness::default()
        },
        ..ClientConfig::default()
    };
    // The rest of the budget is for readers, and a fetch reads nothing.
    let budget = config.memory_budget / 4;
    assert_eq!(budget, 64 << 20);
    let client = Client::new(config).unwrap();
    let (server, before) = (server(), status("VmRSS"));
    let fetches: Vec<_> = (0..BODIES)
        .map(|nth| {
            let client = client.clone();
            let path = ["declared", "chunked"][nth % 2];
            let url = format!("http://{server}/{path}/{nth}").parse().unwrap();
            tokio::spawn(async move {
                let page = client.fetch(Request::get(url)).await?;
                // The reader's own work, with the body in its hands.
                tokio::time::sleep(Duration::from_millis(100)).await;
                Ok::<_, net::Error>(page.body.len())
            })
        })
        .collect();
    for fetch in fetches {
        assert_eq!(fetch.await.unwrap(), Ok(BODY));
    }
    let most = status("VmHWM") - before;
    println!(
        "{BODIES} bodies of {} MB at once: {} MB more in memory than before",
        BODY >> 20,
        most >> 20
    );
    assert!(most < budget + BESIDE, "{} MB", most >> 20);
}
