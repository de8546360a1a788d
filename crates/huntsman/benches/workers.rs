//! How scrapes of slow pages grow with the number of workers of a cluster.
//!
//! `cargo bench -p huntsman --bench workers` starts three NATS servers, a server, and 1, 2, 4 and 8 worker processes that do
//! one run at a time, on this machine. The pages are slow, so that waiting for them bounds the workers and not the processor.
//! It prints runs a second while all workers work, and how much of linear growth that is.

// A bench that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;
use testkit::{NatsServer, ServerProcess};
use worker_site::{PageRequest, WorkerSite};

#[path = "../tests/cluster/worker_site.rs"]
#[allow(dead_code, reason = "the chaos test reads more of it")]
mod worker_site;

const PAGE: &str =
    "<html><body><main><h1>Page</h1><p>Words that make a page worth reading, again.</p></main></body></html>";
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
/// How long a page takes, in milliseconds.
const PAGE_TIME: u64 = 2000;
/// Runs for each worker.
const RUNS: usize = 10;

/// A worker; it is killed when this is dropped.
struct WorkerProcess(Child);

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn command(folder: &Path, name: &str, store: &str, site: &WorkerSite, prefix: &str) -> Command {
    let own = folder.join(name);
    std::fs::create_dir_all(&own).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    command
        .args(["--allow-hosts", &site.hosts()])
        .env("HUNTSMAN_DATA_DIR", &own)
        .env("HUNTSMAN_STORE", store)
        .env("HUNTSMAN_NATS_PREFIX", prefix)
        .env("HUNTSMAN_SECRET_KEY", KEY)
        .env("HUNTSMAN_PROXY", site.proxy(name))
        .current_dir(own);
    command
}

/// Runs a second while every one of so many workers works.
fn measure(workers: usize, store: &str, folder: &Path) -> f64 {
    let site = WorkerSite::start();
    let prefix = format!("w{workers}");
    // The streams are made here, once their leaders are chosen.
    let end = Instant::now() + Duration::from_secs(120);
    let is_ready = || {
        let mut status = command(folder, "looking", store, &site, &prefix);
        status
            .args(["cluster", "status"])
            .output()
            .unwrap()
            .status
            .success()
    };
    while !is_ready() {
        assert!(Instant::now() < end, "the cluster has no quorum");
        std::thread::sleep(Duration::from_millis(500));
    }
    let mut serve = command(folder, &format!("server{workers}"), store, &site, &prefix);
    serve.env("HUNTSMAN_WORKERS", "0");
    let server = ServerProcess::start(serve);
    let runs = workers * RUNS;
    for run in 0..runs {
        let page = site.url(run, &format!("/run/{run}/0/{PAGE_TIME}"));
        let request = json!({"assets": [page], "instructions": "read"}).to_string();
        let answer = server.ask("POST", "/api/scrape", "", &request);
        assert_eq!(answer.status, 202, "{}", answer.body);
    }
    let start = |number: usize| {
        let mut command = command(folder, &format!("{number}"), store, &site, &prefix);
        command
            .args(["worker", "--workers", "1", "--log", "error"])
            .stderr(Stdio::null());
        WorkerProcess(command.spawn().unwrap())
    };
    let _workers: Vec<WorkerProcess> = (0..workers).map(start).collect();
    let end = Instant::now() + Duration::from_secs(300);
    while site.requests().len() < runs {
        assert!(Instant::now() < end, "the runs do not end");
        std::thread::sleep(Duration::from_millis(50));
    }
    rate(&site.requests(), workers)
}

/// Requests a second between the moment when the last worker began and the moment when the first one found nothing more.
fn rate(requests: &[PageRequest], workers: usize) -> f64 {
    let mut times: HashMap<&str, (Instant, Instant)> = HashMap::new();
    for request in requests {
        let span = times.entry(&request.worker).or_insert((request.at, request.at));
        span.1 = request.at;
    }
    assert_eq!(times.len(), workers, "every worker works");
    let from = times.values().map(|span| span.0).max().unwrap();
    let to = times.values().map(|span| span.1).min().unwrap();
    let within = requests.iter().filter(|it| from < it.at && it.at <= to).count();
    within as f64 / (to - from).as_secs_f64()
}

fn main() {
    let folder = TempDir::new().unwrap();
    let nodes = NatsServer::cluster();
    let store = nodes.each_ref().map(NatsServer::url).join(",");
    println!("| workers | runs/s | of linear growth |\n|---|---|---|");
    let mut alone = None;
    for workers in [1, 2, 4, 8] {
        let rate = measure(workers, &store, folder.path());
        let alone = *alone.get_or_insert(rate);
        println!("| {workers} | {rate:.2} | {:.2} |", rate / alone / workers as f64);
    }
}
