//! Finds the tools in `src/<category>/`, checks their manifests, and writes the module tree and the table.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

#[path = "src/manifest/rules.rs"]
#[expect(unreachable_pub, reason = "the crate uses the rest of these rules")]
mod rules;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=build.rs");
    let source = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("src");
    let mut faults = Vec::new();
    let mut categories: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
    for folder in folders(&source)? {
        let tools = tools_of(&folder, &mut faults)?;
        if !tools.is_empty() {
            categories.insert(name_of(&folder), tools);
        }
    }
    for fault in &faults {
        println!("cargo::error={fault}");
    }
    if !faults.is_empty() {
        return Err(format!("{} tools cannot be built; see above", faults.len()).into());
    }
    let out = Path::new(&std::env::var("OUT_DIR")?).join("tools.rs");
    Ok(fs::write(out, code(&categories)?)?)
}

fn folders(source: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(source)? {
        let path = entry?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// The tools of a folder, by name. A folder without any manifest is a module of the crate, not a category.
fn tools_of(folder: &Path, faults: &mut Vec<String>) -> Result<BTreeMap<String, PathBuf>, Box<dyn Error>> {
    let mut manifests = BTreeMap::new();
    let mut code = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.extension().and_then(|it| it.to_str()) {
            Some("json") => manifests.insert(name_of(&path), path),
            Some("rs") => code.insert(name_of(&path), path),
            _ => None,
        };
    }
    if manifests.is_empty() {
        return Ok(manifests);
    }
    let category = name_of(folder);
    for (name, path) in &manifests {
        let here = format!("src/{category}/{name}.json");
        if !code.contains_key(name) {
            faults.push(format!("{here}: there is no {name}.rs beside it"));
        }
        let issues = rules::of_text(&fs::read_to_string(path)?, &category, name);
        faults.extend(issues.into_iter().map(|issue| format!("{here}: {issue}")));
    }
    for name in code.keys().filter(|it| !manifests.contains_key(*it)) {
        let hint =
            "a tool is two files of one name; code that several tools share belongs outside of the folder";
        faults.push(format!(
            "src/{category}/{name}.rs: there is no {name}.json beside it ({hint})"
        ));
    }
    Ok(code
        .into_iter()
        .filter(|(name, _)| manifests.contains_key(name))
        .collect())
}

fn code(categories: &BTreeMap<String, BTreeMap<String, PathBuf>>) -> Result<String, Box<dyn Error>> {
    let mut modules = String::new();
    let mut table = String::new();
    let mut texts = String::new();
    for (category, tools) in categories {
        writeln!(
            modules,
            "/// Tools of the category `{category}`.\npub mod r#{category} {{"
        )?;
        for (name, path) in tools {
            let manifest = path.with_extension("json");
            writeln!(modules, "    #[path = {path:?}]\n    pub mod r#{name};")?;
            let kind = camel(&format!("{category}_{name}"));
            let tool = format!("r#{category}::r#{name}::{kind}");
            let arguments = format!("{category:?}, {name:?}, {tool}, include_str!({manifest:?})");
            let text: Map<String, Value> = serde_json::from_str(&fs::read_to_string(&manifest)?)?;
            let entry = match (rules::is_for_agents_only(&text), text.contains_key("agent")) {
                (true, _) => format!("for_agents({arguments})"),
                (false, true) => format!("of({arguments}).map(|entry| entry.with_agent({tool}))"),
                (false, false) => format!("of({arguments})"),
            };
            writeln!(table, "    crate::registry::RegisteredTool::{entry},")?;
            writeln!(texts, "    ({category:?}, {name:?}, include_str!({manifest:?})),")?;
        }
        modules.push_str("}\n");
    }
    Ok(format!(
        "{modules}/// Every tool that is compiled in, in the order of its id.\n\
         pub(crate) fn entries() -> Vec<Result<crate::registry::RegisteredTool, crate::manifest::BadManifest>> {{\n    vec![\n{table}    ]\n}}\n\
         /// Category, name and text of their manifests.\n\
         pub(crate) const MANIFESTS: &[(&str, &str, &str)] = &[\n{texts}];\n"
    ))
}

/// `price_range_check` of the category `validation` is the struct `ValidationPriceRangeCheck`.
fn camel(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map(|first| first.to_uppercase().chain(letters).collect::<String>())
                .unwrap_or_default()
        })
        .collect()
}

fn name_of(path: &Path) -> String {
    path.file_stem()
        .and_then(|it| it.to_str())
        .unwrap_or_default()
        .to_owned()
}
