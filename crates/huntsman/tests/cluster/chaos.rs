//! Faults at random in a cluster of three NATS servers: workers and servers killed, workers stopped for longer than a
//! lease, nodes killed. Afterwards every accepted run has one end, and what a client once saw is what everybody sees.
//!
//! `HUNTSMAN_CHAOS_SECONDS` sets how long faults are made (15 by default), `HUNTSMAN_CHAOS_SEED` which.

use std::collections::HashMap;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{NatsServer, ServerProcess, SiteReply, TestSite};

use super::{PAGE, Setup, WorkerProcess, events};

/// Longer than a lease and the beats around it.
const STOPPED: Duration = Duration::from_secs(18);

/// Pseudo-random numbers (splitmix64), the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap()
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
}

/// The cluster and what clients saw of it.
struct Scene<'a> {
    setup: Setup<'a>,
    nodes: &'a mut [NatsServer; 3],
    random: Random,
    servers: Vec<ServerProcess>,
    workers: Vec<WorkerProcess>,
    /// Workers that are stopped, and since when.
    stopped: Vec<(WorkerProcess, Instant)>,
    /// The node that is down, and since when.
    down: Option<(usize, Instant)>,
    started: usize,
    /// Accepted runs, and the number of the last event that a client saw.
    accepted: HashMap<String, u64>,
    refused: usize,
    faults: usize,
}

fn signal(worker: &WorkerProcess, name: &str) {
    let id = worker.0.id().to_string();
    Command::new("kill").args([name, &id]).status().unwrap();
}

impl Scene<'_> {
    fn start_worker(&mut self) {
        self.started += 1;
        let worker = self.setup.worker(&format!("worker{}", self.started));
        self.workers.push(worker);
    }

    fn submit(&mut self, pages: &[String]) {
        let server = &self.servers[self.random.below(self.servers.len())];
        let request = json!({"assets": pages, "instructions": "read"}).to_string();
        let answer = server.ask("POST", "/api/scrape", "", &request);
        match answer.status {
            202 => {
                let answer: Value = serde_json::from_str(&answer.body).unwrap();
                self.accepted
                    .insert(answer["session_id"].as_str().unwrap().to_owned(), 0);
            }
            503 => self.refused += 1,
            other => panic!("{other}: {}", answer.body),
        }
    }

    /// Looks at some runs as a client would.
    fn look(&mut self) {
        let server = &self.servers[self.random.below(self.servers.len())];
        for (id, seen) in &mut self.accepted {
            let answer = server.ask("GET", &format!("/v1/runs/{id}"), "", "");
            match answer.status {
                200 => {
                    let run: Value = serde_json::from_str(&answer.body).unwrap();
                    *seen = run["last_seq"].as_u64().unwrap().max(*seen);
                }
                // The node that leads is gone, and another one not chosen yet.
                503 => return,
                other => panic!("an accepted run is known: {other} {}", answer.body),
            }
        }
    }

    fn make_fault(&mut self) {
        self.faults += 1;
        match self.random.below(5) {
            0 | 1 => {
                let at = self.random.below(self.workers.len());
                drop(self.workers.swap_remove(at));
                self.start_worker();
            }
            2 => {
                let at = self.random.below(self.workers.len());
                let worker = self.workers.swap_remove(at);
                signal(&worker, "-STOP");
                self.stopped.push((worker, Instant::now()));
                self.start_worker();
            }
            3 => {
                let at = self.random.below(self.servers.len());
                drop(self.servers.swap_remove(at));
                self.started += 1;
                // With a node down, the streams may be without a leader for some seconds.
                self.heal(Duration::ZERO);
                let server = self.setup.server(&format!("server{}", self.started));
                self.servers.push(server);
            }
            _ if self.down.is_none() => {
                let at = self.random.below(3);
                self.nodes[at].kill();
                self.down = Some((at, Instant::now()));
            }
            _ => self.faults -= 1,
        }
    }

    /// Ends faults that have lasted long enough.
    fn heal(&mut self, least: Duration) {
        if let Some((at, since)) = self.down
            && since.elapsed() >= least
        {
            self.nodes[at].run();
            self.nodes[at].wait();
            self.down = None;
        }
        while let Some(at) = self
            .stopped
            .iter()
            .position(|(_, since)| since.elapsed() >= STOPPED)
        {
            let (worker, _) = self.stopped.swap_remove(at);
            signal(&worker, "-CONT");
            self.workers.push(worker);
        }
    }

    /// Waits until every accepted run has ended, and checks it as every server shows it.
    fn check(&mut self) -> usize {
        let deadline = Instant::now() + Duration::from_secs(120);
        let mut broken = 0;
        for (id, seen) in &self.accepted {
            let path = format!("/v1/runs/{id}/events");
            let run = loop {
                self.servers[0].ask("GET", &path, "", "");
                let answer = self.servers[0].ask("GET", &format!("/v1/runs/{id}"), "", "");
                let run: Value = serde_json::from_str(&answer.body).unwrap_or_default();
                if run["finished_at"].is_string() {
                    break run;
                }
                assert!(Instant::now() < deadline, "{id} does not end: {run}");
            };
            let shown: Vec<String> = self.servers.iter().map(|server| events(server, id)).collect();
            for other in &shown {
                assert_eq!(*other, shown[0], "every server shows {id} alike");
            }
            let frames = &shown[0];
            let seqs: Vec<u64> = frames
                .lines()
                .filter_map(|line| line.strip_prefix("id: ")?.trim().parse().ok())
                .collect();
            assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>(), "dense from 1");
            assert!(
                seqs.len() as u64 >= *seen,
                "{id}: event {seen} was seen, {} are kept",
                seqs.len()
            );
            assert_eq!(frames.matches("event: complete\n").count(), 1, "one end: {run}");
            let last = frames.trim_end().rsplit("\n\n").next().unwrap();
            assert!(last.contains("event: complete"), "the end is last");
            // A run over which two workers were lost is taken to be what ends them.
            if run["status"] != "completed" {
                assert_eq!(run["error"]["code"], "POISON_RUN", "{run}");
                broken += 1;
            }
        }
        broken
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn chaos_loses_no_event_and_every_accepted_run_has_one_end() {
    let site = TestSite::start(|_| SiteReply::html(PAGE).dripping(20, Duration::from_millis(40))).await;
    let host = site.address().to_string();
    let pages: Vec<String> = (0..12).map(|page| site.url(&format!("/{page}"))).collect();
    tokio::task::spawn_blocking(move || {
        let (seconds, seed) = (number("HUNTSMAN_CHAOS_SECONDS", 15), number("HUNTSMAN_CHAOS_SEED", 1));
        let folder = TempDir::new().unwrap();
        let mut nodes = NatsServer::cluster();
        let urls = nodes.each_ref().map(NatsServer::url).join(",");
        let setup = Setup {
            store: urls,
            replicas: "3",
            site: &host,
            folder: folder.path(),
        };
        setup.wait_for_quorum();
        let mut scene = Scene {
            servers: vec![setup.server("server-a"), setup.server("server-b")],
            setup,
            nodes: &mut nodes,
            random: Random(seed),
            workers: Vec::new(),
            stopped: Vec::new(),
            down: None,
            started: 0,
            accepted: HashMap::new(),
            refused: 0,
            faults: 0,
        };
        for _ in 0..3 {
            scene.start_worker();
        }
        let end = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < end {
            for _ in 0..2 {
                scene.submit(&pages);
            }
            std::thread::sleep(Duration::from_millis(700));
            scene.look();
            scene.make_fault();
            std::thread::sleep(Duration::from_millis(900));
            scene.heal(Duration::from_secs(4));
        }
        for (worker, _) in std::mem::take(&mut scene.stopped) {
            signal(&worker, "-CONT");
            scene.workers.push(worker);
        }
        scene.heal(Duration::ZERO);
        let begun = Instant::now();
        let broken = scene.check();
        println!(
            "{} faults, {} runs accepted, {} requests refused, {broken} runs failed over two lost workers, all ended {} s \
             after the last fault",
            scene.faults,
            scene.accepted.len(),
            scene.refused,
            begun.elapsed().as_secs()
        );
        let verified = scene.setup.command("looking").args(["cluster", "verify"]).output().unwrap();
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    })
    .await
    .unwrap();
}
