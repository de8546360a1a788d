//! Lists that validation tools check: source, fields and filtering.

use serde_json::Value;

use crate::context::ToolContext;
use crate::error::Error;

/// The list that a validation tool checks.
///
/// # Errors
/// When no earlier step gave a list.
pub(crate) fn list(context: &ToolContext, source: Option<&str>) -> Result<Vec<Value>, Error> {
    let missing = || {
        Error::NotFound(format!(
            "there is no list to check{}; run a tool that gives one before, or name it with `source`",
            source.map(|it| format!(" under {it:?}")).unwrap_or_default()
        ))
    };
    match source {
        Some(source) => match context.input.get(source).and_then(Value::as_array) {
            Some(list) => Ok(list.clone()),
            // The usual name of a list may be another one in this plan.
            None => context.list(source).cloned().ok_or_else(missing),
        },
        None => context.list("").cloned().ok_or_else(missing),
    }
}

/// A field of an item, by its name or by a path with dots.
pub(crate) fn field<'v>(item: &'v Value, name: &str) -> Option<&'v Value> {
    let whole = item.get(name);
    let by_path = || name.split('.').try_fold(item, |it, key| it.get(key));
    whole.or_else(by_path).filter(|it| !it.is_null())
}

/// The items to pass on: in `filter` mode those that passed, else all. In `fail` mode the plan ends the step.
pub(crate) fn remaining(mode: &str, items: Vec<Value>, passed: &[bool]) -> Vec<Value> {
    match mode {
        "filter" => items
            .into_iter()
            .zip(passed)
            .filter(|it| *it.1)
            .map(|it| it.0)
            .collect(),
        _ => items,
    }
}
