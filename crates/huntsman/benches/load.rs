//! What a server bears: idle event streams (memory of each, delay of an event to all of them), and many scrapes at once
//! (pages a second, CPU of a page).
//!
//! `cargo bench --profile fast -p huntsman --bench load -- [STREAMS] [SCRAPES]`. With `HUNTSMAN_BENCH_PAGES=FOLDER` the
//! pages scraped are the folder's `.html` files, else pages made here. The server is a process of its own; CPU and
//! memory are its own and what Linux says of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{ServerProcess, SiteReply, TestSite};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

/// Connections opened at the same moment.
const OPENING: usize = 200;
/// Scrapes under way at once.
const SCRAPES_AT_ONCE: usize = 50;
/// Sites that the scraped pages are spread over, since one host is asked only a few times at once.
const SITES: usize = 16;

fn start(folder: &TempDir) -> ServerProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    command
        .args(["--allow-hosts", "127.0.0.1", "--workers", "50"])
        .env("HUNTSMAN_DATA_DIR", folder.path())
        .current_dir(folder.path());
    ServerProcess::start(command)
}

fn head(at: &str, method: &str, path: &str, body: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: {at}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

async fn ask(at: &str, method: &str, path: &str, body: &str) -> String {
    let mut socket = TcpStream::connect(at).await.unwrap();
    socket
        .write_all(head(at, method, path, body).as_bytes())
        .await
        .unwrap();
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// Follows a run: `ready` is released at its first page, and the moment of its last event is the answer.
async fn follow(at: String, run: String, opening: Arc<Semaphore>, ready: Arc<Semaphore>) -> Instant {
    let permit = opening.acquire().await.unwrap();
    let mut socket = TcpStream::connect(&at).await.unwrap();
    let path = format!("/v1/runs/{run}/events");
    socket
        .write_all(head(&at, "GET", &path, "").as_bytes())
        .await
        .unwrap();
    let mut lines = BufReader::with_capacity(2048, socket).lines();
    while !lines
        .next_line()
        .await
        .unwrap()
        .expect("the stream goes on")
        .starts_with("event: url_start")
    {}
    drop(permit);
    ready.add_permits(1);
    while !lines
        .next_line()
        .await
        .unwrap()
        .expect("the stream goes on")
        .starts_with("event: complete")
    {}
    Instant::now()
}

async fn idle_streams(count: usize) {
    let folder = TempDir::new().unwrap();
    let server = start(&folder);
    let site = TestSite::start(|_| SiteReply::html("").never_ending()).await;
    let request = json!({"assets": [site.url("/")], "instructions": "wait"}).to_string();
    let answer = ask(&server.address, "POST", "/api/scrape", &request).await;
    let body: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    let run = body["session_id"].as_str().unwrap().to_owned();
    let before = server.memory("VmRSS");
    let (opening, ready) = (Arc::new(Semaphore::new(OPENING)), Arc::new(Semaphore::new(0)));
    let followers: Vec<_> = (0..count)
        .map(|_| {
            tokio::spawn(follow(
                server.address.clone(),
                run.clone(),
                opening.clone(),
                ready.clone(),
            ))
        })
        .collect();
    ready
        .acquire_many(u32::try_from(count).unwrap())
        .await
        .unwrap()
        .forget();
    let (open, cpu) = (server.memory("VmRSS"), server.cpu());
    tokio::time::sleep(Duration::from_secs(5)).await;
    let idle = (server.cpu() - cpu) / 5000.0 * 100.0;
    let said = Instant::now();
    ask(&server.address, "DELETE", &format!("/v1/runs/{run}"), "").await;
    let mut delays = Vec::new();
    for follower in followers {
        delays.push(follower.await.unwrap() - said);
    }
    delays.sort();
    let at = |share: f64| delays[((count - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    println!(
        "{count} idle streams: {:.1} kB each, {idle:.1} % of a core while idle; the last event reached half of them in {:.0} ms, \
         99 % in {:.0} ms, all in {:.0} ms",
        (open.saturating_sub(before)) as f64 / count as f64,
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// Pages to scrape: the folder's, or an article with navigation and a price table of about 30 kB.
fn pages() -> Vec<String> {
    let folder = std::env::var_os("HUNTSMAN_BENCH_PAGES");
    if let Some(folder) = folder {
        let files = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
        let files = files.filter(|it| it.extension().is_some_and(|it| it == "html"));
        let pages: Vec<String> = files
            .filter_map(|it| Some(String::from_utf8_lossy(&std::fs::read(it).ok()?).into_owned()))
            .collect();
        assert!(!pages.is_empty(), "no .html files in HUNTSMAN_BENCH_PAGES");
        return pages;
    }
    let paragraph = "<p>A kettle is a vessel in which water is boiled, with a <a href=/lid>lid</a>, a spout and a handle, and \
                     it says so when the water boils, whatever <b>it</b> cost.</p>";
    let row = "<tr><td>Kettle</td><td>19.99 €</td><td>in stock</td></tr>";
    let link = "<li><a href=/shelf>Another shelf of kettles</a></li>";
    (0..20)
        .map(|nth| {
            format!(
                "<!doctype html><html lang=en><head><title>Kettle {nth}</title></head><body><nav><ul>{}</ul></nav><main><h1>Kettle \
                 {nth}</h1>{}<table>{}</table></main></body></html>",
                link.repeat(60),
                paragraph.repeat(80 + nth),
                row.repeat(100)
            )
        })
        .collect()
}

async fn scrapes(count: usize) {
    let folder = TempDir::new().unwrap();
    let server = start(&folder);
    let pages = Arc::new(pages());
    let mean = pages.iter().map(String::len).sum::<usize>() / pages.len();
    let mut sites = Vec::new();
    for _ in 0..SITES {
        let pages = pages.clone();
        let site = TestSite::start(move |asked| {
            let nth: usize = asked.path.trim_start_matches('/').parse().unwrap_or(0);
            SiteReply::html(pages[nth % pages.len()].clone())
        });
        sites.push(site.await);
    }
    let (cpu, begun, turns) = (
        server.cpu(),
        Instant::now(),
        Arc::new(Semaphore::new(SCRAPES_AT_ONCE)),
    );
    let asked: Vec<_> = (0..count)
        .map(|nth| {
            let url = sites[nth % SITES].url(&format!("/{nth}"));
            let body = json!({"assets": [url], "instructions": "read"}).to_string();
            let (at, turns) = (server.address.clone(), turns.clone());
            tokio::spawn(async move {
                let _turn = turns.acquire().await.unwrap();
                let answer = ask(&at, "POST", "/api/scrape/stream", &body).await;
                assert!(answer.contains("\"type\":\"complete\""), "{answer}");
                answer.contains("\"status\":\"completed\"")
            })
        })
        .collect();
    let mut read = 0;
    for run in asked {
        read += usize::from(run.await.unwrap());
    }
    let (lasted, cpu) = (begun.elapsed().as_secs_f64(), server.cpu() - cpu);
    println!(
        "{count} scrapes, {SCRAPES_AT_ONCE} at once, pages of {} kB: {read} read, {:.0} pages/s, {:.1} ms of CPU a page, {} MB resident",
        mean / 1024,
        count as f64 / lasted,
        cpu / count as f64,
        server.memory("VmRSS") / 1024
    );
}

#[tokio::main]
async fn main() {
    server::raise_file_limit();
    let mut counts = std::env::args().skip(1).filter_map(|it| it.parse().ok());
    idle_streams(counts.next().unwrap_or(5000)).await;
    scrapes(counts.next().unwrap_or(1000)).await;
}
