//! The server is killed while a person has the browser of a run: the run is not stuck in its pause.

use std::io::{BufRead as _, BufReader};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::serving::send;
use testkit::{
    ProviderRequest, ScriptedProvider, ScriptedTurn, ServerProcess, SiteReply, TestSite, play_automation,
};

use super::{ask, start_with};

/// Begins a run that waits in its browser; its id.
fn begun(server: &ServerProcess, url: &str) -> String {
    let body = json!({"task": "wait for me", "url": url}).to_string();
    let headers = "prefer: respond-async\r\n";
    let mut lines = BufReader::new(send(&server.address, "POST", "/v1/automate", headers, &body)).lines();
    let mut run = String::new();
    while let Some(Ok(line)) = lines.next() {
        if let Some((name, id)) = line.split_once(": ")
            && name.eq_ignore_ascii_case("x-run-id")
        {
            id.clone_into(&mut run);
        }
        if line == "event: browser:action_started" {
            return run;
        }
    }
    panic!("the run {run} did not come to its first action");
}

/// Reads the log of a run until it holds this event.
fn told(server: &ServerProcess, run: &str, event: &str) {
    let path = format!("/v1/runs/{run}/events");
    let lines = BufReader::new(send(&server.address, "GET", &path, "", "")).lines();
    let wanted = format!("event: {event}");
    assert!(lines.map_while(Result::ok).any(|line| line == wanted), "{event}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a browser"]
async fn a_run_whose_server_dies_while_it_is_paused_comes_to_one_end() {
    let wait = |asked: &ProviderRequest| {
        play_automation(asked, |_, _| ScriptedTurn::call("wait", json!({"seconds": 60}))).into()
    };
    let provider = ScriptedProvider::start(move |asked, _| wait(asked)).await;
    let site =
        TestSite::start(|_| SiteReply::html("<title>Page</title><p style=height:3000px>long</p>")).await;
    let sandbox = if testkit::chromium::has_sandbox() {
        "on"
    } else {
        "off"
    };
    let settings = [
        ("HUNTSMAN_ENGINE", "chromium".to_owned()),
        ("HUNTSMAN_CHROMIUM_SANDBOX", sandbox.to_owned()),
        ("HUNTSMAN_LLM_PROVIDER", "openai_chat".to_owned()),
        ("HUNTSMAN_LLM_MODEL", "scripted".to_owned()),
        ("HUNTSMAN_LLM_BASE_URL", provider.base_url()),
        ("HUNTSMAN_LLM_API_KEY", "scripted-key-1234".to_owned()),
    ];
    let url = site.url("/");
    tokio::task::spawn_blocking(move || {
        for acts in [false, true] {
            let folder = TempDir::new().unwrap();
            let server = start_with(folder.path(), "127.0.0.1", &settings);
            let run = begun(&server, &url);
            let (answered, paused) = ask(&server, "POST", &format!("/v1/runs/{run}/pause"), "");
            assert_eq!(answered, 200, "{paused}");
            assert!(paused.contains("\"status\":\"paused\""), "{paused}");
            told(&server, &run, "interactive:paused");
            if acts {
                let scroll = json!({"action": "scroll", "direction": "down"}).to_string();
                let (answered, done) = ask(&server, "POST", &format!("/v1/runs/{run}/act"), &scroll);
                assert_eq!(answered, 200, "{done}");
            }
            // As by `kill -9`.
            drop(server);
            let server = start_with(folder.path(), "127.0.0.1", &settings);
            let (_, frames) = ask(&server, "GET", &format!("/v1/runs/{run}/events"), "");
            let ends = ["event: done\n", "event: error\n"].map(|it| frames.matches(it).count());
            assert_eq!(ends.iter().sum::<usize>(), 1, "{frames}");
            let (_, detail) = ask(&server, "GET", &format!("/v1/runs/{run}"), "");
            let detail: Value = serde_json::from_str(&detail).unwrap();
            // The agent has acted, if only by waiting: the task is not done again from its beginning.
            assert_eq!(
                (&detail["status"], &detail["error"]["code"]),
                (&json!("failed"), &json!("OUTCOME_UNKNOWN")),
                "{detail}"
            );
        }
    })
    .await
    .unwrap();
}
