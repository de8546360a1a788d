//! Does the house stand as ARCHITECTURE.md says? Imports go down only; files stay small.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::Value;

use crate::shell;

/// Longest file, in lines, that needs no decision record saying why.
const MOST_LINES: usize = 600;

type Imports = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn run() -> anyhow::Result<()> {
    let mut faults = import_faults(&allowed()?, &actual()?);
    faults.extend(file_faults()?);
    for fault in &faults {
        eprintln!("floors: {fault}");
    }
    anyhow::ensure!(faults.is_empty(), "{} faults", faults.len());
    println!(
        "floors: every import goes down, every file says what it answers and is at most {MOST_LINES} lines"
    );
    Ok(())
}

/// The table in ARCHITECTURE.md whose head is `| crate | may import |`.
fn allowed() -> anyhow::Result<Imports> {
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
fn actual() -> anyhow::Result<Imports> {
    let metadata: Value = serde_json::from_str(&shell::read(
        "cargo",
        &["metadata", "--no-deps", "--format-version", "1"],
    )?)?;
    let packages = metadata["packages"]
        .as_array()
        .context("cargo metadata names no packages")?;
    let ours: BTreeSet<&str> = packages.iter().filter_map(|it| it["name"].as_str()).collect();
    let imports = |package: &Value| -> BTreeSet<String> {
        package["dependencies"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|it| it["kind"].as_str() != Some("dev"))
            .filter_map(|it| it["name"].as_str())
            .filter(|name| ours.contains(name))
            .map(str::to_owned)
            .collect()
    };
    Ok(packages
        .iter()
        .filter_map(|it| Some((it["name"].as_str()?.to_owned(), imports(it))))
        .filter(|(name, _)| name != "xtask")
        .collect())
}

fn import_faults(allowed: &Imports, actual: &Imports) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, imports) in actual {
        let Some(may) = allowed.get(name) else {
            faults.push(format!(
                "crate {name} stands in no row of the table in ARCHITECTURE.md"
            ));
            continue;
        };
        for import in imports.difference(may).filter(|_| !may.contains("everything")) {
            faults.push(format!(
                "{name} imports {import}, which the table in ARCHITECTURE.md does not allow"
            ));
        }
    }
    for name in allowed.keys().filter(|name| !actual.contains_key(*name)) {
        faults.push(format!(
            "ARCHITECTURE.md has a row for {name}, and there is no such crate"
        ));
    }
    faults
}

fn file_faults() -> anyhow::Result<Vec<String>> {
    let records: String = decision_records()?;
    let mut faults = Vec::new();
    for path in rust_files(&["crates", "xtask"])? {
        let text = fs::read_to_string(&path)?;
        let name = path.display().to_string();
        let lines = text.lines().count();
        if lines > MOST_LINES && !records.contains(&name) {
            faults.push(format!(
                "{name} has {lines} lines and no decision record in docs/adr names it"
            ));
        }
        if !text.starts_with("//!") {
            faults.push(format!(
                "{name} does not begin with a `//!` line that says what it answers"
            ));
        }
    }
    Ok(faults)
}

fn decision_records() -> anyhow::Result<String> {
    let mut text = String::new();
    for entry in fs::read_dir("docs/adr").context("cannot read docs/adr")? {
        text.push_str(&fs::read_to_string(entry?.path())?);
    }
    Ok(text)
}

fn rust_files(roots: &[&str]) -> anyhow::Result<Vec<PathBuf>> {
    let mut open: Vec<PathBuf> = roots.iter().map(PathBuf::from).filter(|it| it.exists()).collect();
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

/// Files that only hold tests may be long: a table of cases is easier read in one piece.
fn is_test(path: &Path) -> bool {
    path.file_name() == Some("tests.rs".as_ref()) || path.components().any(|it| it.as_os_str() == "tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(rows: &[(&str, &[&str])]) -> Imports {
        rows.iter()
            .map(|(name, of)| ((*name).to_owned(), of.iter().map(|it| (*it).to_owned()).collect()))
            .collect()
    }

    #[test]
    fn an_import_that_goes_up_is_a_fault() {
        let allowed = imports(&[("page", &[]), ("web", &["page"])]);
        assert!(import_faults(&allowed, &imports(&[("page", &[]), ("web", &["page"])])).is_empty());
        let faults = import_faults(&allowed, &imports(&[("page", &["web"]), ("web", &["page"])]));
        assert_eq!(
            faults,
            ["page imports web, which the table in ARCHITECTURE.md does not allow"]
        );
    }

    #[test]
    fn table_and_workspace_name_the_same_crates() {
        let faults = import_faults(&imports(&[("page", &[])]), &imports(&[("net", &[])]));
        assert_eq!(faults.len(), 2, "{faults:?}");
    }
}
