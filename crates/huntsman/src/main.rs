//! The binary: reads the command line and the configuration, runs the command, reports failures.

mod address;
mod allocator;
mod argument;
mod commands;
mod composition;
mod failure;
mod foreground;
mod hidden_input;
mod local_search;
mod output;
mod page_flags;
mod profile_args;

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
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Settings: `--help` of a command lists those that concern it, `huntsman help settings` all of them."
)]
struct CommandLine {
    /// Configuration file [default: ./huntsman.toml, then the user's configuration folder].
    #[arg(
        long = "config",
        env = "HUNTSMAN_CONFIG",
        global = true,
        value_name = "FILE",
        hide_short_help = true
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
    match run(std::env::args_os().collect()) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn run(words: Vec<OsString>) -> Result<ExitCode, Failure> {
    let (command, config) = read(words)?;
    config.check().map_err(Failure::usage)?;
    command.run(&config)
}

/// Reads the command line and the configuration. The description of all commands is dropped at the end: a server has no
/// further use for it.
fn read(words: Vec<OsString>) -> Result<(commands::Command, Config), Failure> {
    let matches = flags::add_to(CommandLine::command()).try_get_matches_from(words)?;
    let line = CommandLine::from_arg_matches(&matches)?;
    let file = match file::find(line.config_file.as_deref()) {
        Some(choice) => SettingsFile::read(&choice).map_err(Failure::usage)?,
        None => SettingsFile::default(),
    };
    let environment = |name: &str| std::env::var_os(name);
    let config = Config::resolve(flags::given(&matches), environment, file).map_err(Failure::usage)?;
    Ok((line.command, config))
}
