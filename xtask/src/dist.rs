//! `dist`: the binary that is given to others, built so that the same commit gives the same bytes.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::binary_packages::{self, BINARY};
use crate::checksum::sha256;
use crate::{packages, shell};

/// Builds a package with the profile `dist`, without paths and times of this machine in it, and prints the SHA-256 of its
/// program. Packages of the program `huntsman` are put into `target/packages`.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let (mut package, mut target) = (BINARY, binary_packages::host()?);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match (word.as_str(), rest.next()) {
            ("--package", Some(name)) => package = name,
            ("--target", Some(triple)) => target.clone_from(triple),
            _ => anyhow::bail!("usage: dist [--package NAME] [--target TRIPLE]"),
        }
    }
    let folders = Folders::here()?;
    let epoch = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(epoch) => epoch,
        Err(_) => shell::read("git", &["log", "-1", "--format=%ct"])?
            .trim()
            .to_owned(),
    };
    let variables = variables(&folders, &epoch);
    for (name, value) in &variables {
        eprintln!("+ {name}={}", value.replace('\u{1f}', " "));
    }
    let variables: Vec<(&str, &str)> = variables
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    // With a target named, the flags are for the program alone and not for build scripts.
    let words = [
        "build",
        "--locked",
        "--profile",
        "dist",
        "--package",
        package,
        "--target",
        &target,
    ];
    shell::run_with("cargo", &words, &variables)?;
    let program = folders.target.join(&target).join("dist").join(package);
    let bytes = std::fs::read(&program).with_context(|| format!("no program at {}", program.display()))?;
    for folder in [&folders.workspace, &folders.cargo_home] {
        let name = folder.to_string_lossy();
        anyhow::ensure!(
            !holds(&bytes, name.as_bytes()),
            "the program holds the path {name}"
        );
    }
    println!("{}  {}", sha256(&bytes), program.display());
    if package == BINARY {
        packages::make(&program, &target, &folders.target.join("packages"), 9)?;
    }
    Ok(())
}

/// Folders of this machine that a build would write into the program.
struct Folders {
    workspace: PathBuf,
    cargo_home: PathBuf,
    target: PathBuf,
}

impl Folders {
    fn here() -> anyhow::Result<Folders> {
        let workspace = std::env::current_dir()?;
        let home = || Some(Path::new(&std::env::var_os("HOME")?).join(".cargo"));
        let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home);
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
        Ok(Folders {
            target: workspace.join(target),
            cargo_home: cargo_home.context("neither CARGO_HOME nor HOME is set")?,
            workspace,
        })
    }
}

fn variables(folders: &Folders, epoch: &str) -> Vec<(&'static str, String)> {
    // The last prefix that fits counts: a target folder inside of the workspace has its own name.
    let names = [
        (&folders.workspace, "/huntsman"),
        (&folders.cargo_home, "/cargo"),
        (&folders.target, "/target"),
    ];
    let mapped = |flag: &str, separator: &str| {
        let flags = names.map(|(folder, name)| format!("{flag}={}={name}", folder.display()));
        flags.join(separator)
    };
    vec![
        ("CARGO_ENCODED_RUSTFLAGS", mapped("--remap-path-prefix", "\u{1f}")),
        ("CARGO_INCREMENTAL", "0".to_owned()),
        // SQLite, zstd and ring are C.
        ("CFLAGS", mapped("-ffile-prefix-map", " ")),
        ("SOURCE_DATE_EPOCH", epoch.to_owned()),
        ("TZ", "UTC".to_owned()),
        ("LC_ALL", "C".to_owned()),
    ]
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_folder_of_the_machine_is_left_unmapped() {
        let folders = Folders {
            workspace: "/home/me/huntsman".into(),
            cargo_home: "/home/me/.cargo".into(),
            target: "/var/build".into(),
        };
        let variables = variables(&folders, "1700000000");
        let value = |name: &str| variables.iter().find(|(key, _)| *key == name).unwrap().1.clone();
        assert_eq!(
            value("CARGO_ENCODED_RUSTFLAGS")
                .split('\u{1f}')
                .collect::<Vec<_>>(),
            [
                "--remap-path-prefix=/home/me/huntsman=/huntsman",
                "--remap-path-prefix=/home/me/.cargo=/cargo",
                "--remap-path-prefix=/var/build=/target"
            ]
        );
        assert!(value("CFLAGS").contains("-ffile-prefix-map=/home/me/.cargo=/cargo"));
        assert_eq!(value("SOURCE_DATE_EPOCH"), "1700000000");
    }

    #[test]
    fn a_path_in_a_program_is_found() {
        assert!(holds(b"\0\x01/home/me/x\0", b"/home/me"));
        assert!(!holds(b"/home/you", b"/home/me"));
    }
}
