//! The binary as a server, and the official clients that talk to it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use testkit::{ScriptedProvider, ServerProcess, serving};

/// The server; it is killed, not closed, when this is dropped.
pub(crate) struct Server {
    _serving: ServerProcess,
    /// Host and port.
    pub(crate) address: String,
    /// As the clients want it.
    pub(crate) base: String,
    /// Removed after the server.
    _folder: Option<TempDir>,
}

/// The binary, over a folder, with no setting of whoever runs the tests.
pub(crate) fn huntsman(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_huntsman"));
    for (name, _) in std::env::vars().filter(|(name, _)| crate::models::is_setting(name)) {
        command.env_remove(name);
    }
    command
        .env("HUNTSMAN_DATA_DIR", folder)
        .env("HUNTSMAN_ALLOW_HOSTS", "127.0.0.1")
        // What is looked at here needs no browser, and has to hold where there is none or its sandbox cannot start.
        .env("HUNTSMAN_ENGINE", "http")
        .current_dir(folder);
    command
}

/// Settings under which a scripted provider is asked, once a question.
pub(crate) fn model(provider: &ScriptedProvider) -> Vec<(&'static str, String)> {
    vec![
        ("HUNTSMAN_LLM_PROVIDER", "openai_chat".into()),
        ("HUNTSMAN_LLM_MODEL", "scripted".into()),
        ("HUNTSMAN_LLM_BASE_URL", provider.base_url()),
        ("HUNTSMAN_LLM_API_KEY", "scripted-key-1234".into()),
        ("HUNTSMAN_LLM_ATTEMPTS", "1".into()),
    ]
}

impl Server {
    /// A server with a folder of its own and a store that is gone with it.
    pub(crate) fn start(provider: Option<&ScriptedProvider>, settings: &[(&'static str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut all = provider.map(model).unwrap_or_default();
        all.push(("HUNTSMAN_STORE", "memory".into()));
        all.extend(settings.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let mut server = Self::over(folder.path(), &all);
        server._folder = Some(folder);
        server
    }

    /// A server over a folder that outlives it.
    pub(crate) fn over(folder: &Path, settings: &[(&'static str, String)]) -> Self {
        let mut command = huntsman(folder);
        command.envs(settings.iter().map(|(name, value)| (*name, value)));
        let serving = ServerProcess::start(command);
        let address = serving.address.clone();
        let base = format!("http://{address}/v1");
        Self {
            _serving: serving,
            address,
            base,
            _folder: None,
        }
    }

    /// Sends a request; the answer's body as far as it came before the server was gone.
    pub(crate) fn ask(address: &str, method: &str, path: &str, body: &str) -> String {
        serving::ask(address, method, path, "prefer: respond-async\r\n", body).body
    }

    /// Every run, newest first.
    pub(crate) fn runs(&self) -> Vec<Value> {
        let list = Self::ask(&self.address, "GET", "/v1/runs?limit=200", "");
        let list: Value = serde_json::from_str(&list).unwrap();
        list["runs"].as_array().unwrap().clone()
    }

    /// The same where the store may be broken.
    pub(crate) fn runs_or_none(&self) -> Vec<Value> {
        let list = Self::ask(&self.address, "GET", "/v1/runs?limit=200", "");
        let list: Value = serde_json::from_str(&list).unwrap_or_default();
        list["runs"].as_array().cloned().unwrap_or_default()
    }

    /// Runs parts of a Python script; it has to say that all went well.
    pub(crate) async fn python(&self, script: &str, words: &[&str]) {
        self.said_well(testkit::sdk::run, script, words).await;
    }

    /// The same for a script of the TypeScript client.
    pub(crate) async fn node(&self, script: &str, words: &[&str]) {
        self.said_well(testkit::sdk::run_node, script, words).await;
    }

    /// The same for a script of a client of the Model Context Protocol.
    pub(crate) async fn mcp_client(&self, script: &str, words: &[&str]) {
        self.said_well(testkit::sdk::run_mcp_client, script, words).await;
    }

    async fn said_well(&self, run: fn(&str, &str, &[&str]) -> Output, script: &str, words: &[&str]) {
        let path = format!("{}/tests/sdk/{script}", env!("CARGO_MANIFEST_DIR"));
        let (base, words) = (
            self.base.clone(),
            words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>(),
        );
        // On a thread of its own, since what the server asks lives on the test's thread.
        let work = move || {
            run(
                &path,
                &base,
                &words.iter().map(String::as_str).collect::<Vec<_>>(),
            )
        };
        let output = tokio::task::spawn_blocking(work).await.unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(said.ends_with("well\n"), "{script}: {said}{complaint}");
    }
}
