//! Plugins: names for groups of tools that a request may enable.

/// Plugin ids with the categories of tools they stand for. Ids of plugins that are no tools (roles, model providers)
/// stand for none.
const PLUGINS: &[(&str, &[&str])] = &[
    ("browser", &["browser", "navigation", "forms"]),
    ("mcp-browser", &["browser", "navigation", "forms"]),
    ("mcp-screenshot", &["browser"]),
    ("html-parser", &["html"]),
    ("mcp-html", &["html"]),
    ("data-processing", &["json", "csv", "data"]),
    ("proc-json", &["json"]),
    ("proc-csv", &["csv"]),
    ("proc-pandas", &["data"]),
    ("sandbox", &["data"]),
    ("network", &["http", "url"]),
    ("media", &["pdf"]),
    ("mcp-pdf", &["pdf"]),
    ("analysis", &["stats", "text", "analysis"]),
    ("skill-extractor", &["extract", "extraction"]),
    ("extraction", &["extract", "extraction"]),
    ("skill-navigator", &["navigation", "forms"]),
    ("skill-verifier", &["validate", "validation"]),
    ("validation", &["validate", "validation"]),
    ("storage", &["memory", "cache"]),
];

/// Roles that a request may select, with the categories of tools that only they use. The planner has a model plan the
/// calls of tools; without it the triggers of the tools do.
const ROLES: &[(&str, &[&str])] = &[
    (PLANNER, &[]),
    ("navigator", &["navigation", "forms"]),
    ("extractor", &["extract", "extraction"]),
    ("verifier", &["validate", "validation"]),
];

const PLANNER: &str = "planner";

/// The first of these roles that there is not, with its place.
pub fn unknown_role(roles: &[String]) -> Option<(usize, &String)> {
    let is_known = |role: &str| ROLES.iter().any(|(known, _)| *known == role);
    roles.iter().enumerate().find(|(_, role)| !is_known(role))
}

/// Every role.
pub fn roles() -> impl Iterator<Item = &'static str> {
    ROLES.iter().map(|(role, _)| *role)
}

/// Whether a model plans the calls of tools.
pub fn has_planner(roles: &[String]) -> bool {
    roles.is_empty() || roles.iter().any(|role| role == PLANNER)
}

/// The tools of a request: those of its plugins, without those of roles that it leaves out. All when it names neither.
pub fn for_request(plugins: &[String], roles: &[String], registry: &tools::Registry) -> Option<Vec<String>> {
    let of_plugins = allowed(plugins, registry);
    if roles.is_empty() {
        return of_plugins;
    }
    let left_out: Vec<&str> = ROLES
        .iter()
        .filter(|(role, _)| !roles.iter().any(|selected| selected == role))
        .flat_map(|(_, categories)| categories.iter().copied())
        .collect();
    let tools = registry.iter().filter(|tool| {
        let category = tool.manifest().category.as_str();
        let is_enabled = |names: &Vec<String>| names.iter().any(|name| name == category || name == tool.id());
        !left_out.contains(&category) && of_plugins.as_ref().is_none_or(is_enabled)
    });
    Some(tools.map(|tool| tool.id().to_owned()).collect())
}

/// A plugin, and the tools that it stands for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Plugin {
    /// What `enable_plugins` names.
    pub id: &'static str,
    /// The categories of its tools.
    pub categories: &'static [&'static str],
    /// The ids of its tools, in their order.
    pub tools: Vec<String>,
}

/// Every plugin with the tools of this registry. A category or the id of a tool can be enabled as well.
pub fn all(registry: &tools::Registry) -> Vec<Plugin> {
    let plugin = |(id, categories): &(&'static str, &'static [&'static str])| {
        let is_its =
            |tool: &&tools::registry::RegisteredTool| categories.contains(&tool.manifest().category.as_str());
        Plugin {
            id,
            categories,
            tools: registry
                .iter()
                .filter(is_its)
                .map(|tool| tool.id().to_owned())
                .collect(),
        }
    };
    PLUGINS.iter().map(plugin).collect()
}

/// The tools that a request enables: all when it names no plugin, else those of its plugins and no other. An id that is
/// no plugin may be a category or the id of a tool.
pub fn allowed(plugins: &[String], registry: &tools::Registry) -> Option<Vec<String>> {
    if plugins.is_empty() {
        return None;
    }
    let tools = plugins.iter().flat_map(|it| stands_for(it, registry));
    Some(tools.collect())
}

/// The first of these plugins whose tools are all withheld.
pub fn withheld(plugins: &[String], registry: &tools::Registry) -> Option<usize> {
    let withheld: Vec<&str> = registry.withheld().collect();
    let is_withheld = |plugin: &String| {
        let of_plugin = PLUGINS.iter().find(|(id, _)| *id == plugin);
        let names = of_plugin.map_or_else(|| vec![plugin.as_str()], |(_, categories)| categories.to_vec());
        let is_its = |id: &str| {
            names
                .iter()
                .any(|name| *name == id || Some(*name) == id.split('.').next())
        };
        withheld.iter().any(|id| is_its(id)) && !registry.iter().any(|tool| is_its(tool.id()))
    };
    plugins.iter().position(is_withheld)
}

/// The plugins of a request that stand for any tool.
pub fn enabled(plugins: &[String], registry: &tools::Registry) -> Vec<String> {
    plugins
        .iter()
        .filter(|it| !stands_for(it, registry).is_empty())
        .cloned()
        .collect()
}

fn stands_for(plugin: &str, registry: &tools::Registry) -> Vec<String> {
    if let Some((_, categories)) = PLUGINS.iter().find(|(id, _)| *id == plugin) {
        return categories.iter().map(|it| (*it).to_owned()).collect();
    }
    let known = registry
        .iter()
        .any(|it| it.id() == plugin || it.manifest().category == plugin);
    known.then(|| plugin.to_owned()).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plugin_stands_for_tools() {
        let plugins = all(&tools::Registry::builtin());
        let empty: Vec<&str> = plugins
            .iter()
            .filter(|plugin| plugin.tools.is_empty())
            .map(|it| it.id)
            .collect();
        assert_eq!(empty, Vec::<&str>::new());
        let html = plugins.iter().find(|plugin| plugin.id == "html-parser").unwrap();
        assert!(html.tools.iter().all(|tool| tool.starts_with("html.")) && html.tools.len() > 3);
    }

    #[test]
    fn roles_that_are_left_out_take_their_tools_along() {
        let registry = tools::Registry::builtin();
        let ids = |ids: &[&str]| ids.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        assert_eq!(for_request(&[], &[], &registry), None);
        let every: Vec<&str> = roles().collect();
        let all = for_request(&[], &ids(&every), &registry).unwrap();
        assert_eq!(all.len(), registry.iter().count());
        let some = for_request(&[], &ids(&["planner", "extractor"]), &registry).unwrap();
        let has = |prefix: &str| some.iter().any(|tool| tool.starts_with(prefix));
        assert!(
            has("extraction.") && has("html.") && !has("forms.") && !has("validation."),
            "{some:?}"
        );
        let both = for_request(&ids(&["html-parser"]), &ids(&["extractor"]), &registry).unwrap();
        assert!(
            !both.is_empty() && both.iter().all(|tool| tool.starts_with("html.")),
            "{both:?}"
        );
        assert!(has_planner(&[]) && !has_planner(&ids(&["extractor"])));
        let roles = ids(&["planner", "poet"]);
        assert_eq!(unknown_role(&roles), Some((1, &roles[1])));
    }

    #[test]
    fn plugins_limit_the_tools_and_unknown_ones_give_none() {
        let registry = tools::Registry::builtin();
        let ids = |ids: &[&str]| ids.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        assert_eq!(allowed(&[], &registry), None);
        assert_eq!(
            allowed(&ids(&["html-parser", "proc-excel"]), &registry),
            Some(ids(&["html"]))
        );
        assert_eq!(
            allowed(&ids(&["proc-excel"]), &registry),
            Some(vec![]),
            "nothing, and not everything"
        );
        assert_eq!(
            allowed(&ids(&["html.select"]), &registry),
            Some(ids(&["html.select"]))
        );
        assert_eq!(
            enabled(&ids(&["html-parser", "proc-excel"]), &registry),
            ids(&["html-parser"])
        );
    }
}
