//! Work on hostile input in limited child processes: jq queries, patterns of users, PDF and office documents.
//!
//! Such work cannot be bounded in the process that asks for it: a query allocates without end, a pattern over a long text
//! holds a thread for minutes, a parser of documents overflows its stack. Here each task runs in a child of the own
//! executable ([`child`]) with limits on memory, processor time, files and system calls ([`Protections`]). The parent
//! ([`Sandbox`]) ends a child that takes too long and starts another one; the caller gets an [`Error`] that says what the
//! task lacked.

pub mod child;
pub mod document;
mod error;
pub mod jq;
mod limits;
pub mod pdf;
mod pool;
mod protocol;
pub mod regex;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod seccomp;
mod unblocked;

pub use error::Error;
pub use limits::{MAX_MEMORY, Protections};
pub use pool::Sandbox;
pub use unblocked::unblocked;
