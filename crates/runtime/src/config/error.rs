//! What can be wrong with the configuration.

use std::ffi::OsStr;
use std::path::PathBuf;

use super::origin::Origins;
use super::setting::Setting;

/// What is wrong with the configuration.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file that was named does not exist or cannot be read.
    #[error("cannot read the configuration file {}: {reason}; name another with --config or HUNTSMAN_CONFIG", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The file is no TOML.
    #[error("{}, line {line}: {}this is not valid TOML: {reason}; a line is `key = value`, where a value is \"text\", a number, true, false or a [list]", path.display(), key.as_ref().map(|key| format!("the key {key:?}: ")).unwrap_or_default())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What stands before the equals sign of that line.
        key: Option<String>,
        /// Where and why.
        reason: String,
    },
    /// A key that no setting has.
    #[error("{}, line {line}: sets {key:?}, which is no setting; {}", path.display(), meant(*nearest))]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key as written.
        key: String,
        /// The setting whose name is closest.
        nearest: Option<&'static Setting>,
    },
    /// A value that is neither text, number, truth value nor a list of such.
    #[error("{}, line {line}: the value of {key:?} has to be text, a number, true or false, or a list of these; it takes {takes}", path.display())]
    BadValue {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// What the setting takes.
        takes: String,
    },
    /// A key that a file may set only when somebody named the file.
    #[error("{}, line {line}: sets {key:?}, which a file that was only found in the working folder may not set; if the file is yours, name it with --config {} or HUNTSMAN_CONFIG, else remove the key, or set {setting} by flag or variable", path.display(), path.display())]
    NeedsNamedFile {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The key as written.
        key: String,
        /// The setting.
        setting: &'static str,
    },
    /// A value that is not of the setting's type.
    #[error("the setting {setting} takes {takes}; {origin} gives {text}")]
    WrongType {
        /// The setting.
        setting: &'static str,
        /// What it takes.
        takes: String,
        /// Where the value comes from, with the line of a file.
        origin: String,
        /// The value, quoted; not that of a secret.
        text: String,
    },
    /// There are more fields than rows, which the macro that makes both rules out.
    #[error("the table of settings is incomplete")]
    Incomplete,
}

/// What an unknown key may have meant, and what the setting of that name takes.
fn meant(nearest: Option<&'static Setting>) -> String {
    match nearest {
        Some(setting) => format!("did you mean {:?}? It takes {}", setting.name, setting.takes()),
        None => "`huntsman help settings` lists all of them".to_owned(),
    }
}

impl Error {
    /// The error about `text`, which is no value of the setting.
    pub(super) fn wrong_type(setting: &Setting, origins: &Origins, text: &OsStr) -> Self {
        Self::WrongType {
            setting: setting.name,
            takes: setting.takes(),
            origin: match origins.line(setting) {
                Some(line) => format!("{}, line {line},", origins.origin(setting)),
                None => origins.origin(setting).to_string(),
            },
            text: match setting.is_secret {
                true => "something else".to_owned(),
                false => format!("{:?}", text.to_string_lossy()),
            },
        }
    }
}
