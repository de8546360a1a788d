//! Limits of an exchange: times, sizes and counts, each with a name.

use std::time::Duration;

/// Limits of one exchange. All of them always apply; there is no "unlimited".
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Longest wait for the addresses of a name.
    pub resolve: Duration,
    /// Longest wait for a connection, TLS included.
    pub connect: Duration,
    /// Longest wait from the request to the last response header.
    pub first_byte: Duration,
    /// Longest silence between two parts of a body.
    pub idle: Duration,
    /// Longest time for one try: connections, all redirects and the whole body. Waits for a
    /// free slot at the host, for room in the budget and between tries do not count.
    pub total: Duration,
    /// Most bytes of response headers.
    pub header_bytes: usize,
    /// Most response headers.
    pub header_count: usize,
    /// Longest wait for room in the budget that all bodies share ([`ClientConfig::memory_budget`]).
    ///
    /// [`ClientConfig::memory_budget`]: crate::ClientConfig::memory_budget
    pub room: Duration,
    /// Most bytes of a decoded body.
    pub body_bytes: usize,
    /// Largest ratio of decoded to received bytes, judged once [`Limits::RATIO_FLOOR`] bytes are decoded.
    pub ratio: u32,
    /// What happens to a body larger than `body_bytes`.
    pub oversize: Oversize,
    /// Most redirects followed; the requests sent are one more.
    pub redirects: u32,
    /// Most tries of an idempotent request, the first included. Zero counts as one. An answer that ended
    /// early is asked for once more at most.
    pub attempts: u32,
    /// Longest `Retry-After` that is waited for; a longer one ends the tries.
    pub retry_after: Duration,
}

/// What happens to a body that is larger than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oversize {
    /// The exchange fails with [`Error::TooLarge`](crate::Error::TooLarge).
    Refuse,
    /// The first part is kept and the response says that it is truncated.
    Cut,
}

impl Limits {
    /// Decoded bytes from which the compression ratio is judged: small repetitive pages compress very well.
    pub const RATIO_FLOOR: u64 = 1 << 20;
    /// Longest URL accepted, in bytes.
    pub const URL_BYTES: usize = 16 * 1024;
    /// Most informational (1xx) answers before the real one.
    pub const INFORMATIONAL: u32 = 32;
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            resolve: Duration::from_secs(5),
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(30),
            idle: Duration::from_secs(20),
            total: Duration::from_secs(60),
            header_bytes: 64 * 1024,
            header_count: 256,
            room: Duration::from_secs(120),
            body_bytes: 16 * 1024 * 1024,
            ratio: 200,
            oversize: Oversize::Refuse,
            redirects: 9,
            attempts: 3,
            retry_after: Duration::from_secs(60),
        }
    }
}
