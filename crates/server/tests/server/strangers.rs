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
