//! Import cycles between the files of a crate.
//!
//! A file imports another when it names an item that the other defines. Re-exports are followed to the definition, so a
//! parent that declares and re-exports its children is tied to them only by the names that its own code uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::source::{Import, Source, UsedPath};

/// Longest chain of re-exports that is followed.
const MAX_REEXPORTS: usize = 16;

/// Names that a file takes from others, by the other's module.
type Edges = BTreeMap<ModulePath, BTreeMap<ModulePath, BTreeSet<String>>>;
/// The names from the root of the crate to a module; empty for the root.
type ModulePath = Vec<String>;

/// Every cycle of a crate, described with the names that tie its files. `files` are all files below `root`.
pub(super) fn find(root: &Path, files: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let mut modules = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(file)?;
        let source = Source::parse(&text).with_context(|| format!("cannot read {}", file.display()))?;
        modules.insert(module_path(root, file), source);
    }
    let graph = Graph { modules };
    let edges = graph.edges();
    Ok(components(&edges)
        .iter()
        .map(|members| describe(root, members, &edges))
        .collect())
}

/// `src/a/b.rs` is the module `a::b`, `src/lib.rs` and `src/main.rs` are the root.
fn module_path(root: &Path, file: &Path) -> ModulePath {
    let path = file.strip_prefix(root).unwrap_or(file).with_extension("");
    let names: Vec<String> = path
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    match names.as_slice() {
        [single] if single == "lib" || single == "main" => Vec::new(),
        [rest @ .., last] if last == "mod" => rest.to_vec(),
        _ => names,
    }
}

struct Graph {
    modules: BTreeMap<ModulePath, Source>,
}

impl Graph {
    fn edges(&self) -> Edges {
        let mut edges = Edges::new();
        for (module, source) in &self.modules {
            let uses_itself =
                |import: &&Import| !import.is_reexport || source.identifiers.contains(&import.alias);
            let imported = source
                .imports
                .iter()
                .filter(uses_itself)
                .map(|import| &import.path);
            for path in imported.chain(&source.paths) {
                let target = self
                    .absolute(module, path)
                    .and_then(|absolute| self.resolve(absolute, 0));
                if let Some((target, name)) = target
                    && target != *module
                {
                    edges
                        .entry(module.clone())
                        .or_default()
                        .entry(target)
                        .or_default()
                        .insert(name);
                }
            }
        }
        edges
    }

    /// The path from the root of the crate; none for a path into another crate or a local type.
    fn absolute(&self, module: &ModulePath, path: &UsedPath) -> Option<ModulePath> {
        let mut base = [module.as_slice(), &path.inline].concat();
        let first = path.segments.first()?;
        let mut rest = path.segments.as_slice();
        match first.as_str() {
            "crate" => {
                base.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|segment| segment == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            name => {
                let child = [base.as_slice(), std::slice::from_ref(first)].concat();
                if !self.is_module(&child) {
                    // A name that a `use` of this file has brought.
                    let imports = &self.modules.get(module)?.imports;
                    let import = imports.iter().find(|import| {
                        import.alias == name && import.path.segments.len() > 1 && import.path != *path
                    })?;
                    base = self.absolute(module, &import.path)?;
                    rest = &rest[1..];
                }
            }
        }
        Some([base.as_slice(), rest].concat())
    }

    /// Whether a path is a module with a file of its own or files below it.
    fn is_module(&self, path: &[String]) -> bool {
        let below = self.modules.range(path.to_vec()..).next();
        below.is_some_and(|(module, _)| module.starts_with(path))
    }

    /// The module that defines what the path names, and the name; none for a path that is a module itself.
    fn resolve(&self, path: ModulePath, depth: usize) -> Option<(ModulePath, String)> {
        let length = (0..=path.len())
            .rev()
            .find(|length| self.is_module(&path[..*length]))?;
        let (module, rest) = path.split_at(length);
        let name = rest.first()?;
        let source = self.modules.get(module)?;
        if depth < MAX_REEXPORTS && !source.definitions.contains(name) {
            let is_meant = |import: &&Import| import.alias == *name || import.alias == "*";
            for import in source
                .imports
                .iter()
                .filter(is_meant)
                .filter(|import| import.path.inline.is_empty())
            {
                let mut segments = import.path.segments.clone();
                if import.alias == "*" {
                    segments.pop();
                    segments.push(name.clone());
                }
                segments.extend_from_slice(&rest[1..]);
                let target = UsedPath {
                    inline: Vec::new(),
                    segments,
                };
                let is_local = matches!(target.segments[0].as_str(), "crate" | "self" | "super")
                    || self.is_module(&[module, &target.segments[..1]].concat());
                match (is_local, import.alias == "*") {
                    // It comes from another crate.
                    (false, false) => return None,
                    (false, true) => {}
                    (true, is_glob) => {
                        let target = self.absolute(&module.to_vec(), &target)?;
                        let resolved = self.resolve(target, depth + 1);
                        let is_defined = |(module, name): &(ModulePath, String)| {
                            self.modules
                                .get(module)
                                .is_some_and(|source| source.definitions.contains(name))
                        };
                        if !is_glob || resolved.as_ref().is_some_and(is_defined) {
                            return resolved;
                        }
                    }
                }
            }
        }
        Some((module.to_vec(), name.clone()))
    }
}

/// The strongly connected components of more than one file (Tarjan, 1972).
fn components(edges: &Edges) -> Vec<Vec<ModulePath>> {
    #[derive(Default)]
    struct Search<'g> {
        indices: BTreeMap<&'g ModulePath, usize>,
        lowest: BTreeMap<&'g ModulePath, usize>,
        stack: Vec<&'g ModulePath>,
        found: Vec<Vec<ModulePath>>,
    }
    fn visit<'g>(search: &mut Search<'g>, edges: &'g Edges, module: &'g ModulePath) {
        let index = search.indices.len();
        search.indices.insert(module, index);
        search.lowest.insert(module, index);
        search.stack.push(module);
        for target in edges.get(module).into_iter().flat_map(BTreeMap::keys) {
            let reached = match search.indices.get(target) {
                None => {
                    visit(search, edges, target);
                    search.lowest[target]
                }
                Some(index) if search.stack.contains(&target) => *index,
                Some(_) => continue,
            };
            if reached < search.lowest[module] {
                search.lowest.insert(module, reached);
            }
        }
        if search.lowest[module] == index {
            let start = search
                .stack
                .iter()
                .position(|open| *open == module)
                .unwrap_or_default();
            let members: Vec<ModulePath> = search.stack.split_off(start).into_iter().cloned().collect();
            if members.len() > 1 {
                search.found.push(members);
            }
        }
    }
    let mut search = Search::default();
    for module in edges.keys() {
        if !search.indices.contains_key(module) {
            visit(&mut search, edges, module);
        }
    }
    search.found
}

fn describe(root: &Path, members: &[ModulePath], edges: &Edges) -> String {
    let name = |module: &ModulePath| match module.is_empty() {
        true => "the root".to_owned(),
        false => module.join("::"),
    };
    let mut text = format!(
        "{}: {} modules import each other in a circle",
        root.display(),
        members.len()
    );
    for module in members {
        for (target, names) in edges
            .get(module)
            .into_iter()
            .flatten()
            .filter(|(target, _)| members.contains(target))
        {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            text.push_str(&format!(
                "\n    {} -> {}: {}",
                name(module),
                name(target),
                names.join(", ")
            ));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(files: &[(&str, &str)]) -> Vec<String> {
        let modules = files.iter().map(|(path, text)| {
            (
                module_path(Path::new("src"), &Path::new("src").join(path)),
                Source::parse(text).unwrap(),
            )
        });
        let graph = Graph {
            modules: modules.collect(),
        };
        let edges = graph.edges();
        components(&edges)
            .iter()
            .map(|members| describe(Path::new("src"), members, &edges))
            .collect()
    }

    #[test]
    fn two_modules_that_import_each_other_are_a_cycle() {
        let found = cycles(&[
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            ("b.rs", "pub struct B; fn f() { vec![super::a::A::new()]; }"),
        ]);
        assert_eq!(
            found,
            ["src: 2 modules import each other in a circle\n    a -> b: B\n    b -> a: A"]
        );
    }

    #[test]
    fn a_parent_that_only_re_exports_is_no_cycle() {
        let child = (
            "a/child.rs",
            "use super::other::Other; use crate::a::Other as Same; pub struct Child(Other);",
        );
        let other = ("a/other.rs", "pub struct Other;");
        let parent = "mod child; mod other; pub use child::Child; pub use other::Other;";
        assert_eq!(
            cycles(&[("lib.rs", "pub mod a;"), ("a.rs", parent), child, other]),
            [""; 0]
        );
        let using = &format!("{parent} pub fn make() -> Child {{ todo!() }}");
        assert_eq!(
            cycles(&[("lib.rs", "pub mod a;"), ("a.rs", using), child, other]),
            [""; 0]
        );
    }

    #[test]
    fn a_child_that_takes_from_the_parent_that_uses_it_is_a_cycle() {
        let child = ("a/child.rs", "use super::Limit; pub fn run(_: Limit) {}");
        let parent = "mod child; pub struct Limit; pub fn f() { child::run(Limit) }";
        assert_eq!(
            cycles(&[("lib.rs", "pub mod a;"), ("a.rs", parent), child]).len(),
            1
        );
    }

    #[test]
    fn tests_and_other_crates_do_not_count() {
        let found = cycles(&[
            ("lib.rs", "mod a; mod b;"),
            (
                "a.rs",
                "use other::b::B; pub struct A; #[cfg(test)] mod tests { use crate::b::B; }",
            ),
            ("b.rs", "use crate::a::A; pub struct B;"),
        ]);
        assert_eq!(found, [""; 0]);
    }
}
