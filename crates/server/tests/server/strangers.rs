//! Who may come in: keys, foreign pages, foreign names, and clients that only hold connections open.

use std::time::Duration;

use llm::wires::Wire;
use serde_json::json;
use server::ServerSettings;
use testkit::{ScriptedProvider, ScriptedTurn, TestSite};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::automate::{plan, shop};
use crate::client::Ask;
use crate::stand::Stand;

const ONE: &str = "Bearer key-of-the-first";
const OTHER: &str = "Bearer key-of-the-other";

fn settings() -> ServerSettings {
    let keys = [ONE, OTHER].map(|it| it["Bearer ".len()..].parse().unwrap());
    ServerSettings {
        api_keys: keys.to_vec(),
        ..ServerSettings::default()
    }
}

async fn guarded() -> Stand {
    Stand::with(settings()).await
}

#[tokio::test]
async fn without_a_right_key_every_answer_is_the_same_refusal() {
    let stand = guarded().await;
    let mut said = Vec::new();
    let keys = [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Bearer key-of-the-firs",
        "Basic key-of-the-first",
        "key-of-the-first",
    ];
    for key in keys {
        for (method, path) in [
            ("GET", "/v1/runs"),
            ("POST", "/api/scrape/stream"),
            ("GET", "/metrics"),
            ("GET", "/x"),
        ] {
            let mut answer = Ask::new(method, path)
                .header("authorization", key)
                .send(stand.at)
                .await;
            assert_eq!(
                (answer.status, answer.header("www-authenticate")),
                (401, Some("Bearer")),
                "{key} {path}"
            );
            assert_eq!(answer.header("x-error-code"), Some("UNAUTHORIZED"));
            said.push(answer.text().await);
        }
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    for open in ["/healthz", "/readyz", "/openapi.json"] {
        assert_eq!(stand.get(open).await.status, 200, "{open}");
    }
}

#[tokio::test]
async fn runs_of_another_key_do_not_exist() {
    let stand = guarded().await;
    let ask = Ask::json("/api/scrape/stream", &stand.request(&["/a"])).header("authorization", ONE);
    let mut answer = ask.send(stand.at).await;
    let run = answer.header("x-run-id").unwrap().to_owned();
    answer.frames().await;
    let asked = |method: &str, path: String, key: &str| {
        Ask::new(method, &path)
            .header("authorization", key)
            .header("last-event-id", "2")
            .send(stand.at)
    };
    let paths = [
        ("GET", format!("/v1/runs/{run}")),
        ("GET", format!("/v1/runs/{run}/events")),
        ("GET", format!("/api/scrape/{run}/status")),
        ("GET", format!("/api/scrape/{run}/result")),
        ("DELETE", format!("/api/scrape/{run}")),
        ("DELETE", format!("/v1/runs/{run}")),
    ];
    for (method, path) in paths {
        assert_eq!(
            asked(method, path.clone(), OTHER).await.status,
            404,
            "{method} {path}"
        );
        assert_eq!(
            asked(method, path.clone(), ONE).await.status,
            200,
            "{method} {path}"
        );
    }
    let listed = |key| asked("GET", "/v1/runs".to_owned(), key);
    assert_eq!(listed(OTHER).await.json().await, json!({"runs": []}));
    assert_eq!(listed(ONE).await.json().await["runs"][0]["id"], run);
}

#[tokio::test]
async fn a_question_of_another_keys_run_does_not_exist() {
    let asks = ScriptedTurn::call(
        "request_user_data",
        json!({"description": "delivery", "refs": ["E3"]}),
    );
    let abort = ScriptedTurn::call("abort", json!({"reason": "nothing was given"}));
    let provider = ScriptedProvider::saying([plan(), asks, abort]).await;
    let llm = provider.settings(Wire::OpenAiChat);
    let stand = Stand::automating_with(TestSite::start(shop).await, settings(), llm).await;
    let body = json!({"task": "order", "url": stand.site.url("/"), "interactive": true});
    let ask = Ask::json("/v1/automate", &body).header("authorization", ONE);
    let mut stream = ask.send(stand.at).await;
    let told = stream
        .until(|it| it.contains("interactive:form_data:request"))
        .await;
    let question = told
        .split("\"requestId\":\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let path = format!("/v1/automate/{question}/input");
    for (key, status) in [(OTHER, 404), (ONE, 202), (OTHER, 404), (ONE, 410)] {
        let answer = Ask::json(&path, &json!({"cancelled": true})).header("authorization", key);
        assert_eq!(answer.send(stand.at).await.status, status, "{key}");
    }
    assert!(stream.text().await.contains("event: done"));
}

#[tokio::test]
async fn nothing_tells_a_run_of_another_key_from_one_that_is_not_there() {
    let stand = guarded().await;
    let ask = Ask::json("/api/scrape/stream", &stand.request(&["/a"])).header("authorization", ONE);
    let mut answer = ask.send(stand.at).await;
    let foreign = answer.header("x-run-id").unwrap().to_owned();
    answer.frames().await;
    let mut body = stand.request(&["/a"]);
    body["session_id"] = json!("chosen-by-the-first");
    let ask = Ask::json("/api/scrape/stream", &body).header("authorization", ONE);
    ask.send(stand.at).await.frames().await;
    let question = |run: &str| format!("req_{}{}", run.trim_start_matches("run_"), "0f".repeat(14));
    let unknown = "run_00000000000000000000000000000000";
    let pairs = [
        (foreign.clone(), unknown.to_owned()),
        (
            "chosen-by-the-first".to_owned(),
            "chosen-by-nobody-yet".to_owned(),
        ),
    ];
    for (foreign, unknown) in &pairs {
        let asks = |id: &str| {
            vec![
                ("GET", format!("/v1/runs/{id}")),
                ("GET", format!("/v1/runs/{id}/events")),
                ("GET", format!("/v1/runs/{id}/events?after=1")),
                ("GET", format!("/v1/runs?cursor={id}")),
                ("GET", format!("/v1/runs?cursor={id}&limit=1&status=completed")),
                ("GET", format!("/api/scrape/{id}/status")),
                ("GET", format!("/api/scrape/{id}/result")),
                ("DELETE", format!("/api/scrape/{id}")),
                ("DELETE", format!("/api/scrape/{id}/cleanup")),
                ("DELETE", format!("/v1/runs/{id}")),
                ("POST", format!("/v1/automate/{}/input", question(id))),
            ]
        };
        for ((method, one), (_, other)) in asks(foreign).into_iter().zip(asks(unknown)) {
            let mut answers = Vec::new();
            for path in [&one, &other] {
                let ask = match method {
                    "POST" => Ask::json(path, &json!({"cancelled": true})),
                    _ => Ask::new(method, path),
                };
                let ask = ask.header("authorization", OTHER).header("last-event-id", "1");
                let mut answer = ask.send(stand.at).await;
                let heads: Vec<_> = answer
                    .headers
                    .iter()
                    .filter(|it| it.0 != "date")
                    .cloned()
                    .collect();
                answers.push((answer.status, heads, answer.text().await));
            }
            assert_eq!(answers[0].0, 404, "{method} {one}: {answers:?}");
            assert_eq!(answers[0], answers[1], "{method} {one}");
        }
    }
}

#[tokio::test]
async fn an_id_that_another_key_has_chosen_is_free_and_each_key_sees_its_own() {
    let stand = guarded().await;
    let mut body = stand.request(&["/a"]);
    body["session_id"] = json!("my-own-session");
    let send = |key: &str| {
        Ask::json("/api/scrape/stream", &body)
            .header("authorization", key)
            .send(stand.at)
    };
    let get = |key: &str, path: &str| Ask::get(path).header("authorization", key).send(stand.at);
    for key in [ONE, OTHER] {
        let mut answer = send(key).await;
        assert_eq!(
            (
                answer.status,
                answer.header("x-run-id"),
                answer.header("x-session-id")
            ),
            (200, Some("my-own-session"), Some("my-own-session"))
        );
        let streamed = answer.text().await;
        assert!(
            streamed.contains("\"session_id\":\"my-own-session\"") && !streamed.contains("own_"),
            "{streamed}"
        );
        let mut shown = get(key, "/v1/runs/my-own-session").await;
        assert_eq!(shown.header("x-run-id"), Some("my-own-session"));
        let shown = shown.json().await;
        assert_eq!(
            (&shown["id"], &shown["status"]),
            (&json!("my-own-session"), &json!("completed"))
        );
        let mut again = send(key).await;
        assert_eq!(
            (again.status, again.header("x-error-code")),
            (409, Some("CONFLICT"))
        );
        assert!(!again.text().await.contains("own_"));
        let result = get(key, "/api/scrape/my-own-session/result").await.json().await;
        assert_eq!(result["session_id"], "my-own-session");
        // The list names the run as the server does; that name leads to it, too.
        let listed = get(key, "/v1/runs").await.json().await["runs"][0]["id"].take();
        let by_list = get(key, &format!("/v1/runs/{}", listed.as_str().unwrap())).await;
        assert_eq!(by_list.status, 200);
    }
    body["session_id"] = json!("run_00000000000000000000000000000000");
    let ask = Ask::json("/api/scrape/stream", &body).header("authorization", ONE);
    assert_eq!(ask.send(stand.at).await.status, 400);
}

/// A request of another key may take as long as one for a run that nobody has, and the reverse; the bound is wide, since
/// tests share a machine. What it catches is work that only foreign runs cause, such as reading their requests.
#[tokio::test]
async fn asking_for_a_large_run_of_another_key_takes_no_longer_than_for_none() {
    let stand = guarded().await;
    let mut body = stand.request(&["/a"]);
    body["instructions"] = json!("x".repeat(5000));
    let ask = Ask::json("/api/scrape/stream", &body).header("authorization", ONE);
    let mut answer = ask.send(stand.at).await;
    let foreign = answer.header("x-run-id").unwrap().to_owned();
    answer.text().await;
    let mut took = [Vec::new(), Vec::new()];
    for _ in 0..200 {
        for (run, took) in [foreign.as_str(), "run_00000000000000000000000000000000"]
            .iter()
            .zip(&mut took)
        {
            let began = std::time::Instant::now();
            let ask = Ask::get(&format!("/v1/runs/{run}")).header("authorization", OTHER);
            assert_eq!(ask.send(stand.at).await.status, 404);
            took.push(began.elapsed());
        }
    }
    let [foreign, unknown] = took.map(|mut took| {
        took.sort();
        took[took.len() / 2]
    });
    let apart = foreign.abs_diff(unknown);
    assert!(
        apart < Duration::from_millis(2).max(unknown / 2),
        "{foreign:?} and {unknown:?}"
    );
}

#[tokio::test]
async fn on_loopback_without_keys_any_key_will_do() {
    let stand = Stand::start().await;
    for key in ["", "Bearer", "Bearer whatever", "Basic eDp5"] {
        let answer = Ask::get("/v1/runs")
            .header("authorization", key)
            .send(stand.at)
            .await;
        assert_eq!(answer.status, 200, "{key}");
    }
}

#[tokio::test]
async fn a_page_of_another_site_gets_nothing() {
    let stand = Stand::start().await;
    let body = stand.request(&["/a"]);
    for (name, value) in [
        ("origin", "https://evil.test"),
        ("origin", "null"),
        ("host", "evil.test"),
        ("host", "127.0.0.1.evil.test"),
        ("host", ""),
    ] {
        for ask in [
            Ask::json("/api/scrape", &body),
            Ask::get("/v1/runs"),
            Ask::new("OPTIONS", "/api/scrape"),
        ] {
            let answer = ask.header(name, value).send(stand.at).await;
            assert_eq!(
                (answer.status, answer.header("x-error-code")),
                (403, Some("FORBIDDEN")),
                "{name}: {value}"
            );
            assert_eq!(answer.header("access-control-allow-origin"), None);
        }
    }
    let ours = format!("http://{}", stand.at);
    let answer = Ask::json("/api/scrape", &body)
        .header("origin", &ours)
        .send(stand.at)
        .await;
    assert_eq!(answer.status, 202);
}

#[tokio::test]
async fn who_never_finishes_a_request_is_let_go_and_others_are_served() {
    let settings = ServerSettings {
        head_time: Duration::from_secs(1),
        ..ServerSettings::default()
    };
    let stand = &Stand::with(settings).await;
    let beginnings = [
        "",
        "P",
        "PRI * HTT",
        "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ",
    ];
    let let_go = beginnings.map(|beginning| async move {
        let mut socket = TcpStream::connect(stand.at).await.unwrap();
        socket.write_all(beginning.as_bytes()).await.unwrap();
        assert_eq!(stand.get("/healthz").await.status, 200);
        let mut rest = Vec::new();
        let ended = tokio::time::timeout(Duration::from_secs(30), socket.read_to_end(&mut rest)).await;
        assert!(ended.is_ok(), "{beginning:?}");
    });
    futures_util::future::join_all(let_go).await;
}

#[tokio::test]
async fn the_server_tells_how_it_is_and_what_it_does() {
    let stand = Stand::start().await;
    assert_eq!(stand.get("/healthz").await.json().await, json!({"status": "ok"}));
    assert_eq!(
        stand.get("/readyz").await.json().await,
        json!({"status": "ready"})
    );
    stand.stream(&["/a"]).await.frames().await;
    let counts = stand.get("/metrics").await.text().await;
    for name in [
        "huntsman_http_requests_total{",
        "huntsman_http_request_seconds_bucket{",
        "huntsman_event_streams ",
        "huntsman_runs_finished_total{family=\"scrape\",outcome=\"completed\"}",
        "huntsman_page_loads_total{family=\"scrape\",status=\"2xx\"}",
        "huntsman_queue_wait_seconds_bucket{",
        "huntsman_store_write_seconds_bucket{operation=\"finish\"",
    ] {
        assert!(counts.contains(name), "{name} is missing in {counts}");
    }
    let document = stand.get("/openapi.json").await.json().await;
    assert_eq!(document["openapi"], "3.1.0");
}
