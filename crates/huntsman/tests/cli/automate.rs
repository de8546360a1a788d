//! Automate as people and official clients meet it: the command, and both clients against `huntsman serve`.

use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{Answer, Asked, Exchange, Reply, Said, ScriptedProvider, Site};

use crate::sdk::Server;

const SHOP: &str = "<!doctype html><title>Shop</title><a href=/k1>Kettle K1</a><form action=/order method=post>\
<label>E-mail <input type=email name=mail required></label><button>Order</button></form>";

async fn shop() -> Site {
    Site::start(|asked: &Asked| match asked.path.as_str() {
        "/k1" => Reply::html("<title>Kettle K1</title><p>Price: 12.50 EUR</p>"),
        "/order" => Reply::html("<title>Thanks</title><p>Thank you</p>"),
        _ => Reply::html(SHOP),
    })
    .await
}

/// Plays every part, by what is asked and how far the conversation is.
fn play(asked: &Exchange) -> Answer {
    let text = asked.body.to_string();
    if asked.body["response_format"].is_object() {
        if text.contains("no plan") {
            let body = r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#;
            return Answer::Raw(Reply::bytes("application/json", body).status(401));
        }
        if text.contains("successCriteria") && !text.contains("completionQuality") {
            return Said::json(&json!({"successCriteria": "the price", "plan": "open the kettle"})).into();
        }
        return Said::json(&json!({"taskAssessment": "seen", "completionQuality": "complete"})).into();
    }
    let messages = asked.body["messages"].as_array().unwrap();
    let turn = messages.iter().filter(|it| it["role"] == "assistant").count();
    let done = |text: &str| Said::call("done", json!({"result": text})).into();
    match (turn, text.contains("order it"), text.contains("give up")) {
        (_, _, true) => Said::call("abort", json!({"reason": "as asked"})).into(),
        (0, true, _) => Said::call(
            "request_user_data",
            json!({"description": "delivery", "refs": ["E3"]}),
        )
        .into(),
        (1, true, _) => Said::call("click", json!({"ref": "E4"})).into(),
        (_, true, _) => done("ordered"),
        (0, false, _) => Said::call("click", json!({"ref": "E1"})).into(),
        _ => done("12.50 EUR"),
    }
}

async fn said_well(run: impl FnOnce() -> Output + Send + 'static) {
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(said.ends_with("well\n"), "{said}{complaint}");
}

#[tokio::test]
async fn the_official_python_client_follows_whole_runs() {
    let provider = ScriptedProvider::start(|asked, _| play(asked)).await;
    let (site, server) = (shop().await, Server::start(Some(&provider), &[]));
    for part in ["whole", "whole_async", "asked", "failed", "wrong", "leaves"] {
        let (base, page) = (server.base.clone(), site.url("/"));
        said_well(move || {
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdk/automate.py");
            testkit::sdk::run(script, &base, &[part, &page])
        })
        .await;
    }
    assert_eq!(provider.faults(), Vec::<String>::new());
    assert!(
        !format!("{:?}", provider.seen()).contains("ada.canary"),
        "a model has seen a value of the person"
    );
    assert!(
        site.asked()
            .iter()
            .any(|it| it.path == "/order" && it.body.starts_with(b"mail=ada.canary"))
    );
}

#[tokio::test]
async fn the_official_typescript_client_follows_whole_runs() {
    let provider = ScriptedProvider::start(|asked, _| play(asked)).await;
    let (site, server) = (shop().await, Server::start(Some(&provider), &[]));
    let (base, page) = (server.base.clone(), site.url("/"));
    said_well(move || {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdk/automate.mjs");
        testkit::sdk::run_node(script, &base, &[&page])
    })
    .await;
}

/// Runs the command beside the test's own servers.
async fn command(provider: Option<&ScriptedProvider>, words: &[&str]) -> (Option<i32>, String, String) {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    for (name, _) in std::env::vars().filter(|(name, _)| crate::models::is_setting(name)) {
        command.env_remove(name);
    }
    command
        .arg("automate")
        .args(words)
        .env("HUNTSMAN_DATA_DIR", folder.path())
        .env("HUNTSMAN_ENGINE", "http")
        .current_dir(folder.path());
    if let Some(provider) = provider {
        command
            .env("HUNTSMAN_LLM_PROVIDER", "openai_chat")
            .env("HUNTSMAN_LLM_MODEL", "scripted")
            .env("HUNTSMAN_LLM_BASE_URL", provider.base_url())
            .env("HUNTSMAN_LLM_API_KEY", "scripted-key-1234");
    }
    let output = tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn the_command_prints_the_answer_and_tells_on_the_way() {
    let provider = ScriptedProvider::start(|asked, _| play(asked)).await;
    let site = shop().await;
    let page = site.url("/");
    let (code, out, log) = command(Some(&provider), &["what does it cost?", "--url", &page]).await;
    assert_eq!((code, out.as_str()), (Some(0), "12.50 EUR\n"), "{log}");
    assert!(
        log.contains("1. click E1") && log.contains("→ Kettle K1") && log.contains("judged complete"),
        "{log}"
    );
    let (code, out, log) = command(Some(&provider), &["give up", "--url", &page, "-q"]).await;
    assert_eq!((code, out.as_str()), (Some(1), "as asked\n"));
    assert_eq!(log, "huntsman: as asked (TASK_ABORTED)\n");
    let (code, out, _) = command(
        Some(&provider),
        &["what does it cost?", "--url", &page, "--events"],
    )
    .await;
    let events: Vec<Value> = out.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    assert_eq!(
        (code, &events[events.len() - 1]["event"]),
        (Some(0), &json!("done"))
    );
}

#[tokio::test]
async fn the_command_without_a_model_or_with_wrong_words_is_exit_code_two() {
    let (code, out, log) = command(None, &["x"]).await;
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(log.contains("HUNTSMAN_LLM_PROVIDER"), "{log}");
    let wrong: [&[&str]; 5] = [
        &[" "],
        &["x", "--max-iterations", "101"],
        &["x", "--trust", "https://a.example"],
        &["x", "--data", "{"],
        &["x", "--data", "@/no/such/file"],
    ];
    for words in wrong {
        assert_eq!(command(None, words).await.0, Some(2), "{words:?}");
    }
}
