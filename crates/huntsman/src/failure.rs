//! Failures of commands and their exit codes.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use crate::flag_names::with_flags;

/// A failure that ends the command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage or configuration: nothing was begun. Exit code 2.
    Usage(String),
    /// clap's own message about the command line. `--help` and `--version` come this way too. Exit code 2 or 0.
    CommandLine(clap::Error),
    /// The work itself failed. Exit code 1.
    Work(anyhow::Error),
    /// The reader of our output is gone, as in `| head -1`. Exit code 0.
    ReaderGone,
}

impl Failure {
    /// Wrong usage, in one sentence.
    pub(crate) fn usage(sentence: impl Display) -> Self {
        Self::Usage(sentence.to_string())
    }

    /// There is no run to show, go on with or delete.
    pub(crate) fn no_run() -> Self {
        Self::Work(anyhow::anyhow!(
            "there is no such run; `huntsman runs list` shows those that are kept"
        ))
    }

    /// The message.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Usage(sentence) => sentence.clone(),
            Self::CommandLine(error) => error.to_string(),
            Self::Work(error) => format!("{error:#}"),
            Self::ReaderGone => String::new(),
        }
    }

    /// Prints the message on stderr and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Usage(sentence) => {
                note!("{sentence}");
                ExitCode::from(2)
            }
            Self::CommandLine(error) => {
                let code = ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
                match error.print() {
                    // A help text that could not be written was not given.
                    Err(cause) if !error.use_stderr() => Self::from(cause).report(),
                    _ => code,
                }
            }
            Self::Work(error) => {
                note!("{error:#}");
                ExitCode::FAILURE
            }
            Self::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Self::CommandLine(error)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        match error.downcast_ref::<io::Error>() {
            Some(cause) if cause.kind() == io::ErrorKind::BrokenPipe => Self::ReaderGone,
            Some(cause) if cause.kind() == io::ErrorKind::StorageFull => Self::Work(error.context(
                "the output cannot be written: its disk is full; free some space, or write elsewhere with -o FILE",
            )),
            _ => Self::Work(error),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::from(anyhow::Error::from(error))
    }
}

impl From<runtime::ServiceError> for Failure {
    fn from(refused: runtime::ServiceError) -> Self {
        match refused.code {
            wire::Code::InvalidRequest
            | wire::Code::ModelNotConfigured
            | wire::Code::SearchNotConfigured
            | wire::Code::BrowserUnavailable => Self::usage(with_flags(&refused.to_string())),
            _ => Self::Work(anyhow::Error::new(refused)),
        }
    }
}

/// 0 when the work was done, else 1.
pub(crate) fn exit_code(is_done: bool) -> ExitCode {
    ExitCode::from(u8::from(!is_done))
}
