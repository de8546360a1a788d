//! The one binary: reads the command line, puts the engines together, and says how it went.

mod address;
mod commands;
mod failure;
mod foreground;
mod house;
mod local;
mod memory;
mod output;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use runtime::config::{Config, file};

use crate::failure::Failure;

/// Self-hosted web agent: scrapes pages into clean data, drives a browser, researches questions.
#[derive(Debug, Parser)]
#[command(
    name = "huntsman",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
struct Line {
    /// Configuration file [default: ./huntsman.toml, then the user's configuration folder].
    #[arg(long = "config", global = true, value_name = "FILE", hide_short_help = true)]
    config_file: Option<PathBuf>,

    #[command(flatten)]
    config: Config,

    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    memory::return_early();
    match run(std::env::args_os().collect()) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn run(words: Vec<OsString>) -> Result<ExitCode, Failure> {
    let line = read(words)?;
    line.config.check().map_err(Failure::usage)?;
    line.command.run(line.config)
}

/// Reads the command line. The description of all commands is given up with it: a server has no further use for it.
fn read(words: Vec<OsString>) -> Result<Line, Failure> {
    let mut command = Line::command();
    if let Some(path) = file::find(named_file(&words).as_deref()) {
        command = file::lay_under(command, &path).map_err(Failure::usage)?;
    }
    // The name that this setting has elsewhere counts where ours is not set.
    let is_set = |name| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    if !is_set("HUNTSMAN_MODE") && is_set("AGENT_MODE") {
        command = command.mut_arg("mode", |it| it.env("AGENT_MODE"));
    }
    let named = words.iter().skip(1).find_map(|it| command.find_subcommand(it));
    if named.is_some_and(|it| it.get_name() == "research") {
        command = with_mode_of_research(command);
    }
    let matches = command.try_get_matches_from_mut(words)?;
    Ok(Line::from_arg_matches(&matches)?)
}

/// `--mode` is how pages become items, for every command; of `research` it is how thorough it is.
fn with_mode_of_research(command: clap::Command) -> clap::Command {
    command
        .mut_arg("mode", |it| it.global(false))
        .mut_subcommand("research", |it| it.mut_arg("research_mode", |it| it.long("mode")))
}

/// `--config FILE` has to be known before the line is parsed, since the file supplies defaults for parsing it.
fn named_file(words: &[OsString]) -> Option<PathBuf> {
    let mut words = words.iter().skip(1).map(|it| it.to_string_lossy());
    while let Some(word) = words.next() {
        match word.as_ref() {
            "--" => return None,
            "--config" => return words.next().map(|it| PathBuf::from(it.as_ref())),
            other => {
                if let Some(path) = other.strip_prefix("--config=") {
                    return Some(PathBuf::from(path));
                }
            }
        }
    }
    None
}
