//! `huntsman.toml`: a key for every setting.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};
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
    /// The line of each key, from 1.
    lines: BTreeMap<&'static str, usize>,
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
    let home = || absolute_folder("HOME").map(|home| home.join(".config"));
    let users = absolute_folder("XDG_CONFIG_HOME").or_else(home);
    let users = users.map(|folder| folder.join("huntsman").join(FOUND));
    users.filter(|path| path.is_file()).map(FileChoice::Trusted)
}

/// The folder that a variable of the environment names. A relative path is none, as in the XDG Base Directory
/// Specification: a file of the working folder is not that of the user.
pub(super) fn absolute_folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable)
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute())
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
        let malformed = |error: toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start);
            Error::Malformed {
                path: path.to_owned(),
                line: line_of(&text, at),
                key: key_at(&text, at),
                reason: error.message().replace('\n', "; "),
            }
        };
        let table: Table = text.parse().map_err(malformed)?;
        let places = places(&text, DeTable::parse(&text).map_err(malformed)?.get_ref());
        let (mut values, mut lines) = (BTreeMap::new(), BTreeMap::new());
        for (key, value) in flatten(&table) {
            let name = key.replace(['-', '.'], "_");
            let line = places.get(&key).copied().unwrap_or(1);
            let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
                let names = SETTINGS.iter().map(|setting| setting.name);
                let nearest = locale::nearest(&name, names);
                return Err(Error::UnknownKey {
                    path: path.to_owned(),
                    line,
                    nearest: SETTINGS.iter().find(|setting| Some(setting.name) == nearest),
                    key,
                });
            };
            let names_hosts = setting.name == "store" && value.as_str().is_some_and(StoreEngine::names_hosts);
            if matches!(choice, FileChoice::Found(_)) && (!setting.in_found_file || names_hosts) {
                return Err(Error::NeedsNamedFile {
                    path: path.clone(),
                    line,
                    setting: setting.name,
                    key,
                });
            }
            let Some(texts) = texts(value) else {
                return Err(Error::BadValue {
                    path: path.to_owned(),
                    line,
                    takes: setting.takes(),
                    key,
                });
            };
            values.insert(setting.name, (key, texts));
            lines.insert(setting.name, line);
        }
        Ok(Self {
            path: path.to_owned(),
            values,
            lines,
        })
    }

    /// The line of each setting that the file sets.
    pub(super) fn lines(&self) -> BTreeMap<&'static str, usize> {
        self.lines.clone()
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

/// The line of each key, named as by [`flatten`].
fn places(text: &str, table: &DeTable<'_>) -> BTreeMap<String, usize> {
    let mut places = BTreeMap::new();
    for (key, value) in table {
        match value.get_ref() {
            DeValue::Table(section) => places.extend(section.keys().map(|name| {
                let line = line_of(text, name.span().start);
                (format!("{}.{}", key.get_ref(), name.get_ref()), line)
            })),
            _ => {
                places.insert(key.get_ref().to_string(), line_of(text, key.span().start));
            }
        }
    }
    places
}

/// The number of the line, from 1, that the byte at `at` stands in.
fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().iter().take(at);
    1 + before.filter(|byte| **byte == b'\n').count()
}

/// What stands before the equals sign of a line; the value may be a secret.
fn key_at(text: &str, at: usize) -> Option<String> {
    let line = text.lines().nth(line_of(text, at) - 1)?;
    let key = line.split_once('=').map(|(key, _)| key.trim())?;
    Some(key.chars().take(80).collect()).filter(|key: &String| !key.is_empty())
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
