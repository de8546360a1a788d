//! The conformance suite of the Model Context Protocol, against our server and our client; official clients against our server.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use serde_json::Value;

use crate::{schemathesis, shell};

/// Both eras of the protocol.
const VERSIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];
/// Scenarios of a client that speaks to a server without logins, with the version that they are run in.
const CLIENT_SCENARIOS: [(&str, &str); 8] = [
    ("initialize", "2025-11-25"),
    ("tools_call", "2025-11-25"),
    ("sse-retry", "2025-11-25"),
    ("tools_call", "2026-07-28"),
    ("request-metadata", "2026-07-28"),
    ("http-standard-headers", "2026-07-28"),
    ("http-custom-headers", "2026-07-28"),
    ("http-invalid-tool-headers", "2026-07-28"),
];
/// Where the suite is installed.
const SUITE: &str = ".cache/mcp-conformance/node_modules";
/// What does not apply to our server.
const NOT_APPLICABLE: &str = "tools/mcp-conformance/not-applicable.txt";

/// Builds the program, and runs the suite's scenarios of servers and of clients.
pub(crate) fn run() -> anyhow::Result<()> {
    shell::run("tools/mcp-conformance/install.sh", &[])?;
    shell::run("cargo", &["build", "--workspace", "--bin", "huntsman"])?;
    let results = std::path::absolute("target/mcp-conformance")?;
    if results.exists() {
        std::fs::remove_dir_all(&results)?;
    }
    let address = schemathesis::free_address()?;
    let server = schemathesis::start(&address)?;
    let url = format!("http://{address}/mcp");
    for version in VERSIONS {
        suite(
            &["server", "--url", &url, "--suite", "all"],
            version,
            &results.join("server"),
        )?;
    }
    drop(server);
    for (scenario, version) in CLIENT_SCENARIOS {
        let client = [
            "client",
            "--command",
            "tools/mcp-conformance/client.sh",
            "--scenario",
            scenario,
        ];
        suite(&client, version, &results.join("client"))?;
    }
    let expected = std::fs::read_to_string(NOT_APPLICABLE)?;
    let expected: BTreeSet<String> = expected
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            Some(line.splitn(3, ' ').take(2).collect::<Vec<_>>().join(" ")).filter(|it| !it.is_empty())
        })
        .collect();
    let server = Outcomes::read(&results.join("server"))?;
    let client = Outcomes::read(&results.join("client"))?;
    println!(
        "server: {} checks passed, {} do not apply; client: {} checks passed",
        server.passed,
        server.failed.len(),
        client.passed
    );
    anyhow::ensure!(client.failed.is_empty(), "the client fails {:?}", client.failed);
    let new: Vec<_> = server.failed.difference(&expected).collect();
    anyhow::ensure!(new.is_empty(), "the server fails {new:?}");
    let stale: Vec<_> = expected.difference(&server.failed).collect();
    anyhow::ensure!(stale.is_empty(), "{NOT_APPLICABLE} lists what passes: {stale:?}");
    Ok(())
}

/// Installs the official clients and runs the tests that put them before our server.
pub(crate) fn run_clients() -> anyhow::Result<()> {
    shell::run("tools/sdk/install.sh", &[])?;
    shell::run("tools/mcp-clients/install.sh", &[])?;
    let tests = [
        "test",
        "--workspace",
        "--test",
        "cli",
        "mcp::",
        "--",
        "--include-ignored",
    ];
    shell::run("cargo", &tests)
}

/// Runs the suite. What its checks found is read from its files: it ends with an error when any of them fails.
fn suite(words: &[&str], version: &str, results: &Path) -> anyhow::Result<()> {
    let node = std::path::absolute(format!("{SUITE}/node/bin/node"))?;
    let status = Command::new(&node)
        .arg(format!("{SUITE}/@modelcontextprotocol/conformance/dist/index.js"))
        .args(words)
        .args(["--spec-version", version, "-o"])
        .arg(results.join(version))
        .env("HUNTSMAN", std::path::absolute("target/debug/huntsman")?)
        .env("NODE", &node)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status();
    status.context("cannot start the conformance suite")?;
    Ok(())
}

/// What checks found: how many passed, and which failed, each as its scenario and its id.
#[derive(Default)]
struct Outcomes {
    passed: usize,
    failed: BTreeSet<String>,
}

impl Outcomes {
    fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut outcomes = Self::default();
        for version in entries(folder)? {
            for scenario in entries(&version)? {
                outcomes.add(&scenario)?;
            }
        }
        anyhow::ensure!(
            outcomes.passed > 0,
            "no check of the suite was run; see {}",
            folder.display()
        );
        Ok(outcomes)
    }

    /// Adds the checks of a scenario, whose folder is called by its name and the time.
    fn add(&mut self, folder: &Path) -> anyhow::Result<()> {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        // The time is `-2026-01-31T12-00-00-000Z`; names of scenarios may end in a year.
        let scenario = name
            .rsplit_once('T')
            .and_then(|(head, _)| head.get(..head.len().checked_sub("-2026-01-31".len())?))
            .unwrap_or(&name);
        let scenario = scenario.strip_prefix("server-").unwrap_or(scenario);
        let text = std::fs::read_to_string(folder.join("checks.json"))?;
        let checks: Vec<Value> = serde_json::from_str(&text)?;
        for check in &checks {
            match check["status"].as_str() {
                Some("SUCCESS") => self.passed += 1,
                Some("FAILURE") => {
                    let id = check["id"].as_str().unwrap_or_default();
                    self.failed.insert(format!("{scenario} {id}"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("no results in {}", folder.display()))?;
    entries.map(|entry| Ok(entry?.path())).collect()
}
