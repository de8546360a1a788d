//! `docs/config.md`, written from the table of settings.

use std::fmt::Write as _;

use super::setting::Setting;
use super::table::SETTINGS;

const HEAD: &str = "\
# Configuration

Every setting can be given in three ways. A flag wins over a variable, a variable over the configuration file, and the \
file over the default. The file is the one named by `--config FILE` or the variable `HUNTSMAN_CONFIG`, else \
`./huntsman.toml`, else `huntsman/huntsman.toml` in the user's configuration folder.

A `./huntsman.toml` that nobody named may have come with a download. It may not choose programs, files or folders, hosts \
that are asked or told something, keys, or what opens the server or the local network: with such a key nothing is \
started. Name the file to allow all its keys. Not named, it may set {found}.

The flag of a setting is its name with hyphens (`--llm-model`), the key of the file its name with underscores \
(`llm_model`, or `model` under `[llm]`). `huntsman help settings` lists all settings, \
`huntsman help settings scrape` those that concern a command, and `huntsman settings` prints each value and where it comes from.

A value of the wrong type is reported with the setting's name, where the value comes from and what the setting takes; \
nothing is started then.
";

/// The settings as a Markdown page: a table for each section.
pub fn render() -> String {
    let found = SETTINGS.iter().filter(|setting| setting.in_found_file);
    let found: Vec<String> = found.map(|setting| format!("`{}`", setting.name)).collect();
    let mut page = HEAD.replace("{found}", &found.join(", "));
    let mut section = "";
    for setting in SETTINGS {
        if setting.section != section {
            section = setting.section;
            // Writing to a string cannot fail.
            let _ = write!(
                page,
                "\n## {section}\n\n| name | variable | takes | default | meaning |\n|---|---|---|---|---|\n"
            );
        }
        let _ = writeln!(page, "{}", row(setting));
    }
    page
}

fn row(setting: &Setting) -> String {
    let others: String = setting
        .other_variables
        .iter()
        .map(|name| format!(", else `{name}`"))
        .collect();
    let default = match (setting.default, setting.default_in_words) {
        (Some(default), _) => format!("`{default}`"),
        (None, Some(words)) => words.to_owned(),
        (None, None) => "none".to_owned(),
    };
    format!(
        "| `{}` | `{}`{others} | {} | {default} | {} |",
        setting.name,
        setting.variable(),
        setting.takes(),
        setting.help()
    )
}
