//! `NextStart`: how a process of the chaos test is started the next time: by which program, and with which clock.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// Where Debian's package `libfaketime` installs the library.
const FAKETIME: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

/// The program of another version, where one is named: the two have to read what the other one writes.
fn other_program() -> Option<PathBuf> {
    std::env::var_os("HUNTSMAN_CHAOS_OTHER").map(PathBuf::from)
}

/// Why no process can be of another version, or have another clock.
pub(crate) fn no_upgrade() -> Option<&'static str> {
    let is_there = other_program().is_some_and(|program| program.is_file());
    (!is_there).then_some("HUNTSMAN_CHAOS_OTHER names no program of another version")
}

pub(crate) fn no_skew() -> Option<&'static str> {
    (!Path::new(FAKETIME).is_file()).then_some("the library of the package libfaketime is not installed")
}

/// How a process starts.
#[derive(Debug, Default)]
pub(crate) struct NextStart {
    /// How far its clock is ahead, in seconds.
    ahead: AtomicI64,
    is_other: AtomicBool,
}

impl NextStart {
    /// Sets the clock of the next starts.
    pub(crate) fn set_ahead(&self, seconds: i64) {
        self.ahead.store(seconds, Ordering::Release);
    }

    /// The next starts are of the other version, or of this one again.
    pub(crate) fn change_version(&self) {
        self.is_other.fetch_xor(true, Ordering::AcqRel);
    }

    /// The program with its clock.
    pub(crate) fn command(&self) -> Command {
        let other = self
            .is_other
            .load(Ordering::Acquire)
            .then(other_program)
            .flatten();
        let mut command = match other {
            Some(program) => Command::new(program),
            None => Command::new(env!("CARGO_BIN_EXE_huntsman")),
        };
        let ahead = self.ahead.load(Ordering::Acquire);
        if ahead != 0 {
            // Time that only passes is not changed, as when a clock is set wrongly.
            command
                .env("LD_PRELOAD", FAKETIME)
                .env("FAKETIME", format!("{ahead:+}s"))
                .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        }
        command
    }
}
