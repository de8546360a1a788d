//! Dependencies that no code uses, and versions pinned for the workspace that no crate asks for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::Value;

use crate::shell;

/// Reports every unused dependency on stderr; an error when there is one.
pub(crate) fn run() -> anyhow::Result<()> {
    let metadata: Value = serde_json::from_str(&shell::read(
        "cargo",
        &["metadata", "--no-deps", "--format-version", "1"],
    )?)?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata names no packages")?;
    let mut unused = Vec::new();
    let mut asked_for = BTreeSet::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
        let folder = manifest.parent().context("a package has no folder")?;
        let code = code_below(folder)?;
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let asked = dependency["name"].as_str().unwrap_or_default();
            let used_as = dependency["rename"].as_str().unwrap_or(asked).replace('-', "_");
            asked_for.insert(asked.to_owned());
            if !names(&code, &used_as) {
                unused.push(format!("{name} depends on {asked} and does not name it"));
            }
        }
    }
    let pins = pinned(&fs::read_to_string("Cargo.toml")?);
    let unused_pins = pins.into_iter().filter(|pin| !asked_for.contains(pin));
    unused.extend(unused_pins.map(|pin| format!("the workspace pins {pin} and no crate asks for it")));
    for dependency in &unused {
        eprintln!("unused: {dependency}");
    }
    anyhow::ensure!(unused.is_empty(), "{} unused dependencies", unused.len());
    println!("unused: every dependency is named in code, every pinned version is asked for");
    Ok(())
}

/// Whether the code holds a word.
fn names(code: &str, word: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    code.match_indices(word).any(|(at, _)| {
        let before = code.get(..at).and_then(|text| text.chars().next_back());
        let after = code.get(at + word.len()..).and_then(|text| text.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// The text of every Rust file of a package, comments left out.
fn code_below(folder: &Path) -> anyhow::Result<String> {
    let mut code = String::new();
    let mut open: Vec<PathBuf> = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() && path.file_name() != Some("target".as_ref()) {
                open.push(path);
            } else if path.extension() == Some("rs".as_ref()) {
                let text = fs::read_to_string(&path)?;
                let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                lines.for_each(|line| {
                    code.push_str(line);
                    code.push('\n');
                });
            }
        }
    }
    Ok(code)
}

/// The names in `[workspace.dependencies]`.
fn pinned(manifest: &str) -> Vec<String> {
    let table = manifest
        .lines()
        .skip_while(|line| line.trim() != "[workspace.dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    let names = table.filter_map(|line| line.split_once('=').map(|(name, _)| name.trim().to_owned()));
    names.filter(|name| !name.starts_with('#')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_is_used_when_code_names_it_as_a_word() {
        assert!(names("use url::Url;", "url"));
        assert!(!names("let curl = curl_of(urls);", "url"));
    }

    #[test]
    fn pins_are_the_names_of_the_table() {
        let manifest = "[workspace]\n[workspace.dependencies]\n# ours\nwire = { path = \"x\" }\nserde = \"1\"\n\n[profile.dev]\na = 1";
        assert_eq!(pinned(manifest), ["wire", "serde"]);
    }
}
