//! Precedence: flags over variables, variables over `huntsman.toml`, and the file over the defaults.

use std::collections::BTreeMap;
use std::ffi::OsString;

use super::error::Error;
use super::file::SettingsFile;
use super::origin::{Origin, Origins};
use super::setting::Setting;
use super::table::{Config, SETTINGS};

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
        let mut origins = Origins(BTreeMap::new(), file.lines());
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
