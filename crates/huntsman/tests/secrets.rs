//! Secrets of every kind pass through a server; afterwards none of them is in its folder, its log, its events, its prompts,
//! its errors or its list of tools.
//!
//! `HUNTSMAN_SECRET_RUNS` sets how many runs there are (40 by default).

// A test that cannot set up its scene has to fail, loudly and at once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::serving::{self, ServerAnswer};
use testkit::{
    ProviderAnswer, ProviderRequest, ScriptedProvider, ScriptedTurn, ServerProcess, SiteReply, SiteRequest,
    TestSite, play_automation,
};

/// Keys of the operator, each in a place of its own.
const API_KEY: &str = "operator-api-key-5b1f";
const MODEL_KEY: &str = "operator-model-key-77d2";
const SEARCH_KEY: &str = "operator-search-key-19ac";
const TOOL_KEY: &str = "operator-tool-key-e0c3";
const TOOL_PATH: &str = "operator-tool-path-4d4d";

const FORM: &str = "<!doctype html><title>Sign in</title><h1>Sign in</h1><p>A form that asks for an address and a word.</p>\
    <form action=/order method=post><label>E-mail <input type=email name=mail required></label>\
    <label>Password <input type=password name=word></label>\
    <label>Pin <input type=password name=pin></label><button>Send</button></form>";

/// The site: a form, and answers that repeat what was sent to them.
fn site(asked: &SiteRequest) -> SiteReply {
    let key = asked.headers.get("x-api-key").and_then(|it| it.to_str().ok());
    match (
        asked.method.as_str(),
        asked.path.split('?').next().unwrap_or_default(),
    ) {
        ("POST", "/order") => SiteReply::html("<title>Thanks</title><h1>Thank you</h1>"),
        (_, "/") => SiteReply::html(FORM),
        (_, path) if path.starts_with("/api") => {
            let answer = json!({"path": asked.path, "key": key, "rate": 1.5});
            SiteReply::bytes("application/json", answer.to_string())
        }
        _ => SiteReply::html(format!(
            "<title>Page</title><main><h1>Page</h1><p>Words that make a page worth reading, again and again.</p>\
             <a href='{}'>this page</a></main>",
            asked.path
        )),
    }
}

/// Asks the person for the address, fills the caller's word, sends the form and is done.
fn play(asked: &ProviderRequest) -> ProviderAnswer {
    play_automation(asked, |turn, named| match turn {
        0 => ScriptedTurn::call(
            "request_user_data",
            json!({"description": "who", "refs": [named("E-mail")]}),
        ),
        1 => ScriptedTurn::call(
            "fill_user_data",
            json!({"ref": named("Password"), "key": "password"}),
        ),
        2 => ScriptedTurn::call("fill_user_data", json!({"ref": named("Pin"), "key": "pin"})),
        3 => ScriptedTurn::call("click", json!({"ref": named("Send")})),
        _ => ScriptedTurn::call("done", json!({"result": "sent"})),
    })
    .into()
}

/// Starts the server with its log at `debug` in a file.
fn start(folder: &Path, log: &Path, provider: &ScriptedProvider) -> ServerProcess {
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    command
        .env("HUNTSMAN_ENGINE", "http")
        .env("HUNTSMAN_DATA_DIR", folder)
        .env("HUNTSMAN_ALLOW_HOSTS", "127.0.0.1")
        .env("HUNTSMAN_API_KEYS", API_KEY)
        .env("HUNTSMAN_LLM_PROVIDER", "openai_chat")
        .env("HUNTSMAN_LLM_MODEL", "scripted")
        .env("HUNTSMAN_LLM_BASE_URL", provider.base_url())
        .env("HUNTSMAN_LLM_API_KEY", MODEL_KEY)
        .env("HUNTSMAN_SEARCH_PROVIDER", "brave")
        .env("HUNTSMAN_SEARCH_API_KEY", SEARCH_KEY)
        .env("RATES_KEY", TOOL_KEY)
        .env("RATES_PATH", TOOL_PATH)
        .current_dir(folder);
    let mut log = fs::File::create(log).unwrap();
    ServerProcess::start_logging(command, "debug", move |line| writeln!(log, "{line}").unwrap())
}

/// Sends a request with the operator's key; `more` are further header lines.
fn ask(server: &ServerProcess, method: &str, path: &str, body: &Value, more: &str) -> ServerAnswer {
    let headers = format!("authorization: Bearer {API_KEY}\r\n{more}");
    server.ask(method, path, &headers, &body.to_string())
}

/// A secret of one run.
fn secret(kind: &str, number: usize) -> String {
    format!(
        "{kind}-secret-{number:04}-{:08x}",
        number.wrapping_mul(2_654_435_761) & 0xffff_ffff
    )
}

const KINDS: [&str; 10] = [
    "data", "answer", "header", "cookie", "query", "scrape", "password", "fetch", "profile", "vault",
];

/// Stores a profile with a cookie, a secret in the vault and a receiver of messages. Returns the key that signs the messages.
fn store(server: &ServerProcess, site: &str) -> String {
    let host = site.trim_start_matches("http://");
    let vault = json!({"value": secret("vault", 0), "kind": "password", "sites": [host]});
    let cookie = json!({"name": "sid", "value": secret("profile", 0), "domain": "127.0.0.1", "path": "/"});
    let profile = json!({"name": "shop", "storage_state": {"cookies": [cookie]}});
    let hook = json!({"url": format!("{site}/hook")});
    let answers = [
        ask(server, "PUT", "/v1/vault/pin", &vault, ""),
        ask(server, "POST", "/v1/profiles", &profile, ""),
        ask(server, "POST", "/v1/webhooks", &hook, ""),
    ];
    for answer in &answers {
        assert!((200..300).contains(&answer.status), "{}", answer.body);
    }
    let hook: Value = serde_json::from_str(&answers[2].body).unwrap();
    let key = hook["secret"].as_str().unwrap().trim_start_matches("whsec_");
    assert!(key.len() >= 32, "{key}");
    key.to_owned()
}

/// Starts an automate run, answers its question, and follows it to its end.
fn automate(server: &ServerProcess, site: &str, number: usize) -> String {
    let body = json!({
        "task": "sign in", "url": format!("{site}/"), "interactive": true, "trusted_hostnames": ["127.0.0.1"],
        "data": {"password": secret("data", number)}, "secrets": {"pin": "pin"},
    });
    let cookie = format!(
        "cookie: session={}\r\nprefer: respond-async\r\n",
        secret("cookie", number)
    );
    let address = server.address.clone();
    let headers = format!("authorization: Bearer {API_KEY}\r\n{cookie}");
    let stream = std::thread::spawn(move || {
        serving::ask(&address, "POST", "/v1/automate", &headers, &body.to_string())
    });
    for _ in 0..600 {
        if stream.is_finished() {
            break;
        }
        let list = ask(server, "GET", "/v1/runs?limit=1", &json!({}), "").body;
        let list: Value = serde_json::from_str(&list).unwrap_or_default();
        let id = list["runs"][0]["id"].as_str().unwrap_or_default().to_owned();
        let open = list["runs"][0]["status"] == "running" && list["runs"][0]["kind"] == "automate";
        if open
            && list["runs"][0]["last_seq"].as_u64() > Some(8)
            && let Some((question, field)) = question(server, &id)
        {
            let answer = json!({"fields": [{"ref": field, "value": format!("{}@example.org", secret("answer", number))}]});
            ask(
                server,
                "POST",
                &format!("/v1/automate/{question}/input"),
                &answer,
                "",
            );
            break;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    let answer = stream.join().unwrap();
    assert!(answer.body.contains("\"success\":true"), "{}", answer.body);
    answer.body
}

/// The open question of a run and the field that it asks for, from the stored events of a run that goes on.
fn question(server: &ServerProcess, run: &str) -> Option<(String, String)> {
    let socket = serving::send(
        &server.address,
        "GET",
        &format!("/v1/runs/{run}/events"),
        &format!("authorization: Bearer {API_KEY}\r\n"),
        "",
    );
    socket.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let mut text = Vec::new();
    // The stream goes on; what has come until now is enough.
    let _ = std::io::Read::read_to_end(&mut &socket, &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let frame = text.split("event: interactive:form_data:request\n").nth(1)?;
    let data = frame.lines().find_map(|line| line.strip_prefix("data: "))?;
    let asked: Value = serde_json::from_str(data).ok()?;
    Some((
        asked["requestId"].as_str()?.to_owned(),
        asked["fields"][0]["ref"].as_str()?.to_owned(),
    ))
}

/// One run of the kind that is due; what the caller was told.
fn one(server: &ServerProcess, site: &str, number: usize) -> String {
    match number % 4 {
        0 => automate(server, site, number),
        1 => {
            let url = format!("{site}/api/x?access_token={}", secret("query", number));
            let step = json!({"tool": "http.get", "parameters": {"url": url, "headers": {"x-api-key": secret("header", number)}, "timeout_ms": 5000}});
            let body = json!({"plan": [step], "expected_output": "json", "url": format!("{site}/page")});
            let answer = ask(server, "POST", "/v1/plans/run", &body, "");
            assert_eq!(answer.status, 200, "{}", answer.body);
            answer.body
        }
        2 => {
            let asset = format!("{site}/page?token={}&page=2", secret("scrape", number));
            let headers = json!({site: {"x-key": secret("fetch", number)}});
            let body = json!({
                "assets": [asset], "instructions": "read", "profile": "shop", "fetch": {"headers": headers},
            });
            let answer = ask(server, "POST", "/api/scrape/stream", &body, "");
            assert_eq!(answer.status, 200, "{}", answer.body);
            answer.body
        }
        _ => {
            let asset = format!("http://user:{}@127.0.0.1/", secret("password", number));
            let refused = json!({"assets": [asset], "instructions": "read"});
            let refused = ask(server, "POST", "/api/scrape/stream", &refused, "");
            assert!(refused.body.contains("URL_BLOCKED"), "{}", refused.body);
            let body = json!({"parameters": {"code": "EUR"}});
            let answer = ask(server, "POST", "/v1/tools/mine.rate/run", &body, "");
            assert_eq!(answer.status, 200, "{}", answer.body);
            format!("{}{}", refused.body, answer.body)
        }
    }
}

/// Every file and folder below a folder, with its mode and bytes.
fn files(folder: &Path, found: &mut Vec<(String, bool, u32, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let about = entry.metadata().unwrap();
        let bytes = if about.is_dir() {
            Vec::new()
        } else {
            fs::read(entry.path()).unwrap()
        };
        found.push((
            entry.path().display().to_string(),
            about.is_dir(),
            about.permissions().mode() & 0o777,
            bytes,
        ));
        if about.is_dir() {
            files(&entry.path(), found);
        }
    }
}

fn holds(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

/// The operator's own tool, in a folder beside the data folder.
fn endpoint(folder: &Path, site: &str) {
    let manifest = json!({
        "name": "rate", "version": "1.0.0", "category": "mine", "description": "The rate of a currency.",
        "parameters": {"type": "object", "properties": {"code": {"type": "string", "description": "Its code."}}, "required": ["code"]},
        "output_schema": {"type": "object", "properties": {"rate": {"type": "number"}}},
        "http": {"url": format!("{site}/api/${{RATES_PATH}}/{{{{params.code}}}}"), "headers": {"x-api-key": "${RATES_KEY}"},
                 "query": {"token": "${RATES_KEY}"}},
        "timeout_ms": 5000, "effects": "read",
    });
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("rate.json"), manifest.to_string()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_outlives_its_run_or_leaves_it() {
    let runs: usize = std::env::var("HUNTSMAN_SECRET_RUNS").map_or(40, |it| it.parse().unwrap());
    let site = TestSite::start(site).await;
    let provider = ScriptedProvider::start(|asked, _| play(asked)).await;
    let base = site.url("");
    let base = base.trim_end_matches('/').to_owned();
    let (parent, provider) = tokio::task::spawn_blocking(move || {
        let parent = TempDir::new().unwrap();
        let folder = parent.path().join("data");
        endpoint(&folder.join("tools.d"), &base);
        let log = parent.path().join("server.log");
        let server = start(&folder, &log, &provider);
        let signing_key = store(&server, &base);
        let mut told = Vec::new();
        for number in 0..runs {
            told.push(one(&server, &base, number));
        }
        let list = ask(&server, "GET", "/v1/tools", &json!({}), "").body;
        assert!(list.contains("mine.rate"), "the tool is there");
        assert!(
            !list.contains("/api/") && !list.contains("RATES_KEY"),
            "the endpoint is the operator's"
        );
        told.push(list);
        for path in [
            "/v1/vault",
            "/v1/profiles",
            "/v1/profiles/shop",
            "/v1/webhooks",
            "/metrics",
        ] {
            told.push(ask(&server, "GET", path, &json!({}), "").body);
        }
        // Stored runs, as readers see them.
        let listed = ask(&server, "GET", "/v1/runs?limit=200", &json!({}), "").body;
        let listed: Value = serde_json::from_str(&listed).unwrap();
        let stored = listed["runs"].as_array().unwrap();
        assert_eq!(stored.len(), runs.min(200));
        let of_status = |status: &str| stored.iter().filter(|run| run["status"] == status).count();
        // Addresses with a password are refused, the rest is done.
        assert_eq!(
            (of_status("failed"), of_status("completed")),
            (runs / 4, runs - runs / 4)
        );
        for run in stored {
            let id = run["id"].as_str().unwrap();
            told.push(ask(&server, "GET", &format!("/v1/runs/{id}"), &json!({}), "").body);
            told.push(ask(&server, "GET", &format!("/v1/runs/{id}/events"), &json!({}), "").body);
        }
        told.push(format!(
            "{:?}",
            provider.seen().iter().map(|it| &it.body).collect::<Vec<_>>()
        ));
        let mut found = Vec::new();
        files(&folder, &mut found);
        server.stop();
        told.push(fs::read_to_string(&log).unwrap());
        let operator = [API_KEY, MODEL_KEY, SEARCH_KEY, TOOL_KEY, TOOL_PATH].map(str::to_owned);
        // All secrets of a kind begin alike, so that one search finds any of them.
        let of_runs = KINDS.map(|kind| format!("{kind}-secret-"));
        let secrets: Vec<String> = operator.into_iter().chain(of_runs).chain([signing_key]).collect();
        for secret in &secrets {
            for text in &told {
                let at = text.find(secret.as_str());
                let around = at.map(|at| text.get(at.saturating_sub(200)..(at + 80).min(text.len())));
                assert_eq!(around, None, "{secret} was told");
            }
            for (path, _, _, bytes) in &found {
                assert!(!holds(bytes, secret), "{secret} is in {path}");
            }
        }
        let mode = fs::metadata(&folder).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700);
        for (path, is_folder, mode, _) in found.iter().filter(|it| !it.0.contains("tools.d")) {
            assert_eq!(*mode, if *is_folder { 0o700 } else { 0o600 }, "{path}");
        }
        println!(
            "{runs} runs, {} kinds of secrets, {} files, {} texts",
            secrets.len(),
            found.len(),
            told.len()
        );
        (parent, provider)
    })
    .await
    .unwrap();
    drop(parent);
    // What was hidden was used all the same.
    let asked = site.asked();
    let reached = |text: &str| {
        asked.iter().any(|it| {
            it.path.contains(text)
                || holds(&it.body, text)
                || it.headers.values().any(|value| holds(value.as_bytes(), text))
        })
    };
    for (kind, number) in [
        ("data", 0),
        ("answer", 0),
        ("header", 1),
        ("query", 1),
        ("scrape", 2),
        ("fetch", 2),
        ("profile", 0),
        ("vault", 0),
    ] {
        assert!(reached(&secret(kind, number)), "the {kind} secret was used");
    }
    assert!(reached(TOOL_KEY) && reached(TOOL_PATH) && reached("/hook"));
    assert_eq!(provider.faults(), Vec::<String>::new());
}
