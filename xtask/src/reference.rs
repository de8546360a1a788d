//! `reference`: writes the page of the HTTP interface and the types of the clients from `docs/openapi.json`.

mod markdown;
mod python;
mod schema;
mod text;
mod typescript;

use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use schema::TypeTable;
use text::COMMAND;

/// The document, which a test of `server` holds to the routes.
const DOCUMENT: &str = "docs/openapi.json";

/// Parts of the document that the clients have no use for: what the official clients of the `/v1` contract know, and what
/// only operators and MCP clients use.
const NOT_FOR_CLIENTS: [&str; 8] = [
    "automate-events",
    "research-events",
    "mcp-message",
    "mcp-error",
    "form-answer",
    "tenant-request",
    "key-request",
    "storage-state",
];

/// Writes the files; with `--check`, compares them with those in the repository.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let only_check = match words {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => anyhow::bail!("usage: reference [--check]"),
    };
    let text = std::fs::read_to_string(DOCUMENT).with_context(|| format!("cannot read {DOCUMENT}"))?;
    let document: Value = serde_json::from_str(&text).with_context(|| format!("{DOCUMENT} is no JSON"))?;
    let all = TypeTable::read(&document, &[])?;
    let of_clients = TypeTable::read(&document, &NOT_FOR_CLIENTS)?;
    let files = [
        ("docs/api.md", markdown::page(&document, &all)?),
        (
            "clients/python/huntsman_client/types.py",
            python::module(&of_clients),
        ),
        ("clients/typescript/src/types.ts", typescript::module(&of_clients)),
    ];
    for (file, text) in &files {
        let is_current = std::fs::read_to_string(file).is_ok_and(|current| current == *text);
        if only_check {
            anyhow::ensure!(is_current, "{file} is not current: run `{COMMAND}`");
        } else if !is_current {
            write(Path::new(file), text)?;
        }
    }
    println!(
        "reference: {} types, {} of them for the clients",
        all.types.len(),
        of_clients.types.len()
    );
    Ok(())
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_files_in_the_repository_are_current() {
        std::env::set_current_dir(crate::shell::workspace_root()).unwrap();
        super::run(&["--check".to_owned()]).unwrap();
    }
}
