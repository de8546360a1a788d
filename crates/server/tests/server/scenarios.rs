//! Whole automate runs as table rows, each with its golden transcript under `tests/transcripts`. `BLESS=1` writes them
//! anew.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use llm::FinishReason;
use serde_json::{Value, json};
use server::Settings;
use testkit::{
    Answer as Reply, Asked, Came, Reply as Page, Said, Scene, ScriptedBrowser, ScriptedProvider, Site,
};
use web::{Action, News};
use wire::{Audience, Event as _};

use crate::automate::{done, events, plan, shop, verdict};
use crate::client::Ask;
use crate::stand::Stand;

/// One row: what is asked for, what the model says, and on what.
struct Row {
    name: &'static str,
    /// The request without its `url`.
    request: Value,
    /// The path of the start page.
    path: &'static str,
    turns: Vec<Reply>,
    on: On,
    audience: Audience,
    /// What is given to every question of the run.
    input: Option<Value>,
    /// How long the provider may be silent.
    patience: Duration,
}

enum On {
    /// Pages of a site, by the http engine.
    Site(fn(&Asked) -> Page),
    /// A scripted browser.
    Script(ScriptedBrowser),
}

fn row(name: &'static str, turns: impl IntoIterator<Item = impl Into<Reply>>) -> Row {
    Row {
        name,
        request: json!({"task": "What does Kettle K1 cost?"}),
        path: "/",
        turns: turns.into_iter().map(Into::into).collect(),
        on: On::Site(shop),
        audience: Audience::Public,
        input: None,
        patience: Duration::from_secs(60),
    }
}

impl Row {
    fn asking(mut self, request: Value) -> Self {
        self.request = request;
        self
    }

    fn at(mut self, path: &'static str) -> Self {
        self.path = path;
        self
    }

    fn waiting(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    fn on(mut self, browser: ScriptedBrowser) -> Self {
        self.on = On::Script(browser);
        self
    }

    fn heard_by(mut self, audience: Audience) -> Self {
        self.audience = audience;
        self
    }

    fn answering(mut self, input: Value) -> Self {
        self.input = Some(input);
        self
    }
}

fn click(target: &str) -> Said {
    Said::call("click", json!({"ref": target}))
}

fn failing(status: u16) -> Reply {
    let body = json!({"error": {"message": "no", "type": "error"}});
    Reply::Raw(Page::bytes("application/json", body.to_string()).status(status))
}

const START: &str = "https://app.example/";

fn scene(url: &'static str, title: &'static str, view: &'static str) -> Scene {
    Scene { url, title, view }
}

/// A page whose button opens something, and the page afterwards.
fn opening(came: fn(usize, &Action) -> Came, then: &'static str) -> ScriptedBrowser {
    let scenes = [
        scene(START, "App", "button \"Go\" E1\ntext \"ready\""),
        scene(START, "App", then),
    ];
    ScriptedBrowser::new(scenes, came)
}

fn rows() -> Vec<Row> {
    let good = || done("Kettle K1 costs 12.50 EUR");
    let reply = |said: Said| Reply::from(said);
    vec![
        row("success", [plan(), click("E1"), good(), verdict("complete")]),
        row(
            "rejected_answer",
            [
                plan(),
                done("cheap"),
                verdict("partial"),
                click("E1"),
                good(),
                verdict("excellent"),
            ],
        ),
        row(
            "no_answer_accepted",
            [
                plan(),
                done("cheap"),
                verdict("failed"),
                done("very cheap"),
                verdict("partial"),
            ],
        )
        .asking(json!({"task": "What does Kettle K1 cost?", "maxValidationAttempts": 2})),
        row(
            "no_verdict",
            [
                reply(plan()),
                good().into(),
                failing(500),
                good().into(),
                verdict("complete").into(),
            ],
        ),
        row(
            "abort",
            [
                plan(),
                Said::call("abort", json!({"reason": "there is no such kettle"})),
            ],
        ),
        row(
            "repetition",
            [
                plan(),
                click("E2"),
                click("E2"),
                click("E2"),
                click("E2"),
                click("E2"),
            ],
        ),
        row(
            "iteration_limit",
            [plan(), click("E1"), Said::call("back", json!({}))],
        )
        .asking(json!({"task": "What does Kettle K1 cost?", "maxIterations": 2})),
        row(
            "error_limit",
            [
                plan(),
                click("E91"),
                click("E92"),
                click("E93"),
                click("E94"),
                click("E95"),
            ],
        ),
        row("bad_start_page", [plan()]).at("http://127.0.0.1:1/"),
        row(
            "missing_start_page",
            [plan(), Said::call("abort", json!({"reason": "there is no page"}))],
        )
        .at("/gone"),
        row("planning_failure", [failing(500), failing(500), failing(500)]),
        row("unauthorized", [failing(401)]),
        row(
            "unauthorized_later",
            [reply(plan()), click("E1").into(), failing(401)],
        ),
        row(
            "provider_fails_once",
            [
                reply(plan()),
                failing(500),
                click("E1").into(),
                good().into(),
                verdict("complete").into(),
            ],
        ),
        row(
            "provider_is_silent",
            [
                reply(plan()),
                Reply::Bent(Said::text("hm"), |it| it.cut_after(0).never_ending()),
                good().into(),
                verdict("complete").into(),
            ],
        )
        .waiting(Duration::from_secs(5)),
        row(
            "malformed_call",
            [
                reply(plan()),
                Reply::Bent(click("E1"), |_| Page::bytes("text/event-stream", MALFORMED)),
                Said::call("fly", json!({"to": "the moon"})).into(),
                Said::call("fill", json!({"value": "x"})).into(),
                click("E1").into(),
                good().into(),
                verdict("complete").into(),
            ],
        ),
        row(
            "truncated_call",
            [
                reply(plan()),
                Reply::Bent(click("E1"), |_| Page::bytes("text/event-stream", TRUNCATED)),
                click("E1").into(),
                good().into(),
                verdict("complete").into(),
            ],
        ),
        row(
            "no_call",
            [plan(), Said::text("I will look."), good(), verdict("complete")],
        ),
        row(
            "several_calls",
            [
                plan(),
                Said::call("fill", json!({"ref": "E3", "value": "shop@example.org"}))
                    .and_call("select", json!({"ref": "E4", "value": ["Peru"]}))
                    .and_call("click", json!({"ref": "E5"}))
                    .and_call("click", json!({"ref": "E1"})),
                done("ordered"),
                verdict("complete"),
            ],
        ),
        row(
            "extraction",
            [
                plan(),
                Said::call("goto", json!({"url": "/k1"})),
                Said::call("extract", json!({"description": "the price"})),
                Said::text("Price: 12.50 EUR"),
                Said::call("search_page", json!({"text": "price"})),
                good(),
                verdict("excellent"),
            ],
        ),
        row(
            "length",
            [
                plan(),
                Said::text("so, the").finishing(FinishReason::Length),
                good(),
                verdict("complete"),
            ],
        ),
        row(
            "dialog",
            [plan(), click("E1"), done("deleted"), verdict("complete")],
        )
        .on(opening(
            |_, _| Came::Note("a dialog asked \"Really?\" and was accepted", 1),
            "button \"Go\" E1\nstatus \"deleted\"",
        )),
        row(
            "new_tab",
            [
                plan(),
                click("E1"),
                Said::call("switch_tab", json!({"tab": 2})),
                done("the terms are long"),
                verdict("complete"),
            ],
        )
        .on(opening(
            |_, action| match action {
                Action::Click { .. } => Came::Note("tab 2 was opened: Terms, https://app.example/terms", 0),
                _ => Came::Becomes(1),
            },
            "heading \"Terms\"\ntext \"very long\"",
        )),
        row(
            "iframe",
            [
                plan(),
                Said::call("fill", json!({"ref": "E2", "value": "42"})),
                done("filled"),
                verdict("complete"),
            ],
        )
        .on(ScriptedBrowser::new(
            [
                scene(START, "Pay", "iframe \"Payment\"\n  textbox \"Amount\" E2"),
                scene(START, "Pay", "iframe \"Payment\"\n  textbox \"Amount\" E2 =42"),
            ],
            |_, _| Came::Becomes(1),
        )),
        row(
            "shadow_root",
            [
                plan(),
                Said::call("check", json!({"ref": "E3"})),
                done("accepted"),
                verdict("complete"),
            ],
        )
        .on(ScriptedBrowser::new(
            [
                scene(
                    START,
                    "Terms",
                    "group \"terms-box\"\n  checkbox \"Accept terms\" E3",
                ),
                scene(
                    START,
                    "Terms",
                    "group \"terms-box\"\n  checkbox \"Accept terms\" [checked] E3",
                ),
            ],
            |_, _| Came::Becomes(1),
        )),
        row(
            "form_input",
            [
                plan(),
                Said::call(
                    "request_user_data",
                    json!({"description": "delivery", "refs": ["E3", "E4"]}),
                ),
                click("E5"),
                done("ordered"),
                verdict("complete"),
            ],
        )
        .asking(json!({"task": "order", "interactive": true}))
        .answering(
            json!({"fields": [{"ref": "E3", "value": "ada@example.org"}, {"ref": "E4", "value": "Peru"}]}),
        ),
        row(
            "form_declined",
            [
                plan(),
                Said::call(
                    "request_user_data",
                    json!({"description": "delivery", "refs": ["E3"]}),
                ),
                Said::call("abort", json!({"reason": "the address was not given"})),
            ],
        )
        .asking(json!({"task": "order", "interactive": true}))
        .answering(json!({"cancelled": true})),
        row(
            "form_again",
            [
                plan(),
                Said::call(
                    "request_user_data",
                    json!({"description": "sign up", "refs": ["E1"]}),
                ),
                done("signed up"),
                verdict("complete"),
            ],
        )
        .asking(json!({"task": "sign up", "interactive": true}))
        .answering(json!({"fields": [{"ref": "E1", "value": "adalovelace"}]}))
        .on(ScriptedBrowser::new(
            [
                scene(START, "Sign up", "textbox \"Name\" [required] E1"),
                scene(
                    START,
                    "Sign up",
                    "textbox \"Name\" [required] [invalid] E1 =adalovelace",
                ),
                scene(START, "Sign up", "textbox \"Name\" [required] E1 =adalovelace"),
            ],
            |at, _| Came::Becomes(at + 1),
        )),
        row(
            "data_by_key",
            [
                plan(),
                Said::call("fill_user_data", json!({"ref": "E3", "key": "mail"})),
                Said::call("fill_user_data", json!({"ref": "E4", "key": "nothing"})),
                Said::call("fill_user_data", json!({"ref": "E4", "key": "land"}))
                    .and_call("click", json!({"ref": "E5"})),
                done("ordered"),
                verdict("complete"),
            ],
        )
        .asking(json!({"task": "order", "data": {"mail": "ada@example.org", "land": "Peru"}})),
        row(
            "endpoint_loss",
            [
                plan(),
                click("E1"),
                click("E1"),
                done("done"),
                verdict("complete"),
            ],
        )
        .on(opening(|_, _| Came::Nothing, "").telling([
            vec![
                News::EndpointCycle {
                    attempt: 1,
                    total: 2,
                    error: "refused",
                },
                News::EndpointConnected { index: 1, total: 2 },
            ],
            vec![],
            vec![],
            vec![News::Reconnected {
                url: START.parse().ok(),
                index: 0,
                total: 2,
            }],
        ])),
        row(
            "picture_and_pause",
            [
                plan(),
                Said {
                    reasoning: "a picture helps".into(),
                    ..Said::call("screenshot", json!({}))
                },
                Said::call("wait", json!({"seconds": 0.01})),
                done("seen"),
                verdict("complete"),
            ],
        )
        .on(opening(|_, _| Came::Nothing, "")),
        row(
            "everything_heard",
            [
                reply(plan()),
                Said::call("screenshot", json!({})).into(),
                failing(500),
                done("seen").into(),
                verdict("complete").into(),
            ],
        )
        .on(opening(|_, _| Came::Nothing, ""))
        .heard_by(Audience::Debug),
        row(
            "guardrails",
            [
                plan(),
                click("E5"),
                Said::call("goto", json!({"url": "https://other.example.net/"})),
                Said::call("abort", json!({"reason": "it is not allowed"})),
            ],
        )
        .asking(json!({"task": "look around", "guardrails": "Do not order anything. Stay on this site."})),
    ]
}

const MALFORMED: &str = "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"m1\",\"type\":\"function\",\"function\":{\"name\":\"click\",\"arguments\":\"{\\\"ref\\\": E1\"}}]}}]}\n\n\
data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n";
const TRUNCATED: &str = "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"t1\",\"type\":\"function\",\"function\":{\"name\":\"click\",\"arguments\":\"{\\\"ref\\\": \\\"E\"}}]}}]}\n\n\
data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n";

/// What changes from run to run, by a name instead.
fn settle(value: &mut Value, site: &str) {
    match value {
        Value::String(text) => {
            *text = text.replace(site, "http://SITE");
            if let Some((at, _)) = text.char_indices().nth(160) {
                text.truncate(at);
                text.push('…');
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|it| settle(it, site)),
        Value::Object(map) => {
            for (key, it) in map.iter_mut() {
                match key.as_str() {
                    "timestamp" | "startTime" | "endTime" | "durationMs" | "requestId" | "traceId"
                    | "totalInputTokens" | "inputTokens" | "totalTokens" => *it = json!("…"),
                    "messages" | "schema" | "prompt" => *it = json!("…"),
                    _ => settle(it, site),
                }
            }
        }
        _ => {}
    }
}

fn transcript(row: &Row, events: &[(String, Value)], site: &str) -> String {
    let mut text = format!("request {}\n", row.request);
    for (name, data) in events {
        let mut data = data.clone();
        settle(&mut data, site);
        text.push_str(&format!("{name} {data}\n"));
    }
    text
}

/// Follows a run to its end, and answers its questions.
async fn follow(stand: &Stand, row: &Row) -> Vec<(String, Value)> {
    let mut body = row.request.clone();
    body["url"] = match &row.on {
        On::Site(_) if row.path.starts_with("http") => row.path.into(),
        On::Site(_) => stand.site.url(row.path).into(),
        On::Script(_) => START.into(),
    };
    let mut stream = Ask::json("/v1/automate", &body).send(stand.at).await;
    assert_eq!(stream.status, 200, "{}", row.name);
    let mut text = String::new();
    let mut answered = 0;
    while let Some(chunk) = stream.chunk().await {
        text.push_str(&chunk);
        let questions: Vec<&str> = text.split("\"requestId\":\"").skip(1).collect();
        if let (Some(input), Some(question)) = (&row.input, questions.get(answered)) {
            let id = question.split('"').next().unwrap();
            let answer = Ask::json(&format!("/v1/automate/{id}/input"), input);
            assert_eq!(answer.send(stand.at).await.status, 202, "{}", row.name);
            answered += 1;
        }
    }
    events(&text)
}

#[tokio::test]
async fn every_scenario_goes_as_its_transcript_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/transcripts");
    let schema: Value =
        serde_json::from_str(include_str!("../../../wire/schemas/automate-events.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut wrong: Vec<String> = Vec::new();
    for row in rows() {
        let provider = ScriptedProvider::saying(row.turns.clone()).await;
        let settings = Settings {
            audience: row.audience,
            heartbeat: Duration::from_secs(600),
            ..Settings::default()
        };
        let stand = match &row.on {
            On::Site(answer) => {
                Stand::automating_with(Site::start(*answer).await, &provider, settings, row.patience).await
            }
            On::Script(browser) => Stand::leading(browser.clone(), &provider, settings).await,
        };
        let events = follow(&stand, &row).await;
        for (name, data) in &events {
            seen.insert(name.clone());
            let event = json!({"event": name, "data": data});
            let faults: Vec<String> = schema.iter_errors(&event).map(|it| it.to_string()).collect();
            assert!(faults.is_empty(), "{}: {event}: {faults:?}", row.name);
        }
        let ends = events
            .iter()
            .filter(|(name, _)| name == "done" || name == "error")
            .count();
        assert_eq!(ends, 1, "{}", row.name);
        assert_eq!(provider.faults(), Vec::<String>::new(), "{}", row.name);
        assert_eq!(
            provider.seen().len(),
            row.turns.len(),
            "{}: the script was not used as meant",
            row.name
        );
        let now = transcript(&row, &events, &stand.site.url(""));
        let path = folder.join(format!("{}.txt", row.name));
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &now).unwrap();
        } else if std::fs::read_to_string(&path).unwrap_or_default() != now {
            wrong.push(format!("{}:\n{now}", row.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all: BTreeSet<String> = wire::automate::AutomateEvent::samples()
        .iter()
        .map(|it| wire::Event::name(it).to_owned())
        .collect();
    assert_eq!(seen, all, "every event occurs");
}
