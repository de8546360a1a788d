//! Advice about command lines that clap refuses: flags and commands of other programs, and flags before their command.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::failure::Failure;

/// Flags of other programs.
struct ForeignFlags {
    /// The commands that they are given to.
    commands: &'static [&'static str],
    flags: &'static [&'static str],
    /// What to write instead.
    advice: &'static str,
}

/// Commands that open pages.
const OPENS_PAGES: &[&str] = &["scrape", "crawl", "batch", "map"];
/// Commands that print what pages say.
const PRINTS_PAGES: &[&str] = &["scrape", "crawl", "batch"];

const FOREIGN_FLAGS: &[ForeignFlags] = &[
    ForeignFlags {
        commands: PRINTS_PAGES,
        flags: &["-f", "-t", "--json", "--output-format", "--to", "--type"],
        advice: "the form of the result is --format, such as --format json",
    },
    ForeignFlags {
        commands: PRINTS_PAGES,
        flags: &["--markdown", "--md", "-m"],
        advice: "Markdown is printed with --format markdown",
    },
    ForeignFlags {
        commands: PRINTS_PAGES,
        flags: &["--csv"],
        advice: "CSV is printed with --format csv",
    },
    ForeignFlags {
        commands: &["scrape"],
        flags: &["--text", "--txt", "--html", "--links", "--tables"],
        advice: "the form of the result is --format: --format text, html, links or tables",
    },
    ForeignFlags {
        commands: OPENS_PAGES,
        flags: &["--url", "--urls", "-u"],
        advice: "addresses stand without a flag, after the command: huntsman scrape https://example.org",
    },
    ForeignFlags {
        commands: &["scrape"],
        flags: &["--file", "--input-file", "--urls-file"],
        advice: "--input FILE reads a list of addresses, and `huntsman extract FILE` the HTML of a file",
    },
    ForeignFlags {
        commands: PRINTS_PAGES,
        flags: &["--selector", "--css", "--css-selector", "-s", "--xpath"],
        advice: "what is wanted is said with --columns, --instructions or --schema; one selector is tried with \
                 huntsman tools run html.select --url URL --params '{\"selector\": \"h1\"}'",
    },
    ForeignFlags {
        commands: OPENS_PAGES,
        flags: &[
            "--browser",
            "--headed",
            "--headless",
            "--javascript",
            "--js",
            "--render",
            "--render-js",
        ],
        advice: "pages are opened in a browser, without a window, by --engine chromium",
    },
    ForeignFlags {
        commands: PRINTS_PAGES,
        flags: &["--wait", "--sleep", "-w"],
        advice: "--wait-for takes a selector, text=WORDS, network-idle or milliseconds, and --delay the seconds between pages",
    },
    ForeignFlags {
        commands: OPENS_PAGES,
        flags: &["-A"],
        advice: "the name that pages are asked with is --user-agent",
    },
    ForeignFlags {
        commands: OPENS_PAGES,
        flags: &["-x"],
        advice: "a proxy is named by --proxy",
    },
    ForeignFlags {
        commands: OPENS_PAGES,
        flags: &["-k", "--insecure", "--ignore-https-errors"],
        advice: "certificates are always checked",
    },
    ForeignFlags {
        commands: OPENS_PAGES,
        flags: &["-L", "--location", "--follow"],
        advice: "redirects are followed without it",
    },
    ForeignFlags {
        commands: OPENS_PAGES,
        flags: &["-v", "--verbose", "--debug"],
        advice: "--log debug says what the program does, and `huntsman runs events ID` what a run did",
    },
    ForeignFlags {
        commands: &["crawl"],
        flags: &["--max-pages", "-n", "--max-depth"],
        advice: "--limit is the most pages, and --depth the most links from the start",
    },
    ForeignFlags {
        commands: &["serve"],
        flags: &["--port", "-p", "--host", "--bind"],
        advice: "address and port are one flag: --listen 127.0.0.1:8787",
    },
];

/// Commands of other programs, and what to write instead.
const FOREIGN_COMMANDS: &[(&[&str], &str)] = &[
    (
        &["get", "fetch", "read", "download", "url"],
        "a page is read by `huntsman scrape URL`",
    ),
    (
        &["spider", "site"],
        "the pages of a site are read by `huntsman crawl URL`",
    ),
    (
        &["search", "ask"],
        "a question is answered by `huntsman research QUESTION`",
    ),
    (
        &["run", "agent", "do"],
        "a task is done in a browser by `huntsman automate TASK`",
    ),
    (
        &["server", "start", "up"],
        "the server is started by `huntsman serve`",
    ),
    (
        &["config", "env"],
        "`huntsman settings` shows every setting, and `huntsman help settings` describes them",
    ),
    (&["version"], "the version is printed by `huntsman --version`"),
    (&["login", "auth"], "logins are kept by `huntsman profile`"),
];

/// What to say of a command line that clap refused: its own message, or a better one where it is known what was meant.
pub(crate) fn on_command_line(error: clap::Error, words: &[OsString], commands: &Command) -> Failure {
    let wrong = match error.kind() {
        ErrorKind::UnknownArgument => word_of(&error, ContextKind::InvalidArg),
        ErrorKind::InvalidSubcommand => word_of(&error, ContextKind::InvalidSubcommand),
        _ => None,
    };
    let Some(wrong) = wrong else {
        return error.into();
    };
    let sentence = match error.kind() {
        ErrorKind::InvalidSubcommand => on_command(&wrong),
        _ => place_of_flag(&wrong, words, commands).or_else(|| on_flag(&wrong, words, commands)),
    };
    match sentence {
        Some(sentence) => Failure::usage(sentence),
        None => without_escape(error).into(),
    }
}

fn word_of(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    }
}

/// An address in place of a command, or a command of other programs.
fn on_command(word: &str) -> Option<String> {
    if word.contains("://") || (word.contains('.') && !word.contains(' ')) {
        return Some(format!("a command comes first: huntsman scrape {word}"));
    }
    let (_, advice) = FOREIGN_COMMANDS.iter().find(|(names, _)| names.contains(&word))?;
    Some(format!("there is no command {word:?}; {advice}"))
}

fn on_flag(flag: &str, words: &[OsString], commands: &Command) -> Option<String> {
    let flag = flag.split(['=', ' ']).next()?;
    let command = words.iter().find_map(|word| commands.find_subcommand(word))?;
    let name = command.get_name();
    let known = FOREIGN_FLAGS
        .iter()
        .find(|known| known.commands.contains(&name) && known.flags.contains(&flag))?;
    Some(format!("{flag} is no flag of `{name}`; {}", known.advice))
}

/// Where a flag of a command stands before the command: where it belongs.
fn place_of_flag(flag: &str, words: &[OsString], commands: &Command) -> Option<String> {
    let flag = flag.split(['=', ' ']).next()?;
    let owner = words.iter().find_map(|word| commands.find_subcommand(word))?;
    let name = owner.get_name();
    let has_flag = owner
        .get_arguments()
        .any(|own| own.get_long().is_some_and(|long| flag == format!("--{long}")));
    let flag_place = words
        .iter()
        .position(|word| word.to_string_lossy().starts_with(flag));
    let is_before = flag_place < words.iter().position(|word| word == name);
    (has_flag && is_before)
        .then(|| format!("{flag} is a flag of `{name}` and stands after it: huntsman {name} {flag} ..."))
}

/// The error without the advice to write `-- --flag` or `-- -5`, which makes an address or a file of a misspelt flag.
fn without_escape(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::StyledStrs(advice)) = error.get(ContextKind::Suggested) {
        let kept: Vec<_> = advice
            .iter()
            .filter(|line| !line.to_string().starts_with("to pass '-"))
            .cloned()
            .collect();
        match kept.is_empty() {
            true => error.remove(ContextKind::Suggested),
            false => error.insert(ContextKind::Suggested, ContextValue::StyledStrs(kept)),
        };
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &[&str]) -> String {
        let words: Vec<OsString> = std::iter::once("huntsman")
            .chain(line.iter().copied())
            .map(OsString::from)
            .collect();
        let commands = crate::command_line();
        match commands.clone().try_get_matches_from(&words) {
            Ok(_) => panic!("{line:?} is correct"),
            Err(error) => on_command_line(error, &words, &commands).text(),
        }
    }

    #[test]
    fn no_flag_of_another_program_is_one_of_the_command_that_it_is_explained_for() {
        for known in FOREIGN_FLAGS {
            for command in known.commands {
                for flag in known.flags {
                    let text = said(&[command, flag]);
                    assert!(text.contains(known.advice), "{command} {flag}: {text}");
                }
            }
        }
        for (names, advice) in FOREIGN_COMMANDS {
            for name in *names {
                assert!(said(&[name, "x"]).contains(advice), "{name}");
            }
        }
    }

    #[test]
    fn an_address_without_a_command_is_given_one() {
        for address in ["https://a.example/x", "a.example"] {
            assert!(said(&[address]).ends_with(&format!("huntsman scrape {address}")));
        }
        assert!(said(&["scarpe", "https://a.example"]).contains("similar"));
    }

    #[test]
    fn an_unknown_flag_is_not_offered_as_an_address() {
        let text = said(&["scrape", "https://a.example", "--qqqqqq"]);
        assert!(
            text.contains("'--qqqqqq'") && !text.contains("-- --qqqqqq"),
            "{text}"
        );
    }
}
