//! `huntsman.toml` under the flags and variables: a key of the file is the default of the flag of its name.

use std::path::{Path, PathBuf};

use clap::Command;
use toml::{Table, Value};

/// What is wrong with a configuration file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file that was named is not there or cannot be read.
    #[error("cannot read the configuration file {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The file is no TOML.
    #[error("{} is not valid TOML: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where and why.
        reason: String,
    },
    /// A key that no setting has.
    #[error("{} sets {key:?}, which is no setting{}", path.display(), nearest.as_ref().map(|it| format!("; did you mean {it:?}?")).unwrap_or_default())]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The key as written.
        key: String,
        /// The setting whose name is closest.
        nearest: Option<String>,
    },
    /// A value that is neither text, number, truth value nor a list of such.
    #[error("{}: the value of {key:?} has to be text, a number, true or false, or a list of these", path.display())]
    BadValue {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
    },
}

/// The file to read: the one named, else `./huntsman.toml`, else `huntsman/huntsman.toml` in the user's
/// configuration folder; none when none of these is there.
pub fn find(named: Option<&Path>) -> Option<PathBuf> {
    if let Some(path) = named {
        return Some(path.to_owned());
    }
    let home = || std::env::var_os("HOME").map(|it| PathBuf::from(it).join(".config"));
    let users = std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(home);
    let places = [
        Some(PathBuf::from("huntsman.toml")),
        users.map(|it| it.join("huntsman/huntsman.toml")),
    ];
    places.into_iter().flatten().find(|it| it.is_file())
}

/// Lays a file under a command: its values become the defaults of the flags of the same names.
///
/// # Errors
/// When the file cannot be read, is no TOML, or has a key or value that no flag takes.
pub fn lay_under(mut command: Command, path: &Path) -> Result<Command, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::Unreadable {
        path: path.to_owned(),
        reason: error.to_string(),
    })?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| Error::Malformed {
        path: path.to_owned(),
        reason: error.message().to_owned(),
    })?;
    let names: Vec<String> = command
        .get_arguments()
        .map(|it| it.get_id().to_string())
        .collect();
    for (key, value) in flatten(&table) {
        let id = key.replace('-', "_");
        if !names.contains(&id) {
            let nearest = names
                .iter()
                .min_by_key(|it| distance(it, &id))
                .filter(|it| distance(it, &id) <= 3);
            return Err(Error::UnknownKey {
                path: path.to_owned(),
                key,
                nearest: nearest.cloned(),
            });
        }
        let Some(values) = texts(&value) else {
            return Err(Error::BadValue {
                path: path.to_owned(),
                key,
            });
        };
        command = command.mut_arg(id, |it| it.default_values(values));
    }
    Ok(command)
}

/// `[llm] provider = "x"` is `llm_provider`.
fn flatten(table: &Table) -> Vec<(String, Value)> {
    let mut flat = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) => {
                flat.extend(
                    inner
                        .iter()
                        .map(|(name, value)| (format!("{key}_{name}"), value.clone())),
                );
            }
            other => flat.push((key.clone(), other.clone())),
        }
    }
    flat
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items.iter().map(text).collect(),
        single => Some(vec![text(single)?]),
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(truth) => Some(truth.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// Edit distance between two names, for "did you mean".
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (line, from) in left.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], line + 1);
        for (column, to) in right.iter().enumerate() {
            let replaced = corner + usize::from(from != *to);
            corner = row[column + 1];
            row[column + 1] = replaced.min(corner + 1).min(row[column] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}
