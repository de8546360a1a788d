//! Followers of live runs over two servers of a cluster: memory of each, delay of events, and what is missed when one of the
//! servers is killed.
//!
//! `cargo bench -p huntsman --bench followers -- [FOLLOWERS] [RUNS] [PAGE_SECONDS]` starts three NATS servers whose disks are
//! synchronized at every write, two servers and a worker, and lets 10,000 clients follow 100 runs, half of them over each
//! server. The pages of the runs take 16 s, give or take half of that, so that events come evenly and no page takes too long;
//! each run has a site.
//! `HUNTSMAN_BENCH_BINARY` names another build of the program, such as one with optimizations.
//!
//! It prints the memory that a follower costs a server; how long after the last byte of a page a follower knows that the page
//! was read (reading the page, storing the event and passing it on), and how long after the first follower of the run; and the
//! same once the second server is killed and its clients have come back to the first one. It fails where a follower misses an
//! event, sees one twice or does not see the end of its run.

// A bench that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{NatsServer, ServerProcess, SiteReply, TestSite};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

const PAGE: &str =
    "<html><body><main><h1>Page</h1><p>Words that make a page worth reading, again.</p></main></body></html>";
const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
/// Pages of a run: more than it reads while it is followed.
const PAGES: usize = 200;
/// Connections opened at the same moment.
const OPENING: usize = 100;
/// How long delays are measured.
const MEASURED: Duration = Duration::from_secs(30);
/// A client that was cut off comes back after this time at most.
const BACK: Duration = Duration::from_secs(3);

/// A worker; it is killed when this is dropped.
struct WorkerProcess(Child);

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn command(folder: &Path, name: &str, store: &str, hosts: &str) -> Command {
    let own = folder.join(name);
    std::fs::create_dir_all(&own).unwrap();
    let named = std::env::var_os("HUNTSMAN_BENCH_BINARY");
    let mut command = Command::new(named.unwrap_or_else(|| env!("CARGO_BIN_EXE_huntsman").into()));
    command
        .args(["--allow-hosts", hosts])
        .env("HUNTSMAN_DATA_DIR", &own)
        .env("HUNTSMAN_STORE", store)
        .env("HUNTSMAN_SECRET_KEY", KEY)
        .current_dir(own);
    command
}

/// What followers saw, and when.
#[derive(Default)]
struct Seen {
    /// The end of each page, by its path.
    pages: Mutex<HashMap<String, Instant>>,
    /// When the first follower of a run saw an event, by run and number.
    first: Mutex<HashMap<(usize, u64), Instant>>,
    /// Delays in milliseconds: from the end of a page, and from the first follower.
    delays: Mutex<(Vec<f64>, Vec<f64>)>,
    is_measured: std::sync::atomic::AtomicBool,
    open: AtomicUsize,
    lost: AtomicUsize,
    came_back: AtomicUsize,
    ended: AtomicUsize,
    violations: Mutex<Vec<String>>,
}

impl Seen {
    fn event(&self, run: usize, number: u64, name: &str, data: &str) {
        let now = Instant::now();
        let first = *self.first.lock().unwrap().entry((run, number)).or_insert(now);
        if !self.is_measured.load(Ordering::Acquire) {
            return;
        }
        let millis = |from: Instant| (now - from).as_secs_f64() * 1000.0;
        let page = (name == "url_complete")
            .then(|| data.split_once("/page/")?.1.split('"').next())
            .flatten()
            .and_then(|path| self.pages.lock().unwrap().get(path).copied())
            .filter(|end| *end <= now);
        let mut delays = self.delays.lock().unwrap();
        delays.0.extend(page.map(millis));
        delays.1.push(millis(first));
    }

    /// Measures for a while; a row of the table.
    async fn measure(&self, title: &str) {
        *self.delays.lock().unwrap() = Default::default();
        self.is_measured.store(true, Ordering::Release);
        tokio::time::sleep(MEASURED).await;
        self.is_measured.store(false, Ordering::Release);
        let (mut pages, mut first) = std::mem::take(&mut *self.delays.lock().unwrap());
        let events = first.len() as f64 / MEASURED.as_secs_f64();
        println!(
            "| {title} | {events:.0} | {} | {} |",
            shown(&mut pages),
            shown(&mut first)
        );
    }
}

/// Of delays: the middle one, the one that 99 of 100 do not exceed, and the longest.
fn shown(delays: &mut [f64]) -> String {
    delays.sort_by(f64::total_cmp);
    let at = |share: f64| delays.get((delays.len().saturating_sub(1) as f64 * share) as usize);
    let text = |share| at(share).map_or_else(|| "-".to_owned(), |delay| format!("{delay:.0}"));
    format!("{} / {} / {}", text(0.5), text(0.99), text(1.0))
}

/// Follows a run to its end, over whatever server answers.
async fn follow(
    seen: Arc<Seen>,
    servers: [String; 2],
    run: (usize, String),
    mut server: usize,
    opening: Arc<Semaphore>,
) {
    let mut last = 0_u64;
    loop {
        let permit = opening.acquire().await.unwrap();
        let outcome = follow_once(&seen, &servers[server], &run, &mut last, permit).await;
        if outcome.is_ok() {
            seen.ended.fetch_add(1, Ordering::AcqRel);
            return;
        }
        server = 1 - server;
        let pause = pause_before_return(&run.1, last);
        tokio::time::sleep(pause).await;
    }
}

/// Some time up to [`BACK`], another for each client.
fn pause_before_return(run: &str, last: u64) -> Duration {
    use std::hash::{BuildHasher as _, RandomState};
    let drawn = RandomState::new().hash_one((run, last));
    Duration::from_millis(drawn % BACK.as_millis() as u64)
}

async fn follow_once(
    seen: &Seen,
    address: &str,
    (run, id): &(usize, String),
    last: &mut u64,
    permit: tokio::sync::SemaphorePermit<'_>,
) -> std::io::Result<()> {
    let mut permit = Some(permit);
    let mut socket = TcpStream::connect(address).await?;
    let head =
        format!("GET /v1/runs/{id}/events HTTP/1.1\r\nhost: {address}\r\nlast-event-id: {last}\r\n\r\n");
    socket.write_all(head.as_bytes()).await?;
    let mut lines = BufReader::with_capacity(1024, socket).lines();
    let (mut number, mut name, mut has_ended) = (None, String::new(), false);
    let outcome = loop {
        let line = match lines.next_line().await {
            Ok(Some(line)) => line,
            Ok(None) if has_ended => break Ok(()),
            Ok(None) => break Err(std::io::ErrorKind::UnexpectedEof.into()),
            Err(error) => break Err(error),
        };
        // One that comes for the first time is told what there is already.
        if permit.is_some() && line.starts_with(if *last > 0 { ": " } else { "data: " }) {
            permit = None;
            seen.open.fetch_add(1, Ordering::AcqRel);
            if *last > 0 {
                seen.came_back.fetch_add(1, Ordering::AcqRel);
            }
        }
        if let Some(id) = line.strip_prefix("id: ") {
            number = id.trim().parse::<u64>().ok();
        } else if let Some(named) = line.strip_prefix("event: ") {
            has_ended = named == "complete";
            named.clone_into(&mut name);
        } else if let Some(data) = line.strip_prefix("data: ")
            && let Some(given) = number.take()
        {
            if given != *last + 1 {
                let text = format!("{id}: event {given} came after {last}");
                seen.violations.lock().unwrap().push(text);
            }
            *last = given;
            seen.event(*run, given, &name, data);
        }
    };
    if permit.is_none() {
        seen.open.fetch_sub(1, Ordering::AcqRel);
        seen.lost
            .fetch_add(usize::from(outcome.is_err()), Ordering::AcqRel);
    }
    outcome
}

async fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(180);
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// How long a page takes: from half the usual time to one and a half times as long, another time for each page.
fn time_of(path: &str, usual: Duration) -> Duration {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    usual.mul_f64(0.5 + (hasher.finish() % 1000) as f64 / 1000.0)
}

async fn sites(seen: &Arc<Seen>, count: usize, page_time: Duration) -> Vec<TestSite> {
    let mut sites = Vec::new();
    for _ in 0..count {
        let seen = Arc::clone(seen);
        sites.push(
            TestSite::start(move |asked| {
                let Some(path) = asked.path.strip_prefix("/page/") else {
                    return SiteReply::html("").status(404);
                };
                let takes = time_of(path, page_time);
                seen.pages
                    .lock()
                    .unwrap()
                    .insert(path.to_owned(), Instant::now() + takes);
                SiteReply::html(PAGE).dripping(PAGE.len(), takes)
            })
            .await,
        );
    }
    sites
}

#[tokio::main]
async fn main() {
    server::raise_file_limit();
    let mut counts = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse::<usize>().ok());
    let mut count = |usual: usize| counts.next().unwrap_or(usual);
    let (followers, runs, page_time) = (count(10_000), count(100), Duration::from_secs(count(16) as u64));
    let seen = Arc::new(Seen::default());
    let sites = sites(&seen, runs, page_time).await;
    let hosts = sites
        .iter()
        .map(|site| site.address().to_string())
        .collect::<Vec<_>>()
        .join(",");
    let folder = TempDir::new().unwrap();
    let nodes = NatsServer::cluster();
    let store = nodes.each_ref().map(NatsServer::url).join(",");
    let is_ready = || {
        let mut status = command(folder.path(), "looking", &store, &hosts);
        status
            .args(["cluster", "status"])
            .output()
            .unwrap()
            .status
            .success()
    };
    wait_until("the cluster has a quorum", is_ready).await;
    let start = |name: &str| {
        let mut command = command(folder.path(), name, &store, &hosts);
        command.env("HUNTSMAN_WORKERS", "0");
        ServerProcess::start(command)
    };
    let (first, second) = (start("first"), start("second"));
    let mut worker = command(folder.path(), "worker", &store, &hosts);
    worker
        .args(["worker", "--workers", &runs.to_string(), "--log", "error"])
        .stderr(Stdio::null());
    let _worker = WorkerProcess(worker.spawn().unwrap());
    let mut ids = Vec::new();
    for (run, site) in sites.iter().enumerate() {
        let page = |page: usize| site.url(&format!("/page/{run}-{page}"));
        let pages: Vec<String> = (0..PAGES).map(page).collect();
        let request = json!({"assets": pages, "instructions": "read"}).to_string();
        let answer = first.ask("POST", "/api/scrape", "", &request);
        assert_eq!(answer.status, 202, "{}", answer.body);
        let answer: Value = serde_json::from_str(&answer.body).unwrap();
        ids.push(answer["session_id"].as_str().unwrap().to_owned());
    }
    let begun = |id: &String| {
        second
            .ask("GET", &format!("/v1/runs/{id}"), "", "")
            .body
            .contains("\"running\"")
    };
    wait_until("every run is begun", || ids.iter().all(begun)).await;
    let memory = || [&first, &second].map(|server| server.memory("VmRSS"));
    let before = memory();
    let opening = Arc::new(Semaphore::new(OPENING));
    let servers = [first.address.clone(), second.address.clone()];
    for follower in 0..followers {
        let run = (follower % runs, ids[follower % runs].clone());
        let server = follower / runs % 2;
        tokio::spawn(follow(
            Arc::clone(&seen),
            servers.clone(),
            run,
            server,
            Arc::clone(&opening),
        ));
    }
    wait_until("all follow", || seen.open.load(Ordering::Acquire) == followers).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let each = |after: [u64; 2]| {
        let kb = |at: usize| after[at].saturating_sub(before[at]) as f64 / (followers as f64 / 2.0);
        format!("{:.1} and {:.1} kB", kb(0), kb(1))
    };
    println!(
        "{followers} followers of {runs} runs over two servers: {} each\n",
        each(memory())
    );
    println!(
        "| | events/s | ms from the end of the page, median / 99 % / longest | ms from the first follower |"
    );
    println!("|---|---|---|---|");
    seen.measure("two servers").await;
    println!("\n{} each while events came\n", each(memory()));
    // A client that was too slow for its server has come back already.
    let lost = seen.lost.load(Ordering::Acquire);
    let came_back = seen.came_back.load(Ordering::Acquire);
    drop(second);
    let killed = Instant::now();
    let all_back =
        || seen.lost.load(Ordering::Acquire) > lost && seen.open.load(Ordering::Acquire) == followers;
    wait_until("all come back", all_back).await;
    println!(
        "one server killed: {} followers lost it, the last was back {:.1} s later\n",
        seen.came_back.load(Ordering::Acquire) - came_back,
        killed.elapsed().as_secs_f64()
    );
    seen.measure("one server").await;
    // The first one may have as many connections as it takes.
    let third = start("third");
    for id in &ids {
        third.ask("DELETE", &format!("/v1/runs/{id}"), "", "");
    }
    wait_until("every follower sees the end", || {
        seen.ended.load(Ordering::Acquire) == followers
    })
    .await;
    let violations = seen.violations.lock().unwrap();
    println!(
        "\n{} events, {} violations",
        seen.first.lock().unwrap().len(),
        violations.len()
    );
    assert!(
        violations.is_empty(),
        "{:?}",
        violations.iter().take(5).collect::<Vec<_>>()
    );
}
