//! From the death of a worker to the moment when others go on with its runs.
//!
//! `cargo bench -p huntsman --bench takeover -- [KILLS] [STOPS] [BUSY]` starts three NATS servers whose disks are synchronized
//! at every write, a server and three workers with eight runs at once, and so many threads that do nothing but keep processors
//! busy (2). Runs of slow pages come all the time. Workers are killed (12 times) and stopped for longer than a lease (3 times),
//! one after the other; `HUNTSMAN_BENCH_PROGRAM` names another version to be measured. For every run of a lost worker it takes the time until another worker has claimed it, and until that
//! one asks for a page. It fails where a run was not done, where a page was read again although its worker had it long before
//! it was lost, and where a stopped worker went on with a run that another one had begun.

// A bench that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::{Value, json};
use supervised::Supervised;
use tempfile::TempDir;
use testkit::{NatsServer, ServerProcess};
use worker_site::{PageRequest, WorkerSite};

#[path = "../tests/cluster/supervised.rs"]
mod supervised;
#[path = "../tests/cluster/worker_site.rs"]
mod worker_site;

const PAGE: &str =
    "<html><body><main><h1>Page</h1><p>Words that make a page worth reading, again.</p></main></body></html>";
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const WORKERS: usize = 3;
/// Pages of a run, and how long the n-th of them takes: n times so long, in milliseconds. They are read at once.
const PAGES: u64 = 4;
const PAGE_TIME: u64 = 2500;
/// One run is submitted after each of these times.
const BETWEEN_RUNS: Duration = Duration::from_millis(900);
/// From one loss to the next, and how long a worker is stopped.
const BETWEEN_LOSSES: Duration = Duration::from_secs(20);
const STOPPED: Duration = Duration::from_secs(16);
/// How long a page that has come may take to be recorded.
const RECORDED_WITHIN: Duration = Duration::from_secs(2);

/// A worker that was killed or stopped.
struct Loss {
    worker: usize,
    at: Instant,
    clock: Timestamp,
}

/// The program, or another version of it that `HUNTSMAN_BENCH_PROGRAM` names.
fn program() -> OsString {
    std::env::var_os("HUNTSMAN_BENCH_PROGRAM").unwrap_or_else(|| env!("CARGO_BIN_EXE_huntsman").into())
}

fn command(folder: &Path, name: &str, store: &str, site: &WorkerSite) -> Command {
    let own = folder.join(name);
    fs::create_dir_all(&own).unwrap();
    let mut command = Command::new(program());
    command
        .args(["--allow-hosts", &site.hosts()])
        .env("HUNTSMAN_DATA_DIR", &own)
        .env("HUNTSMAN_STORE", store)
        .env("HUNTSMAN_SECRET_KEY", KEY)
        .current_dir(own);
    command
}

fn start_worker(folder: &Path, store: &str, site: &Arc<WorkerSite>, number: usize) -> Supervised {
    let (folder, store, site) = (folder.to_owned(), store.to_owned(), Arc::clone(site));
    Supervised::start(move |start| {
        let mut command = command(&folder, &format!("worker{number}"), &store, &site);
        let log = folder.join(format!("worker{number}.log"));
        let log = File::options().create(true).append(true).open(log).unwrap();
        command
            .env("HUNTSMAN_PROXY", site.proxy(&format!("{number}-{start}")))
            .args([
                "worker",
                "--workers",
                "8",
                "--drain-seconds",
                "0",
                "--log",
                "info",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        command
    })
}

/// Submits runs until it is told to end; their ids.
fn submit_runs(
    server: Arc<ServerProcess>,
    site: Arc<WorkerSite>,
    end: Arc<AtomicBool>,
) -> JoinHandle<Vec<String>> {
    std::thread::spawn(move || {
        let mut ids = Vec::new();
        while !end.load(Ordering::Acquire) {
            let run = ids.len();
            let page = |page: u64| site.url(run, &format!("/run/{run}/{page}/{}", page * PAGE_TIME));
            let pages: Vec<String> = (1..=PAGES).map(page).collect();
            let request = json!({"assets": pages, "instructions": "read"}).to_string();
            let answer = server.ask("POST", "/api/scrape", "", &request);
            if answer.status == 503 {
                // As a client does; the disks of a busy machine are slow at times.
                std::thread::sleep(BETWEEN_RUNS);
                continue;
            }
            assert_eq!(answer.status, 202, "{}", answer.body);
            let answer: Value = serde_json::from_str(&answer.body).unwrap();
            ids.push(answer["session_id"].as_str().unwrap().to_owned());
            std::thread::sleep(BETWEEN_RUNS);
        }
        ids
    })
}

/// Waits until every run has ended, and fails where one was not done.
fn wait_for_ends(server: &ServerProcess, ids: &[String]) {
    let deadline = Instant::now() + Duration::from_secs(120);
    for id in ids {
        loop {
            let answer = server.ask("GET", &format!("/v1/runs/{id}"), "", "");
            let run: Value = serde_json::from_str(&answer.body).unwrap_or_default();
            if matches!(run["status"].as_str(), Some("completed" | "failed" | "cancelled")) {
                let is_done = run["status"] == "completed" || run["error"]["code"] == "POISON_RUN";
                assert!(is_done, "{run}");
                break;
            }
            assert!(Instant::now() < deadline, "{id} does not end: {run}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

/// When each run was begun, as workers logged it, in order.
fn claims(folder: &Path) -> HashMap<String, Vec<Timestamp>> {
    let mut claims: HashMap<String, Vec<Timestamp>> = HashMap::new();
    for worker in 0..WORKERS {
        let log = fs::read_to_string(folder.join(format!("worker{worker}.log"))).unwrap();
        for line in log.lines() {
            let line: Value = serde_json::from_str(line).unwrap_or_default();
            if line["fields"]["message"] == "the run begins" {
                let id = line["fields"]["run"].as_str().unwrap().to_owned();
                let clock: Timestamp = line["timestamp"].as_str().unwrap().parse().unwrap();
                claims.entry(id).or_default().push(clock);
            }
        }
    }
    for claims in claims.values_mut() {
        claims.sort();
    }
    claims
}

fn of_worker(request: &PageRequest) -> usize {
    request.worker.split('-').next().unwrap().parse().unwrap()
}

/// How long a page takes, and the number of its run.
fn page_of(request: &PageRequest) -> (Duration, usize) {
    let words: Vec<&str> = request.path.split('/').collect();
    (
        Duration::from_millis(words[4].parse().unwrap()),
        words[2].parse().unwrap(),
    )
}

/// Of a sorted list: the middle one, the one that nine of ten do not exceed, and the last.
fn shown(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len().saturating_sub(1) as f64 * share) as usize);
    let text = |share| at(share).map_or_else(|| "-".to_owned(), |time| format!("{time:.1}"));
    format!("{} | {} | {}", text(0.5), text(0.9), text(1.0))
}

/// What the losses of workers cost.
struct Outcome {
    losses: Vec<Loss>,
    ids: Vec<String>,
    requests: Vec<PageRequest>,
    claims: HashMap<String, Vec<Timestamp>>,
}

impl Outcome {
    /// The pages that were asked for again; those that their workers had long before they were lost.
    fn repeated(&self) -> (usize, Vec<&PageRequest>) {
        let (mut repeated, mut wrongly) = (0, Vec::new());
        for (at, request) in self.requests.iter().enumerate() {
            let earlier = self.requests[..at].iter().rfind(|it| it.path == request.path);
            let Some(earlier) = earlier else { continue };
            repeated += 1;
            let came = earlier.at + page_of(earlier).0 + RECORDED_WITHIN;
            let was_under_way =
                |loss: &&Loss| loss.worker == of_worker(earlier) && earlier.at < loss.at && loss.at < came;
            if !self.losses.iter().any(|loss| was_under_way(&loss)) {
                wrongly.push(request);
            }
        }
        (repeated, wrongly)
    }

    /// Runs with more changes of worker between their pages than claims.
    fn fenced_steps(&self) -> usize {
        let mut runs: HashMap<usize, Vec<&str>> = HashMap::new();
        for request in &self.requests {
            runs.entry(page_of(request).1).or_default().push(&request.worker);
        }
        let steps = runs.iter().map(|(run, workers)| {
            let stretches = workers.chunk_by(|one, other| one == other).count();
            stretches.saturating_sub(self.claims[&self.ids[*run]].len())
        });
        steps.sum()
    }

    /// Seconds from each loss to the next claim of each run that the worker had, and to the next page of it.
    fn takeovers(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut claimed, mut asked) = (Vec::new(), Vec::new());
        for loss in &self.losses {
            for (run, id) in self.ids.iter().enumerate() {
                let of_run = |it: &&PageRequest| page_of(it).1 == run;
                let before = self.requests.iter().filter(of_run).rfind(|it| it.at <= loss.at);
                let after = self.requests.iter().filter(of_run).find(|it| it.at > loss.at);
                let (Some(before), Some(after)) = (before, after) else {
                    continue;
                };
                if of_worker(before) != loss.worker || before.worker == after.worker {
                    continue;
                }
                asked.push((after.at - loss.at).as_secs_f64());
                let claim = self.claims[id].iter().find(|claim| **claim > loss.clock);
                claimed.extend(claim.map(|claim| claim.duration_since(loss.clock).as_secs_f64()));
            }
        }
        (claimed, asked)
    }
}

fn keep_busy(threads: usize) {
    for _ in 0..threads {
        std::thread::spawn(|| {
            let mut number = 0_u64;
            loop {
                number = std::hint::black_box(number.wrapping_mul(31).wrapping_add(7));
            }
        });
    }
}

fn main() {
    let mut counts = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse::<usize>().ok());
    let mut count = |usual: usize| counts.next().unwrap_or(usual);
    let (kills, stops, busy) = (count(12), count(3), count(2));
    let folder = TempDir::new().unwrap();
    let nodes = NatsServer::cluster();
    let store = nodes.each_ref().map(NatsServer::url).join(",");
    let site = Arc::new(WorkerSite::start());
    let end = Instant::now() + Duration::from_secs(120);
    while !command(folder.path(), "looking", &store, &site)
        .args(["cluster", "status"])
        .output()
        .unwrap()
        .status
        .success()
    {
        assert!(Instant::now() < end, "the cluster has no quorum");
        std::thread::sleep(Duration::from_millis(500));
    }
    let mut serve = command(folder.path(), "server", &store, &site);
    serve.env("HUNTSMAN_WORKERS", "0");
    let server = Arc::new(ServerProcess::start(serve));
    let workers: Vec<Supervised> = (0..WORKERS)
        .map(|number| start_worker(folder.path(), &store, &site, number))
        .collect();
    keep_busy(busy);
    let ends = Arc::new(AtomicBool::new(false));
    let submitting = submit_runs(Arc::clone(&server), Arc::clone(&site), Arc::clone(&ends));
    std::thread::sleep(BETWEEN_LOSSES);
    let mut losses = Vec::new();
    for number in 0..kills + stops {
        let (worker, is_killed) = (number % WORKERS, number < kills);
        // Not in step with the beats.
        std::thread::sleep(Duration::from_millis(number as u64 * 370 % 2000));
        losses.push(Loss {
            worker,
            at: Instant::now(),
            clock: Timestamp::now(),
        });
        if is_killed {
            workers[worker].signal("-KILL");
            std::thread::sleep(BETWEEN_LOSSES);
        } else {
            workers[worker].signal("-STOP");
            std::thread::sleep(STOPPED);
            workers[worker].signal("-CONT");
            std::thread::sleep(BETWEEN_LOSSES - STOPPED);
        }
    }
    ends.store(true, Ordering::Release);
    let ids = submitting.join().unwrap();
    wait_for_ends(&server, &ids);
    let outcome = Outcome {
        losses,
        ids,
        requests: site.requests(),
        claims: claims(folder.path()),
    };
    let (claimed, asked) = outcome.takeovers();
    println!(
        "{} runs, {kills} workers killed and {stops} stopped for {} s, {busy} busy threads; {} runs taken over\n",
        outcome.ids.len(),
        STOPPED.as_secs(),
        asked.len(),
    );
    println!("| seconds from the loss | median | 90 % | longest |\n|---|---|---|---|");
    println!(
        "| until another worker has claimed the run | {} |",
        shown(claimed)
    );
    println!("| until it asks for a page | {} |\n", shown(asked));
    let (repeated, wrongly) = outcome.repeated();
    let fenced = outcome.fenced_steps();
    println!(
        "{repeated} pages asked for again, {} of which had come more than {} s before the loss; {fenced} steps of fenced workers",
        wrongly.len(),
        RECORDED_WITHIN.as_secs(),
    );
    let verified = command(folder.path(), "looking", &store, &site)
        .args(["cluster", "verify"])
        .output()
        .unwrap();
    print!("{}", String::from_utf8_lossy(&verified.stdout));
    assert!(
        wrongly.is_empty() && fenced == 0 && verified.status.success(),
        "{wrongly:?}"
    );
}
