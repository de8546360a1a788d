//! The binary as its users meet it: real processes, real pages on loopback.

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

#[path = "cli/access_tokens.rs"]
mod access_tokens;
#[path = "cli/automate.rs"]
mod automate;
#[path = "cli/clients.rs"]
mod clients;
#[path = "cli/command_line.rs"]
mod command_line;
#[path = "cli/contract.rs"]
mod contract;
#[path = "cli/documents.rs"]
mod documents;
#[path = "cli/first_hour.rs"]
mod first_hour;
#[path = "cli/logins.rs"]
mod logins;
#[path = "cli/lost_pages.rs"]
mod lost_pages;
#[path = "cli/mcp.rs"]
mod mcp;
#[path = "cli/metrics.rs"]
mod metrics;
#[path = "cli/mills.rs"]
mod mills;
#[path = "cli/mistakes.rs"]
mod mistakes;
#[path = "cli/models.rs"]
mod models;
#[path = "cli/paths.rs"]
mod paths;
#[path = "cli/pictures.rs"]
mod pictures;
#[path = "cli/research.rs"]
mod research;
#[path = "cli/sdk.rs"]
mod sdk;
#[path = "cli/server.rs"]
mod server;
#[path = "cli/statuses.rs"]
mod statuses;
#[path = "cli/tenants.rs"]
mod tenants;
#[path = "cli/traces.rs"]
mod traces;
#[path = "cli/watch.rs"]
mod watch;
#[path = "cli/webhooks.rs"]
mod webhooks;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{SiteReply, TestSite};

const KETTLE: &str = "<html><head><title>Kettle K2 | Shop</title><script type='application/ld+json'>\
    {\"@type\":\"Product\",\"name\":\"Kettle K2\",\"sku\":\"K2-77\",\"offers\":{\"price\":\"49.90\",\"priceCurrency\":\"EUR\"}}</script>\
    </head><body><nav><a href='/'>Home</a></nav><main><h1>Kettle K2</h1><p>A kettle of steel that boils one litre in two minutes.</p>\
    <table><tr><th>Colour</th><td>red</td></tr></table><p>Price: 49,90 €</p></main></body></html>";

fn huntsman(folder: &Path, words: &[&str]) -> Output {
    let binary = env!("CARGO_BIN_EXE_huntsman");
    let data = folder.join("data");
    Command::new(binary)
        .args(words)
        .env("HUNTSMAN_DATA_DIR", data)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Runs on a thread of its own, since the site that it asks lives on the test's thread.
async fn beside(folder: &TempDir, words: &[String]) -> Output {
    let (folder, words) = (folder.path().to_owned(), words.to_vec());
    let run = move || huntsman(&folder, &words.iter().map(String::as_str).collect::<Vec<_>>());
    tokio::task::spawn_blocking(run).await.unwrap()
}

fn words(fixed: &[&str], more: &[String]) -> Vec<String> {
    fixed
        .iter()
        .map(|it| (*it).to_owned())
        .chain(more.iter().cloned())
        .collect()
}

fn with_input(words: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_huntsman"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect()
}

#[tokio::test]
async fn a_page_becomes_an_item_and_the_run_is_kept() {
    let (folder, site) = (
        TempDir::new().unwrap(),
        TestSite::of_pages(&[("/k2", KETTLE)]).await,
    );
    let output = beside(&folder, &words(&["scrape"], &[site.url("/k2")])).await;
    assert!(output.status.success(), "{output:?}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&result["status"], &result["url"]),
        (&json!("ok"), &json!(site.url("/k2")))
    );
    let item = &result["item"];
    assert_eq!(
        (&item["price"], &item["currency"], &item["sku"]),
        (&json!(49.9), &json!("EUR"), &json!("K2-77"))
    );
    let listed = huntsman(folder.path(), &["runs", "list", "--json"]);
    let list: Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(list["runs"][0]["status"], "completed");
    let id = list["runs"][0]["id"].as_str().unwrap();
    let events = lines(&huntsman(folder.path(), &["runs", "events", id]));
    assert!(
        events.iter().zip(1..).all(|(event, seq)| event["seq"] == seq),
        "dense from 1"
    );
    assert_eq!(events.last().unwrap()["event"], "complete");
    assert_eq!(events.iter().filter(|it| it["event"] == "complete").count(), 1);
}

#[tokio::test]
async fn one_bad_page_harms_no_other() {
    let folder = TempDir::new().unwrap();
    let site = TestSite::start(|asked| match asked.path.as_str() {
        "/k2" => SiteReply::html(KETTLE),
        "/zip" => SiteReply::bytes("application/zip", &b"PK\x03\x04\x00\x00\x00\x00"[..]),
        "/empty" => SiteReply::bytes("text/html", ""),
        "/cut" => {
            SiteReply::bytes("text/html", &b"\x1f\x8b\x08\x00\x00"[..]).header("content-encoding", "gzip")
        }
        _ => SiteReply::html("gone").status(404),
    })
    .await;
    let urls = ["/k2", "/zip", "/empty", "/cut", "/nowhere"].map(|it| site.url(it));
    let mut all = urls.to_vec();
    all.push("no address at all".into());
    let output = beside(&folder, &words(&["scrape", "--format", "json"], &all)).await;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let results: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let told: Vec<_> = results
        .iter()
        .map(|it| it["error"]["code"].as_str().unwrap_or("ok").to_owned())
        .collect();
    assert_eq!(
        told,
        [
            "ok",
            "UNSUPPORTED_CONTENT",
            "EMPTY_CONTENT",
            "BAD_ENCODING",
            "UPSTREAM_ERROR",
            "INVALID_REQUEST"
        ],
        "{results:#?}"
    );
}

#[tokio::test]
async fn a_host_that_a_page_names_is_not_reached_unless_typed() {
    let folder = TempDir::new().unwrap();
    let canary = TestSite::of_pages(&[]).await;
    let target = canary.url("/secret").replace("127.0.0.1", "127.0.0.2");
    let site = TestSite::start(move |_| SiteReply::redirect(302, &target)).await;
    let output = beside(&folder, &words(&["scrape"], &[site.url("/")])).await;
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["error"]["code"], "URL_BLOCKED");
    assert!(canary.asked().is_empty(), "the canary was never asked");
}

#[tokio::test]
async fn every_format_prints_what_it_says() {
    let (folder, site) = (
        TempDir::new().unwrap(),
        TestSite::of_pages(&[("/k2", KETTLE)]).await,
    );
    let print = async |format: &str| {
        let output = beside(
            &folder,
            &words(&["scrape", "--format", format], &[site.url("/k2")]),
        )
        .await;
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(print("markdown").await.contains("A kettle of steel"));
    assert!(print("text").await.contains("boils one litre"));
    assert!(print("csv").await.lines().nth(1).unwrap().contains("49.9,EUR"));
    let line: Value = serde_json::from_str(print("jsonl").await.trim()).unwrap();
    assert_eq!(line["item"]["title"], "Kettle K2");
}

#[test]
fn extract_answers_each_line_in_order() {
    let page = |id: u32| json!({"id": id, "url": "https://shop.example/k2", "html": KETTLE}).to_string();
    let input = format!("{}\n{{\"id\": 2, \"html\": 5}}\n\n{}\n", page(1), page(3));
    let output = with_input(&["extract", "--jsonl", "--to", "tables"], &input);
    assert_eq!(output.status.code(), Some(1), "one line was wrong");
    let answers = lines(&output);
    assert_eq!(
        answers
            .iter()
            .map(|it| it["id"].as_u64().unwrap())
            .collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert_eq!(answers[0]["tables"], answers[2]["tables"]);
    assert_eq!(answers[0]["tables"][0]["rows"], json!([["Colour", "red"]]));
    assert_eq!(answers[1]["error"]["code"], "INVALID_REQUEST");
}

#[test]
fn parse_reads_prices_and_dates() {
    let price = with_input(&["parse", "price", "1.299,00 €"], "");
    assert_eq!(lines(&price), [json!({"amount": "1299.00", "currency": "€"})]);
    let date = with_input(
        &["parse", "date", "--jsonl"],
        "{\"id\":7,\"text\":\"3 maja 2021\",\"now\":\"2024-01-01T00:00:00\"}\n",
    );
    assert_eq!(lines(&date), [json!({"id": 7, "date": "2021-05-03T00:00:00"})]);
}

#[test]
fn wrong_usage_is_exit_code_two_and_names_the_fault() {
    let folder = TempDir::new().unwrap();
    for (line, named) in [
        (&["scrape"][..], "<URL>"),
        (
            &["scrape", "https://a.example", "--schema", "none.json"],
            "--schema",
        ),
        (&["extract", "--to", "poetry"], "poetry"),
        (&["runs", "show", "../../etc"], "id"),
        (
            &["--allow-hosts", "http://x", "scrape", "https://a.example"],
            "HUNTSMAN_ALLOW_HOSTS",
        ),
    ] {
        let output = huntsman(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line:?}: {output:?}");
        assert!(output.stdout.is_empty());
        assert!(
            String::from_utf8_lossy(&output.stderr).contains(named),
            "{line:?}: {output:?}"
        );
    }
}

#[test]
fn assemble_prints_the_calls_of_a_recorded_answer() {
    let body = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"open\",\
        \"arguments\":\"{\\\"url\\\":\\\"x\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n";
    let output = with_input(
        &[
            "llm",
            "assemble",
            "--wire",
            "openai_chat",
            "--tools",
            "{\"open\":[\"url\"]}",
        ],
        body,
    );
    let turn = &lines(&output)[0];
    assert_eq!(
        turn["calls"],
        json!([{"id": "a", "name": "open", "args": {"url": "x"}}])
    );
    assert_eq!((&turn["rejected"], &turn["error"]), (&json!([]), &Value::Null));
}

/// TOOL-024 and its like: a folder of tools is checked without running anything, and a bad one is exit code 1.
#[test]
fn tools_of_ones_own_are_checked_before_they_are_used() {
    let folder = TempDir::new().unwrap();
    let own = folder.path().join("own");
    std::fs::create_dir(&own).unwrap();
    let manifest = |name: &str, example: Value| {
        json!({"name": name, "version": "1.0.0", "description": "joins a path to an address", "category": "mine",
            "parameters": {"type": "object", "properties": {"path": {"type": "string", "description": "The path."}}},
            "output_schema": {"type": "object"}, "timeout_ms": 1000, "effects": "read",
            "examples": [{"instruction": "join", "parameters": {"path": example}}],
            "plan": [{"tool": "url.join", "parameters": {"base": "https://a.example/", "path": "x"}}]})
    };
    std::fs::write(own.join("good.json"), manifest("good", json!("x")).to_string()).unwrap();
    let check = || huntsman(folder.path(), &["tools", "check", own.to_str().unwrap()]);
    let output = check();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 tools can be used, 0 cannot"));
    std::fs::write(own.join("bad.json"), manifest("bad", json!(5)).to_string()).unwrap();
    let servers = json!({"mcpServers": {"gone": {"command": "/no/such/program"}}});
    std::fs::write(own.join("mcp.json"), servers.to_string()).unwrap();
    let output = check();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    for part in [
        "MCP server \"gone\"",
        "bad.json: example 0",
        "1 tools can be used, 2 cannot",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let none = huntsman(folder.path(), &["tools", "check", "/no/such/folder"]);
    assert_eq!(none.status.code(), Some(2));
}

#[test]
fn settings_are_listed_with_their_origin_and_no_secret() {
    let folder = TempDir::new().unwrap();
    std::fs::write(
        folder.path().join("huntsman.toml"),
        "[llm]\napi_key = \"a-secret-key\"",
    )
    .unwrap();
    let line = ["settings", "--json", "--engine", "http"];
    let refused = huntsman(folder.path(), &line);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        said.contains("\"llm.api_key\"") && said.contains("--config huntsman.toml"),
        "{said}"
    );
    let named = [&line[..], &["--config", "huntsman.toml"]].concat();
    let output = huntsman(folder.path(), &named);
    let settings = lines(&output);
    let row = |name: &str| settings.iter().find(|setting| setting["name"] == name).unwrap();
    assert_eq!(
        (&row("engine")["value"], &row("engine")["origin"]),
        (&json!("http"), &json!("the flag --engine"))
    );
    assert_eq!(
        (&row("llm_api_key")["value"], &row("llm_api_key")["origin"]),
        (&json!("***"), &json!("the key \"llm.api_key\" in huntsman.toml"))
    );
    assert!(!String::from_utf8_lossy(&output.stdout).contains("a-secret-key"));
}
