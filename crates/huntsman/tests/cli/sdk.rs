//! The official Python client against `huntsman serve`, with a provider on loopback that says what a script says.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{Answer, Asked, Reply, Said, ScriptedProvider, Site};

const PAGE: &str = "<html><head><title>Nova lamp - Lumen</title></head><body><h1>Nova lamp</h1>\
    <p>A lamp of brass that lights a whole room, made by Lumen Works, for $1,299.00 from the works.</p></body></html>";

/// The binary as a server; it is killed when this is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) base: String,
    _folder: TempDir,
}

impl Server {
    pub(crate) fn start(provider: Option<&ScriptedProvider>, settings: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
        for (name, _) in std::env::vars().filter(|(name, _)| crate::models::is_setting(name)) {
            command.env_remove(name);
        }
        command
            .args([
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--allow-hosts",
                "127.0.0.1",
                "--log",
                "error",
            ])
            .env("HUNTSMAN_DATA_DIR", folder.path())
            .env("HUNTSMAN_STORE", "memory")
            // What is looked at here needs no browser, and has to hold where there is none or its sandbox cannot start.
            .env("HUNTSMAN_ENGINE", "http")
            .current_dir(folder.path());
        if let Some(provider) = provider {
            command
                .env("HUNTSMAN_LLM_PROVIDER", "openai_chat")
                .env("HUNTSMAN_LLM_MODEL", "scripted")
                .env("HUNTSMAN_LLM_BASE_URL", provider.base_url())
                .env("HUNTSMAN_LLM_API_KEY", "scripted-key-1234")
                .env("HUNTSMAN_LLM_ATTEMPTS", "1");
        }
        let mut child = command
            .envs(settings.iter().copied())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .find_map(|line| Some(line.ok()?.split_once("http://")?.1.to_owned()))
            .expect("the server listens");
        // The rest is read and dropped, so that the server never waits for somebody to read it.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            base: format!("http://{address}/v1"),
            _folder: folder,
        }
    }

    /// Runs a function of the script; it has to say that all went well.
    async fn client(&self, words: &[&str]) {
        let base = self.base.clone();
        let words: Vec<String> = words.iter().map(|it| (*it).to_owned()).collect();
        let run = move || {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sdk/shapes.py");
            testkit::sdk::run(script, &base, &words)
        };
        let output = tokio::task::spawn_blocking(run).await.unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            said.ends_with("well\n"),
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

async fn site() -> Site {
    Site::start(|asked: &Asked| match asked.path.as_str() {
        "/silent" => Reply::html("").never_ending(),
        "/missing" => Reply::html("gone").status(404),
        "/empty" => Reply::html(""),
        _ => Reply::html(PAGE),
    })
    .await
}

fn answer() -> Value {
    json!({"name": "Nova lamp", "price": 1299, "page_title": null})
}

#[tokio::test]
async fn the_official_client_gets_what_its_schema_asks_for() {
    let provider = ScriptedProvider::start(|_, _| Said::json(&answer()).into()).await;
    let (site, server) = (site().await, Server::start(Some(&provider), &[]));
    server.client(&["good", &site.url("/lamp")]).await;
    server.client(&["good_async", &site.url("/lamp")]).await;
    let seen = provider.seen();
    assert_eq!((seen.len(), provider.faults()), (8, Vec::new()));
    assert!(seen.iter().all(|it| it.body.to_string().contains("$1,299.00")));
    assert!(
        seen.iter()
            .any(|it| it.body.to_string().contains("name and price"))
    );
}

#[tokio::test]
async fn a_scrape_stream_asks_the_model_for_the_columns_that_rules_leave_open() {
    let provider = ScriptedProvider::start(|_, _| {
        let maker = json!({"quote": "made by Lumen Works", "value": "Lumen Works"});
        Said::json(&json!({"maker": maker, "more": [], "unavailable": []})).into()
    })
    .await;
    let (site, server) = (site().await, Server::start(Some(&provider), &[]));
    server.client(&["stream", &site.url("/lamp")]).await;
    assert_eq!(provider.faults(), Vec::<String>::new());
}

#[tokio::test]
async fn wrong_requests_are_refused_before_any_work_and_name_the_field() {
    let provider = ScriptedProvider::saying(Vec::<Answer>::new()).await;
    let (site, server) = (site().await, Server::start(Some(&provider), &[]));
    server.client(&["wrong", &site.url("/schema")]).await;
    assert_eq!((provider.seen().len(), site.asked().len()), (0, 0));
}

#[tokio::test]
async fn every_failure_has_its_class_in_the_official_client() {
    let site = site().await;
    let unfit = || Said::json(&json!({"name": 5})).into();
    let provider = ScriptedProvider::start(move |_, _| unfit()).await;
    let server = Server::start(Some(&provider), &[("HUNTSMAN_LLM_SCHEMA_RETRIES", "0")]);
    server
        .client(&["one", "UnprocessableEntityError", "schema", &site.url("/lamp")])
        .await;
    server
        .client(&["one", "UnprocessableEntityError", "empty", &site.url("/empty")])
        .await;
    server
        .client(&["one", "InternalServerError", "404", &site.url("/missing")])
        .await;
    let bare = Server::start(None, &[]);
    bare.client(&[
        "one",
        "InternalServerError",
        "HUNTSMAN_LLM_PROVIDER",
        &site.url("/lamp"),
    ])
    .await;
    let closed = Server::start(Some(&provider), &[("HUNTSMAN_API_KEYS", "quite-another-key")]);
    closed
        .client(&["one", "AuthenticationError", "key", &site.url("/lamp")])
        .await;
}

#[tokio::test]
async fn a_refused_key_of_the_provider_is_told_once_and_not_tried_again() {
    let provider = ScriptedProvider::start(|_, _| {
        let body = r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#;
        Answer::Raw(Reply::bytes("application/json", body).status(401))
    })
    .await;
    let (site, server) = (site().await, Server::start(Some(&provider), &[]));
    server.client(&["repeated", &site.url("/lamp")]).await;
    assert_eq!(provider.seen().len(), 1);
}

#[tokio::test]
async fn a_request_too_many_is_refused_before_anything_is_done_for_it() {
    let provider = ScriptedProvider::saying(Vec::<Answer>::new()).await;
    let (site, server) = (site().await, Server::start(Some(&provider), &[]));
    server.client(&["crowd", &site.url("/silent")]).await;
    assert!(site.hits("/silent") <= 16 && provider.seen().is_empty());
}
