//! Every check that must hold before a change lands, in one command on a fresh machine.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context as _;

use crate::{docs_links, fmt, guide, layers, reference, schemathesis, shell, supply, unused};

/// Runs the checks in the order of their cost, then the tests, those that need something from outside included.
pub(crate) fn run() -> anyhow::Result<()> {
    let began = Instant::now();
    layers::run()?;
    docs_links::run()?;
    reference::run(&["--check".to_owned()])?;
    guide::run(&[])?;
    unused::run()?;
    chromium()?;
    // The clients come over the network while the compiler works.
    let clients = std::thread::spawn(|| -> anyhow::Result<()> {
        shell::run("tools/nats/install.sh", &[])?;
        shell::run("tools/sdk/install.sh", &[])?;
        shell::run("tools/sdk/install-node.sh", &[])?;
        shell::run("tools/console/install.sh", &[])?;
        shell::run("tools/mcp-clients/install.sh", &[])
    });
    fmt::run(true)?;
    let advisories = supply::run()?;
    shell::run(
        "cargo",
        &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--quiet",
            "--",
            "-D",
            "warnings",
        ],
    )?;
    // A workspace of its own: nothing else compiles the fuzz targets.
    shell::run(
        "cargo",
        &[
            "check",
            "--quiet",
            "--manifest-path",
            "fuzz/Cargo.toml",
            "--bins",
            "--target-dir",
            "target",
        ],
    )?;
    let installed = clients.join();
    installed.map_err(|_| anyhow::anyhow!("installing the clients broke"))??;
    let counts = tests()?;
    schemathesis::run(schemathesis::SHORT)?;
    shell::run_with(
        "cargo",
        &[
            "doc",
            "--workspace",
            "--no-deps",
            "--document-private-items",
            "--quiet",
        ],
        &[("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links")],
    )?;
    eprintln!("all checks done in {} s", began.elapsed().as_secs());
    println!("{advisories}");
    println!(
        "{} passed, {} failed, {} skipped",
        counts.passed, counts.failed, counts.ignored
    );
    anyhow::ensure!(counts.failed == 0 && counts.succeeded, "tests failed");
    Ok(())
}

/// The tests of the browser engine start real browsers; a machine without one gets Debian's.
fn chromium() -> anyhow::Result<()> {
    let named = std::env::var_os("HUNTSMAN_CHROMIUM").is_some();
    let found = || {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let names = [
            "chromium",
            "chromium-browser",
            "google-chrome",
            "google-chrome-stable",
            "chrome",
        ];
        std::env::split_paths(&folders).any(|folder| names.iter().any(|name| folder.join(name).is_file()))
    };
    if named || found() {
        return Ok(());
    }
    let root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let (program, before): (&str, &[&str]) = if root {
        ("apt-get", &[])
    } else {
        ("sudo", &["-n", "apt-get"])
    };
    let apt = |words: &[&str]| shell::run(program, &[before, words].concat());
    apt(&["update", "-q"])?;
    apt(&["install", "-y", "-q", "--no-install-recommends", "chromium"])?;
    anyhow::ensure!(
        found(),
        "Chromium was installed and is not on PATH; name it with HUNTSMAN_CHROMIUM"
    );
    Ok(())
}

#[derive(Debug, Default, PartialEq)]
struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
    /// Whether the test command itself ended well.
    succeeded: bool,
}

impl Counts {
    /// Adds a closing line such as `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
    fn add(&mut self, line: &str) {
        let Some(rest) = line.trim_start().strip_prefix("test result:") else {
            return;
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<u64>() else {
                continue;
            };
            match pair[1].trim_end_matches(';') {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

/// Runs all tests. Those that need a browser, a NATS server, Node or Python are `#[ignore]` for a plain `cargo test`; what they need is
/// installed by now.
fn tests() -> anyhow::Result<Counts> {
    let mut words = vec![
        "test",
        "--workspace",
        "--no-fail-fast",
        "--quiet",
        "--",
        "--include-ignored",
    ];
    // A model server cannot be installed: its test runs where one is named, and is left out of the counts elsewhere.
    if std::env::var_os("HUNTSMAN_TEST_LLM").is_none() {
        words.extend(["--skip", "a_real_model_answers_calls_a_tool_and_follows_a_schema"]);
    }
    eprintln!("+ cargo {}", words.join(" "));
    let mut child = Command::new("cargo")
        .args(&words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start cargo")?;
    let mut counts = Counts::default();
    let output = child.stdout.take().context("cargo test has no output")?;
    for line in BufReader::new(output).lines() {
        let line = line?;
        println!("{line}");
        counts.add(&line);
    }
    counts.succeeded = child.wait()?.success();
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_add_up() {
        let mut counts = Counts::default();
        counts.add(
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s",
        );
        counts.add("test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out");
        counts.add("running 7 tests");
        assert_eq!(
            counts,
            Counts {
                passed: 7,
                failed: 2,
                ignored: 1,
                succeeded: false
            }
        );
    }
}
