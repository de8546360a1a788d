//! `docs/config.md`, written from the settings themselves so that it cannot lie.

use std::fmt::Write as _;

use clap::{Args as _, Command};

use super::Config;

/// The settings as a Markdown page: variable, default, meaning.
pub fn render() -> String {
    let command = Config::augment_args(Command::new("huntsman"));
    let mut page = String::from(
        "# Configuration\n\nFlags win over variables, variables over `huntsman.toml` (`--config FILE`, then `./huntsman.toml`, \
         then the user's configuration folder), and that over the defaults. A key of the file is the flag's name with \
         underscores; `[llm] model` is `llm_model`.\n\n| variable | default | meaning |\n|---|---|---|\n",
    );
    for setting in command.get_arguments() {
        let Some(variable) = setting.get_env().and_then(|it| it.to_str()) else {
            continue;
        };
        let defaults: Vec<_> = setting
            .get_default_values()
            .iter()
            .filter_map(|it| it.to_str())
            .collect();
        let default = if defaults.is_empty() {
            "none".to_owned()
        } else {
            format!("`{}`", defaults.join(","))
        };
        let meaning = setting
            .get_help()
            .map(|it| it.to_string().replace('\n', " "))
            .unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| `{variable}` | {default} | {meaning} |");
    }
    page
}
