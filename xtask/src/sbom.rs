//! `sbom`: the software bill of materials of the binary, as CycloneDX 1.5 in JSON.
//!
//! The document holds no time and no random number: the same `Cargo.lock` gives the same bytes.

use serde_json::{Value, json};

use crate::binary_packages::{self, BINARY, Package, PackageKey};

/// Writes the bill of materials for a target, the host when none is named, to a file or to stdout.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let (mut target, mut output) = (None, None);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match (word.as_str(), rest.next()) {
            ("--target", Some(triple)) => target = Some(triple.clone()),
            ("--output", Some(file)) => output = Some(file),
            _ => anyhow::bail!("usage: sbom [--target TRIPLE] [--output FILE]"),
        }
    }
    let target = target.map_or_else(binary_packages::host, Ok)?;
    let document = document(&binary_packages::read(&target)?, &target);
    let text = serde_json::to_string_pretty(&document)? + "\n";
    match output {
        Some(file) => std::fs::write(file, text)?,
        None => print!("{text}"),
    }
    Ok(())
}

fn document(packages: &[Package], target: &str) -> Value {
    let (binary, rest): (Vec<_>, Vec<_>) = packages.iter().partition(|package| package.name == BINARY);
    let dependencies = packages.iter().map(|package| {
        let uses: Vec<String> = package.uses.iter().map(reference).collect();
        json!({"ref": reference(&package.key()), "dependsOn": uses})
    });
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "tools": {"components": [{"type": "application", "name": "huntsman-xtask", "version": env!("CARGO_PKG_VERSION")}]},
            "component": binary.first().map(|package| component(package, "application")),
            "properties": [{"name": "cargo:target", "value": target}],
        },
        "components": rest.iter().map(|package| component(package, "library")).collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    })
}

/// The reference of a package within the document. For a package of crates.io its package URL is the same.
fn reference((name, version): &PackageKey) -> String {
    format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))
}

fn component(package: &Package, kind: &str) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": reference(&package.key()),
        "name": package.name,
        "version": package.version,
        "scope": "required",
    });
    if let Some(licence) = &package.licence {
        component["licenses"] = json!([{"expression": licence}]);
    }
    // A package URL names the package of crates.io, which those of this workspace are not.
    if package.is_from_registry {
        component["purl"] = reference(&package.key()).into();
    }
    if let Some(checksum) = &package.checksum {
        component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
    }
    component
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_bill_of_materials_has_what_cyclonedx_requires() {
        std::env::set_current_dir(crate::shell::workspace_root()).unwrap();
        let target = binary_packages::host().unwrap();
        let packages = binary_packages::read(&target).unwrap();
        let document = document(&packages, &target);
        assert_eq!(document["bomFormat"], "CycloneDX");
        assert_eq!(document["specVersion"], "1.5");
        assert_eq!(document["version"], 1);
        assert_eq!(document["metadata"]["component"]["name"], BINARY);
        let components = document["components"].as_array().unwrap();
        assert_eq!(components.len() + 1, packages.len());
        let mut references: BTreeSet<&str> = BTreeSet::new();
        for component in components.iter().chain([&document["metadata"]["component"]]) {
            let text = |key: &str| {
                component[key]
                    .as_str()
                    .unwrap_or_else(|| panic!("{key} of {component}"))
            };
            assert!(!text("name").is_empty() && !text("version").is_empty());
            assert!(matches!(text("type"), "library" | "application"));
            assert!(references.insert(text("bom-ref")), "{component} stands twice");
            let licence = component["licenses"][0]["expression"].as_str();
            assert!(
                licence.is_some_and(|licence| !licence.contains('/')),
                "{component}"
            );
            let is_ours = component["purl"].is_null();
            let digest = component["hashes"][0]["content"].as_str().unwrap_or_default();
            assert!(
                is_ours || (digest.len() == 64 && component["hashes"][0]["alg"] == "SHA-256"),
                "{component}"
            );
        }
        let ours = components
            .iter()
            .filter(|component| component["purl"].is_null())
            .count();
        assert!(
            ours < 25 && components.len() > 200,
            "{ours} of {}",
            components.len()
        );
        for name in ["html5ever", "rustls", "libsqlite3-sys", "wire"] {
            assert!(
                components.iter().any(|component| component["name"] == name),
                "{name}"
            );
        }
        for name in ["insta", "proptest", "testkit", "syn", "serde_derive"] {
            assert!(
                !components.iter().any(|component| component["name"] == name),
                "{name}"
            );
        }
        for entry in document["dependencies"].as_array().unwrap() {
            let used = entry["dependsOn"]
                .as_array()
                .unwrap()
                .iter()
                .chain([&entry["ref"]]);
            used.for_each(|used| assert!(references.contains(used.as_str().unwrap()), "{used}"));
        }
    }
}
