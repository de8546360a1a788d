//! The packages that are linked into the binary, as Cargo resolves them, with licences and checksums.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::Value;

use crate::shell;

/// The package that is given to others.
pub(crate) const BINARY: &str = "huntsman";

/// Name and version of a package. No two packages of one binary share both.
pub(crate) type PackageKey = (String, String);

/// One package of the binary.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The licence as an SPDX expression, where the package states one.
    pub(crate) licence: Option<String>,
    /// Whether the package comes from crates.io, and not from this workspace.
    pub(crate) is_from_registry: bool,
    /// SHA-256 of the package's archive, from `Cargo.lock`.
    pub(crate) checksum: Option<String>,
    /// The folder with its source.
    pub(crate) folder: PathBuf,
    /// The packages of the binary that the package uses.
    pub(crate) uses: BTreeSet<PackageKey>,
}

impl Package {
    pub(crate) fn key(&self) -> PackageKey {
        (self.name.clone(), self.version.clone())
    }
}

/// The packages of the binary for a target: normal dependencies with the features in use. Packages that run at build time
/// only (procedural macros, build scripts and what they use) are left out.
pub(crate) fn read(target: &str) -> anyhow::Result<Vec<Package>> {
    let tree = [
        &[
            "tree",
            "--package",
            BINARY,
            "--target",
            target,
            "--edges",
            "normal,no-proc-macro",
        ],
        ["--prefix", "none", "--format", "{p}", "--locked"].as_slice(),
    ];
    let tree = shell::read("cargo", &tree.concat())?;
    let metadata = [
        "metadata",
        "--format-version",
        "1",
        "--filter-platform",
        target,
        "--locked",
    ];
    let metadata = shell::read("cargo", &metadata)?;
    let lock: toml::Table = std::fs::read_to_string("Cargo.lock")?.parse()?;
    packages(
        &linked(&tree),
        &serde_json::from_str(&metadata)?,
        &checksums(&lock),
    )
}

/// The names and versions in the output of `cargo tree`: `serde v1.0.229`, then perhaps a path or `(*)`.
fn linked(tree: &str) -> BTreeSet<PackageKey> {
    let line_key = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?;
        Some((name.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
    };
    tree.lines().filter_map(line_key).collect()
}

fn checksums(lock: &toml::Table) -> BTreeMap<PackageKey, String> {
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let checksum = |package: &toml::Value| {
        let text = |key: &str| Some(package.get(key)?.as_str()?.to_owned());
        Some(((text("name")?, text("version")?), text("checksum")?))
    };
    packages.into_iter().flatten().filter_map(checksum).collect()
}

fn packages(
    linked: &BTreeSet<PackageKey>,
    metadata: &Value,
    checksums: &BTreeMap<PackageKey, String>,
) -> anyhow::Result<Vec<Package>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut keys = BTreeMap::new();
    for package in list(&metadata["packages"]) {
        let name = text(&package["name"]).context("a package has no name")?;
        let version = text(&package["version"]).context("a package has no version")?;
        let id = text(&package["id"]).context("a package has no id")?;
        keys.insert(id, ((name, version), package));
    }
    let mut found = Vec::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let Some((key, package)) = node["id"].as_str().and_then(|id| keys.get(id)) else {
            continue;
        };
        if !linked.contains(key) {
            continue;
        }
        let is_normal = |dependency: &Value| {
            list(&dependency["dep_kinds"])
                .iter()
                .any(|kind| kind["kind"].is_null())
        };
        let uses = list(&node["deps"])
            .iter()
            .filter(|dependency| is_normal(dependency))
            .filter_map(|dependency| keys.get(dependency["pkg"].as_str()?))
            .map(|(used, _)| used.clone())
            .filter(|used| linked.contains(used))
            .collect();
        let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap_or_default());
        found.push(Package {
            name: key.0.clone(),
            version: key.1.clone(),
            // The spelling of old packages for a choice.
            licence: text(&package["license"])
                .map(|licence| licence.replace(" / ", "/").replace('/', " OR ")),
            is_from_registry: package["source"].is_string(),
            checksum: checksums.get(key).cloned(),
            folder: manifest.parent().context("a package has no folder")?.to_owned(),
            uses,
        });
    }
    anyhow::ensure!(
        found.len() == linked.len(),
        "{} of {} packages found",
        found.len(),
        linked.len()
    );
    found.sort_by_key(Package::key);
    Ok(found)
}

/// The target triple that `rustc` builds for here.
pub(crate) fn host() -> anyhow::Result<String> {
    let told = shell::read("rustc", &["-vV"])?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc names no host")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_the_tree() {
        let tree = "huntsman v0.1.0 (/a/b)\nserde v1.0.229\nserde v1.0.229 (*)\n\n";
        let keys: Vec<PackageKey> = linked(tree).into_iter().collect();
        assert_eq!(
            keys,
            [
                ("huntsman".into(), "0.1.0".into()),
                ("serde".into(), "1.0.229".into())
            ]
        );
    }
}
