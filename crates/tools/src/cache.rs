//! Values that the tools of categories `cache` and `memory` store for the duration of a run.

use std::collections::BTreeMap;
use std::sync::{MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::Value;

use crate::context::ToolContext;
use crate::error::Error;

/// Most values of one run.
const MAX_VALUES: usize = 1_000;
/// Largest value, in bytes of JSON.
const MAX_VALUE_BYTES: usize = 1 << 20;

/// Parameters of tools that read a value.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeyParams {
    pub(crate) key: String,
}

/// Parameters of tools that store a value.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EntryParams {
    pub(crate) key: String,
    #[serde(default)]
    pub(crate) value: Value,
}

fn values(context: &ToolContext) -> MutexGuard<'_, BTreeMap<String, Value>> {
    let values = &context.services.memory;
    values.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stores a value.
///
/// # Errors
/// When it is too large, or the run has too many values.
pub(crate) fn put(context: &ToolContext, key: &str, value: Value) -> Result<(), Error> {
    let size = value.to_string().len();
    if size > MAX_VALUE_BYTES {
        return Err(Error::TooMuch {
            what: format!("a value of {size} bytes"),
            limit: format!("{MAX_VALUE_BYTES} bytes"),
        });
    }
    let mut values = values(context);
    if values.len() >= MAX_VALUES && !values.contains_key(key) {
        return Err(Error::TooMuch {
            what: "what this run keeps".into(),
            limit: format!("{MAX_VALUES} values"),
        });
    }
    values.insert(key.to_owned(), value);
    Ok(())
}

/// The value of a key.
pub(crate) fn get(context: &ToolContext, key: &str) -> Option<Value> {
    values(context).get(key).cloned()
}

/// Every value whose key begins with a prefix, under the rest of its key.
pub(crate) fn with_prefix(context: &ToolContext, prefix: &str) -> Vec<(String, Value)> {
    let values = values(context);
    let found = values
        .iter()
        .filter_map(|(key, value)| Some((key.strip_prefix(prefix)?, value)));
    found
        .map(|(key, value)| (key.to_owned(), value.clone()))
        .collect()
}
