//! Automate over real sockets, with a provider that says what a script says: the doors, the order of events, the
//! questions to a person.

use std::sync::Arc;
use std::time::Duration;

use browser::Browser;
use browser::engines::chromium::Chromium;
use llm::wires::Wire;
use serde_json::{Value, json};
use server::ServerSettings;
use testkit::{ProviderAnswer as Turn, ScriptedProvider, ScriptedTurn, SiteReply, TestSite};
use wire::Audience;

use crate::client::{Answer, Ask, frames};
use crate::stand::Stand;

const SHOP: &str = "<!doctype html><title>Shop</title><h1>Kettles</h1><a href=/k1>Kettle K1</a>\
<form action=/order method=post><label>E-mail <input type=email name=mail required></label>\
<label>Country <select name=country><option>Norway<option>Peru</select></label><button>Order</button></form>";
const KETTLE: &str = "<!doctype html><title>Kettle K1</title><h1>Kettle K1</h1><p>Price: 12.50 EUR</p>";

pub(crate) fn shop(asked: &testkit::SiteRequest) -> SiteReply {
    match (asked.method.as_str(), asked.path.as_str()) {
        ("POST", "/order") => SiteReply::html("<title>Thanks</title><h1>Thank you</h1>"),
        (_, "/") => SiteReply::html(SHOP),
        (_, "/k1") => SiteReply::html(KETTLE),
        _ => SiteReply::html("<title>Nothing</title>").status(404),
    }
}

pub(crate) fn plan() -> ScriptedTurn {
    ScriptedTurn::json(&json!({
        "successCriteria": "the price of Kettle K1", "plan": "open the kettle's page and read the price",
        "actionItems": ["open Kettle K1", "read the price"],
    }))
}

pub(crate) fn verdict(quality: &str) -> ScriptedTurn {
    ScriptedTurn::json(
        &json!({"taskAssessment": "the page shows it", "completionQuality": quality, "feedback": "give the price"}),
    )
}

pub(crate) fn done(answer: &str) -> ScriptedTurn {
    ScriptedTurn::call("done", json!({"result": answer}))
}

/// Name and data of every event of a stream.
pub(crate) fn events(text: &str) -> Vec<(String, Value)> {
    let event = |frame: &String| {
        let name = frame
            .lines()
            .find_map(|it| it.strip_prefix("event: "))
            .expect("an event line");
        let data = frame
            .lines()
            .find_map(|it| it.strip_prefix("data: "))
            .expect("a data line");
        assert_eq!(*frame, format!("event: {name}\ndata: {data}\n\n"));
        (name.to_owned(), serde_json::from_str(data).expect("JSON"))
    };
    frames(text).iter().map(event).collect()
}

async fn begin(stand: &Stand, body: Value) -> Answer {
    Ask::json("/v1/automate", &body).send(stand.at).await
}

#[tokio::test]
async fn the_trace_of_the_request_goes_on_and_without_one_a_new_one_begins() {
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let mut seen = Vec::new();
    for header in [
        Some(format!("00-{trace}-00f067aa0ba902b7-01")),
        Some("00-no-trace-00".into()),
        None,
    ] {
        let provider = ScriptedProvider::saying([plan(), done("nothing"), verdict("complete")]).await;
        let stand = Stand::automating(TestSite::start(shop).await, &provider).await;
        let mut ask = Ask::json(
            "/v1/automate",
            &json!({"task": "look", "url": stand.site.url("/")}),
        );
        if let Some(header) = header {
            ask = ask.header("traceparent", &header);
        }
        let events = events(&ask.send(stand.at).await.text().await);
        assert_eq!(events[0].0, "task:trace_context");
        seen.push(events[0].1["traceId"].as_str().unwrap().to_owned());
    }
    assert_eq!(seen[0], trace);
    assert!(
        seen[1] != seen[2] && seen.iter().all(|it| it.len() == 32),
        "{seen:?}"
    );
}

#[tokio::test]
async fn a_run_tells_what_its_request_and_its_reader_want_as_far_as_the_operator_allows() {
    let site = TestSite::start(shop).await;
    let turns = [plan(), done("nothing"), verdict("complete")];
    let twice = turns.clone().into_iter().chain(turns);
    let provider = ScriptedProvider::saying(twice).await;
    let settings = ServerSettings {
        audience: Audience::Verbose,
        ..ServerSettings::default()
    };
    let stand = Stand::automating_with(site, settings, provider.settings(Wire::OpenAiChat)).await;
    let ask = |audience| json!({"task": "look", "url": stand.site.url("/"), "audience": audience});
    let is_told = |text: &str| text.contains("event: ai:generation");

    let mut answer = begin(&stand, ask(None)).await;
    let run = answer.header("x-run-id").unwrap().to_owned();
    assert!(is_told(&answer.text().await), "as the server is set");
    let log = format!("/v1/runs/{run}/events");
    assert!(is_told(&stand.get(&log).await.text().await));
    let public = format!("{log}?audience=public");
    assert!(!is_told(&stand.get(&public).await.text().await));

    let mut answer = begin(&stand, ask(Some("public"))).await;
    let run = answer.header("x-run-id").unwrap().to_owned();
    assert!(!is_told(&answer.text().await));
    let log = stand.get(&format!("/v1/runs/{run}/events")).await.text().await;
    assert!(!is_told(&log), "what is not told is not kept either");

    for body in [ask(Some("debug")), ask(Some("internal")), ask(Some(""))] {
        let mut refused = begin(&stand, body).await;
        let told = refused.text().await;
        assert!(refused.status == 400 && told.contains("audience: "), "{told}");
    }
    let refused = stand.get(&format!("/v1/runs/{run}/events?audience=debug")).await;
    assert_eq!(refused.status, 400);
}

#[tokio::test]
async fn a_task_is_done_and_told_in_order() {
    let site = TestSite::start(shop).await;
    let provider = ScriptedProvider::saying([
        plan(),
        ScriptedTurn::call("click", json!({"ref": "E1"})),
        done("Kettle K1 costs 12.50 EUR"),
        verdict("complete"),
    ])
    .await;
    let stand = Stand::automating(site, &provider).await;
    let body = json!({"task": "What does Kettle K1 cost?", "url": stand.site.url("/")});
    let mut answer = begin(&stand, body).await;
    assert_eq!(answer.status, 200);
    let run = answer.header("x-run-id").expect("a run").to_owned();
    let events = events(&answer.text().await);
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "task:trace_context",
            "task:setup",
            "agent:processing",
            "agent:status",
            "agent:status",
            "browser:navigated",
            "task:started",
            "agent:step",
            "agent:processing",
            "agent:action",
            "browser:action_started",
            "browser:action_completed",
            "browser:navigated",
            "agent:step",
            "agent:processing",
            "agent:action",
            "agent:processing",
            "task:validated",
            "task:completed",
            "complete",
            "done"
        ]
    );
    let complete = &events[events.len() - 2].1;
    assert_eq!(complete["success"], true);
    assert_eq!(complete["finalAnswer"], "Kettle K1 costs 12.50 EUR");
    assert_eq!(
        (&complete["stats"]["iterations"], &complete["stats"]["actions"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(provider.faults(), Vec::<String>::new());
    assert_eq!(stand.site.hits("/k1"), 1);
    let usage = &stand.get(&format!("/v1/runs/{run}")).await.json().await["usage"];
    assert_eq!(usage["model_calls"], 4, "the plan, two turns and the verdict");
    assert!(usage["input_tokens"].as_u64() > Some(0) && usage["output_tokens"].as_u64() > Some(0));
}

#[tokio::test]
async fn a_person_is_asked_for_values_that_the_model_never_sees() {
    let site = TestSite::start(shop).await;
    let provider = ScriptedProvider::saying([
        plan(),
        ScriptedTurn::call(
            "request_user_data",
            json!({"description": "delivery", "refs": ["E3", "E4"]}),
        ),
        ScriptedTurn::call("click", json!({"ref": "E5"})),
        done("ordered"),
        verdict("complete"),
    ])
    .await;
    let stand = Stand::automating(site, &provider).await;
    let body = json!({"task": "order", "url": stand.site.url("/"), "interactive": true});
    let mut answer = begin(&stand, body).await;
    let asked = answer
        .until(|it| it.contains("interactive:form_data:request"))
        .await;
    let frame = asked
        .split("event: interactive:form_data:request\ndata: ")
        .nth(1)
        .expect("the request");
    let request: Value = serde_json::from_str(frame.lines().next().unwrap()).unwrap();
    assert_eq!(request["fields"][0]["label"], "E-mail");
    assert_eq!(request["fields"][1]["options"], json!(["Norway", "Peru"]));
    let path = format!("/v1/automate/{}/input", request["requestId"].as_str().unwrap());
    let send = |body: Value| Ask::json(&path, &body).send(stand.at);
    assert_eq!(send(json!({})).await.status, 400);
    assert_eq!(
        send(json!({"fields": [{"ref": "E4", "value": "Mars"}]}))
            .await
            .status,
        400
    );
    assert_eq!(Ask::new("POST", &path).send(stand.at).await.status, 400);
    let values =
        json!({"fields": [{"ref": "E3", "value": "ada.secret@example.org"}, {"ref": "E4", "value": "Peru"}]});
    let mut taken = send(values.clone()).await;
    assert_eq!(
        (taken.status, taken.json().await),
        (202, json!({"status": "accepted"}))
    );
    assert_eq!(send(values).await.status, 410);
    let rest = answer.text().await;
    assert!(rest.contains("event: done"), "{rest}");
    let order = stand
        .site
        .asked()
        .into_iter()
        .find(|it| it.path == "/order")
        .expect("the order");
    assert_eq!(
        String::from_utf8_lossy(&order.body),
        "mail=ada.secret%40example.org&country=Peru"
    );
    let said = format!("{asked}{rest}{:?}", provider.seen());
    assert!(!said.contains("ada.secret"), "the value has leaked");
    assert_eq!(provider.faults(), Vec::<String>::new());
    let foreign = format!("/v1/automate/req_{}/input", "0".repeat(60));
    assert_eq!(
        Ask::json(&foreign, &json!({"cancelled": true}))
            .send(stand.at)
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn a_question_that_nobody_answers_is_closed() {
    let site = TestSite::start(shop).await;
    let provider = ScriptedProvider::saying([
        plan(),
        ScriptedTurn::call(
            "request_user_data",
            json!({"description": "delivery", "refs": ["E3"]}),
        ),
        ScriptedTurn::call("abort", json!({"reason": "nobody answered"})),
    ])
    .await;
    let stand = Stand::automating(site, &provider).await;
    stand.workers.answers_within(Duration::from_millis(30));
    let body = json!({"task": "order", "url": stand.site.url("/"), "interactive": true});
    let events = events(&begin(&stand, body).await.text().await);
    let of = |name: &str| {
        events
            .iter()
            .find(|(it, _)| it == name)
            .map(|(_, data)| data.clone())
    };
    let late = of("interactive:form_data:error").expect("the error");
    assert_eq!(
        late["fieldErrors"],
        json!({"_callback": "no answer came in time"})
    );
    assert_eq!(of("complete").unwrap()["error"]["code"], "TASK_ABORTED");
    let path = format!("/v1/automate/{}/input", late["requestId"].as_str().unwrap());
    assert_eq!(
        Ask::json(&path, &json!({"cancelled": true}))
            .send(stand.at)
            .await
            .status,
        410
    );
}

#[tokio::test]
async fn without_a_model_nothing_is_begun() {
    let stand = Stand::start().await;
    let mut answer = begin(&stand, json!({"task": "x"})).await;
    assert_eq!(
        (answer.status, answer.header("x-error-code")),
        (503, Some("MODEL_NOT_CONFIGURED"))
    );
    assert_eq!(answer.header("x-should-retry"), Some("false"));
    assert!(answer.text().await.contains("HUNTSMAN_LLM_PROVIDER"));
}

/// A conversation that the model cannot read is given up but for the task and the page.
#[tokio::test]
async fn after_too_long_a_conversation_the_page_is_shown_again() {
    let body =
        json!({"error": {"message": "maximum context length exceeded", "code": "context_length_exceeded"}});
    let too_long = SiteReply::bytes("application/json", body.to_string()).status(400);
    let turns: [Turn; 5] = [
        plan().into(),
        Turn::Raw(too_long),
        ScriptedTurn::call("click", json!({"ref": "E1"})).into(),
        done("12.50 EUR").into(),
        verdict("complete").into(),
    ];
    let provider = ScriptedProvider::saying(turns).await;
    let stand = Stand::automating(TestSite::start(shop).await, &provider).await;
    let text = begin(&stand, json!({"task": "look", "url": stand.site.url("/")}))
        .await
        .text()
        .await;
    assert!(
        text.contains("\"success\":true,\"finalAnswer\":\"12.50 EUR\""),
        "{text}"
    );
    let asked = provider.seen();
    for (turn, exchange) in asked.iter().enumerate().take(3).skip(1) {
        let views = exchange.body.to_string().matches(r#"button \"Order"#).count();
        assert_eq!(views, 1, "question {turn}: {}", exchange.body);
    }
}

#[tokio::test]
async fn without_a_browser_nothing_is_begun() {
    let provider = ScriptedProvider::saying([plan()]).await;
    let settings = browser::engines::chromium::ChromiumSettings {
        program: Some("/nonexistent/chromium".into()),
        ..testkit::chromium::settings()
    };
    let browser = |client| -> Arc<dyn Browser> { Arc::new(Chromium::new(client, settings)) };
    let stand = Stand::open_to(TestSite::start(shop).await, &provider, browser, None).await;
    let mut answer = begin(&stand, json!({"task": "x"})).await;
    assert_eq!(
        (answer.status, answer.header("x-error-code")),
        (503, Some("BROWSER_UNAVAILABLE"))
    );
    let text = answer.text().await;
    for way in [
        "apt-get install chromium",
        "HUNTSMAN_CHROMIUM",
        "HUNTSMAN_CDP_ENDPOINTS",
    ] {
        assert!(text.contains(way), "{way}: {text}");
    }
    assert_eq!(provider.seen().len(), 0);
}

/// Of data of a megabyte every value stays usable by its key, and none of it is read by the model or by readers.
#[tokio::test]
async fn a_megabyte_of_data_is_taken_and_not_read_out() {
    let many: serde_json::Map<String, Value> = (0..900)
        .map(|it| {
            (
                format!("key{it}"),
                json!(format!("canary-{it}-{}", "x".repeat(1000))),
            )
        })
        .collect();
    let one = json!({"mail": "canary@example.org", "letter": "canary ".repeat(150_000)});
    let long_key = json!({"mail": "canary@example.org", "canary".repeat(170_000): "x"});
    for (data, key) in [(Value::Object(many), "key899"), (one, "mail"), (long_key, "mail")] {
        assert!(data.to_string().len() > 900_000);
        let fill = ScriptedTurn::call("fill_user_data", json!({"ref": "E3", "key": key}));
        let order = ScriptedTurn::call("click", json!({"ref": "E5"}));
        let provider =
            ScriptedProvider::saying([plan(), fill, order, done("ordered"), verdict("complete")]).await;
        let stand = Stand::automating(TestSite::start(shop).await, &provider).await;
        let body = json!({"task": "order", "url": stand.site.url("/"), "data": data});
        let text = begin(&stand, body).await.text().await;
        let complete = &events(&text).into_iter().rev().nth(1).unwrap().1;
        assert_eq!(complete["success"], true, "{complete}");
        let asked = stand.site.asked();
        let order = asked.iter().find(|it| it.path == "/order").expect("the order");
        assert!(order.body.starts_with(b"mail=canary"));
        let prompts: Vec<String> = provider.seen().iter().map(|it| it.body.to_string()).collect();
        for (what, text) in prompts
            .iter()
            .map(|it| ("a prompt", it))
            .chain([("the stream", &text)])
        {
            assert!(text.len() < 100_000, "{what}: {} bytes", text.len());
            assert!(!text.contains("canary"), "{what}");
        }
        assert_eq!(provider.faults(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_wrong_request_is_refused_before_the_stream() {
    let site = TestSite::start(shop).await;
    let provider = ScriptedProvider::saying([plan()]).await;
    let stand = Stand::automating(site, &provider).await;
    let cases = [
        json!({"task": " "}),
        json!({"task": "x", "url": "shop"}),
        json!({"task": "x", "url": "ftp://a.example/"}),
        json!({"task": "x", "url": "https://ada:canary@a.example/"}),
        json!({"task": "x", "maxIterations": 101}),
        json!({"task": "x", "maxIterations": 0}),
        json!({"task": "x", "maxIterations": "5"}),
        json!({"task": "x", "maxValidationAttempts": 11}),
        json!({"task": "x", "maxValidationAttempts": 0}),
        json!({"task": "x", "trusted_hostnames": ["https://a.example"]}),
        json!({"task": "x", "trusted_hostnames": ["*.example"]}),
        json!({"task": "x", "trusted_hostnames": ["a.example:8080"]}),
        json!({"task": "x", "trusted_hostnames": ["ada@a.example"]}),
        json!({"task": "x", "trusted_hostnames": [""]}),
        json!({"task": "x", "interactive": "yes"}),
        json!({"task": "x", "browser": {"args": ["--x"]}}),
    ];
    for body in cases {
        // An address that is one, and may not be opened whoever asks.
        let is_blocked = body["url"].as_str().is_some_and(|url| url.contains("://"));
        let code = if is_blocked {
            "URL_BLOCKED"
        } else {
            "INVALID_REQUEST"
        };
        let mut answer = begin(&stand, body.clone()).await;
        assert_eq!(
            (answer.status, answer.header("x-error-code")),
            (400, Some(code)),
            "{body}"
        );
        let told = answer.json().await;
        assert_eq!(told.as_object().unwrap().len(), 1);
        assert!(!told.to_string().contains("canary"), "{told}");
    }
    assert_eq!(provider.seen().len(), 0);
}

#[tokio::test]
async fn a_run_whose_client_leaves_ends_as_aborted_and_only_once() {
    let site = TestSite::start(shop).await;
    let provider =
        ScriptedProvider::saying([plan(), ScriptedTurn::call("wait", json!({"seconds": 60}))]).await;
    let stand = Stand::automating(site, &provider).await;
    let body = json!({"task": "wait", "url": stand.site.url("/")});
    let mut answer = begin(&stand, body).await;
    let run = answer.header("x-run-id").unwrap().to_owned();
    answer.until(|it| it.contains("browser:action_started")).await;
    drop(answer);
    let detail = stand.ended(&run).await;
    assert_eq!(
        (&detail["status"], &detail["error"]["code"]),
        (&json!("cancelled"), &json!("TASK_ABORTED"))
    );
    let log = stand.get(&format!("/v1/runs/{run}/events")).await.frames().await;
    let count = |name: &str| {
        log.iter()
            .filter(|it| it.contains(&format!("event: {name}\n")))
            .count()
    };
    assert_eq!(
        (count("task:completed"), count("complete"), count("done")),
        (1, 1, 1)
    );
    assert!(log.last().unwrap().contains("event: done\n"));
}

#[tokio::test]
async fn values_of_the_person_are_not_shown_with_the_run() {
    let site = TestSite::start(shop).await;
    let provider = ScriptedProvider::saying([plan(), done("12.50"), verdict("complete")]).await;
    let stand = Stand::automating(site, &provider).await;
    let body = json!({"task": "x", "url": stand.site.url("/"), "data": {"mail": "ada.canary@example.org"}});
    let mut answer = begin(&stand, body).await;
    let run = answer.header("x-run-id").unwrap().to_owned();
    answer.text().await;
    let detail = stand.get(&format!("/v1/runs/{run}")).await.json().await;
    assert_eq!(detail["request"]["data"], json!({"mail": "{{mail}}"}));
    assert!(!detail.to_string().contains("ada.canary"));
}
