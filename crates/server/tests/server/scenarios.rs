//! Whole automate runs as table rows, each with its golden transcript under `tests/transcripts`. `BLESS=1` writes them
//! anew.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use browser::engines::chromium::Chromium;
use llm::wires::Wire;
use serde_json::{Value, json};
use server::ServerSettings;
use testkit::chromium::{self, RunningBrowser};
use testkit::{
    ProviderAnswer as SiteReply, ScriptedBrowser, ScriptedProvider, SiteReply as Page, SiteRequest, TestSite,
};
use wire::{Audience, Event as _};

use crate::automate::{events, shop};
use crate::client::Ask;
use crate::stand::Stand;
use rows::{START, rows};

mod rows;

/// One row: what is asked for, what the model says, and on what.
struct Row {
    name: &'static str,
    /// The request without its `url`.
    request: Value,
    /// The path of the start page.
    path: &'static str,
    turns: Vec<SiteReply>,
    on: On,
    audience: Audience,
    /// What is given to every question of the run.
    input: Option<Value>,
    /// How long the provider may be silent.
    patience: Duration,
    /// Tokens that the run may use.
    budget: Option<u64>,
    /// After which event the client leaves, if it does not stay.
    leaving: Option<&'static str>,
}

enum On {
    /// Pages of a site, by the http engine.
    Site(fn(&SiteRequest) -> Page),
    /// A scripted browser.
    Script(ScriptedBrowser),
    /// Two browsers that somebody else has started, of which the first is lost while it waits for the shop's second page.
    Endpoints,
}

fn row(name: &'static str, turns: impl IntoIterator<Item = impl Into<SiteReply>>) -> Row {
    Row {
        name,
        request: json!({"task": "What does Kettle K1 cost?"}),
        path: "/",
        turns: turns.into_iter().map(Into::into).collect(),
        on: On::Site(shop),
        audience: Audience::Public,
        input: None,
        patience: Duration::from_secs(60),
        budget: None,
        leaving: None,
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

    fn spending(mut self, tokens: u64) -> Self {
        self.budget = Some(tokens);
        self
    }

    fn on(mut self, browser: ScriptedBrowser) -> Self {
        self.on = On::Script(browser);
        self
    }

    fn on_endpoints(mut self) -> Self {
        self.on = On::Endpoints;
        self
    }

    fn leaving_at(mut self, event: &'static str) -> Self {
        self.leaving = Some(event);
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

/// What changes from run to run, by a name instead.
fn settle(value: &mut Value, site: &str) {
    match value {
        Value::String(text) => {
            *text = text.replace(site, "http://SITE");
            *text = text.replace(site.trim_start_matches("http://"), "SITE");
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

/// A house for this row, and the browsers that have to live as long as it.
async fn house(row: &Row, provider: &ScriptedProvider) -> (Stand, Vec<Arc<Mutex<RunningBrowser>>>) {
    let settings = ServerSettings {
        audience: row.audience,
        heartbeat: Duration::from_secs(600),
        ..ServerSettings::default()
    };
    let stand = match &row.on {
        On::Site(answer) => {
            let mut llm = provider.settings(Wire::OpenAiChat);
            (llm.limits.first_token, llm.limits.silence) = (row.patience, row.patience);
            llm.budget.tokens = row.budget;
            Stand::automating_with(TestSite::start(*answer).await, settings, llm).await
        }
        On::Script(browser) => Stand::leading(browser.clone(), provider, settings).await,
        On::Endpoints => {
            let browsers = [(); 2].map(|()| RunningBrowser::start());
            let endpoints = browsers.iter().map(|it| it.url.clone()).collect();
            let browsers = browsers.map(|it| Arc::new(Mutex::new(it)));
            let first = Mutex::new(Some(Arc::clone(&browsers[0])));
            let site = TestSite::start(move |asked: &SiteRequest| {
                let doomed = (asked.path == "/k1").then(|| first.lock().unwrap().take());
                match doomed.flatten() {
                    Some(browser) => {
                        browser.lock().unwrap().kill();
                        Page::html("").never_ending()
                    }
                    None => shop(asked),
                }
            });
            let settings = browser::engines::chromium::ChromiumSettings {
                endpoints,
                ..chromium::settings()
            };
            let browser = |client| -> Arc<dyn browser::Browser> { Arc::new(Chromium::new(client, settings)) };
            let stand = Stand::open_to(site.await, provider, browser, None).await;
            return (stand, browsers.to_vec());
        }
    };
    (stand, Vec::new())
}

/// Follows a run to its end, and answers its questions.
async fn follow(stand: &Stand, row: &Row) -> Vec<(String, Value)> {
    let mut body = row.request.clone();
    body["url"] = match &row.on {
        On::Site(_) if row.path.starts_with("http") => row.path.into(),
        On::Site(_) | On::Endpoints => stand.site.url(row.path).into(),
        On::Script(_) => START.into(),
    };
    let mut stream = Ask::json("/v1/automate", &body).send(stand.at).await;
    assert_eq!(stream.status, 200, "{}", row.name);
    if let Some(event) = row.leaving {
        let run = stream.header("x-run-id").unwrap().to_owned();
        stream.until(|it| it.contains(&format!("event: {event}\n"))).await;
        drop(stream);
        stand.ended(&run).await;
        let log = stand.get(&format!("/v1/runs/{run}/events")).await.text().await;
        // In the log every event has its number.
        let lines = log.split_inclusive('\n').filter(|it| !it.starts_with("id: "));
        return events(&lines.collect::<String>());
    }
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
        let (stand, _browsers) = house(&row, &provider).await;
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
    // Runs that a person takes over are played in `takeover`.
    let by_person = ["interactive:paused", "interactive:resumed"];
    let all: BTreeSet<String> = wire::automate::AutomateEvent::samples()
        .iter()
        .map(|it| wire::Event::name(it).to_owned())
        .filter(|name| !by_person.contains(&name.as_str()))
        .collect();
    assert_eq!(seen, all, "every event occurs");
}
