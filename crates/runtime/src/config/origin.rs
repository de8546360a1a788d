//! Where the values of settings come from.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use super::setting::Setting;

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
pub struct Origins(
    pub(super) BTreeMap<&'static str, (Origin, Vec<OsString>)>,
    /// Lines of the configuration file, by the setting's name.
    pub(super) BTreeMap<&'static str, usize>,
);

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

    /// The line of the configuration file that sets it, where a file does.
    pub fn line(&self, setting: &Setting) -> Option<usize> {
        match self.origin(setting) {
            Origin::Key { .. } => self.1.get(setting.name).copied(),
            Origin::Flag(_) | Origin::Variable(_) | Origin::Default => None,
        }
    }

    /// The texts that make the value of a setting, its default among them; none when it has no value.
    pub fn texts(&self, setting: &Setting) -> Vec<OsString> {
        match self.0.get(setting.name) {
            Some((_, texts)) => texts.clone(),
            None => setting.default.map(OsString::from).into_iter().collect(),
        }
    }
}
