//! What is refused, and how: always the same shape, before anything was done.

use std::time::Duration;

use serde_json::{Value, json};
use server::ServerSettings;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::client::{Answer, Ask};
use crate::stand::Stand;

/// The text of an answer that is held to the shape of every error.
async fn refusal(mut answer: Answer, status: u16, code: &str) -> String {
    let text = answer.text().await;
    assert_eq!(
        (answer.status, answer.header("x-error-code")),
        (status, Some(code)),
        "{text}"
    );
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let body: Value = serde_json::from_str(&text).unwrap();
    let said = body["error"].as_str().expect("an error text").to_owned();
    assert_eq!(body, json!({"error": said}));
    assert!(
        !said.is_empty() && !said.contains("panicked") && !said.contains(".rs"),
        "{said}"
    );
    said
}

#[tokio::test]
async fn a_body_that_is_wrong_is_refused_by_the_name_of_its_field() {
    let stand = Stand::start().await;
    let scrape = "/api/scrape/stream";
    let url = stand.site.url("/a");
    let long: Vec<String> = vec![url.clone(); 10_000];
    let cases = [
        ("assets", json!({"instructions": "x"})),
        ("assets", json!({"assets": url, "instructions": "x"})),
        ("assets", json!({"assets": [], "instructions": "x"})),
        ("assets", json!({"assets": long, "instructions": "x"})),
        ("assets[1]", json!({"assets": [url, 7], "instructions": "x"})),
        ("instructions", json!({"assets": [url], "instructions": "  "})),
        (
            "max_steps",
            json!({"assets": [url], "instructions": "x", "max_steps": 0}),
        ),
        (
            "max_steps",
            json!({"assets": [url], "instructions": "x", "max_steps": 1.5}),
        ),
        (
            "session_id",
            json!({"assets": [url], "instructions": "x", "session_id": "../x"}),
        ),
        (
            "schema",
            json!({"assets": [url], "instructions": "x", "schema": {"type": "thing"}}),
        ),
        (
            "headers",
            json!({"assets": [url], "instructions": "x", "headers": {"Host": "other"}}),
        ),
        (
            "output_path",
            json!({"assets": [url], "instructions": "x", "output_path": "/tmp/x"}),
        ),
        ("instruction", json!({"assets": [url], "instruction": "under 20"})),
    ];
    for path in [scrape, "/api/scrape", "/api/scrape/"] {
        for (field, body) in &cases {
            let said = refusal(Ask::json(path, body).send(stand.at).await, 400, "INVALID_REQUEST").await;
            assert!(said.starts_with(&format!("{field}: ")), "{field}: {said}");
        }
    }
    assert!(stand.site.asked().is_empty());
    assert_eq!(stand.get("/v1/runs").await.json().await, json!({"runs": []}));
}

#[tokio::test]
async fn a_field_of_the_contract_that_is_not_known_is_told_and_a_misspelt_one_is_refused() {
    let stand = Stand::start().await;
    let url = stand.site.url("/a");
    let misspelt = json!({"url": url, "contnet": "full"});
    let said = refusal(
        Ask::json("/v1/extract/markdown", &misspelt).send(stand.at).await,
        400,
        "INVALID_REQUEST",
    );
    assert_eq!(said.await, "contnet: is not known; did you mean content?");
    for (path, body) in [
        (
            "/v1/extract/markdown",
            json!({"url": url, "team": 1, "é,x": 2, "gone": null}),
        ),
        (
            "/v1/research",
            json!({"query": "kettles?", "sources": [url], "team": 1, "é,x": 2}),
        ),
    ] {
        let answer = Ask::json(path, &body).send(stand.at).await;
        let told = answer.header("x-ignored-fields");
        assert!(
            told.is_some_and(|told| told.contains("team") && told.contains("??x")),
            "{path}: {} {told:?}",
            answer.status
        );
    }
    let known = Ask::json("/v1/extract/markdown", &json!({"url": url}))
        .send(stand.at)
        .await;
    assert_eq!(known.header("x-ignored-fields"), None);
}

#[tokio::test]
async fn a_query_parameter_that_is_not_known_is_refused() {
    let stand = Stand::start().await;
    for (path, name) in [
        ("/v1/runs?kind=odd", "kind"),
        ("/v1/runs/run-00000001/events?aftr=5", "aftr"),
        ("/v1/plugins?limit=1", "limit"),
    ] {
        let said = refusal(Ask::get(path).send(stand.at).await, 400, "INVALID_REQUEST").await;
        assert!(
            said.starts_with(&format!("{name:?}: not a known query parameter")),
            "{path}: {said}"
        );
    }
    assert_eq!(
        Ask::get("/v1/runs?limit=1&status=").send(stand.at).await.status,
        200
    );
}

#[tokio::test]
async fn fields_that_contradict_each_other_are_refused() {
    let stand = Stand::start().await;
    let url = stand.site.url("/a");
    for (path, field, body) in [
        (
            "/v1/extract/markdown",
            "effort",
            json!({"url": url, "effort": "max", "fetch": {"engine": "http"}}),
        ),
        (
            "/api/scrape",
            "screenshot",
            json!({"assets": [url], "screenshot": true, "fetch": {"engine": "http"}}),
        ),
    ] {
        let said = refusal(
            Ask::json(path, &body).send(stand.at).await,
            400,
            "INVALID_REQUEST",
        )
        .await;
        assert!(said.starts_with(&format!("{field}: ")), "{said}");
    }
    assert!(stand.site.asked().is_empty());
}

#[tokio::test]
async fn a_body_that_is_no_single_meaning_json_object_is_refused() {
    let stand = Stand::start().await;
    let twice = format!(
        r#"{{"assets":["{0}"],"instructions":"x","assets":["{0}"]}}"#,
        stand.site.url("/a")
    );
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    let bodies = [
        "",
        "   ",
        "{",
        "[]",
        "null",
        "\"x\"",
        "{\"a\":1e999}",
        "{\"a\":NaN}",
        "{}{}",
        &deep,
        &twice,
        "\u{feff}{}",
    ];
    for body in bodies {
        refusal(
            Ask::post("/api/scrape", body).send(stand.at).await,
            400,
            "INVALID_REQUEST",
        )
        .await;
    }
    let said = refusal(
        Ask::post("/api/scrape", *b"{\"a\":\"\xff\"}")
            .send(stand.at)
            .await,
        400,
        "INVALID_REQUEST",
    );
    assert!(said.await.contains("not JSON"));
    assert!(stand.site.asked().is_empty());
}

#[tokio::test]
async fn a_path_method_or_content_type_that_is_not_ours_is_named_so() {
    let stand = Stand::start().await;
    for path in [
        "/nothing",
        "/v1/automat",
        "/v1/researches",
        "/api/scrape/a/b/c",
        "/v1/runs/",
    ] {
        refusal(Ask::json(path, &json!({})).send(stand.at).await, 404, "NOT_FOUND").await;
    }
    for (method, path, allowed) in [
        ("GET", "/api/scrape/stream", "POST"),
        ("PUT", "/v1/runs", "GET,HEAD"),
        ("PUT", "/", "GET,HEAD"),
        ("POST", "/v1/runs/run_00000000", "GET,HEAD,DELETE"),
        ("OPTIONS", "/api/scrape", "POST"),
    ] {
        let answer = Ask::new(method, path).send(stand.at).await;
        assert_eq!(answer.header("allow"), Some(allowed), "{method} {path}");
        refusal(answer, 405, "METHOD_NOT_ALLOWED").await;
    }
    for label in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
    ] {
        let ask = Ask::new("POST", "/api/scrape").header("content-type", label);
        refusal(ask.send(stand.at).await, 415, "UNSUPPORTED_MEDIA_TYPE").await;
    }
    let packed = Ask::post("/api/scrape", "x").header("content-encoding", "gzip");
    refusal(packed.send(stand.at).await, 415, "UNSUPPORTED_MEDIA_TYPE").await;
}

#[tokio::test]
async fn a_run_that_is_not_there_is_not_found() {
    let stand = Stand::start().await;
    for id in [
        "run_00000000000000000000000000000000",
        "x",
        "%ff",
        "..%2f..%2fetc",
        "a%00bcdefgh",
    ] {
        for (method, path) in [
            ("GET", format!("/v1/runs/{id}")),
            ("GET", format!("/v1/runs/{id}/events")),
            ("DELETE", format!("/v1/runs/{id}")),
            ("GET", format!("/api/scrape/{id}/status")),
            ("GET", format!("/api/scrape/{id}/result")),
            ("DELETE", format!("/api/scrape/{id}")),
            ("DELETE", format!("/api/scrape/{id}/cleanup")),
        ] {
            refusal(Ask::new(method, &path).send(stand.at).await, 404, "NOT_FOUND").await;
        }
    }
}

#[tokio::test]
async fn a_parameter_that_cannot_be_meant_is_refused() {
    let stand = Stand::start().await;
    for query in [
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=x",
        "limit=1&limit=2",
        "status=done",
        "cursor=!",
    ] {
        let said = refusal(
            stand.get(&format!("/v1/runs?{query}")).await,
            400,
            "INVALID_REQUEST",
        )
        .await;
        assert!(
            query.starts_with(said.split(':').next().unwrap()),
            "{query}: {said}"
        );
    }
    refusal(stand.get("/v1/runs?cursor=run_00000000").await, 404, "NOT_FOUND").await;
}

#[tokio::test]
async fn a_session_id_names_one_run_and_an_idempotency_key_one_request() {
    let stand = Stand::start().await;
    let mut body = stand.request(&["/a"]);
    body["session_id"] = json!("my-own-session");
    let mut answer = Ask::json("/api/scrape/stream", &body).send(stand.at).await;
    assert_eq!(answer.header("x-run-id"), Some("my-own-session"));
    answer.frames().await;
    let again = Ask::json("/api/scrape/stream", &body).send(stand.at).await;
    assert_eq!(again.header("x-should-retry"), Some("false"));
    refusal(again, 409, "CONFLICT").await;
    let keyed =
        |paths: &[&str]| Ask::json("/api/scrape", &stand.request(paths)).header("idempotency-key", "k1");
    let first = keyed(&["/a"]).send(stand.at).await.json().await;
    let second = keyed(&["/a"]).send(stand.at).await.json().await;
    assert_eq!(first["session_id"], second["session_id"]);
    refusal(keyed(&["/b"]).send(stand.at).await, 409, "CONFLICT").await;
    // Runs of other kinds, that are streamed, are told again from their beginning.
    let plan = |selector: &str| {
        let step = json!({"tool": "html.select", "parameters": {"selector": selector}});
        let body = json!({"plan": [step], "expected_output": "elements", "url": stand.site.url("/a")});
        Ask::json("/v1/plans/run", &body).header("idempotency-key", "k2")
    };
    let mut first = plan("h1").send(stand.at).await;
    let mut second = plan("h1").send(stand.at).await;
    assert_eq!(first.header("x-run-id"), second.header("x-run-id"));
    assert_eq!(first.frames().await, second.frames().await);
    refusal(plan("p").send(stand.at).await, 409, "CONFLICT").await;
}

#[tokio::test]
async fn a_body_too_large_or_too_slow_is_not_waited_for() {
    let settings = ServerSettings {
        body_bytes: 1000,
        body_time: Duration::from_millis(500),
        ..ServerSettings::default()
    };
    let stand = Stand::with(settings).await;
    let large = Ask::post("/api/scrape", vec![b' '; 1001]);
    refusal(large.send(stand.at).await, 413, "BODY_TOO_LARGE").await;
    let unannounced = Ask::new("POST", "/api/scrape").header("transfer-encoding", "chunked");
    let mut socket = TcpStream::connect(stand.at).await.unwrap();
    let head = format!("POST /api/scrape HTTP/1.1\r\nhost: {}\r\n", stand.at);
    let chunks = format!(
        "{head}transfer-encoding: chunked\r\n\r\n400\r\n{}\r\n",
        " ".repeat(1024)
    );
    socket.write_all(chunks.as_bytes()).await.unwrap();
    refusal(Answer::read(socket).await, 413, "BODY_TOO_LARGE").await;
    // Announces a body and never sends it.
    refusal(unannounced.send(stand.at).await, 408, "REQUEST_TIMEOUT").await;
}

#[tokio::test]
async fn a_full_queue_refuses_before_anything_is_done_and_says_when_to_come_again() {
    let stand = Stand::start().await;
    let mut refused = None;
    for _ in 0..200 {
        let answer = Ask::json("/api/scrape", &stand.request(&["/silent"]))
            .send(stand.at)
            .await;
        if answer.status != 202 {
            refused = Some(answer);
            break;
        }
    }
    let answer = refused.expect("a full queue");
    assert!(
        answer
            .header("retry-after")
            .is_some_and(|it| it.parse::<u64>().is_ok_and(|it| it > 0))
    );
    assert_eq!(answer.header("x-should-retry"), None);
    refusal(answer, 503, "QUEUE_FULL").await;
}
