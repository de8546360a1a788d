//! Arguments that are JSON, or `@FILE` for a file of it; and names of columns.

use std::fs;

use serde_json::Value;

use crate::failure::Failure;

/// The value of a flag.
pub(crate) fn json(flag: &str, text: &str) -> Result<Value, Failure> {
    let read = match text.strip_prefix('@') {
        Some(path) => &self::text(flag, path)?,
        None => text,
    };
    serde_json::from_str(read).map_err(|error| {
        Failure::usage(format!(
            "{flag}: not JSON: {error}; give JSON, or @FILE for a file of it"
        ))
    })
}

/// The text of a file that a flag names.
pub(crate) fn text(flag: &str, path: &str) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::usage(format!("{flag}: cannot read {path}: {error}")))
}

/// The name of a column.
pub(crate) fn column(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("names no column; give names with a comma between".to_owned()),
        name => Ok(name.to_owned()),
    }
}
