//! A line typed at the terminal, hidden where it is secret.

use std::io::{self, BufRead as _};
use std::process::{Command, Stdio};

/// Reads a line, without its end; none at the end of input. With `is_secret` the terminal's echo is off meanwhile.
pub(crate) fn read_line(is_secret: bool) -> io::Result<Option<String>> {
    let _hidden = is_secret.then(HiddenInput::new);
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim_end_matches(['\n', '\r']).to_owned()))
}

/// Turns the terminal's echo off until it is dropped.
struct HiddenInput;

impl HiddenInput {
    fn new() -> Self {
        echo("-echo");
        Self
    }
}

impl Drop for HiddenInput {
    fn drop(&mut self) {
        echo("echo");
        eprintln!();
    }
}

/// Switches the terminal's echo by `stty`; without that program the input stays visible.
fn echo(switch: &str) {
    let _ = Command::new("stty").arg(switch).stdin(Stdio::inherit()).status();
}
