//! Faults at random in a cluster of three NATS servers, and a check of what clients saw meanwhile.
//!
//! Servers, workers and NATS servers are processes on loopback; the NATS servers reach one another, and are reached, through
//! links of the test. Faults come in rounds. Each round ends with all faults healed, and then every run has to end within a
//! minute. `HUNTSMAN_CHAOS_FAULTS` (10) and `HUNTSMAN_CHAOS_RUNS` (40) say how many, `HUNTSMAN_CHAOS_SEED` (1) which;
//! `HUNTSMAN_CHAOS_ONLY` names kinds of faults, comma separated, such as `WorkerKilled`, and leaves out all others.
//! `HUNTSMAN_CHAOS_SYNC` (`always`) is the `sync_interval` of the NATS servers; with any other one a loss of power loses events.
//!
//! Disks are filled, slowed down and cut off from power where the test may mount loop devices (as root), clocks are wrong where `libfaketime` is
//! installed, and versions change where `HUNTSMAN_CHAOS_OTHER` names the program of another one. What is left out is said.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use testkit::{LinkedCluster, LoopDisk};

use super::faults::{Disks, Fault, Parts, Random};
use super::history::{History, SeenEvent, Servers, ask, submit_and_follow, whole_log};
use super::next_start::NextStart;
use super::supervised::Supervised;
use super::worker_site::{PageRequest, WorkerSite};
use super::{KEY, Setup};

const WORKERS: usize = 3;
/// Megabytes of the disk of each NATS server, where the test may make disks.
const DISK: u64 = 600;
/// Faults of one round.
const ROUND: usize = 20;
/// How long the runs of a round may take to end once all faults are healed.
const STUCK: Duration = Duration::from_secs(60);
/// How long the faults of a round take, about; its runs are submitted over this time.
const FAULT_TIME: Duration = Duration::from_secs(2);
/// Pages of a run, and how long the n-th of them takes: n times so long. They are read at once.
const PAGES: u64 = 4;
const PAGE_TIME: u64 = 600;

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
}

/// A process of the cluster; what it logs is kept in the folder.
fn process(next: &NextStart, folder: &Path, name: &str, store: &str, site: &str) -> Command {
    let own = folder.join(name);
    fs::create_dir_all(&own).unwrap();
    let log = File::options()
        .create(true)
        .append(true)
        .open(folder.join(format!("{name}.log")))
        .unwrap();
    let mut command = next.command();
    command
        .args(["--allow-hosts", site])
        .env("HUNTSMAN_DATA_DIR", &own)
        .env("HUNTSMAN_STORE", store)
        .env("HUNTSMAN_SECRET_KEY", KEY)
        .current_dir(own)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    command
}

fn start_worker(
    setup: &Setup<'_>,
    site: &Arc<WorkerSite>,
    number: usize,
    next: Arc<NextStart>,
) -> Supervised {
    let (folder, store) = (setup.folder.to_owned(), setup.store.clone());
    let site = Arc::clone(site);
    Supervised::start(move |start| {
        let mut command = process(&next, &folder, &format!("worker{number}"), &store, &site.hosts());
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
            ]);
        command
    })
}

fn start_server(setup: &Setup<'_>, number: usize, address: &str, next: Arc<NextStart>) -> Supervised {
    let (folder, store, site) = (
        setup.folder.to_owned(),
        setup.store.clone(),
        setup.site.to_owned(),
    );
    let address = address.to_owned();
    Supervised::start(move |_| {
        let mut command = process(&next, &folder, &format!("server{number}"), &store, &site);
        command.args(["serve", "--listen", &address, "--workers", "0", "--log", "info"]);
        command
    })
}

type Histories = Vec<Arc<Mutex<History>>>;

/// Submits runs over a time, each by a client of its own.
fn submit(
    servers: &Arc<Servers>,
    site: &WorkerSite,
    first: usize,
    count: usize,
    time: Duration,
) -> Histories {
    let histories: Histories = (0..count).map(|_| Arc::default()).collect();
    let pause = time / u32::try_from(count.max(1)).unwrap();
    let clients: Vec<_> = histories
        .iter()
        .enumerate()
        .map(|(at, history)| {
            let run = first + at;
            let page = |page| site.url(run, &format!("/run/{run}/{page}/{}", page * PAGE_TIME));
            let pages: Vec<String> = (1..=PAGES).map(page).collect();
            (format!("chaos-{run}"), pages, Arc::clone(history))
        })
        .collect();
    let servers = Arc::clone(servers);
    std::thread::spawn(move || {
        for (key, pages, history) in clients {
            let servers = Arc::clone(&servers);
            std::thread::spawn(move || submit_and_follow(&servers, &key, &pages, &history));
            std::thread::sleep(pause);
        }
    });
    histories
}

/// Waits until every run has ended; those that have not in time.
fn wait_for_ends(histories: &Histories) -> (Duration, usize) {
    let begun = Instant::now();
    loop {
        let open = histories.iter().filter(|it| !it.lock().unwrap().ended).count();
        if open == 0 || begun.elapsed() > STUCK {
            return (begun.elapsed(), open);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// How much of the last minute some process of this machine waited for a core, in percent, where Linux counts that. On a
/// machine with much other work, runs are late for that reason alone.
fn waiting_for_cores() -> String {
    let text = fs::read_to_string("/proc/pressure/cpu").unwrap_or_default();
    let share = text
        .split_whitespace()
        .find_map(|word| word.strip_prefix("avg60="));
    share.unwrap_or("unknown").to_owned()
}

/// What became of a run, and what is wrong with it as the servers show it now.
fn check_run(servers: &Servers, history: &mut History) -> Option<Value> {
    let id = history.id.clone()?;
    let seen: Vec<SeenEvent> = history.seen.iter().map(|(event, _)| event.clone()).collect();
    for address in &servers.addresses {
        let shown = (0..5).find_map(|_| whole_log(address, &id)).unwrap_or_default();
        // A client that was closed before the end of its run, which is stuck, has seen the beginning.
        let is_as_seen = shown == seen || !history.ended && shown.starts_with(&seen);
        if !is_as_seen {
            let text = format!(
                "{id}: {address} shows {} events, its client saw {}",
                shown.len(),
                seen.len()
            );
            history
                .violations
                .push(format!("{text}\nshown {shown:?}\nseen  {seen:?}"));
        }
    }
    let ends = seen.iter().filter(|event| event.name == "complete").count();
    if history.ended && (ends != 1 || seen.last().is_none_or(|event| event.name != "complete")) {
        history.violations.push(format!("{id}: {ends} last events"));
    }
    let path = format!("/v1/runs/{id}");
    let run = (0..5).find_map(|_| ask(&servers.addresses[0], "GET", &path, "", ""));
    let run: Value = serde_json::from_str(&run.unwrap_or_default().1).unwrap_or_default();
    // A run over which three workers were lost is taken to be what ends them.
    if history.ended && run["status"] != "completed" && run["error"]["code"] != "POISON_RUN" {
        history.violations.push(format!("{id} was not done: {run}"));
    }
    Some(run)
}

/// Side effects of a run, in order, against what its log recorded: how many came after the page was recorded as done, and
/// how many a worker made after another one had begun.
fn check_effects(requests: &[&PageRequest], history: &mut History, attempts: usize) -> (usize, usize) {
    let mut repeated = 0;
    for request in requests {
        let is_record = |event: &SeenEvent| {
            event.name == "url_complete" && event.data.contains(&format!("{}\"", request.path))
        };
        let record = history.seen.iter().find(|(event, _)| is_record(event));
        if record.is_some_and(|(_, at)| at.is_some_and(|at| at < request.at)) {
            repeated += 1;
            let text = format!(
                "{} was asked for by {} although it was recorded as done",
                request.path, request.worker
            );
            history.violations.push(text);
        }
    }
    // Each claim gives one stretch of requests by one worker.
    let stretches = requests.chunk_by(|one, other| one.worker == other.worker).count();
    let late = stretches.saturating_sub(attempts);
    if late > 0 {
        let order: Vec<_> = requests.iter().map(|it| (&it.worker, &it.path, it.at)).collect();
        history.violations.push(format!(
            "{attempts} claims, and pages were asked for by {order:?}"
        ));
    }
    (repeated, late)
}

/// How often each run was begun, as the workers logged it.
fn claims(folder: &Path) -> HashMap<String, usize> {
    let mut claims = HashMap::new();
    for number in 0..WORKERS {
        let log = fs::read(folder.join(format!("worker{number}.log"))).unwrap();
        for line in String::from_utf8_lossy(&log).lines() {
            let line: Value = serde_json::from_str(line).unwrap_or_default();
            if line["fields"]["message"] == "the run begins" {
                let id = line["fields"]["run"].as_str().unwrap();
                *claims.entry(id.to_owned()).or_default() += 1;
            }
        }
    }
    claims
}

/// The number of the run that a request belongs to.
fn run_number(request: &PageRequest) -> Option<usize> {
    request.path.split('/').nth(2)?.parse().ok()
}

/// From the loss of each worker to the first page that another one asks for in its runs.
fn takeovers(parts: &Parts<'_>, requests: &HashMap<usize, Vec<&PageRequest>>) -> Vec<Duration> {
    let mut times = Vec::new();
    for lost in &parts.lost {
        let is_its = |request: &&&PageRequest| request.worker.starts_with(&format!("{}-", lost.number));
        for requests in requests.values() {
            let before = requests.iter().rfind(|request| request.at <= lost.at);
            let after = requests.iter().find(|request| request.at > lost.at);
            if let (Some(before), Some(after)) = (before.filter(is_its), after)
                && before.worker != after.worker
            {
                times.push(after.at - lost.at);
            }
        }
    }
    times.sort();
    times
}

#[test]
#[ignore = "needs a NATS server"]
fn chaos_loses_no_event_and_every_accepted_run_has_one_end() {
    let (faults, runs) = (
        number("HUNTSMAN_CHAOS_FAULTS", 10),
        number("HUNTSMAN_CHAOS_RUNS", 40),
    );
    let seed = number("HUNTSMAN_CHAOS_SEED", 1);
    let folder = TempDir::new().unwrap();
    let site = Arc::new(WorkerSite::start());
    let mut disks: Result<Vec<LoopDisk>, String> = (0..3).map(|_| LoopDisk::new(DISK)).collect();
    let no_loss = match &mut disks {
        Ok(disks) => disks.iter_mut().find_map(|disk| disk.can_lose_power().err()),
        Err(reason) => Some(reason.clone()),
    };
    let folders = [0, 1, 2].map(|node| disks.as_ref().ok().map(|disks| disks[node].path()));
    let sync = std::env::var("HUNTSMAN_CHAOS_SYNC").unwrap_or_else(|_| "always".to_owned());
    let nodes = LinkedCluster::start_in(folders.each_ref().map(Option::as_deref), &sync);
    let host = site.hosts();
    let setup = Setup {
        store: nodes.urls(),
        replicas: "3",
        site: &host,
        folder: folder.path(),
    };
    setup.wait_for_quorum();
    let addresses = testkit::free_ports::<2>().map(|port| format!("127.0.0.1:{port}"));
    let servers = Arc::new(Servers::new(addresses.to_vec()));
    let only = std::env::var("HUNTSMAN_CHAOS_ONLY").map_or(Vec::new(), |names| Fault::named(&names));
    let cluster = (nodes, Disks { disks, no_loss });
    let mut parts = Parts::new(&setup, cluster, Random(seed as u64), only);
    for (number, address) in addresses.iter().enumerate() {
        let next = Arc::<NextStart>::default();
        let process = start_server(&setup, number, address, Arc::clone(&next));
        parts.servers.push((process, next));
    }
    for number in 0..WORKERS {
        let next = Arc::<NextStart>::default();
        let process = start_worker(&setup, &site, number, Arc::clone(&next));
        parts.workers.push((process, next));
    }
    let rounds = faults.div_ceil(ROUND).max(1);
    let (mut histories, mut slowest, mut stuck): (Histories, _, _) = (Vec::new(), Duration::ZERO, 0);
    for round in 0..rounds {
        let count = runs * (round + 1) / rounds - runs * round / rounds;
        let faults = (faults - round * ROUND).min(ROUND);
        let time = FAULT_TIME * u32::try_from(faults.max(1)).unwrap();
        let begun = submit(&servers, &site, histories.len(), count, time);
        parts.make(faults);
        parts.heal();
        let (took, open) = wait_for_ends(&begun);
        println!(
            "round {round}: {count} runs, {open} open {} ms after the last fault; processes waited for a core {} % of the last minute",
            took.as_millis(),
            waiting_for_cores()
        );
        (slowest, stuck) = (slowest.max(took), stuck + open);
        histories.extend(begun);
    }
    servers.closed.store(true, Ordering::Release);
    let all = site.requests();
    let mut requests: HashMap<usize, Vec<&PageRequest>> = HashMap::new();
    for request in &all {
        requests
            .entry(run_number(request).unwrap())
            .or_default()
            .push(request);
    }
    let claims = claims(folder.path());
    let (mut poisoned, mut repeated, mut late, mut events, mut violations) = (0, 0, 0, 0, Vec::new());
    for (number, history) in histories.iter().enumerate() {
        let mut history = history.lock().unwrap();
        let run = check_run(&servers, &mut history).unwrap_or_default();
        poisoned += usize::from(run["error"]["code"] == "POISON_RUN");
        let attempts = history
            .id
            .as_ref()
            .and_then(|id| claims.get(id))
            .copied()
            .unwrap_or(0);
        let of_run = requests.get(&number).map_or(&[][..], Vec::as_slice);
        let (again, stale) = check_effects(of_run, &mut history, attempts);
        (repeated, late, events) = (repeated + again, late + stale, events + history.seen.len());
        violations.append(&mut history.violations);
    }
    let times = takeovers(&parts, &requests);
    let millis = |at: usize| times.get(at).map_or(0, Duration::as_millis);
    println!("seed {seed}, faults {:?}", parts.made);
    println!(
        "{} faults, {} runs, {events} events, {} page requests, {} requests of clients refused or unanswered; {poisoned} runs \
         failed over three lost workers; {} takeovers, median {} ms, longest {} ms; slowest end {} ms after a round's last \
         fault; {stuck} stuck, {repeated} recorded pages read again, {late} steps of fenced workers, {} violations",
        parts.made.values().sum::<usize>(),
        histories.len(),
        all.len(),
        servers.refused.load(Ordering::Relaxed),
        times.len(),
        millis(times.len() / 2),
        millis(times.len().saturating_sub(1)),
        slowest.as_millis(),
        violations.len()
    );
    let verified = setup
        .command("looking")
        .args(["cluster", "verify"])
        .output()
        .unwrap();
    let verified = (
        verified.status.success(),
        String::from_utf8(verified.stdout).unwrap(),
    );
    println!("{}", verified.1.trim_end());
    if !verified.1.contains(&format!("{} runs, ", histories.len())) {
        violations.push(format!(
            "{} runs were accepted, and not all are listed",
            histories.len()
        ));
    }
    if !(violations.is_empty() && stuck == 0 && verified.0) {
        // What the processes logged tells the cause.
        println!("logs are in {}", folder.keep().display());
        panic!("{stuck} runs are stuck\n{}", violations.join("\n"));
    }
}
