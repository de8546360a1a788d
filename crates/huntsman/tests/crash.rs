//! Whenever the server is killed, every run it had accepted comes to exactly one end, and nothing acknowledged is lost.
//! And nothing is left behind when browsers are killed under a server that goes on (`soak`).
//!
//! `HUNTSMAN_KILLS` sets how often the server is killed (3 by default), `HUNTSMAN_SOAK` how many browser runs it does (12).

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{ServerProcess, SiteReply, TestSite};

#[path = "crash/soak.rs"]
mod soak;
#[path = "crash/takeover.rs"]
mod takeover;

/// Shown with every request; it counts where the server was started with it.
const KEY: &str = "key-of-somebody-who-asks";

fn start(folder: &Path, site: &str) -> ServerProcess {
    start_with(folder, site, &[])
}

fn start_with(folder: &Path, site: &str, settings: &[(&str, String)]) -> ServerProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    command
        .args(["--allow-hosts", site])
        .env("HUNTSMAN_DATA_DIR", folder)
        .envs(settings.iter().map(|(name, value)| (*name, value.as_str())))
        .current_dir(folder);
    ServerProcess::start(command)
}

fn ask(server: &ServerProcess, method: &str, path: &str, body: &str) -> (u16, String) {
    let headers = format!("authorization: Bearer {KEY}\r\n");
    let answered = server.ask(method, path, &headers, body);
    (answered.status, answered.body)
}

fn seqs(frames: &str) -> Vec<u64> {
    frames
        .lines()
        .filter_map(|it| it.strip_prefix("id: ")?.trim().parse().ok())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_accepted_run_comes_to_one_end_whenever_the_server_is_killed() {
    let kills: u64 = std::env::var("HUNTSMAN_KILLS").map_or(3, |it| it.parse().unwrap());
    let page = "<html><body><main><h1>Page</h1><p>Words that make a page worth reading, again and again.</p></main></body></html>";
    let site = TestSite::start(move |_| SiteReply::html(page).dripping(40, Duration::from_millis(10))).await;
    let host = site.address().to_string();
    let pages: Vec<String> = (0..6).map(|it| site.url(&format!("/{it}"))).collect();
    tokio::task::spawn_blocking(move || {
        let folder = TempDir::new().unwrap();
        let keys = [("HUNTSMAN_API_KEYS", KEY.to_owned())];
        // Their ids, the events seen, and the kills before they were accepted.
        let mut accepted: Vec<(String, u64, u64)> = Vec::new();
        for kill in 0..kills {
            let server = start_with(folder.path(), &host, &keys);
            for _ in 0..3 {
                let request = json!({"assets": pages, "instructions": "read"}).to_string();
                let (status, body) = ask(&server, "POST", "/api/scrape", &request);
                assert_eq!(status, 202, "{body}");
                let answer: Value = serde_json::from_str(&body).unwrap();
                accepted.push((answer["session_id"].as_str().unwrap().to_owned(), 0, kill));
            }
            // A moment that differs from kill to kill, from at once to nearly done.
            std::thread::sleep(Duration::from_millis(kill * 37 % 400));
            for (id, seen, _) in &mut accepted {
                let (status, run) = ask(&server, "GET", &format!("/v1/runs/{id}"), "");
                assert_eq!(status, 200, "an accepted run is known: {run}");
                *seen = serde_json::from_str::<Value>(&run).unwrap()["last_seq"]
                    .as_u64()
                    .unwrap();
            }
            drop(server);
        }
        let server = start_with(folder.path(), &host, &keys);
        let begun = Instant::now();
        for (id, seen, before) in &accepted {
            // The stream of a run ends when the run does.
            let (_, frames) = ask(&server, "GET", &format!("/v1/runs/{id}/events"), "");
            let seqs = seqs(&frames);
            assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>(), "dense from 1");
            assert!(
                seqs.len() as u64 >= *seen,
                "{id}: {seen} events were acknowledged, {} are kept",
                seqs.len()
            );
            assert_eq!(frames.matches("event: complete\n").count(), 1, "one end");
            assert!(
                frames
                    .trim_end()
                    .rsplit("\n\n")
                    .next()
                    .unwrap()
                    .contains("event: complete"),
                "the end is last"
            );
            let (_, run) = ask(&server, "GET", &format!("/v1/runs/{id}"), "");
            let run: Value = serde_json::from_str(&run).unwrap();
            // A run that was being done at three kills is taken to be what kills; every other one is done.
            let may_be_blamed = kills - before >= 3 && run["error"]["code"] == "POISON_RUN";
            let wanted = if may_be_blamed { "failed" } else { "completed" };
            assert_eq!(run["status"], wanted, "{run}");
        }
        let (_, usage) = ask(&server, "GET", "/v1/usage", "");
        let usage: Value = serde_json::from_str(&usage).unwrap();
        let rows = usage["usage"].as_array().unwrap();
        let runs: u64 = rows.iter().map(|row| row["runs"].as_u64().unwrap()).sum();
        assert_eq!(runs, accepted.len() as u64, "each is counted once: {usage}");
        println!(
            "{kills} kills, {} runs, all ended {} s after the last",
            accepted.len(),
            begun.elapsed().as_secs()
        );
        drop(server);
    })
    .await
    .unwrap();
}

/// Waits until a worker reads the slow page for the time of this number. In a cluster the lease of a lost one runs out first.
fn begun(site: &TestSite, times: usize) {
    for _ in 0..2000 {
        if site.hits("/slow") >= times {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the page was not read {times} times");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_three_servers_died_over_is_failed_and_one_that_was_handed_on_is_not() {
    let page = "<html><body><main><h1>Page</h1><p>Words that make a page worth reading, again.</p></main></body></html>";
    let site = TestSite::start(move |asked| match asked.path.as_str() {
        "/slow" => SiteReply::html(page).dripping(1, Duration::from_millis(50)),
        _ => SiteReply::html(page),
    })
    .await;
    let (host, slow, quick) = (site.address().to_string(), site.url("/slow"), site.url("/quick"));
    tokio::task::spawn_blocking(move || {
        let mut times = 0;
        let mut begun = || {
            times += 1;
            begun(&site, times);
        };
        let submit = |server: &ServerProcess, url: &str| {
            let request = json!({"assets": [url], "instructions": "read"}).to_string();
            let (status, body) = ask(server, "POST", "/api/scrape", &request);
            assert_eq!(status, 202, "{body}");
            serde_json::from_str::<Value>(&body).unwrap()["session_id"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        let end = |server: &ServerProcess, id: &str| {
            let (_, frames) = ask(server, "GET", &format!("/v1/runs/{id}/events"), "");
            assert_eq!(frames.matches("event: complete\n").count(), 1, "one end");
            let (_, run) = ask(server, "GET", &format!("/v1/runs/{id}"), "");
            serde_json::from_str::<Value>(&run).unwrap()
        };
        for (killed, status) in [(true, "failed"), (false, "completed")] {
            let folder = TempDir::new().unwrap();
            let server = start(folder.path(), &host);
            let run = submit(&server, &slow);
            begun();
            let stop = |server: ServerProcess| if killed { drop(server) } else { server.stop() };
            stop(server);
            for _ in 0..2 {
                let server = start(folder.path(), &host);
                begun();
                stop(server);
            }
            let server = start(folder.path(), &host);
            let other = submit(&server, &quick);
            let run = end(&server, &run);
            assert_eq!(run["status"], status, "{run}");
            if killed {
                assert_eq!(run["error"]["code"], "POISON_RUN", "{run}");
            }
            assert_eq!(end(&server, &other)["status"], "completed", "the server goes on");
        }
    })
    .await
    .unwrap();
}
