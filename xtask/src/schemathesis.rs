//! The check of the OpenAPI document against a running server: requests made from its schemas, and the answers to them.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::shell;

/// What is left of continuous integration's time: a few requests for each endpoint.
pub(crate) const SHORT: &[&str] = &["--phases", "fuzzing", "--examples", "6"];

/// How long the server may take to begin.
const STARTING: Duration = Duration::from_secs(30);
/// An address of this machine at which nothing listens: whatever is asked for there fails at once.
const NOWHERE: &str = "http://127.0.0.1:9";

/// A server that ends when this is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended already cannot be stopped again.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Builds and starts a server, and sends it the requests.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    let (mut examples, mut phases, mut seed) = ("100", "examples,coverage,fuzzing,stateful", "1");
    for pair in words.chunks(2) {
        match *pair {
            ["--examples", number] => examples = number,
            ["--phases", names] => phases = names,
            ["--seed", number] => seed = number,
            _ => anyhow::bail!(
                "usage: cargo xtask schemathesis [--examples N] [--phases NAME,NAME...] [--seed N]"
            ),
        }
    }
    shell::run("tools/schemathesis/install.sh", &[])?;
    shell::run("cargo", &["build", "--workspace", "--bin", "huntsman"])?;
    let address = free_address()?;
    let _server = start(&address)?;
    shell::run(
        ".cache/schemathesis/bin/schemathesis",
        &[
            "--config-file",
            "tools/schemathesis/schemathesis.toml",
            "run",
            &format!("http://{address}/openapi.json"),
            "--no-color",
            "--max-examples",
            examples,
            "--phases",
            phases,
            "--seed",
            seed,
        ],
    )
}

/// An address on loopback that nothing listens at.
fn free_address() -> anyhow::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").context("no port is free")?;
    Ok(listener.local_addr()?.to_string())
}

/// Starts a server that keeps everything in memory and reaches nothing outside of this machine.
fn start(address: &str) -> anyhow::Result<Server> {
    let folder = std::path::absolute("target/schemathesis")?;
    let child = Command::new("target/debug/huntsman")
        .arg("serve")
        .env("HUNTSMAN_LISTEN", address)
        .env("HUNTSMAN_DATA_DIR", folder)
        .env("HUNTSMAN_STORE", "memory")
        .env("HUNTSMAN_LOG", "error")
        .env("HUNTSMAN_ENGINE", "http")
        .env("HUNTSMAN_EVENTS", "debug")
        .env("HUNTSMAN_PROXY", NOWHERE)
        .env("HUNTSMAN_SEARCH_PROVIDER", "searxng")
        .env("HUNTSMAN_SEARCH_URL", NOWHERE)
        .env("HUNTSMAN_LLM_PROVIDER", "openai_chat")
        .env("HUNTSMAN_LLM_BASE_URL", NOWHERE)
        .env("HUNTSMAN_LLM_MODEL", "none")
        .env("HUNTSMAN_LLM_ATTEMPTS", "1")
        .stdin(Stdio::null())
        .spawn()
        .context("cannot start target/debug/huntsman")?;
    let mut server = Server(child);
    let began = Instant::now();
    while TcpStream::connect(address).is_err() {
        if let Some(status) = server.0.try_wait()? {
            anyhow::bail!("the server ended with {status}");
        }
        anyhow::ensure!(began.elapsed() < STARTING, "the server does not begin");
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(server)
}
