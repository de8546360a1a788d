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
    let answered = server.ask(method, path, "", body);
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
        let mut accepted: Vec<(String, u64)> = Vec::new();
        for kill in 0..kills {
            let server = start(folder.path(), &host);
            for _ in 0..3 {
                let request = json!({"assets": pages, "instructions": "read"}).to_string();
                let (status, body) = ask(&server, "POST", "/api/scrape", &request);
                assert_eq!(status, 202, "{body}");
                let answer: Value = serde_json::from_str(&body).unwrap();
                accepted.push((answer["session_id"].as_str().unwrap().to_owned(), 0));
            }
            // A moment that differs from kill to kill, from at once to nearly done.
            std::thread::sleep(Duration::from_millis(kill * 37 % 400));
            for (id, seen) in &mut accepted {
                let (status, run) = ask(&server, "GET", &format!("/v1/runs/{id}"), "");
                assert_eq!(status, 200, "an accepted run is known: {run}");
                *seen = serde_json::from_str::<Value>(&run).unwrap()["last_seq"]
                    .as_u64()
                    .unwrap();
            }
            drop(server);
        }
        let server = start(folder.path(), &host);
        let begun = Instant::now();
        for (id, seen) in &accepted {
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
            assert_eq!(
                serde_json::from_str::<Value>(&run).unwrap()["status"],
                "completed",
                "{run}"
            );
        }
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
