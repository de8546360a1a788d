//! User tools from a folder of manifests: plans with parameters, declared HTTP endpoints, declared readers of pages, and
//! manifests of one's own for tools that are there.

mod composite;
mod described;
mod endpoint;
mod page_reader;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use composite::CompositeTool;
use described::DescribedTool;
use endpoint::HttpEndpoint;
use page_reader::PageReader;
use tools::manifest::{BadManifest, Effects, Manifest, rules};
use tools::registry::{RegisteredTool, Registry, RejectedTool, ToolExecutor};

/// Most manifests of one folder.
const MAX_MANIFESTS: usize = 1_000;
/// Most files and folders of one folder that are looked at.
const MAX_ENTRIES: usize = 100_000;

/// Programs and libraries that manifests written for other systems depend on. What they are for is compiled in here, so that
/// such a dependency always holds.
const COMPILED_IN: [&str; 9] = [
    "playwright",
    "puppeteer",
    "selenium",
    "chromium",
    "browser",
    "beautifulsoup4",
    "lxml",
    "requests",
    "httpx",
];

/// Adds the tools of a folder: its `*.json` files and those one level of folders below. Manifests that cannot be used are
/// left out and returned with the reason. Files are read in the order of their names, so that of two tools with one id
/// the same one wins every time.
pub fn load(registry: &Registry, folder: &Path) -> (Registry, Vec<RejectedTool>) {
    let mut refused = Vec::new();
    let mut manifests: Vec<(String, Manifest)> = Vec::new();
    for path in files(folder, &mut refused) {
        let place = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        match read(folder, &path, &place, registry) {
            Ok(manifest) => manifests.push((place, manifest)),
            Err(bad) => refused.push(bad.into()),
        }
    }
    let mut loaded = registry.clone();
    let mut composites: BTreeMap<String, (String, CompositeTool)> = BTreeMap::new();
    for (place, manifest) in manifests {
        let id = manifest.id();
        match work(&manifest, &place, registry) {
            Ok(UserTool::Plan(composite)) => {
                let work: Arc<dyn ToolExecutor> = Arc::new(composite.clone());
                match loaded.with(RegisteredTool::new(manifest, work), &place) {
                    Ok(with) => {
                        loaded = with;
                        composites.insert(id, (place, composite));
                    }
                    Err(taken) => refused.push(taken),
                }
            }
            Ok(UserTool::Code(code)) => match loaded.with(RegisteredTool::new(manifest, code), &place) {
                Ok(with) => loaded = with,
                Err(taken) => refused.push(taken),
            },
            // The manifest takes the place of the tool's own, once.
            Ok(UserTool::Described(code)) => {
                let is_own = |tool: &RegisteredTool| std::ptr::eq(tool.manifest(), code.manifest());
                let without = match loaded.find(&id) {
                    Ok(tool) if is_own(tool) => loaded.without(&id),
                    _ => loaded.clone(),
                };
                match without.with(RegisteredTool::new(manifest, Arc::new(code)), &place) {
                    Ok(with) => loaded = with,
                    Err(taken) => refused.push(taken),
                }
            }
            Err(bad) => refused.push(bad.into()),
        }
    }
    // A plan that cannot run takes with it the plans that use it.
    loop {
        let bad: Vec<(String, BadManifest)> = composites
            .iter()
            .filter_map(|(id, (place, composite))| {
                let issues = composite.issues(id, &loaded, &composites);
                (!issues.is_empty()).then(|| {
                    (
                        id.clone(),
                        BadManifest {
                            place: place.clone(),
                            issues,
                        },
                    )
                })
            })
            .collect();
        if bad.is_empty() {
            return (loaded, refused);
        }
        for (id, bad) in bad {
            composites.remove(&id);
            loaded = loaded.without(&id);
            refused.push(bad.into());
        }
    }
}

enum UserTool {
    Plan(CompositeTool),
    Code(Arc<dyn ToolExecutor>),
    Described(DescribedTool),
}

fn work(manifest: &Manifest, place: &str, registry: &Registry) -> Result<UserTool, BadManifest> {
    let bad = |issue: String| BadManifest {
        place: place.to_owned(),
        issues: vec![issue],
    };
    match (&manifest.plan, &manifest.http, &manifest.page) {
        (Some(plan), None, None) => CompositeTool::new(manifest, plan)
            .map(UserTool::Plan)
            .map_err(bad),
        (None, Some(http), None) => HttpEndpoint::new(manifest, http)
            .map(|endpoint| UserTool::Code(Arc::new(endpoint)))
            .map_err(bad),
        (None, None, Some(page)) => PageReader::new(manifest, page)
            .map(|reader| UserTool::Code(Arc::new(reader)))
            .map_err(bad),
        (None, None, None) => DescribedTool::new(manifest, registry)
            .map(UserTool::Described)
            .map_err(bad),
        _ => Err(bad(
            "a tool of your own has one of `plan`, `http` and `page`".into()
        )),
    }
}

/// The manifest with what it may leave out: `effects`, which are those of the tool that it describes, `read` for a reader of
/// pages, and else the most that a tool can do. Dependencies on what is compiled in are taken as met.
fn completed(mut manifest: Value, name: &str, registry: &Registry) -> Value {
    let Some(fields) = manifest.as_object_mut() else {
        return manifest;
    };
    if !fields.contains_key("effects") {
        let has = |key: &str| fields.contains_key(key);
        let category = fields.get("category").and_then(Value::as_str).unwrap_or_default();
        let id = format!("{category}.{name}");
        let own = registry.iter().find(|tool| tool.id() == id);
        let effects = match own {
            _ if has("page") => Effects::Read,
            Some(tool) if !has("plan") && !has("http") => tool.manifest().effects,
            _ => Effects::Act,
        };
        fields.insert("effects".to_owned(), effects.word().into());
    }
    if let Some(Value::Array(needed)) = fields.get_mut("dependencies") {
        needed.retain(|name| !name.as_str().is_some_and(|name| COMPILED_IN.contains(&name)));
    }
    if fields.contains_key("page") {
        let needed = fields
            .entry("dependencies")
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(needed) = needed
            && !needed.iter().any(|name| name == "page")
        {
            needed.push("page".into());
        }
    }
    manifest
}

/// The manifests of a folder, sorted by name.
fn files(folder: &Path, refused: &mut Vec<RejectedTool>) -> Vec<PathBuf> {
    let is_manifest = |path: &PathBuf| path.extension().is_some_and(|it| it == "json");
    let mut found = Vec::new();
    for path in entries(folder, refused) {
        if path.is_dir() && !path.is_symlink() {
            found.extend(entries(&path, refused).into_iter().filter(is_manifest));
        } else if is_manifest(&path) && path.file_name().is_none_or(|it| it != tools::mcp::FILE) {
            found.push(path);
        }
    }
    found.sort();
    if found.len() > MAX_MANIFESTS {
        let issue = format!(
            "there are {} manifests; at most {MAX_MANIFESTS} are loaded",
            found.len()
        );
        refused.push(folder_issue(folder, issue));
        found.truncate(MAX_MANIFESTS);
    }
    found
}

/// The files and folders of a folder. One that is not there has none; what else keeps them from being read is told.
fn entries(folder: &Path, refused: &mut Vec<RejectedTool>) -> Vec<PathBuf> {
    let list = match fs::read_dir(folder) {
        Ok(list) => list,
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                refused.push(folder_issue(folder, format!("it cannot be read: {error}")));
            }
            return Vec::new();
        }
    };
    let mut found = Vec::new();
    for entry in list {
        match entry {
            Ok(entry) if found.len() < MAX_ENTRIES => found.push(entry.path()),
            Ok(_) => {
                let issue = format!("it has more than {MAX_ENTRIES} entries; the others are not looked at");
                refused.push(folder_issue(folder, issue));
                break;
            }
            Err(error) => {
                refused.push(folder_issue(
                    folder,
                    format!("not all of it can be read: {error}"),
                ));
                break;
            }
        }
    }
    found
}

fn folder_issue(folder: &Path, issue: String) -> RejectedTool {
    let issues = vec![issue];
    let place = folder.display().to_string();
    BadManifest { place, issues }.into()
}

fn read(folder: &Path, path: &Path, place: &str, registry: &Registry) -> Result<Manifest, BadManifest> {
    let bad = |issue: String| BadManifest {
        place: place.to_owned(),
        issues: vec![issue],
    };
    let root = folder.canonicalize().map_err(|error| bad(error.to_string()))?;
    let real = path.canonicalize().map_err(|error| bad(error.to_string()))?;
    if !real.starts_with(&root) {
        return Err(bad("it is a link that leads out of the folder".into()));
    }
    let size = fs::metadata(&real).map_err(|error| bad(error.to_string()))?.len();
    if size > rules::MAX_BYTES as u64 {
        return Err(bad(format!(
            "it has {size} bytes; a manifest has at most {}",
            rules::MAX_BYTES
        )));
    }
    let text = fs::read_to_string(&real).map_err(|error| bad(error.to_string()))?;
    let name = path.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
    // What nests too deeply is told by the rules, which look before they parse.
    if rules::nesting(&text).is_some_and(|depth| depth > rules::MAX_DEPTH) {
        return Manifest::read(&text, "", name).map_err(|it| BadManifest {
            place: place.to_owned(),
            ..it
        });
    }
    let manifest: Value =
        serde_json::from_str(&text).map_err(|error| bad(format!("it is not JSON: {error}")))?;
    let manifest = completed(manifest, name, registry);
    let category = manifest
        .get("category")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let text = manifest.to_string();
    Manifest::read(&text, category, name).map_err(|it| BadManifest {
        place: place.to_owned(),
        ..it
    })
}

#[cfg(test)]
mod tests;
