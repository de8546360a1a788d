//! Processing of hostile input: in child processes with limits, or off the threads that serve others.

pub mod pdf;
mod unblocked;

pub use unblocked::unblocked;
