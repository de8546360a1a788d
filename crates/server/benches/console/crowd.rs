//! What 200 open pages of a run cost the server, beside 200 readers of its event stream.

use std::net::SocketAddr;
use std::process::{Command, Stdio};
use std::time::Duration;

use server::ServerSettings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Instant, interval_at};

use crate::events;
use crate::written_runs::WrittenRuns;

const READERS: usize = 200;
/// Rounds of each; they alternate.
const ROUNDS: usize = 5;
/// Events of a round, and in a second.
const EVENTS: usize = 500;
const RATE: u64 = 50;

/// Opens a path so often, says `ready` once every answer has begun, and reads to the ends.
pub(crate) async fn read(at: SocketAddr, path: &str, count: usize) {
    let mut readers = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(at).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: {at}\r\naccept: text/event-stream\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut begin = [0; 16];
        stream.read_exact(&mut begin).await.unwrap();
        assert!(
            begin.starts_with(b"HTTP/1.1 200"),
            "{}",
            String::from_utf8_lossy(&begin)
        );
        readers.push(tokio::spawn(async move {
            let mut piece = vec![0; 65_536];
            let mut bytes = 0;
            while let Ok(more @ 1..) = stream.read(&mut piece).await {
                bytes += more;
            }
            bytes
        }));
    }
    println!("ready");
    for reader in readers {
        reader.await.unwrap();
    }
}

/// Seconds of processor time of this process.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    // Fields 14 and 15, of which the first here is the third; a hundred make a second on Linux.
    let ticks: f64 = [11, 12].map(|at| fields[at].parse::<f64>().unwrap()).iter().sum();
    ticks / 100.0
}

/// Processor time of a round in which so many read one run under a path.
async fn round(path: &str) -> f64 {
    let settings = ServerSettings::default();
    let runs = WrittenRuns::start(settings).await;
    let mut run = runs.scrape("a run that many look at").await;
    run.tell(&events(0, 10)).await;
    let path = path.replace("ID", &run.id);
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["readers", &runs.stand.at.to_string(), &path, &READERS.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut ready = tokio::process::ChildStdout::from_std(child.stdout.take().unwrap()).unwrap();
    let mut said = [0; 6];
    ready.read_exact(&mut said).await.unwrap();
    let before = processor_seconds();
    let mut ticks = interval_at(Instant::now(), Duration::from_micros(1_000_000 / RATE));
    for number in 0..EVENTS {
        ticks.tick().await;
        run.tell(&events(10 + number, 1)).await;
    }
    // The last rows go out.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let spent = processor_seconds() - before;
    child.kill().unwrap();
    child.wait().unwrap();
    spent
}

pub(crate) async fn consoles_beside_streams() {
    let (mut consoles, mut streams) = (0.0, 0.0);
    for _ in 0..ROUNDS {
        consoles += round("/console/runs/ID/rows?after=0").await;
        streams += round("/v1/runs/ID/events").await;
    }
    println!(
        "crowd: {READERS} pages that follow {EVENTS} events, {RATE} a second: {consoles:.2} s of processor time in {ROUNDS} rounds; \
         {READERS} readers of the stream: {streams:.2} s; ratio {:.2}",
        consoles / streams
    );
}
