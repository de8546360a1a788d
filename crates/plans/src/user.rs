//! User tools from a folder of manifests: plans with parameters, and declared HTTP endpoints.

mod composite;
mod endpoint;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use composite::CompositeTool;
use endpoint::HttpEndpoint;
use tools::manifest::{BadManifest, Manifest, rules};
use tools::registry::{RegisteredTool, Registry, RejectedTool, ToolExecutor};

/// Most manifests of one folder.
const MAX_MANIFESTS: usize = 1_000;

/// Adds the tools of a folder: its `*.json` files and those one level of folders below. Manifests that cannot be used are
/// left out and returned with the reason. Files are read in the order of their names, so that of two tools with one id
/// the same one wins every time.
pub fn load(registry: &Registry, folder: &Path) -> (Registry, Vec<RejectedTool>) {
    let mut refused = Vec::new();
    let mut manifests: Vec<(String, Manifest)> = Vec::new();
    for path in files(folder, &mut refused) {
        let place = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        match read(folder, &path, &place) {
            Ok(manifest) => manifests.push((place, manifest)),
            Err(bad) => refused.push(bad.into()),
        }
    }
    let mut loaded = registry.clone();
    let mut composites: BTreeMap<String, (String, CompositeTool)> = BTreeMap::new();
    for (place, manifest) in manifests {
        let id = manifest.id();
        match work(&manifest, &place) {
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
            Ok(UserTool::Endpoint(endpoint)) => {
                match loaded.with(RegisteredTool::new(manifest, Arc::new(endpoint)), &place) {
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
    Endpoint(HttpEndpoint),
}

fn work(manifest: &Manifest, place: &str) -> Result<UserTool, BadManifest> {
    let bad = |issue: String| BadManifest {
        place: place.to_owned(),
        issues: vec![issue],
    };
    match (&manifest.plan, &manifest.http) {
        (Some(plan), None) => CompositeTool::new(manifest, plan)
            .map(UserTool::Plan)
            .map_err(bad),
        (None, Some(http)) => HttpEndpoint::new(manifest, http)
            .map(UserTool::Endpoint)
            .map_err(bad),
        _ => Err(bad("a tool of your own has either a `plan` or `http`".into())),
    }
}

/// The manifests of a folder, sorted by name.
fn files(folder: &Path, refused: &mut Vec<RejectedTool>) -> Vec<std::path::PathBuf> {
    let list = |folder: &Path| -> Vec<std::path::PathBuf> {
        let entries = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|it| it.path());
        entries.take(MAX_MANIFESTS * 2).collect()
    };
    let is_manifest = |path: &Path| path.extension().is_some_and(|it| it == "json");
    let mut found = Vec::new();
    for path in list(folder) {
        if path.is_dir() && !path.is_symlink() {
            found.extend(list(&path).into_iter().filter(|it| is_manifest(it)));
        } else if is_manifest(&path) && path.file_name().is_none_or(|it| it != tools::mcp::FILE) {
            found.push(path);
        }
    }
    found.sort();
    if found.len() > MAX_MANIFESTS {
        let issues = vec![format!(
            "there are {} manifests; at most {MAX_MANIFESTS} are loaded",
            found.len()
        )];
        refused.push(
            BadManifest {
                place: folder.display().to_string(),
                issues,
            }
            .into(),
        );
        found.truncate(MAX_MANIFESTS);
    }
    found
}

fn read(folder: &Path, path: &Path, place: &str) -> Result<Manifest, BadManifest> {
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
    let category = match serde_json::from_str::<Value>(&text) {
        Ok(manifest) => manifest
            .get("category")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        Err(error) => return Err(bad(format!("it is not JSON: {error}"))),
    };
    Manifest::read(&text, &category, name).map_err(|it| BadManifest {
        place: place.to_owned(),
        ..it
    })
}

#[cfg(test)]
mod tests;
