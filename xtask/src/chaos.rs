//! The chaos test of the cluster, as long as wanted, and the tests of servers with their runs on NATS.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;

use crate::shell;

/// Tests of the official clients, by module, in the test program `cli`.
const CLIENTS: [&str; 5] = ["sdk", "automate", "research", "statuses", "webhooks"];

/// Installs the NATS server and runs the test.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let (mut faults, mut runs, mut seed) = (200_u64, 2000_u64, 1_u64);
    let mut texts = Vec::new();
    for pair in words.chunks(2) {
        let [name, value] = pair else {
            anyhow::bail!(
                "usage: cargo xtask chaos [--faults N] [--runs N] [--seed N] [--only FAULT,...] [--sync INTERVAL]"
            );
        };
        let text = match name.as_str() {
            "--only" => Some("HUNTSMAN_CHAOS_ONLY"),
            "--sync" => Some("HUNTSMAN_CHAOS_SYNC"),
            _ => None,
        };
        if let Some(variable) = text {
            texts.push((variable, value.as_str()));
            continue;
        }
        let number = value
            .parse()
            .with_context(|| format!("{name} takes a whole number"))?;
        match name.as_str() {
            "--faults" => faults = number,
            "--runs" => runs = number,
            "--seed" => seed = number,
            other => anyhow::bail!("chaos takes --faults, --runs, --seed, --only and --sync, not {other:?}"),
        }
    }
    let numbers = [faults, runs, seed].map(|number| number.to_string());
    let names = [
        "HUNTSMAN_CHAOS_FAULTS",
        "HUNTSMAN_CHAOS_RUNS",
        "HUNTSMAN_CHAOS_SEED",
    ];
    let mut variables: Vec<(&str, &str)> = names
        .into_iter()
        .zip(numbers.iter().map(String::as_str))
        .collect();
    variables.extend(texts);
    shell::run("tools/nats/install.sh", &[])?;
    shell::run_with(
        "cargo",
        &[
            "test",
            "--workspace",
            "--test",
            "cluster",
            "chaos",
            "--",
            "--ignored",
            "--nocapture",
        ],
        &variables,
    )
}

/// A NATS server; it is killed when this is dropped.
struct NatsProcess(Child);

impl Drop for NatsProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `cluster-tests`: starts a NATS server, and runs the tests of the official clients and the crash tests on it.
pub(crate) fn run_on_nats() -> anyhow::Result<()> {
    shell::run("tools/nats/install.sh", &[])?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let folder = std::env::temp_dir().join(format!("huntsman-cluster-tests-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let server = Command::new(".cache/nats/nats-server")
        .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
        .arg(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start nats-server")?;
    let server = NatsProcess(server);
    let address = format!("nats://127.0.0.1:{port}");
    let test = |words: &[&str]| {
        let common = ["test", "--workspace", "--test"];
        let words = [&common, words].concat();
        shell::run_with("cargo", &words, &[("HUNTSMAN_TEST_NATS", &address)])
    };
    let clients = [&["cli", "--", "--include-ignored"][..], &CLIENTS].concat();
    let tested = test(&clients).and_then(|()| test(&["crash", "--", "--include-ignored"]));
    drop(server);
    std::fs::remove_dir_all(&folder)?;
    tested
}
