//! Jobs, log entries and leases that the tests of the suite begin with.

use std::time::Duration;

use jiff::Timestamp;
use wire::run::{RunKind, RunStatus};
use wire::{Audience, LogEntry, RunId};

use crate::Store;
use crate::jobs::{Admission, ClaimScope, Lease, NewJob};
use crate::log::RunEnd;

pub(super) const LONG: Duration = Duration::from_secs(600);

/// An id made of a number.
pub fn id(number: u32) -> RunId {
    RunId::parse(&format!("run-{number:06}")).unwrap()
}

/// A run of a scrape with the id of this number.
pub fn job(number: u32) -> NewJob {
    NewJob {
        id: id(number),
        kind: RunKind::Scrape,
        request: format!("{{\"number\":{number}}}"),
        shown_request: None,
        owner: None,
        idempotency_key: None,
        queue_limit: 1000,
        admission: Admission::default(),
    }
}

/// Entries numbered `from..=to`; the last one ends the log when `ends`.
pub fn entries(from: u64, to: u64, ends: bool) -> Vec<LogEntry> {
    (from..=to)
        .map(|seq| LogEntry {
            seq,
            at: Timestamp::UNIX_EPOCH,
            name: "step".into(),
            audience: if seq % 2 == 0 {
                Audience::Verbose
            } else {
                Audience::Public
            },
            terminal: ends && seq == to,
            data: format!("{{\"n\":{seq}}}"),
        })
        .collect()
}

/// The end of a run that is completed, with a result.
pub fn ending() -> RunEnd {
    RunEnd {
        status: RunStatus::Completed,
        result: Some("{}".into()),
        error: None,
        usage: Some("{}".into()),
        metered: Vec::new(),
    }
}

pub(super) async fn claimed(store: &Store, number: u32) -> Lease {
    store.jobs.enqueue(job(number)).await.unwrap();
    store
        .jobs
        .claim(LONG, ClaimScope::Any)
        .await
        .unwrap()
        .expect("a job")
        .0
}
