//! `huntsman.toml`: a key for every setting.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::error::Error;
use super::origin::Origin;
use super::store_engine::StoreEngine;
use super::table::SETTINGS;

/// What a configuration file sets, by the setting's name.
#[derive(Debug, Default)]
pub struct SettingsFile {
    path: PathBuf,
    /// The key as written, and the value's texts.
    values: BTreeMap<&'static str, (String, Vec<OsString>)>,
}

/// The name of a configuration file in the working folder.
const FOUND: &str = "huntsman.toml";

/// A configuration file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChoice {
    /// One that the user named, or that lies in the user's own configuration folder.
    Trusted(PathBuf),
    /// `./huntsman.toml`, which nobody named.
    Found(PathBuf),
}

/// The file to read: the one named, else `./huntsman.toml`, else `huntsman/huntsman.toml` in the user's
/// configuration folder; none when none of these exists.
pub fn find(named: Option<&Path>) -> Option<FileChoice> {
    if let Some(path) = named {
        return Some(FileChoice::Trusted(path.to_owned()));
    }
    let found = PathBuf::from(FOUND);
    if found.is_file() {
        return Some(FileChoice::Found(found));
    }
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".config"));
    let users = std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(home);
    let users = users.map(|folder| folder.join("huntsman").join(FOUND));
    users.filter(|path| path.is_file()).map(FileChoice::Trusted)
}

impl SettingsFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, is no TOML, or has a key that no setting has, that such a file may not set, or a value
    /// that no setting takes.
    pub fn read(choice: &FileChoice) -> Result<Self, Error> {
        let (FileChoice::Trusted(path) | FileChoice::Found(path)) = choice;
        let text = std::fs::read_to_string(path).map_err(|error| Error::Unreadable {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        let table: Table = text.parse().map_err(|error: toml::de::Error| Error::Malformed {
            path: path.to_owned(),
            reason: error.message().to_owned(),
        })?;
        let mut values = BTreeMap::new();
        for (key, value) in flatten(&table) {
            let name = key.replace(['-', '.'], "_");
            let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
                let names = SETTINGS.iter().map(|setting| setting.name);
                return Err(Error::UnknownKey {
                    path: path.to_owned(),
                    nearest: locale::nearest(&name, names),
                    key,
                });
            };
            let names_hosts = setting.name == "store" && value.as_str().is_some_and(StoreEngine::names_hosts);
            if matches!(choice, FileChoice::Found(_)) && (!setting.in_found_file || names_hosts) {
                return Err(Error::NeedsNamedFile {
                    path: path.clone(),
                    setting: setting.name,
                    key,
                });
            }
            let Some(texts) = texts(value) else {
                return Err(Error::BadValue {
                    path: path.to_owned(),
                    takes: setting.takes(),
                    key,
                });
            };
            values.insert(setting.name, (key, texts));
        }
        Ok(Self {
            path: path.to_owned(),
            values,
        })
    }

    /// Takes out the texts of a setting.
    pub(super) fn take(&mut self, name: &str) -> Option<(Origin, Vec<OsString>)> {
        let (key, texts) = self.values.remove(name)?;
        let file = self.path.clone();
        Some((Origin::Key { file, key }, texts))
    }
}

/// The keys with their values; `model` in `[llm]` is `llm.model`.
fn flatten(table: &Table) -> Vec<(String, &Value)> {
    let mut flat = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(section) => {
                flat.extend(
                    section
                        .iter()
                        .map(|(name, value)| (format!("{key}.{name}"), value)),
                );
            }
            single => flat.push((key.clone(), single)),
        }
    }
    flat
}

fn texts(value: &Value) -> Option<Vec<OsString>> {
    match value {
        Value::Array(items) => items.iter().map(text).collect(),
        single => Some(vec![text(single)?]),
    }
}

fn text(value: &Value) -> Option<OsString> {
    match value {
        Value::String(text) => Some(text.into()),
        Value::Integer(number) => Some(number.to_string().into()),
        Value::Float(number) => Some(number.to_string().into()),
        Value::Boolean(truth) => Some(truth.to_string().into()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}
