//! Precedence: flags over variables, variables over `huntsman.toml`, and the file over the defaults.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;

use super::file::SettingsFile;
use super::setting::Setting;
use super::{Config, Error, SETTINGS};

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A flag on the command line, with its hyphens.
    Flag(String),
    /// A variable of the environment.
    Variable(String),
    /// A key of a configuration file.
    Key {
        /// The file.
        file: PathBuf,
        /// The key as written, `llm.model` for `model` in `[llm]`.
        key: String,
    },
    /// Nobody has set it.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(out, "the flag {flag}"),
            Self::Variable(variable) => write!(out, "the variable {variable}"),
            Self::Key { file, key } => write!(out, "the key {key:?} in {}", file.display()),
            Self::Default => out.write_str("the default"),
        }
    }
}

/// The text of every setting that somebody has set, by the setting's name, and where it comes from.
#[derive(Clone, Default)]
pub struct Origins(BTreeMap<&'static str, (Origin, Vec<OsString>)>);

/// Names and origins only: the texts may be secrets.
impl fmt::Debug for Origins {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_map()
            .entries(self.0.iter().map(|(name, (origin, _))| (name, origin)))
            .finish()
    }
}

impl Origins {
    /// Where the value of a setting comes from.
    pub fn origin(&self, setting: &Setting) -> &Origin {
        self.0
            .get(setting.name)
            .map_or(&Origin::Default, |(origin, _)| origin)
    }

    /// The texts that make the value of a setting, its default among them; none when it has no value.
    pub fn texts(&self, setting: &Setting) -> Vec<OsString> {
        match self.0.get(setting.name) {
            Some((_, texts)) => texts.clone(),
            None => setting.default.map(OsString::from).into_iter().collect(),
        }
    }

    /// What is wrong with `text`, which is no value of the setting.
    pub(super) fn wrong_type(&self, setting: &'static Setting, text: &OsStr) -> Error {
        Error::WrongType {
            setting: setting.name,
            takes: setting.takes(),
            origin: self.origin(setting).clone(),
            text: match setting.is_secret {
                true => "something else".to_owned(),
                false => format!("{:?}", text.to_string_lossy()),
            },
        }
    }
}

impl Config {
    /// Lays flags, variables, the file and the defaults over one another. `flags` are texts by the setting's name.
    ///
    /// # Errors
    /// When a value is not of the setting's type, naming the setting, where the value comes from and what it takes.
    pub fn resolve(
        mut flags: BTreeMap<&'static str, Vec<OsString>>,
        environment: impl Fn(&str) -> Option<OsString>,
        mut file: SettingsFile,
    ) -> Result<Self, Error> {
        let mut origins = Origins::default();
        for setting in SETTINGS {
            let flag = flags
                .remove(setting.name)
                .map(|texts| (Origin::Flag(format!("--{}", setting.flag())), texts));
            let set = flag
                .or_else(|| from_environment(setting, &environment))
                .or_else(|| file.take(setting.name));
            if let Some(set) = set {
                origins.0.insert(setting.name, set);
            }
        }
        Self::from_origins(origins)
    }
}

/// The setting's own variable, or another program's where ours is not set or empty.
fn from_environment(
    setting: &Setting,
    environment: impl Fn(&str) -> Option<OsString>,
) -> Option<(Origin, Vec<OsString>)> {
    let read = |variable: String| environment(&variable).map(|text| (Origin::Variable(variable), vec![text]));
    let own = read(setting.variable());
    let is_filled = |(_, texts): &(Origin, Vec<OsString>)| texts.iter().any(|text| !text.is_empty());
    if own.as_ref().is_some_and(is_filled) {
        return own;
    }
    let others = setting
        .other_variables
        .iter()
        .filter_map(|name| read((*name).to_owned()));
    others.into_iter().find(is_filled).or(own)
}
