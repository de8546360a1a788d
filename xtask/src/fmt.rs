//! `fmt`: formatting, also of the files that only a build script knows as modules.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell;

/// Formats everything, or with `check` says what is not formatted.
pub(crate) fn run(check: bool) -> anyhow::Result<()> {
    let mut words = vec!["fmt", "--all"];
    words.extend(check.then_some("--check"));
    shell::run("cargo", &words)?;
    let files: Vec<String> = tools(Path::new("crates/tools/src"))?
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let mut words = vec!["--edition", "2024"];
    words.extend(check.then_some("--check"));
    words.extend(files.iter().map(String::as_str));
    shell::run("rustfmt", &words)
}

/// The code of every tool: each `.rs` that has a `.json` of its name beside it.
fn tools(source: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in fs::read_dir(source)? {
        let folder = folder?.path();
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension() == Some("rs".as_ref()) && path.with_extension("json").exists() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
