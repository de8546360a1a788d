//! The binary: reads the command line and the configuration, runs the command, reports failures.

#[macro_use]
mod output;

mod address;
mod address_list;
mod advice;
mod allocator;
mod argument;
mod commands;
mod composition;
mod failure;
mod flag_names;
mod foreground;
mod help;
mod hidden_input;
mod input;
mod local_search;
mod page_flags;
mod profile_args;
mod token_issuer;
mod traces;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use runtime::config::file::{self, SettingsFile};
use runtime::config::{Config, flags};

use crate::failure::Failure;

/// Self-hosted web agent: scrapes pages into clean data, drives a browser, researches questions.
#[derive(Debug, Parser)]
#[command(
    name = "huntsman",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "Examples:\n  huntsman scrape https://example.org --format markdown\n  huntsman help settings"
)]
struct CommandLine {
    /// Configuration file [default: ./huntsman.toml, then the user's configuration folder].
    #[arg(
        long = "config",
        env = "HUNTSMAN_CONFIG",
        global = true,
        value_name = "FILE",
        hide = true
    )]
    config_file: Option<PathBuf>,

    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    if sandbox::child::is_requested() {
        return sandbox::child::run();
    }
    allocator::release_freed_memory_early();
    let code = match run(std::env::args_os().collect()) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    };
    traces::finish();
    code
}

/// All commands with the flags of the settings, as they are read.
fn command_line() -> clap::Command {
    help::on_one_screen(flags::add_to(CommandLine::command()))
}

/// All commands with their own flags alone.
fn own_commands() -> clap::Command {
    help::on_one_screen(CommandLine::command())
}

fn run(words: Vec<OsString>) -> Result<ExitCode, Failure> {
    let (command, config) = match read(words)? {
        Line::Whole(command, config) => (*command, *config),
        Line::About(code) => return Ok(code),
    };
    config.check().map_err(Failure::usage)?;
    command.run(&config)
}

/// A command line that was read.
enum Line {
    /// A command with its settings.
    Whole(Box<commands::Command>, Box<Config>),
    /// A command about the commands, which needs no settings; it is done.
    About(ExitCode),
}

/// Reads the command line and the configuration. The description of all commands is dropped at the end: a server has no
/// further use for it.
fn read(words: Vec<OsString>) -> Result<Line, Failure> {
    let commands = command_line();
    let words = help::with_help_first(words, &commands);
    let matches = commands
        .clone()
        .try_get_matches_from(&words)
        .map_err(|error| advice::on_command_line(error, &words, &commands))?;
    let line = CommandLine::from_arg_matches(&matches)?;
    let command = match line.command.about(command_line, own_commands) {
        Ok(done) => return Ok(Line::About(done?)),
        Err(command) => command,
    };
    let file = match file::find(line.config_file.as_deref()) {
        Some(choice) => SettingsFile::read(&choice).map_err(Failure::usage)?,
        None => SettingsFile::default(),
    };
    let environment = |name: &str| std::env::var_os(name);
    let config = Config::resolve(flags::given(&matches), environment, file).map_err(Failure::usage)?;
    Ok(Line::Whole(command, Box::new(config)))
}
