//! `huntsman completions` and `huntsman man`: what shells and manual readers know of the commands, made from them.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman completions bash > ~/.local/share/bash-completion/completions/huntsman\n  huntsman completions zsh > ~/.zfunc/_huntsman"
)]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

/// A shell whose completions can be written.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
}

impl Completions {
    /// Prints the script that the shell reads.
    pub(crate) fn run(self, mut commands: clap::Command) -> Result<ExitCode, Failure> {
        let shell = match self.shell {
            Shell::Bash => clap_complete::Shell::Bash,
            Shell::Zsh => clap_complete::Shell::Zsh,
            Shell::Fish => clap_complete::Shell::Fish,
            Shell::Powershell => clap_complete::Shell::PowerShell,
        };
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut commands, "huntsman", &mut script);
        let mut output = Output::new();
        output.text(&String::from_utf8_lossy(&script))?;
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman man ~/.local/share/man/man1\n  huntsman man . && man ./huntsman-scrape.1"
)]
pub(crate) struct Man {
    /// Folder that the pages are written to: one for the program, one for each command.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Man {
    /// Writes the pages.
    pub(crate) fn run(self, commands: clap::Command) -> Result<ExitCode, Failure> {
        let folder = self.folder.display().to_string();
        std::fs::create_dir_all(&self.folder).map_err(|error| {
            Failure::usage(format!(
                "{folder}: cannot be used as a folder ({error}); name another"
            ))
        })?;
        clap_mangen::generate_to(commands, &self.folder)
            .with_context(|| format!("cannot write manual pages to {folder}"))?;
        let mut output = Output::new();
        output.text(&format!("manual pages are in {folder}"))?;
        output.done()?;
        Ok(ExitCode::SUCCESS)
    }
}
