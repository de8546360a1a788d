//! Allocator settings: freed memory returns to the system early.

/// Has memory returned to the system soon after it is free, so that a server does not stay as large as its largest page
/// has made it. To be called before anything else.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the C library offers no safe way to set this up")]
pub(crate) fn release_freed_memory_early() {
    /// What stays at the end of a heap, in bytes. It is the C library's own choice; once set, it no longer grows with the
    /// largest block that was ever freed. https://man7.org/linux/man-pages/man3/mallopt.3.html
    const TRIM_THRESHOLD: libc::c_int = 128 * 1024;
    // SAFETY: sets a number of the allocator, before there is a second thread. A refusal leaves everything as it was.
    let _ = unsafe { libc::mallopt(libc::M_TRIM_THRESHOLD, TRIM_THRESHOLD) };
}

/// Other C libraries decide for themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn release_freed_memory_early() {}
