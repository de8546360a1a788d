//! Processing of hostile input in child processes with limits.

pub mod pdf;
