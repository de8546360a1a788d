//! The catalog of tools. Their descriptions are constants of this program: no page and no other server can change them.

use std::sync::{Arc, LazyLock};

use rmcp::model::Tool;
use runtime::pages::nearest;

use super::permission;
use super::session::{Access, Session};

/// Every tool, in the order of the list.
static TOOLS: LazyLock<Vec<Tool>> =
    LazyLock::new(|| serde_json::from_str(include_str!("tools.json")).unwrap_or_default());

/// The tools that a client is offered: those of its endpoint that the scopes of its key open.
pub(super) fn offered(session: &Session) -> impl Iterator<Item = &'static Tool> {
    on_endpoint(session).filter(|tool| session.caller.missing(permission::needed(&tool.name)).is_none())
}

/// The tools of the endpoint, whatever the key.
fn on_endpoint(session: &Session) -> impl Iterator<Item = &'static Tool> {
    let (access, can_search) = (session.access, session.state.workers.pages().can_search());
    TOOLS.iter().filter(move |tool| {
        let is_read_only = tool.annotations.as_ref().and_then(|it| it.read_only_hint) == Some(true);
        (access == Access::All || is_read_only) && (can_search || tool.name != "search")
    })
}

/// The schema of a tool's arguments. A tool that lacks nothing but a scope is known: its call says which scope.
///
/// # Errors
/// When the client is offered no such tool, naming the nearest.
pub(super) fn schema(session: &Session, name: &str) -> Result<Arc<rmcp::model::JsonObject>, String> {
    if let Some(tool) = on_endpoint(session).find(|tool| tool.name == name) {
        return Ok(Arc::clone(&tool.input_schema));
    }
    let shown: String = name.chars().filter(|it| !it.is_control()).take(60).collect();
    if name == "search" {
        return Err(
            "search: no search provider is configured; the operator sets HUNTSMAN_SEARCH_PROVIDER".to_owned(),
        );
    }
    if TOOLS.iter().any(|tool| tool.name == name) {
        return Err(format!(
            "{name} is not offered on this read-only endpoint; the full one is /mcp"
        ));
    }
    let names: Vec<&str> = offered(session).map(|tool| tool.name.as_ref()).collect();
    Err(match nearest(name, names.iter().copied()) {
        Some(near) => format!("unknown tool {shown:?}; did you mean {near}?"),
        None => format!("unknown tool {shown:?}; there are {}", names.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_nine_tools_and_each_says_what_it_may_do() {
        assert_eq!(TOOLS.len(), 9);
        for tool in TOOLS.iter() {
            let hints = tool.annotations.as_ref().expect("hints");
            assert!(
                hints.read_only_hint.is_some() && hints.open_world_hint.is_some(),
                "{}",
                tool.name
            );
            assert!(tool.description.as_ref().is_some_and(|text| text.len() < 2048));
        }
    }
}
