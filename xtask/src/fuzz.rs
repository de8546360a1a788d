//! `fuzz`: runs fuzz targets one after the other, each for some minutes, from the kept corpus.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context as _;

use crate::shell;

/// Most memory of a target, in megabytes; beyond it the input counts as a finding.
const MEMORY_MB: u32 = 1024;
/// Longest time for one input, in seconds.
const INPUT_SECONDS: u32 = 20;
/// Longest input, in bytes.
const INPUT_BYTES: u32 = 64 << 10;

const USAGE: &str = "usage: fuzz [TARGET...] [--minutes N] [--keep] [--build]";

#[derive(Debug, PartialEq)]
struct FuzzOptions {
    /// All when empty.
    targets: Vec<String>,
    minutes: u64,
    /// Whether inputs that reach new code are added to the kept corpus.
    keeps: bool,
    /// Whether the targets are built and not run.
    builds_only: bool,
}

impl FuzzOptions {
    fn read(words: &[String]) -> anyhow::Result<FuzzOptions> {
        let mut options = FuzzOptions {
            targets: Vec::new(),
            minutes: 1,
            keeps: false,
            builds_only: false,
        };
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            match word.as_str() {
                "--minutes" => {
                    let number = rest.next().and_then(|number| number.parse().ok());
                    options.minutes = number
                        .filter(|minutes| *minutes > 0)
                        .context("--minutes takes a number above 0")?;
                }
                "--keep" => options.keeps = true,
                "--build" => options.builds_only = true,
                flag if flag.starts_with('-') => anyhow::bail!("{USAGE}"),
                target => options.targets.push(target.to_owned()),
            }
        }
        Ok(options)
    }
}

/// Builds and runs the targets. What they find lies in `fuzz/artifacts`.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let mut options = FuzzOptions::read(words)?;
    let known = targets(&std::fs::read_to_string("fuzz/Cargo.toml")?)?;
    if let Some(name) = options.targets.iter().find(|name| !known.contains(name)) {
        anyhow::bail!(
            "no fuzz target is called {name:?}; there are {}",
            known.join(", ")
        );
    }
    if options.targets.is_empty() {
        options.targets = known;
    }
    install()?;
    let mut failed = Vec::new();
    for target in &options.targets {
        cargo_fuzz(&["build"], target, &[])?;
        if options.builds_only {
            continue;
        }
        if let Err(error) = run_target(target, &options) {
            eprintln!("fuzz: {target}: {error:#}");
            failed.push(target.as_str());
        }
    }
    anyhow::ensure!(
        failed.is_empty(),
        "findings in {}; see fuzz/artifacts",
        failed.join(", ")
    );
    Ok(())
}

fn run_target(target: &str, options: &FuzzOptions) -> anyhow::Result<()> {
    let kept = format!("fuzz/corpus/{target}");
    // What one machine has found so far; of this, `--keep` takes over what reaches new code.
    let found = format!("fuzz/target/corpus/{target}");
    std::fs::create_dir_all(&kept)?;
    std::fs::create_dir_all(&found)?;
    let limits = [
        format!("-max_total_time={}", options.minutes * 60),
        format!("-timeout={INPUT_SECONDS}"),
        format!("-rss_limit_mb={MEMORY_MB}"),
        format!("-max_len={INPUT_BYTES}"),
        "-print_final_stats=1".to_owned(),
    ];
    let mut libfuzzer: Vec<&str> = limits.iter().map(String::as_str).collect();
    let dictionary = format!("fuzz/dictionaries/{target}.dict");
    let dictionary_flag = format!("-dict={dictionary}");
    if Path::new(&dictionary).is_file() {
        libfuzzer.push(&dictionary_flag);
    }
    cargo_fuzz(
        &["run"],
        target,
        &[&[&found, &kept, "--"], libfuzzer.as_slice()].concat(),
    )?;
    if options.keeps {
        cargo_fuzz(
            &["run"],
            target,
            &[&kept, &found, "--", "-merge=1", "-max_len=4096"],
        )?;
    }
    Ok(())
}

/// Runs `cargo fuzz` with the toolchain of the workspace: without a sanitizer, which needs an unstable compiler, and with
/// overflow checks. Our crates hold no unsafe code.
fn cargo_fuzz(command: &[&str], target: &str, rest: &[&str]) -> anyhow::Result<()> {
    let words = [&["fuzz"], command, &["--sanitizer", "none", target], rest].concat();
    shell::run("cargo", &words)
}

fn install() -> anyhow::Result<()> {
    let mut version = Command::new("cargo");
    version
        .args(["fuzz", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if version.status().is_ok_and(|status| status.success()) {
        return Ok(());
    }
    shell::run("cargo", &["install", "cargo-fuzz", "--locked", "--quiet"])
}

/// The names of the programs in the manifest.
fn targets(manifest: &str) -> anyhow::Result<Vec<String>> {
    let manifest: toml::Table = manifest.parse()?;
    let programs = manifest.get("bin").and_then(toml::Value::as_array);
    let name = |program: &toml::Value| Some(program.get("name")?.as_str()?.to_owned());
    Ok(programs.into_iter().flatten().filter_map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_mistakes_refused() {
        let read = |text: &str| FuzzOptions::read(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        let expected = FuzzOptions {
            targets: vec!["policy".into()],
            minutes: 3,
            keeps: true,
            builds_only: false,
        };
        assert_eq!(read("policy --minutes 3 --keep").unwrap(), expected);
        assert!(read("--minutes 0").is_err() && read("--minutes").is_err() && read("--fast").is_err());
    }

    #[test]
    fn every_target_has_its_file_and_its_program() {
        let folder = shell::workspace_root().join("fuzz");
        let mut named = targets(&std::fs::read_to_string(folder.join("Cargo.toml")).unwrap()).unwrap();
        let files = std::fs::read_dir(folder.join("fuzz_targets")).unwrap();
        let mut files: Vec<String> = files
            .map(|file| {
                file.unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        named.sort();
        files.sort();
        assert_eq!(named, files);
    }
}
