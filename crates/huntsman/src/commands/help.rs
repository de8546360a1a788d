//! `huntsman help`: the help of a command, and the page of all settings.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use runtime::config::{SETTINGS, Setting};

use crate::failure::Failure;
use crate::output::Output;

/// Width of the page of settings.
const WIDTH: usize = 100;

const HEAD: &str = "\
Settings. Each is a flag of every command, a variable, and a key of huntsman.toml: --llm-model, HUNTSMAN_LLM_MODEL, and
llm_model or `model` under [llm]. A flag wins over a variable, a variable over the file. The file is the one that
--config FILE or HUNTSMAN_CONFIG names, else ./huntsman.toml, else huntsman/huntsman.toml in the user's configuration
folder. `huntsman settings` shows the values and where they come from.
";

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  huntsman help scrape\n  huntsman help settings")]
pub(crate) struct Help {
    /// A command, or `settings`, or `settings` and a command for those that concern it.
    #[arg(value_name = "COMMAND")]
    words: Vec<String>,
}

impl Help {
    /// Prints the help text.
    pub(crate) fn run(self, commands: clap::Command) -> Result<ExitCode, Failure> {
        let text = match self
            .words
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .as_slice()
        {
            ["settings"] => settings(None),
            ["settings", command] => {
                of_command(commands, &[command])?;
                settings(Some(command))
            }
            words => of_command(commands, words)?,
        };
        let mut output = Output::new();
        output.text(&text)?;
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The help of a command by its words; that of the program without any.
fn of_command(mut root: clap::Command, words: &[&str]) -> Result<String, Failure> {
    root.build();
    let mut command = &mut root;
    for word in words {
        let names: Vec<String> = command
            .get_subcommands()
            .map(|known| known.get_name().to_owned())
            .collect();
        let nearest = locale::nearest(word, names.iter().map(String::as_str));
        let advice = match nearest {
            Some(name) => format!("did you mean {name:?}?"),
            None if names.is_empty() => format!("`{}` has no subcommands", command.get_name()),
            None => format!("there are {}", names.join(", ")),
        };
        let unknown = || Failure::usage(format!("there is no command {word:?}; {advice}"));
        command = command.find_subcommand_mut(word).ok_or_else(unknown)?;
    }
    Ok(command.render_help().to_string())
}

/// The settings that concern a command, or all of them, by section.
fn settings(command: Option<&str>) -> String {
    let mut page = HEAD.to_owned();
    let mut section = "";
    for setting in SETTINGS
        .iter()
        .filter(|setting| command.is_none_or(|command| setting.concerns(command)))
    {
        if setting.section != section {
            section = setting.section;
            // Writing to a string cannot fail.
            let _ = write!(page, "\n{section}\n");
        }
        let _ = writeln!(page, "  --{} {}", setting.flag(), setting.value_name);
        for line in wrapped(&about(setting), WIDTH - 6) {
            let _ = writeln!(page, "      {line}");
        }
    }
    page
}

/// What a setting decides, takes and is without a value, and its variables.
fn about(setting: &Setting) -> String {
    let default = match (setting.default, setting.default_in_words) {
        (Some(default), _) => default,
        (None, Some(words)) => words,
        (None, None) => "none",
    };
    let others: String = setting
        .other_variables
        .iter()
        .map(|name| format!(", else {name}"))
        .collect();
    format!(
        "{}. [{}{others}; takes {}; default: {default}]",
        setting.help(),
        setting.variable(),
        setting.takes()
    )
}

/// The text in lines of at most `width` characters; a longer word has a line of its own.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
