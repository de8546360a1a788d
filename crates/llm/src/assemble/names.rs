//! Tool names that arrive in pieces.

use crate::tool::ToolSet;

/// The name after `new` came for a call named `old`.
///
/// A name is assigned. It is joined only where the old one is no tool and both together begin one, and an
/// offered name does not give way to one that nobody offers.
pub(crate) fn join_name(old: Option<&str>, new: &str, tools: &ToolSet) -> String {
    let Some(old) = old else { return new.to_owned() };
    if new == old || (new.len() > old.len() && new.starts_with(old)) {
        return new.to_owned();
    }
    if begins_tool_name(old, new, tools) {
        return format!("{old}{new}");
    }
    if tools.has(old) && !tools.has(new) {
        old.to_owned()
    } else {
        new.to_owned()
    }
}

/// Could a call named `old` be the one that `new` speaks of?
pub(crate) fn agree(old: Option<&str>, new: Option<&str>, tools: &ToolSet) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => new.starts_with(old) || begins_tool_name(old, new, tools),
        _ => true,
    }
}

fn begins_tool_name(old: &str, new: &str, tools: &ToolSet) -> bool {
    !tools.has(old) && tools.begins(&format!("{old}{new}"))
}
