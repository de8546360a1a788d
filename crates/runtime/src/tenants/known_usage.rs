//! `KnownUsage`: what a tenant had used when it was last read.

use std::time::{Duration, Instant};

use jiff::civil::Date;
use store::owners::UsageAmounts;

/// What was used in a period, and when the next one begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Period {
    pub(super) name: &'static str,
    pub(super) used: UsageAmounts,
    pub(super) ends_in: Duration,
}

/// What a tenant had used this day and this month when it was last read.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownUsage {
    pub(super) read_at: Instant,
    pub(super) day: Date,
    pub(super) periods: [Period; 2],
}
