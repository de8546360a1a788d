//! Servers without workers and workers without servers, over a real NATS server: any server takes, shows and cancels every
//! run, any worker does it, and a worker that dies or is stopped loses none.

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{NatsServer, ServerProcess, SiteReply, TestSite};

#[path = "cluster/chaos.rs"]
mod chaos;
#[path = "cluster/faults.rs"]
mod faults;
#[path = "cluster/history.rs"]
mod history;
#[path = "cluster/next_start.rs"]
mod next_start;
#[path = "cluster/placement.rs"]
mod placement;
#[path = "cluster/supervised.rs"]
mod supervised;
#[path = "cluster/transfer.rs"]
mod transfer;
#[path = "cluster/worker_site.rs"]
mod worker_site;

const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const PAGE: &str =
    "<html><body><main><h1>Page</h1><p>Words that make a page worth reading, again.</p></main></body></html>";

/// What every process of a cluster is started with.
struct Setup<'a> {
    /// Addresses of NATS servers.
    store: String,
    replicas: &'a str,
    site: &'a str,
    folder: &'a Path,
}

impl Setup<'_> {
    fn command(&self, name: &str) -> Command {
        let folder = self.folder.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
        command
            .args(["--allow-hosts", self.site])
            .env("HUNTSMAN_DATA_DIR", &folder)
            .env("HUNTSMAN_STORE", &self.store)
            .env("HUNTSMAN_NATS_REPLICAS", self.replicas)
            .env("HUNTSMAN_SECRET_KEY", KEY)
            .current_dir(folder);
        command
    }

    /// Waits until a cluster has chosen its leaders.
    fn wait_for_quorum(&self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !self
            .command("looking")
            .args(["cluster", "status"])
            .output()
            .unwrap()
            .status
            .success()
        {
            assert!(Instant::now() < deadline, "the cluster has no quorum");
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    fn server(&self, name: &str) -> ServerProcess {
        let mut command = self.command(name);
        command.env("HUNTSMAN_WORKERS", "0");
        ServerProcess::start(command)
    }

    /// Starts a worker. Where it ends at once, since NATS has no leader for the moment, it is started again, as a service
    /// manager does.
    fn worker(&self, name: &str) -> WorkerProcess {
        self.worker_with(name, &[])
    }

    /// The same, with further variables.
    fn worker_with(&self, name: &str, variables: &[(&str, &str)]) -> WorkerProcess {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let mut command = self.command(name);
            command
                .envs(variables.iter().copied())
                .args([
                    "worker",
                    "--workers",
                    "4",
                    "--drain-seconds",
                    "0",
                    "--log",
                    "error",
                ])
                .stderr(Stdio::piped());
            let mut worker = WorkerProcess(command.spawn().unwrap());
            let mut lines = BufReader::new(worker.0.stderr.take().unwrap()).lines();
            let begun = lines.find(|line| {
                let line = line.as_deref().unwrap_or_default();
                eprintln!("worker: {line}");
                line.contains("working on 4 runs")
            });
            if begun.is_some() {
                std::thread::spawn(move || {
                    lines.for_each(|line| eprintln!("worker: {}", line.unwrap_or_default()))
                });
                return worker;
            }
            assert!(Instant::now() < deadline, "the worker works");
            std::thread::sleep(Duration::from_millis(300));
        }
    }
}

/// A worker; it is killed when this is dropped.
struct WorkerProcess(Child);

impl WorkerProcess {
    fn stop(mut self) {
        let id = self.0.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(self.0.wait().unwrap().success(), "it ends well");
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn submit(server: &ServerProcess, url: &str) -> String {
    let request = json!({"assets": [url], "instructions": "read"}).to_string();
    let answer = server.ask("POST", "/api/scrape", "", &request);
    assert_eq!(answer.status, 202, "{}", answer.body);
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    answer["session_id"].as_str().unwrap().to_owned()
}

fn run(server: &ServerProcess, id: &str) -> Value {
    let answer = server.ask("GET", &format!("/v1/runs/{id}"), "", "");
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

fn wait_until_running(server: &ServerProcess, id: &str) {
    for _ in 0..1000 {
        if run(server, id)["status"] == "running" {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{id} was not begun");
}

/// The events of a run, to its end. Heartbeats come by the clock, and the time to come back is drawn: both are left out.
fn events(server: &ServerProcess, id: &str) -> String {
    let body = server.ask("GET", &format!("/v1/runs/{id}/events"), "", "").body;
    let lines = body.split_inclusive('\n');
    lines
        .filter(|line| !line.starts_with(':') && !line.starts_with("retry:"))
        .collect()
}

/// Follows a run to its end and checks its log: dense from 1, one end, which is last.
fn followed(server: &ServerProcess, id: &str) -> Value {
    let frames = events(server, id);
    let seqs: Vec<u64> = frames
        .lines()
        .filter_map(|line| line.strip_prefix("id: ")?.trim().parse().ok())
        .collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>(), "dense from 1");
    assert_eq!(
        frames.matches("event: complete\n").count(),
        1,
        "one end: {frames}"
    );
    let last = frames.trim_end().rsplit("\n\n").next().unwrap();
    assert!(last.contains("event: complete"), "the end is last");
    run(server, id)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn any_server_takes_a_run_and_any_worker_does_it_whoever_dies() {
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/slow" => SiteReply::html(PAGE).dripping(1, Duration::from_millis(50)),
        _ => SiteReply::html(PAGE),
    })
    .await;
    let (host, slow, quick) = (site.address().to_string(), site.url("/slow"), site.url("/quick"));
    tokio::task::spawn_blocking(move || {
        let folder = TempDir::new().unwrap();
        let mut nats = NatsServer::start("");
        let setup = Setup {
            store: nats.url(),
            replicas: "1",
            site: &host,
            folder: folder.path(),
        };
        let (one, other) = (setup.server("one"), setup.server("other"));
        let first = submit(&one, &quick);
        assert_eq!(run(&other, &first)["status"], "queued", "nobody works yet");
        let worker = setup.worker("first");
        assert_eq!(followed(&other, &first)["status"], "completed");

        let cancelled = submit(&one, &slow);
        wait_until_running(&other, &cancelled);
        other.ask("DELETE", &format!("/v1/runs/{cancelled}"), "", "");
        assert_eq!(followed(&one, &cancelled)["status"], "cancelled");

        let survivor = submit(&one, &slow);
        wait_until_running(&other, &survivor);
        let successor = setup.worker("second");
        drop(worker);
        let killed = Instant::now();
        assert_eq!(followed(&other, &survivor)["status"], "completed");
        println!(
            "a run goes on and ends {} ms after its worker was killed",
            killed.elapsed().as_millis()
        );

        let handed_back = submit(&one, &slow);
        wait_until_running(&other, &handed_back);
        successor.stop();
        assert_eq!(run(&one, &handed_back)["status"], "queued");
        let last = setup.worker("third");
        assert_eq!(followed(&other, &handed_back)["status"], "completed");

        let status = setup
            .command("looking")
            .args(["cluster", "status", "--json"])
            .output()
            .unwrap();
        let status: Value = serde_json::from_slice(&status.stdout).unwrap();
        assert_eq!(
            (&status["healthy"], &status["running"]),
            (&json!(true), &json!(0)),
            "{status}"
        );
        let verified = setup
            .command("looking")
            .args(["cluster", "verify"])
            .output()
            .unwrap();
        let text = String::from_utf8(verified.stdout).unwrap();
        assert!(
            verified.status.success() && text.starts_with("4 runs, "),
            "{text}"
        );

        nats.kill();
        let request = json!({"assets": [quick], "instructions": "read"}).to_string();
        let refused = one.ask("POST", "/api/scrape", "", &request);
        assert_eq!(refused.status, 503, "{}", refused.body);
        nats.run();
        nats.wait();
        let deadline = Instant::now() + Duration::from_secs(30);
        while one.ask("POST", "/api/scrape", "", &request).status != 202 {
            assert!(Instant::now() < deadline, "the servers find it again");
            std::thread::sleep(Duration::from_millis(200));
        }
        drop(last);
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn runs_of_a_data_folder_move_to_the_cluster_with_their_events() {
    let site = TestSite::start(|_| SiteReply::html(PAGE)).await;
    let (host, page) = (site.address().to_string(), site.url("/page"));
    tokio::task::spawn_blocking(move || {
        let folder = TempDir::new().unwrap();
        let nats = NatsServer::start("");
        let setup = Setup {
            store: nats.url(),
            replicas: "1",
            site: &host,
            folder: folder.path(),
        };
        let mut local = setup.command("moved");
        local.env("HUNTSMAN_STORE", "sqlite");
        let server = ServerProcess::start(local);
        let ids = [submit(&server, &page), submit(&server, &page)];
        let checked = |server: &ServerProcess, id: &str| {
            followed(server, id);
            events(server, id)
        };
        let before = ids.each_ref().map(|id| (checked(&server, id), run(&server, id)));
        let migrate = || {
            let output = setup
                .command("moved")
                .args(["cluster", "migrate"])
                .output()
                .unwrap();
            let text = [output.stdout, output.stderr].concat();
            (output.status.code(), String::from_utf8(text).unwrap())
        };
        let (code, text) = migrate();
        assert!(
            code == Some(2) && text.contains("another server is using"),
            "{text}"
        );
        server.stop();
        let (code, text) = migrate();
        assert!(code == Some(0) && text.starts_with("2 runs with "), "{text}");
        let (_, text) = migrate();
        assert!(text.contains("2 were there already"), "{text}");
        let server = setup.server("one");
        let after = ids.each_ref().map(|id| (checked(&server, id), run(&server, id)));
        assert_eq!(before, after);
        let listed = server.ask("GET", "/v1/runs", "", "").body;
        assert!(ids.iter().all(|id| listed.contains(id.as_str())), "{listed}");
    })
    .await
    .unwrap();
}
