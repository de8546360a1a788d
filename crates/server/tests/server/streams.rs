//! Streams: their bytes, where they go on, and what becomes of runs whose clients leave.

use std::time::Duration;

use serde_json::{Value, json};
use server::ServerSettings;
use store::engines::memory::InMemoryStore;
use store::retention::Removal;
use testkit::TestSite;
use wire::RunId;

use crate::client::{Ask, frames};
use crate::stand::Stand;
use crate::written_runs::WrittenRuns;

fn data(frame: &str) -> Value {
    let line = frame
        .lines()
        .find_map(|it| it.strip_prefix("data: "))
        .expect("a data line");
    serde_json::from_str(line).unwrap()
}

#[tokio::test]
async fn a_scrape_is_told_in_numbered_one_line_frames_up_to_its_result() {
    let stand = Stand::start().await;
    let mut answer = stand.stream(&["/kettles", "/missing"]).await;
    for (name, value) in [
        ("content-type", "text/event-stream"),
        ("cache-control", "no-cache, no-transform"),
        ("x-accel-buffering", "no"),
    ] {
        assert_eq!(answer.header(name), Some(value));
    }
    assert_eq!(answer.header("content-encoding"), None);
    let run = answer.header("x-run-id").unwrap().to_owned();
    let text = answer.text().await;
    assert!(
        text.starts_with(": "),
        "a comment goes out before the first event: {text:.40}"
    );
    let frames = frames(&text);
    for (number, frame) in (1..).zip(&frames) {
        let data = data(frame);
        assert_eq!(*frame, format!("id: {number}\ndata: {data}\n\n"));
        assert!(data["type"].is_string());
    }
    assert_eq!(
        frames[0],
        format!("id: 1\ndata: {{\"type\":\"init\",\"session_id\":\"{run}\"}}\n\n")
    );
    let last = data(frames.last().unwrap());
    assert_eq!(
        (&last["type"], &last["data"]["status"]),
        (&json!("complete"), &json!("partial"))
    );
    let result = stand.get(&format!("/api/scrape/{run}/result")).await.json().await;
    assert_eq!(result, last["data"]);
}

#[tokio::test]
async fn without_instructions_a_page_is_read_as_it_is() {
    let stand = Stand::start().await;
    let request = json!({"assets": [stand.site.url("/kettles")]});
    let mut answer = Ask::json("/api/scrape/stream", &request).send(stand.at).await;
    let frames = answer.frames().await;
    let last = data(frames.last().unwrap());
    assert_eq!(last["data"]["status"], "completed", "{last}");
    let mut asked = stand.request(&["/kettles"]);
    asked["instructions"] = json!("what is it about");
    let mut other = Ask::json("/api/scrape/stream", &asked).send(stand.at).await;
    let frames = other.frames().await;
    let other = data(frames.last().unwrap());
    assert!(
        last["data"]["extracted_data"]
            .as_object()
            .is_some_and(|data| !data.is_empty())
    );
    assert_eq!(last["data"]["extracted_data"], other["data"]["extracted_data"]);
}

#[tokio::test]
async fn a_reader_that_comes_back_after_any_event_goes_on_where_it_stopped() {
    let stand = Stand::start().await;
    let mut answer = stand.stream(&["/a", "/b", "/c"]).await;
    let run = answer.header("x-run-id").unwrap().to_owned();
    let count = answer.frames().await.len();
    let path = format!("/v1/runs/{run}/events");
    let whole = stand.get(&path).await.frames().await;
    assert_eq!(whole.len(), count);
    assert!(
        whole[0].starts_with("id: 1\nevent: init\ndata: {"),
        "{}",
        whole[0]
    );
    for seen in 0..=count {
        let by_header = Ask::get(&path).header("last-event-id", &seen.to_string());
        assert_eq!(
            by_header.send(stand.at).await.frames_or_none().await,
            whole[seen..],
            "after {seen}"
        );
        let mut by_query = stand.get(&format!("{path}?after={seen}")).await;
        assert_eq!(by_query.frames_or_none().await, whole[seen..], "after {seen}");
    }
}

#[tokio::test]
async fn a_reader_that_comes_back_in_the_middle_of_a_run_misses_nothing() {
    let stand = Stand::start().await;
    let paths: Vec<String> = (0..20).map(|it| format!("/{it}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut first = stand.stream(&paths).await;
    let run = first.header("x-run-id").unwrap().to_owned();
    let mut seen: Vec<String> = Vec::new();
    // Leaves after every few events and comes back with the number of the last one, until the run has ended.
    while !seen.last().is_some_and(|it| it.contains("event: complete")) {
        let path = format!("/v1/runs/{run}/events?after={}", seen.len());
        let mut answer = stand.get(&path).await;
        // A large answer comes in parts, which may end within a frame.
        let is_whole = |text: &str| text.contains("\ndata: ") && text.ends_with("\n\n");
        let text = answer.until(is_whole).await;
        seen.extend(frames(&text));
    }
    let numbers: Vec<String> = (1..=seen.len()).map(|it| format!("id: {it}")).collect();
    let given: Vec<&str> = seen.iter().filter_map(|it| it.lines().next()).collect();
    assert_eq!(given, numbers);
    assert_eq!(first.frames().await.len(), seen.len());
}

#[tokio::test]
async fn a_run_whose_client_has_gone_is_cancelled() {
    let stand = Stand::start().await;
    let mut answer = stand.stream(&["/silent"]).await;
    let run = answer.header("x-run-id").unwrap().to_owned();
    answer.until(|it| it.contains("url_start")).await;
    drop(answer);
    let detail = stand.ended(&run).await;
    assert_eq!(
        (&detail["status"], &detail["error"]["code"]),
        (&json!("cancelled"), &json!("TASK_ABORTED"))
    );
    let events = stand.get(&format!("/v1/runs/{run}/events")).await.frames().await;
    let completes = events
        .iter()
        .filter(|it| it.contains("event: complete\n"))
        .count();
    assert_eq!(
        (
            completes,
            events.last().map(|it| it.contains("event: complete\n"))
        ),
        (1, Some(true))
    );
}

#[tokio::test]
async fn a_run_that_was_asked_for_with_respond_async_outlives_its_client() {
    let stand = Stand::start().await;
    let ask =
        Ask::json("/api/scrape/stream", &stand.request(&["/a"])).header("prefer", "wait=1, respond-async");
    let answer = ask.send(stand.at).await;
    assert_eq!(answer.header("preference-applied"), Some("respond-async"));
    let run = answer.header("x-run-id").unwrap().to_owned();
    drop(answer);
    assert_eq!(stand.ended(&run).await["status"], "completed");
}

#[tokio::test]
async fn a_silent_stream_says_that_it_lives() {
    let settings = ServerSettings {
        heartbeat: Duration::from_millis(20),
        ..ServerSettings::default()
    };
    let stand = Stand::with(settings).await;
    let mut answer = stand.stream(&["/silent"]).await;
    answer.until(|it| it.contains("url_start")).await;
    let text = answer
        .until(|it| it.matches(": still here\n\n").count() >= 3)
        .await;
    assert!(text.split_inclusive("\n\n").all(|it| it.ends_with("\n\n")));
}

#[tokio::test]
async fn a_background_run_is_begun_watched_and_fetched() {
    let stand = Stand::start().await;
    for path in ["/api/scrape", "/api/scrape/"] {
        let mut request = stand.request(&["/a"]);
        request["enable_plugins"] = json!(["html-parser", "proc-excel"]);
        let mut answer = Ask::json(path, &request).send(stand.at).await;
        assert_eq!(answer.status, 202);
        let begun = answer.json().await;
        assert_eq!(
            (&begun["status"], &begun["assets"]),
            (&json!("started"), &json!([stand.site.url("/a")]))
        );
        let run = begun["session_id"].as_str().unwrap();
        stand.ended(run).await;
        let status = stand.get(&format!("/api/scrape/{run}/status")).await.json().await;
        assert_eq!(
            (&status["status"], &status["total_urls"]),
            (&json!("completed"), &json!(1))
        );
        assert!(
            status["steps_count"].as_u64() > Some(2) && status["total_reward"].as_f64() > Some(0.0),
            "{status}"
        );
        let sessions = stand.get("/api/scrape/sessions?limit=1").await.json().await;
        let session = json!({
            "session_id": run, "status": "completed", "urls_count": 1, "current_index": 0,
            "total_reward": status["total_reward"], "steps": status["steps_count"],
        });
        assert_eq!(sessions, json!({"sessions": [session], "count": 1}));
        let result = stand.get(&format!("/api/scrape/{run}/result")).await.json().await;
        assert_eq!(result["session_id"], run);
        assert_eq!(result["total_steps"], status["steps_count"]);
        assert_eq!(status["enabled_plugins"], json!(["html-parser"]));
        assert_eq!(status["requested_plugins"], request["enable_plugins"]);
        let events = stand.get(&format!("/v1/runs/{run}/events")).await.frames().await;
        let steps = events.iter().map(|frame| data(frame));
        let plugins: Vec<Value> = steps
            .filter(|event| event["data"]["action"] == "plugins")
            .collect();
        assert_eq!(plugins.len(), 1);
        let told = &plugins[0]["data"]["extracted_data"];
        assert_eq!(
            (&told["enabled"], &told["unknown"]),
            (&json!(["html-parser"]), &json!(["proc-excel"]))
        );
    }
}

#[tokio::test]
async fn a_run_whose_events_are_no_longer_kept_has_its_status_and_its_place_in_the_list() {
    let store = InMemoryStore::open();
    let site = TestSite::of_pages(&[(
        "/a",
        "<title>Lamps</title><h1>Lamps</h1><p>All about lamps of brass.",
    )])
    .await;
    let stand = Stand::on_store(site, store.clone()).await;
    let mut request = stand.request(&["/a", "/missing"]);
    request["enable_plugins"] = json!(["html-parser"]);
    let begin = async || {
        let begun = Ask::json("/api/scrape", &request)
            .send(stand.at)
            .await
            .json()
            .await;
        begun["session_id"].as_str().unwrap().to_owned()
    };
    let run = begin().await;
    stand.workers.start(1);
    stand.ended(&run).await;
    stand.workers.close().await;
    let mut status = stand.get(&format!("/api/scrape/{run}/status")).await.json().await;
    let sessions = stand.get("/api/scrape/sessions").await.json().await;
    assert_eq!(
        (&status["extracted_count"], &sessions["count"]),
        (&json!(1), &json!(1))
    );
    // The times of errors are those of their events.
    status["errors"][0].as_object_mut().unwrap().remove("timestamp");
    let id = RunId::parse(&run).unwrap();
    store.retention.remove(&id, Removal::Events).await.unwrap();

    // A server that has not read the events before.
    let other = Stand::over(store.clone(), ServerSettings::default(), "127.0.0.1:0").await;
    let mut later = other.get(&format!("/api/scrape/{run}/status")).await;
    assert_eq!(later.status, 200);
    assert_eq!(later.json().await, status);
    let later = other.get("/api/scrape/sessions").await.json().await;
    assert_eq!(later, sessions);
}

#[tokio::test]
async fn of_a_run_without_result_and_events_the_status_gives_no_figures() {
    let store = InMemoryStore::open();
    let runs = WrittenRuns::on(store.clone(), ServerSettings::default()).await;
    let mut run = runs.scrape("read").await;
    run.tell(&[("url_complete", json!({"type": "url_complete", "items": 2}))])
        .await;
    run.fail(json!({"code": "POISON_RUN", "message": "3 workers died"}))
        .await;
    let id = RunId::parse(&run.id).unwrap();
    store.retention.remove(&id, Removal::Events).await.unwrap();
    let status = runs
        .stand
        .get(&format!("/api/scrape/{id}/status"))
        .await
        .json()
        .await;
    assert_eq!(
        (
            &status["steps_count"],
            &status["extracted_count"],
            &status["errors"][0]["code"]
        ),
        (&Value::Null, &Value::Null, &json!("POISON_RUN")),
        "{status}"
    );
    let mut files = runs.stand.get(&format!("/v1/runs/{id}/files")).await;
    assert_eq!((files.status, files.json().await), (200, json!({"files": []})));
}

#[tokio::test]
async fn a_run_is_cancelled_once_and_stays_so() {
    let stand = Stand::start().await;
    for path in ["/api/scrape", "/v1/runs"] {
        let mut answer = Ask::json("/api/scrape", &stand.request(&["/silent"]))
            .send(stand.at)
            .await;
        let run = answer.json().await["session_id"].as_str().unwrap().to_owned();
        let pending = stand.get(&format!("/api/scrape/{run}/result")).await;
        assert_eq!(
            (pending.status, pending.header("x-error-code")),
            (400, Some("NOT_FINISHED"))
        );
        for _ in 0..2 {
            let mut answer = Ask::new("DELETE", &format!("{path}/{run}")).send(stand.at).await;
            assert_eq!(
                (answer.status, &answer.json().await["status"]),
                (200, &json!("cancelled"))
            );
        }
        assert_eq!(stand.ended(&run).await["status"], "cancelled");
        let mut answer = Ask::new("DELETE", &format!("{path}/{run}")).send(stand.at).await;
        assert_eq!(
            (answer.status, &answer.json().await["status"]),
            (200, &json!("cancelled"))
        );
    }
}

#[tokio::test]
async fn runs_are_listed_newest_first_page_by_page() {
    let stand = Stand::start().await;
    let mut runs = Vec::new();
    for _ in 0..5 {
        let mut answer = stand.stream(&["/a"]).await;
        runs.insert(0, answer.header("x-run-id").unwrap().to_owned());
        answer.frames().await;
    }
    let mut listed: Vec<String> = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = stand
            .get(&format!("/v1/runs?limit=2&cursor={cursor}&status=completed"))
            .await
            .json()
            .await;
        let ids = page["runs"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|it| it["id"].as_str());
        listed.extend(ids.map(str::to_owned));
        match page["next"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(listed, runs);
    assert_eq!(
        stand.get("/v1/runs?status=failed").await.json().await,
        json!({"runs": []})
    );
}

#[tokio::test]
async fn a_closing_server_hands_its_runs_over_and_lets_its_streams_end() {
    let stand = Stand::start().await;
    let mut answer = stand.stream(&["/silent"]).await;
    answer.until(|it| it.contains("url_start")).await;
    stand.shutdown.cancel();
    let rest = answer.text().await;
    assert!(
        !rest.contains("complete") && rest.ends_with("from the last event on\n\n"),
        "{rest}"
    );
    stand.serving.await.unwrap().unwrap();
}
