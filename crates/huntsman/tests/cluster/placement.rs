//! Runs that need Chromium are left by workers that have none, and are told while no worker has it.

use super::*;

fn submit_for(server: &ServerProcess, url: &str, engine: &str) -> String {
    let request = json!({"assets": [url], "instructions": "read", "fetch": {"engine": engine}}).to_string();
    let answer = server.ask("POST", "/api/scrape", "", &request);
    assert_eq!(answer.status, 202, "{}", answer.body);
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    answer["session_id"].as_str().unwrap().to_owned()
}

/// What `cluster status` says, once it says so.
fn status(setup: &Setup<'_>, expected: &[&str]) {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let output = setup
            .command("looking")
            .args(["cluster", "status"])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        if expected.iter().all(|part| text.contains(part)) {
            return;
        }
        assert!(Instant::now() < deadline, "{text} and not {expected:?}");
        std::thread::sleep(Duration::from_millis(300));
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a NATS server"]
async fn a_run_that_needs_chromium_waits_for_a_worker_that_has_it_and_holds_up_no_other() {
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
        // A program is there, and is no browser: a run that needs one is begun where it is, and fails there.
        let mut serving = setup.command("one");
        serving
            .env("HUNTSMAN_WORKERS", "0")
            .env("HUNTSMAN_CHROMIUM", "/bin/false");
        let server = ServerProcess::start(serving);
        let plain = setup.worker_with("plain", &[("HUNTSMAN_ENGINE", "http")]);
        let waiting = submit_for(&server, &page, "chromium");
        let read = submit_for(&server, &page, "http");
        assert_eq!(followed(&server, &read)["status"], "completed");
        status(
            &setup,
            &["WAITING 1 runs need Chromium", "1 queued", ", no Chromium"],
        );
        assert_eq!(run(&server, &waiting)["status"], "queued", "it waits");

        let able = setup.worker_with(
            "able",
            &[("HUNTSMAN_CHROMIUM", "/bin/false"), ("HUNTSMAN_BROWSERS", "3")],
        );
        let ended = followed(&server, &waiting);
        assert_eq!(ended["attempt"].as_u64().unwrap_or(1), 1, "{ended}");
        status(
            &setup,
            &["0 queued, 0 running", ", no Chromium", ", Chromium (3 browsers)"],
        );
        able.stop();
        let waiting = submit_for(&server, &page, "chromium");
        status(&setup, &["1 queued"]);
        server.ask("DELETE", &format!("/v1/runs/{waiting}"), "", "");
        assert_eq!(
            followed(&server, &waiting)["status"],
            "cancelled",
            "any worker ends it"
        );
        plain.stop();
    })
    .await
    .unwrap();
}
