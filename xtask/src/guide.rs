//! `guide`: the documents as a site of static pages, with a search that needs no server.
//!
//! The site has the folders of the repository, so that every link between two documents is right in both places.

mod page;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::json;

use crate::shell;
use page::Page;

/// The parts of the navigation, each with its documents in their order. Documents that stand in no part stand in the last.
const PARTS: [(&str, &[&str]); 4] = [
    ("Guide", &["docs/guide/README.md"]),
    (
        "Reference",
        &[
            "README.md",
            "docs/cli.md",
            "docs/config.md",
            "docs/errors.md",
            "docs/api.md",
            "docs/clients.md",
            "docs/traces.md",
            "docs/pages.md",
            "docs/crawl.md",
            "docs/logins.md",
            "docs/models.md",
            "docs/automate.md",
            "docs/browsers.md",
            "docs/research.md",
            "docs/plans.md",
            "docs/memory.md",
            "docs/monitors.md",
            "docs/webhooks.md",
            "docs/mcp.md",
            "docs/console.md",
            "docs/tenants.md",
            "docs/cluster.md",
            "docs/storage.md",
        ],
    ),
    (
        "Measurements",
        &["docs/extraction.md", "docs/tools.md", "docs/seeds.md"],
    ),
    (
        "Project",
        &[
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "docs/supply-chain.md",
            "fuzz/README.md",
        ],
    ),
];

/// Where the site begins.
const FIRST: &str = "docs/guide/README.html";

/// Writes the site into `target/guide`, or into the folder that is named, and checks its links.
pub(crate) fn run(words: &[String]) -> anyhow::Result<()> {
    let output = match words {
        [] => PathBuf::from("target/guide"),
        [flag, folder] if flag == "--output" => folder.into(),
        _ => anyhow::bail!("usage: guide [--output FOLDER]"),
    };
    let pages = pages()?;
    let navigation = navigation(&pages);
    let write = |path: &str, text: &[u8]| -> anyhow::Result<()> {
        let file = output.join(path);
        std::fs::create_dir_all(file.parent().unwrap_or(&output))?;
        std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
    };
    let mut linked = BTreeSet::new();
    for page in &pages {
        write(&page.address(), page.html(&navigation).as_bytes())?;
        linked.extend(page.files.iter().cloned());
    }
    for file in &linked {
        write(
            file,
            &std::fs::read(file).with_context(|| format!("cannot read {file}"))?,
        )?;
    }
    let entries: Vec<_> = pages.iter().flat_map(Page::entries).collect();
    write(
        "search-index.js",
        format!("const INDEX = {};\n", json!(entries)).as_bytes(),
    )?;
    write("search.js", include_bytes!("guide/search.js"))?;
    write("style.css", include_bytes!("guide/style.css"))?;
    let redirect = format!(
        "<!doctype html><title>Huntsman</title><meta http-equiv=\"refresh\" content=\"0; url={FIRST}\">"
    );
    write("index.html", redirect.as_bytes())?;
    let broken: Vec<String> = pages
        .iter()
        .flat_map(|page| page.broken_links(&pages, &linked))
        .collect();
    anyhow::ensure!(
        broken.is_empty(),
        "broken links of the site:\n{}",
        broken.join("\n")
    );
    println!(
        "guide: {} pages, {} entries of the search, in {}",
        pages.len(),
        entries.len(),
        output.display()
    );
    Ok(())
}

/// The documents that are in the repository, those of the guide in the order of its list.
fn pages() -> anyhow::Result<Vec<Page>> {
    let listed = shell::read(
        "git",
        &["ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
    )?;
    let found: BTreeSet<&str> = listed
        .lines()
        .filter(|file| file.starts_with("docs/"))
        .filter(|file| Path::new(file).is_file())
        .collect();
    let mut order: Vec<String> = vec!["docs/guide/README.md".to_owned()];
    let first = Page::read("docs/guide/README.md")?;
    order.extend(
        first
            .documents()
            .into_iter()
            .filter(|file| file.starts_with("docs/guide/")),
    );
    order.extend(
        PARTS
            .iter()
            .flat_map(|part| part.1)
            .map(|file| (*file).to_owned()),
    );
    order.extend(found.iter().map(|file| (*file).to_owned()));
    let mut seen = BTreeSet::new();
    order.retain(|file| seen.insert(file.clone()));
    order.iter().map(|file| Page::read(file)).collect()
}

/// Title of each part, with its pages.
fn navigation(pages: &[Page]) -> Vec<(&'static str, Vec<&Page>)> {
    let part = |page: &Page| {
        let named = PARTS
            .iter()
            .position(|(_, files)| files.contains(&page.file.as_str()));
        let fallback = if page.file.starts_with("docs/guide/") {
            0
        } else {
            PARTS.len() - 1
        };
        named.unwrap_or(fallback)
    };
    let of = |index: usize| pages.iter().filter(|page| part(page) == index).collect();
    PARTS
        .iter()
        .enumerate()
        .map(|(index, (title, _))| (*title, of(index)))
        .collect()
}
