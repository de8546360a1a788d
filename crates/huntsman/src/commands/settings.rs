//! `huntsman settings`: every setting, its value and where it comes from.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use runtime::config::{Config, SETTINGS, Setting};
use serde_json::json;

use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  huntsman settings\n  huntsman settings --json")]
pub(crate) struct Settings {
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

impl Settings {
    /// Prints the settings, secrets as stars.
    pub(crate) fn run(self, config: &Config) -> Result<ExitCode, Failure> {
        let mut output = Output::new();
        for setting in SETTINGS {
            let value = shown_value(config, setting);
            let origin = config.origins.origin(setting).to_string();
            if self.json {
                output.json_line(&json!({
                    "name": setting.name,
                    "flag": format!("--{}", setting.flag()),
                    "variable": setting.variable(),
                    "takes": setting.takes(),
                    "value": value,
                    "origin": origin,
                    "help": setting.help(),
                }))?;
            } else {
                let value =
                    value.unwrap_or_else(|| format!("({})", setting.default_in_words.unwrap_or("none")));
                output.text(&format!("{:<26} {value:<24} {origin}", setting.name))?;
            }
        }
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The value as it was written; none when there is none.
fn shown_value(config: &Config, setting: &Setting) -> Option<String> {
    let texts = config.origins.texts(setting);
    match texts.as_slice() {
        [] => None,
        _ if setting.is_secret => Some("***".to_owned()),
        texts => Some(
            texts
                .join(&OsString::from(setting.separator.to_string()))
                .to_string_lossy()
                .into_owned(),
        ),
    }
}
