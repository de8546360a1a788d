//! Help texts: `--help` of every command on one screen, with its own options and two examples.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command};

/// Ends every help text.
const SETTINGS: &str =
    "Settings, such as --engine and --data-dir, go with every command: huntsman help settings";

/// The same commands, whose `--help` is as short as `-h`. A subcommand without examples of its own shows those of the
/// command above it.
pub(crate) fn on_one_screen(command: Command) -> Command {
    let version = |hidden| {
        Arg::new("version")
            .short('V')
            .long("version")
            .action(ArgAction::Version)
            .hide(hidden)
            .display_order(1001)
            .help("Print version")
    };
    let names = subcommands(&command);
    let shown = command.disable_version_flag(true).arg(version(false));
    let shown = with_short_help(shown);
    names.iter().fold(shown, |command, name| {
        command.mut_subcommand(name, |subcommand| shortened(subcommand, None, &version))
    })
}

fn shortened(command: Command, above: Option<&str>, version: &dyn Fn(bool) -> Arg) -> Command {
    let own = command.get_after_help().map(ToString::to_string);
    let examples = own.as_deref().or(above).unwrap_or_default().to_owned();
    let names = subcommands(&command);
    let mut command = with_short_help(command)
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true)
        .arg(version(true))
        .after_help(format!("{examples}\n\n{SETTINGS}"));
    for name in names {
        command = command.mut_subcommand(name, |subcommand| shortened(subcommand, Some(&examples), version));
    }
    command
}

/// The words of a command line, where `runs help list` stands for `help runs list`.
pub(crate) fn with_help_first(mut words: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let asks_below = match words.as_slice() {
        [_, group, help, ..] if help == "help" => {
            let group = group.to_str().and_then(|name| command.find_subcommand(name));
            group.is_some_and(Command::has_subcommands)
        }
        _ => false,
    };
    if asks_below {
        words.swap(1, 2);
    }
    words
}

fn with_short_help(command: Command) -> Command {
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::HelpShort)
        .display_order(1000)
        .help("Print help");
    command.disable_help_flag(true).arg(help)
}

fn subcommands(command: &Command) -> Vec<String> {
    let names = command.get_subcommands().map(Command::get_name);
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use clap::Command;

    /// Most lines of a help text: a screen, and a little for the commands that open many pages.
    const SCREEN: usize = 46;

    /// Calls `check` with every command below this one, and its words.
    fn each(command: &mut Command, words: &[String], check: &mut impl FnMut(&mut Command, &[String])) {
        check(command, words);
        let names = super::subcommands(command);
        for name in names.into_iter().filter(|name| name != "help") {
            let below = [words, std::slice::from_ref(&name)].concat();
            if let Some(subcommand) = command.find_subcommand_mut(&name) {
                each(subcommand, &below, check);
            }
        }
    }

    /// The words of an example's last `huntsman`, up to a redirection.
    fn words(example: &str) -> Vec<String> {
        let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
        for sign in example.chars().chain([' ']) {
            match (quote, sign) {
                (Some(open), sign) if sign == open => quote = None,
                (Some(_), sign) => word.push(sign),
                (None, '"' | '\'') => quote = Some(sign),
                (None, ' ') if word.is_empty() => {}
                (None, ' ') => words.push(std::mem::take(&mut word)),
                (None, sign) => word.push(sign),
            }
        }
        let from = words.iter().rposition(|word| word == "huntsman").unwrap();
        let is_end = |word: &String| matches!(word.as_str(), ">" | "<" | "|" | "&&");
        words.drain(from..).take_while(|word| !is_end(word)).collect()
    }

    #[test]
    fn every_help_fits_a_screen_and_ends_with_two_examples_that_are_correct_command_lines() {
        let mut root = crate::command_line();
        root.build();
        each(&mut root, &[], &mut |command, path| {
            let help = command.clone().term_width(100).render_help().to_string();
            let lines = help.lines().count();
            assert!(lines <= SCREEN, "{path:?}: {lines} lines\n{help}");
            assert!(!help.contains("--llm-model"), "{path:?} lists settings\n{help}");
            let examples = help
                .split("Examples:\n")
                .nth(1)
                .unwrap_or_else(|| panic!("{path:?}\n{help}"));
            let examples: Vec<&str> = examples.lines().take_while(|line| !line.is_empty()).collect();
            assert_eq!(examples.len(), 2, "{path:?}\n{help}");
            for example in examples {
                let line = words(example);
                if let Err(error) = crate::command_line().try_get_matches_from(&line) {
                    panic!("{example}: {error}");
                }
            }
        });
    }
}
