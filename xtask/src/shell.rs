//! Child processes: run with their output shown, or read.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

/// The folder that holds the workspace's `Cargo.toml`. Cargo names the folder of the package that it runs; the program
/// itself holds no path.
pub(crate) fn workspace_root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let above = package.as_deref().and_then(Path::parent).map(Path::to_owned);
    above.unwrap_or_else(|| ".".into())
}

/// Runs a command with its output shown; an error when it cannot be started or does not succeed.
pub(crate) fn run(program: &str, words: &[&str]) -> anyhow::Result<()> {
    run_with(program, words, &[])
}

/// As [`run`], with environment variables added.
pub(crate) fn run_with(program: &str, words: &[&str], variables: &[(&str, &str)]) -> anyhow::Result<()> {
    eprintln!("+ {program} {}", words.join(" "));
    let status = Command::new(program)
        .args(words)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    anyhow::ensure!(
        status.success(),
        "{program} {} ended with {status}",
        words.join(" ")
    );
    Ok(())
}

/// Runs a command and returns what it prints on stdout; stderr stays visible.
pub(crate) fn read(program: &str, words: &[&str]) -> anyhow::Result<String> {
    let output = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {program}"))?;
    anyhow::ensure!(
        output.status.success(),
        "{program} {} ended with {}",
        words.join(" "),
        output.status
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
