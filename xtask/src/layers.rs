//! Checks of the structure: imports between crates as in ARCHITECTURE.md, no import cycles within a crate, file sizes.

mod cycles;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::Value;

use crate::shell;

/// Longest file, in lines, that needs no decision record saying why.
const MAX_LINES: usize = 600;

/// Crates by name, and the crates that each imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Reports every violation on stderr; an error when there is one.
pub(crate) fn run() -> anyhow::Result<()> {
    let mut violations = import_violations(&allowed_imports()?, &actual_imports()?);
    violations.extend(file_violations()?);
    violations.extend(import_cycles()?);
    for violation in &violations {
        eprintln!("layers: {violation}");
    }
    anyhow::ensure!(violations.is_empty(), "{} violations", violations.len());
    println!(
        "layers: every import between crates goes down, no modules import each other in a circle, every file names its \
         subject and has at most {MAX_LINES} lines"
    );
    Ok(())
}

/// The import cycles within each crate.
fn import_cycles() -> anyhow::Result<Vec<String>> {
    let mut roots = vec![PathBuf::from("xtask/src")];
    for entry in fs::read_dir("crates").context("cannot read crates")? {
        roots.push(entry?.path().join("src"));
    }
    roots.sort();
    let mut found = Vec::new();
    for root in roots.iter().filter(|root| root.is_dir()) {
        found.extend(cycles::find(root, &rust_files(&[root])?)?);
    }
    Ok(found)
}

/// The table in ARCHITECTURE.md whose head is `| crate | may import |`.
fn allowed_imports() -> anyhow::Result<Imports> {
    let text = fs::read_to_string("ARCHITECTURE.md").context("cannot read ARCHITECTURE.md")?;
    let table: Imports = text
        .lines()
        .skip_while(|line| !line.starts_with("| crate | may import"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .flat_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
            let names = quoted(cells.first().copied().unwrap_or_default());
            let imports: BTreeSet<String> = quoted(cells.get(1).copied().unwrap_or_default())
                .into_iter()
                .collect();
            names
                .into_iter()
                .map(move |name| (name, imports.clone()))
                .collect::<Vec<_>>()
        })
        .collect();
    anyhow::ensure!(
        !table.is_empty(),
        "ARCHITECTURE.md has no table `| crate | may import |`"
    );
    Ok(table)
}

/// The words of a table cell that stand in backquotes.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Who imports whom, by Cargo's own account. Dev-dependencies do not count: tests may look anywhere.
fn actual_imports() -> anyhow::Result<Imports> {
    let metadata: Value = serde_json::from_str(&shell::read(
        "cargo",
        &["metadata", "--no-deps", "--format-version", "1"],
    )?)?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata names no packages")?;
    let ours: BTreeSet<&str> = packages
        .iter()
        .filter_map(|package| package["name"].as_str())
        .collect();
    let imports = |package: &Value| -> BTreeSet<String> {
        package["dependencies"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|dependency| dependency["kind"].as_str() != Some("dev"))
            .filter_map(|dependency| dependency["name"].as_str())
            .filter(|name| ours.contains(name))
            .map(str::to_owned)
            .collect()
    };
    Ok(packages
        .iter()
        .filter_map(|package| Some((package["name"].as_str()?.to_owned(), imports(package))))
        .filter(|(name, _)| name != "xtask")
        .collect())
}

fn import_violations(allowed: &Imports, actual: &Imports) -> Vec<String> {
    let mut violations = Vec::new();
    for (name, imports) in actual {
        let Some(may) = allowed.get(name) else {
            violations.push(format!(
                "crate {name} stands in no row of the table in ARCHITECTURE.md"
            ));
            continue;
        };
        for import in imports.difference(may).filter(|_| !may.contains("everything")) {
            violations.push(format!(
                "{name} imports {import}, which the table in ARCHITECTURE.md does not allow"
            ));
        }
    }
    for name in allowed.keys().filter(|name| !actual.contains_key(*name)) {
        violations.push(format!(
            "ARCHITECTURE.md has a row for {name}, and there is no such crate"
        ));
    }
    violations
}

fn file_violations() -> anyhow::Result<Vec<String>> {
    let records = decision_records()?;
    let mut violations = Vec::new();
    for path in rust_files(&["crates", "xtask"])? {
        let text = fs::read_to_string(&path)?;
        let name = path.display().to_string();
        let lines = text.lines().count();
        if lines > MAX_LINES && !records.contains(&name) {
            violations.push(format!(
                "{name} has {lines} lines and no decision record in docs/adr names it"
            ));
        }
        if !text.starts_with("//!") {
            violations.push(format!(
                "{name} does not begin with a `//!` line that names its subject"
            ));
        }
    }
    Ok(violations)
}

fn decision_records() -> anyhow::Result<String> {
    let mut text = String::new();
    for entry in fs::read_dir("docs/adr").context("cannot read docs/adr")? {
        text.push_str(&fs::read_to_string(entry?.path())?);
    }
    Ok(text)
}

/// The Rust files below the folders, without those that only hold tests.
fn rust_files(roots: &[impl AsRef<Path>]) -> anyhow::Result<Vec<PathBuf>> {
    let roots = roots.iter().map(|root| root.as_ref().to_path_buf());
    let mut open: Vec<PathBuf> = roots.filter(|root| root.exists()).collect();
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() && path.file_name() != Some("target".as_ref()) {
                open.push(path);
            } else if path.extension() == Some("rs".as_ref()) && !is_test(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Files that only hold tests: they may be long, and their imports do not count.
fn is_test(path: &Path) -> bool {
    path.file_name() == Some("tests.rs".as_ref()) || path.components().any(|part| part.as_os_str() == "tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(rows: &[(&str, &[&str])]) -> Imports {
        rows.iter()
            .map(|(name, of)| {
                (
                    (*name).to_owned(),
                    of.iter().map(|import| (*import).to_owned()).collect(),
                )
            })
            .collect()
    }

    #[test]
    fn an_import_that_goes_up_is_reported() {
        let allowed = imports(&[("page", &[]), ("browser", &["page"])]);
        assert!(import_violations(&allowed, &imports(&[("page", &[]), ("browser", &["page"])])).is_empty());
        let violations = import_violations(
            &allowed,
            &imports(&[("page", &["browser"]), ("browser", &["page"])]),
        );
        assert_eq!(
            violations,
            ["page imports browser, which the table in ARCHITECTURE.md does not allow"]
        );
    }

    #[test]
    fn table_and_workspace_name_the_same_crates() {
        let violations = import_violations(&imports(&[("page", &[])]), &imports(&[("net", &[])]));
        assert_eq!(violations.len(), 2, "{violations:?}");
    }
}
