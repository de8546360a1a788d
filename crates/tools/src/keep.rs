//! What tools keep while a run lasts.

use std::sync::PoisonError;

use serde::Deserialize;
use serde_json::Value;

use crate::context::ToolContext;
use crate::error::Error;

/// Most values that one run keeps.
const MOST: usize = 1_000;
/// Largest value, in bytes of JSON.
const LARGEST: usize = 1 << 20;

/// What the tools that keep something take.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub(crate) key: String,
    #[serde(default)]
    pub(crate) value: Value,
}

/// Keeps a value.
pub(crate) fn put(context: &ToolContext, key: &str, value: Value) -> Result<(), Error> {
    let size = value.to_string().len();
    if size > LARGEST {
        return Err(Error::TooMuch {
            what: format!("a value of {size} bytes"),
            limit: format!("{LARGEST} bytes"),
        });
    }
    let mut kept = context
        .services
        .memory
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if kept.len() >= MOST && !kept.contains_key(key) {
        return Err(Error::TooMuch {
            what: "what this run keeps".into(),
            limit: format!("{MOST} values"),
        });
    }
    kept.insert(key.to_owned(), value);
    Ok(())
}

/// The value of a key.
pub(crate) fn get(context: &ToolContext, key: &str) -> Option<Value> {
    context
        .services
        .memory
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get(key)
        .cloned()
}

/// Every value whose key begins so, under the rest of its key.
pub(crate) fn all(context: &ToolContext, prefix: &str) -> Vec<(String, Value)> {
    let kept = context
        .services
        .memory
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    kept.iter()
        .filter_map(|(key, value)| Some((key.strip_prefix(prefix)?.to_owned(), value.clone())))
        .collect()
}
