//! The limit of open files and sockets of this process.

/// Raises the number of files and sockets this process may have open to what the system allows, and returns it.
/// Every stream is one; the usual soft limit of 1024 is the first thing a busy server runs into.
pub fn raise_file_limit() -> Option<u64> {
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => {
            tracing::info!(limit, "open files and sockets are limited");
            Some(limit)
        }
        Err(error) => {
            tracing::warn!(%error, "the limit of open files could not be raised");
            None
        }
    }
}
