//! The audited list in `docs/supply-chain.md`: which packages of the binary read hostile bytes, and what contains them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::binary_packages::{self, Package};

const LIST: &str = "docs/supply-chain.md";
/// The list is kept for one target, so that every machine compares the same packages.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// The heading above the table of packages that read hostile bytes.
const READERS: &str = "## Packages that read hostile bytes";
/// The heading above the names of all others.
const OTHERS: &str = "## Packages that read none";

/// A row of the table.
#[derive(Debug, Clone, PartialEq)]
struct AuditedPackage {
    version: String,
    has_unsafe: bool,
}

/// What the document says.
#[derive(Debug, Default, PartialEq)]
struct AuditedList {
    /// By name; a package may stand in several versions.
    readers: BTreeMap<String, Vec<AuditedPackage>>,
    others: Vec<String>,
}

/// Compares the list with the packages of the binary.
///
/// # Errors
/// When a package stands in neither part, in both, or in another version, when a row is incomplete, or when what the row
/// says about unsafe code is wrong.
pub(crate) fn run() -> anyhow::Result<()> {
    let list = AuditedList::read(&std::fs::read_to_string(LIST)?)?;
    let packages = binary_packages::read(TARGET)?;
    let packages: Vec<Package> = packages
        .into_iter()
        .filter(|package| package.is_from_registry)
        .collect();
    let issues = list.issues(&packages, has_unsafe_code);
    issues.iter().for_each(|issue| eprintln!("supply chain: {issue}"));
    anyhow::ensure!(
        issues.is_empty(),
        "{LIST} does not fit Cargo.lock in {} places",
        issues.len()
    );
    println!(
        "supply chain: {} packages, {} of them read hostile bytes and are audited",
        packages.len(),
        list.readers.len()
    );
    Ok(())
}

impl AuditedList {
    fn read(text: &str) -> anyhow::Result<AuditedList> {
        let mut list = AuditedList::default();
        let mut heading = "";
        for line in text.lines() {
            if line.starts_with("## ") {
                heading = line;
            } else if heading == READERS && line.starts_with("| `") {
                let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
                let [name, version, reads, has_unsafe, contained, keeper] = cells.as_slice() else {
                    anyhow::bail!("{LIST}: a row has six cells: {line}");
                };
                anyhow::ensure!(
                    [reads, contained, keeper].iter().all(|cell| !cell.is_empty())
                        && matches!(*has_unsafe, "yes" | "no"),
                    "{LIST}: a row says what the package reads, `yes` or `no`, what contains it and who keeps it: {line}"
                );
                let audited = AuditedPackage {
                    version: (*version).to_owned(),
                    has_unsafe: *has_unsafe == "yes",
                };
                list.readers
                    .entry(name.trim_matches('`').to_owned())
                    .or_default()
                    .push(audited);
            } else if heading == OTHERS && line.starts_with('`') {
                let names = line
                    .split(',')
                    .map(|name| name.trim().trim_matches(['`', '.']).to_owned());
                list.others.extend(names.filter(|name| !name.is_empty()));
            }
        }
        Ok(list)
    }

    fn issues(&self, packages: &[Package], has_unsafe: impl Fn(&Path) -> bool) -> Vec<String> {
        let mut issues = Vec::new();
        for package in packages {
            let (name, version) = (&package.name, &package.version);
            let rows = self.readers.get(name);
            let row = rows.into_iter().flatten().find(|row| row.version == *version);
            match (row, self.others.contains(name)) {
                (Some(row), false) if row.has_unsafe != has_unsafe(&package.folder) => {
                    issues.push(format!("{name} {version}: the row is wrong about unsafe code"));
                }
                (Some(_), false) | (None, true) if rows.is_none() || row.is_some() => {}
                (None, false) if rows.is_none() => issues.push(format!(
                    "{name} {version} is new: say in {LIST} whether it reads bytes from outside, and what contains it"
                )),
                (None, false) => issues.push(format!(
                    "{name} {version} is another version than the audited one: read its changes, then write {version}"
                )),
                _ => issues.push(format!("{name} stands in both parts of {LIST}")),
            }
        }
        let is_used = |name: &String| packages.iter().any(|package| package.name == *name);
        let gone = self
            .readers
            .keys()
            .chain(&self.others)
            .filter(|name| !is_used(name));
        issues.extend(
            gone.map(|name| format!("{name} is no package of the binary any more: take it out of {LIST}")),
        );
        issues
    }
}

/// Whether a Rust file below a folder's `src` has the word `unsafe` outside of comments and of the name of the lint.
fn has_unsafe_code(folder: &Path) -> bool {
    let mut open = vec![folder.join("src")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension() == Some("rs".as_ref())
                && std::fs::read_to_string(&path).is_ok_and(|text| text.lines().any(is_unsafe))
            {
                return true;
            }
        }
    }
    false
}

fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    code.split(|sign: char| !is_part(sign))
        .any(|word| word == "unsafe")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# T\n\n## Packages that read hostile bytes\n\n| package | version | reads | unsafe | contained by | kept by |\n\
        |---|---|---|---|---|---|\n| `a` | 1.0.0 | pages | yes | limits | us |\n| `b` | 2.0.0 | PDF | no | sandbox | us |\n\n\
        ## Packages that read none\n\n`c`, `d`,\n`e`.\n";

    fn package(name: &str, version: &str) -> Package {
        Package {
            name: name.into(),
            version: version.into(),
            licence: None,
            is_from_registry: true,
            checksum: None,
            folder: name.into(),
            uses: Default::default(),
        }
    }

    fn issues(packages: &[(&str, &str)]) -> Vec<String> {
        let packages: Vec<Package> = packages
            .iter()
            .map(|(name, version)| package(name, version))
            .collect();
        AuditedList::read(TEXT)
            .unwrap()
            .issues(&packages, |folder| folder == Path::new("a"))
    }

    const KNOWN: [(&str, &str); 5] = [
        ("a", "1.0.0"),
        ("b", "2.0.0"),
        ("c", "1.0.0"),
        ("d", "7.0.0"),
        ("e", "1.0.0"),
    ];

    #[test]
    fn a_list_that_fits_has_no_issue() {
        assert_eq!(issues(&KNOWN), Vec::<String>::new());
    }

    #[test]
    fn a_new_package_and_a_new_version_of_a_reader_are_issues() {
        let with = |changed: &[(&'static str, &'static str)]| {
            let kept = KNOWN
                .iter()
                .filter(|(name, _)| !changed.iter().any(|(other, _)| other == name));
            issues(&kept.chain(changed).copied().collect::<Vec<_>>())
        };
        assert!(with(&[("f", "1.0.0")])[0].contains("f 1.0.0 is new"));
        assert!(with(&[("a", "1.0.1")])[0].contains("another version"));
        assert!(with(&[("c", "9.0.0")]).is_empty());
        assert!(issues(&KNOWN[1..])[0].contains("a is no package"));
    }

    #[test]
    fn a_row_that_is_wrong_about_unsafe_code_is_an_issue() {
        let packages: Vec<Package> = KNOWN
            .iter()
            .map(|(name, version)| package(name, version))
            .collect();
        let list = AuditedList::read(TEXT).unwrap();
        assert_eq!(list.issues(&packages, |_| true).len(), 1);
        assert!(is_unsafe("    unsafe { f() }") && is_unsafe("unsafe impl Send for X {}"));
        assert!(!is_unsafe("#![forbid(unsafe_code)]") && !is_unsafe("// unsafe code"));
    }

    #[test]
    fn a_row_with_an_empty_cell_is_refused() {
        let text = TEXT.replace("sandbox", "");
        assert!(AuditedList::read(&text).is_err());
    }
}
