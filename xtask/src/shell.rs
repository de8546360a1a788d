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

/// What cargo tells the program that it runs about that program's package. Passed on, it would make build scripts that ask
/// for such variables run again, and everything above them be compiled again, whenever cargo is run by hand in between.
const OF_THIS_PACKAGE: [&str; 4] = [
    "CARGO_MANIFEST_",
    "CARGO_PKG_",
    "CARGO_BIN_NAME",
    "CARGO_CRATE_NAME",
];

/// A child process that takes over the environment, without what concerns this package alone.
fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let is_own = name
            .to_str()
            .is_some_and(|name| OF_THIS_PACKAGE.iter().any(|own| name.starts_with(own)));
        if is_own {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command with its output shown; an error when it cannot be started or does not succeed.
pub(crate) fn run(program: &str, words: &[&str]) -> anyhow::Result<()> {
    run_with(program, words, &[])
}

/// As [`run`], with environment variables added.
pub(crate) fn run_with(program: &str, words: &[&str], variables: &[(&str, &str)]) -> anyhow::Result<()> {
    eprintln!("+ {program} {}", words.join(" "));
    let status = command(program)
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
    let output = command(program)
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
