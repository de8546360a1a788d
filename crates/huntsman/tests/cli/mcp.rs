//! The MCP server of the binary: through the official clients, and on stdio by hand when clients die.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};
use tempfile::TempDir;
use testkit::{ScriptedProvider, ScriptedTurn, SiteReply, SiteRequest, TestSite, serving};

use crate::automate;
use crate::server::{Server, huntsman, model};

const LAMP: &str = "<html><head><title>Nova lamp</title></head><body><main><h1>Nova lamp</h1>\
    <p>A lamp of brass that lights a whole room, made by Lumen Works of Leeds for many years now.</p></main></body></html>";

/// A site whose pages under `/slow` never come while the flag is down.
async fn site(is_open: &Arc<AtomicBool>) -> TestSite {
    let is_open = Arc::clone(is_open);
    TestSite::start(move |asked: &SiteRequest| match asked.path.as_str() {
        path if path.starts_with("/slow") && !is_open.load(Ordering::SeqCst) => {
            SiteReply::html("").never_ending()
        }
        "/long" => {
            let lines: String = (0..50_000)
                .map(|n| format!("<p>Entry {n}: kettle, 12.50 EUR, in stock.</p>"))
                .collect();
            SiteReply::html(format!("<title>Long</title><main>{lines}</main>"))
        }
        "/shop" | "/order" => SiteReply::html(automate::SHOP),
        _ => SiteReply::html(LAMP),
    })
    .await
}

/// A server with a model that plays its part, and what a client needs to start a process that works on the same site.
struct Clients {
    server: Server,
    site: TestSite,
    folder: TempDir,
    settings: String,
    _provider: ScriptedProvider,
}

impl Clients {
    async fn new() -> Self {
        let provider = ScriptedProvider::start(|asked, _| automate::play(asked)).await;
        let folder = TempDir::new().unwrap();
        let mut settings: Map<String, Value> = model(&provider)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.into()))
            .collect();
        settings.insert("HUNTSMAN_DATA_DIR".into(), json!(folder.path()));
        settings.insert("HUNTSMAN_ALLOW_HOSTS".into(), "127.0.0.1".into());
        settings.insert("HUNTSMAN_ENGINE".into(), "http".into());
        Self {
            server: Server::start(Some(&provider), &[]),
            site: site(&Arc::default()).await,
            folder,
            settings: Value::Object(settings).to_string(),
            _provider: provider,
        }
    }

    /// What every script is told: the site, the program, its folder and its settings.
    fn words<'a>(&'a self, site: &'a str) -> [&'a str; 4] {
        let folder = self.folder.path().to_str().unwrap();
        [site, env!("CARGO_BIN_EXE_huntsman"), folder, &self.settings]
    }
}

#[tokio::test]
#[ignore = "needs Python"]
async fn the_official_python_client_does_everything_over_http_and_on_stdio_in_both_eras() {
    let clients = Clients::new().await;
    let site = clients.site.url("");
    let words = [&["both"], &clients.words(&site)[..]].concat();
    clients.server.python("mcp_client.py", &words).await;
}

#[tokio::test]
#[ignore = "needs Python"]
async fn the_official_python_client_of_the_major_before_does_everything() {
    let clients = Clients::new().await;
    let site = clients.site.url("");
    let words = clients.words(&site);
    clients.server.mcp_client("mcp_older.py", &words).await;
}

#[tokio::test]
#[ignore = "needs Node"]
async fn the_official_typescript_clients_of_both_majors_do_everything_in_both_eras() {
    let clients = Clients::new().await;
    let site = clients.site.url("");
    for major in ["older", "newer"] {
        let words = [&[major], &clients.words(&site)[..]].concat();
        clients.server.mcp_client("mcp_client.mjs", &words).await;
    }
}

#[tokio::test]
#[ignore = "needs Node"]
async fn the_command_line_of_the_inspector_does_everything_that_it_can_in_both_eras() {
    let clients = Clients::new().await;
    let site = clients.site.url("");
    let words = clients.words(&site);
    clients.server.mcp_client("mcp_inspector.mjs", &words).await;
}

/// The last message of the answer to a request over HTTP.
fn ask_over_http(address: &str, method: &str, params: &Value) -> Value {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    let headers = "accept: application/json, text/event-stream\r\n";
    let answer = serving::ask(address, "POST", "/mcp", headers, &body).body;
    let data = answer
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .next_back();
    serde_json::from_str::<Value>(data.unwrap_or(&answer)).unwrap_or_else(|_| panic!("{answer}"))
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn pictures_of_scrapes_and_of_tasks_are_resources_of_their_runs() {
    let turns = [
        ScriptedTurn::json(&json!({"successCriteria": "seen", "plan": "look"})),
        ScriptedTurn::call("screenshot", json!({})),
        ScriptedTurn::call("done", json!({"result": "a lamp"})),
        ScriptedTurn::json(&json!({"taskAssessment": "seen", "completionQuality": "complete"})),
    ];
    let (site, provider) = (site(&Arc::default()).await, ScriptedProvider::saying(turns).await);
    let mut settings = vec![("HUNTSMAN_ENGINE", "chromium"), ("HUNTSMAN_EVENTS", "debug")];
    if !testkit::chromium::has_sandbox() {
        settings.push(("HUNTSMAN_CHROMIUM_SANDBOX", "off"));
    }
    let server = Server::start(Some(&provider), &settings);
    let (address, page) = (server.address.clone(), site.url("/lamp"));
    let work = move || {
        let call = |tool: &str, arguments: Value| {
            let params = json!({"name": tool, "arguments": arguments});
            ask_over_http(&address, "tools/call", &params)["result"].clone()
        };
        let read = |uri: &str| ask_over_http(&address, "resources/read", &json!({"uri": uri}));
        let scraped = call("scrape", json!({"urls": [page], "screenshot": true}));
        let pictures = &scraped["structuredContent"]["pictures"];
        assert_eq!(pictures.as_array().map(Vec::len), Some(1), "{scraped}");
        let answer = call("automate", json!({"task": "look at the lamp", "url": page}));
        let text = answer["content"][0]["text"].as_str().unwrap();
        let run = text.split(' ').next().unwrap();
        for uri in [
            pictures[0].as_str().unwrap(),
            &format!("huntsman://runs/{run}/shots/1"),
        ] {
            let picture = &read(uri)["result"]["contents"][0];
            assert_eq!(picture["mimeType"], "image/png", "{uri}: {text}");
            assert!(
                picture["blob"].as_str().unwrap().starts_with("iVBORw0KGgo"),
                "{uri}"
            );
        }
        for number in ["0", "2", "x", "-1"] {
            let uri = format!("huntsman://runs/{run}/shots/{number}");
            assert!(read(&uri)["error"]["message"].is_string(), "{uri}");
        }
    };
    tokio::task::spawn_blocking(work).await.unwrap();
}

#[tokio::test]
async fn lists_and_answers_stay_within_the_tokens_that_are_promised() {
    let site = site(&Arc::default()).await;
    let server = Server::start(None, &[]);
    let (address, url) = (server.address.clone(), site.url("/long"));
    let work = move || {
        let ask = |method: &str, params: Value| ask_over_http(&address, method, &params);
        let vocabulary = tiktoken_rs::o200k_base().unwrap();
        let tokens = |text: &str| vocabulary.encode_ordinary(text).len();
        let list = ask("tools/list", json!({}))["result"]["tools"].to_string();
        println!("tools/list: {} tokens", tokens(&list));
        assert!((500..2_500).contains(&tokens(&list)), "{} tokens", tokens(&list));
        for part in [1, 2, 40] {
            let arguments = json!({"url": url, "as": "full", "part": part});
            let answer = ask("tools/call", json!({"name": "read", "arguments": arguments}));
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            println!("part {part}: {} tokens", tokens(text));
            assert!((2_000..=6_000).contains(&tokens(text)), "{} tokens", tokens(text));
        }
    };
    tokio::task::spawn_blocking(work).await.unwrap();
}

#[tokio::test]
#[ignore = "needs Python"]
async fn a_scripted_model_answers_twenty_questions_about_pages_by_the_tools() {
    let ask = || {
        Command::new("python3")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/mcp_model.py"))
            .args(["--binary", env!("CARGO_BIN_EXE_huntsman")])
            .output()
            .unwrap()
    };
    let output = tokio::task::spawn_blocking(ask).await.unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.ends_with("of 20: fitting tool 20, a call worked 20, right 20\n"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// `huntsman mcp` and the pipes to it.
struct Assistant {
    process: Child,
    input: Option<ChildStdin>,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Assistant {
    /// Starts it over a folder and shakes hands.
    fn start(folder: &Path) -> Self {
        let mut command = huntsman(folder);
        command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let (input, output) = (process.stdin.take(), process.stdout.take().unwrap());
        let mut started = Self {
            process,
            input,
            lines: BufReader::new(output).lines(),
        };
        let client = json!({"name": "test", "version": "1"});
        started.say(
            &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params":
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}}),
        );
        assert_eq!(started.hear()["result"]["serverInfo"]["name"], "huntsman");
        started.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        started
    }

    fn say(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    fn hear(&mut self) -> Value {
        serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap()
    }

    fn call(&mut self, tool: &str, arguments: &Value) {
        let params = json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": "p"}});
        self.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}));
    }
}

#[tokio::test]
async fn a_client_that_goes_ends_the_process_and_the_next_one_takes_its_run_up() {
    let is_open = Arc::default();
    let (site, folder) = (site(&is_open).await, TempDir::new().unwrap());
    let (slow, path) = (site.url("/slow"), folder.path().to_owned());
    let flag = Arc::clone(&is_open);
    let work = move || {
        let mut first = Assistant::start(&path);
        first.call("scrape", &json!({"urls": [slow]}));
        let progress = first.hear();
        assert_eq!(progress["method"], "notifications/progress");
        let message = progress["params"]["message"].as_str().unwrap().to_owned();
        let run = message.split(':').next().unwrap();
        drop(first.input.take());
        assert!(first.process.wait().unwrap().success());
        flag.store(true, Ordering::SeqCst);
        let mut second = Assistant::start(&path);
        second.call("run_wait", &json!({"run_id": run, "wait_seconds": 300}));
        let answer = loop {
            let heard = second.hear();
            if heard.get("result").is_some() {
                break heard;
            }
        };
        assert_eq!(
            answer["result"]["structuredContent"]["status"], "completed",
            "{answer}"
        );
        // What is no message is refused, and the server goes on.
        second.say(&json!([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]));
        second.say(&json!({"jsonrpc": "2.0", "id": 2, "method": "ping"}));
        while second.hear()["id"] != 2 {}
        drop(second.input.take());
        assert!(second.process.wait().unwrap().success());
    };
    tokio::task::spawn_blocking(work).await.unwrap();
}
