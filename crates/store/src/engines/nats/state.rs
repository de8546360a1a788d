//! `RunState`: what the last message of a run's subject says of the run, and the bodies of its messages.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use wire::run::{RunKind, RunStatus};
use wire::{Audience, LogEntry, RunId};

use super::api::StoredMessage;
use crate::Error;
use crate::jobs::{JobNeeds, JobSummary};

/// The version of messages that this program writes. It reads every version up to it.
pub(super) const VERSION: u32 = 1;
/// The header that carries the state.
pub(super) const STATE: &str = "Hm-State";
/// The header of a message whose body is stored in parts elsewhere: the name of the parts.
pub(super) const PARTS: &str = "Hm-Parts";

/// What a message of a run's subject records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Change {
    Created,
    Claimed,
    Released,
    Events,
    Ended,
    Cancelled,
    Command,
    /// The events were removed; this message holds what stays of the run.
    Expired,
}

/// A run after one of its messages. Times are in microseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunState {
    /// Schema version.
    pub(super) v: u32,
    pub(super) change: Change,
    /// Names this write, so that its writer recognises it.
    pub(super) write: String,
    pub(super) kind: RunKind,
    pub(super) status: RunStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) owner: Option<String>,
    /// When it was created; unique within a process. Runs are ordered by it.
    pub(super) created: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) finished: Option<i64>,
    /// The number of the last event.
    pub(super) last: u64,
    #[serde(default)]
    pub(super) expired: u64,
    #[serde(default)]
    pub(super) epoch: u64,
    #[serde(default)]
    pub(super) attempt: u32,
    #[serde(default)]
    pub(super) lost: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cancel: Option<String>,
    /// Topic and name of each command, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) commands: Vec<(String, String)>,
    /// Whether the whole request is stored apart, encrypted.
    #[serde(default)]
    pub(super) sealed: bool,
    /// The subject of its idempotency key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<String>,
    /// The id of the API key that asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) account: Option<String>,
    #[serde(default)]
    pub(super) priority: u8,
    #[serde(default, skip_serializing_if = "JobNeeds::is_any")]
    pub(super) needs: JobNeeds,
    /// Bytes of the events and the result that are kept.
    #[serde(default)]
    pub(super) bytes: u64,
    /// The process that holds it.
    #[serde(default)]
    pub(super) session: String,
    /// How long the lease holds without renewal, in milliseconds.
    #[serde(default)]
    pub(super) ttl: u64,
}

/// The last message of a run's subject.
#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) seq: u64,
    pub(super) state: RunState,
}

/// The body of a message.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Body {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) entries: Vec<StoredEntry>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) request: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) usage: Option<String>,
    /// Model and amounts, to be added to the usage of the owner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) metered: Vec<(String, [u64; 7])>,
}

/// Number, milliseconds since 1970, name, audience, whether it ends the log, data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredEntry(u64, i64, String, u8, bool, String);

impl StoredEntry {
    /// Its number.
    pub(super) fn seq(&self) -> u64 {
        self.0
    }

    /// Whether it ends the log.
    pub(super) fn is_terminal(&self) -> bool {
        self.4
    }

    /// Bytes of its data.
    pub(super) fn bytes(&self) -> usize {
        self.5.len()
    }
}

impl Body {
    pub(super) fn of(entries: &[LogEntry]) -> Self {
        let stored = |entry: &LogEntry| {
            StoredEntry(
                entry.seq,
                entry.at.as_millisecond(),
                entry.name.clone(),
                entry.audience as u8,
                entry.terminal,
                entry.data.clone(),
            )
        };
        Self {
            entries: entries.iter().map(stored).collect(),
            ..Self::default()
        }
    }

    /// The entries after number `after`.
    pub(super) fn into_entries(self, after: u64) -> impl Iterator<Item = LogEntry> {
        let later = self.entries.into_iter().filter(move |entry| entry.0 > after);
        later.map(|StoredEntry(seq, at, name, audience, terminal, data)| LogEntry {
            seq,
            at: Timestamp::from_millisecond(at).unwrap_or(Timestamp::UNIX_EPOCH),
            name,
            // A rank of a later version is shown to nobody.
            audience: Audience::from_repr(audience).unwrap_or(Audience::Internal),
            terminal,
            data,
        })
    }
}

impl Head {
    /// Reads the state of a stored message.
    pub(super) fn read(message: &StoredMessage) -> Result<Self, Error> {
        Ok(Self {
            seq: message.seq,
            state: RunState::read(message.headers.get(STATE).map_or("", String::as_str))?,
        })
    }
}

impl RunState {
    /// Reads the header.
    pub(super) fn read(text: &str) -> Result<Self, Error> {
        #[derive(Deserialize)]
        struct Versioned {
            v: u32,
        }
        let damaged = |error: serde_json::Error| Error::Damaged {
            reason: format!("a message of a run has no readable state: {error}"),
        };
        let Versioned { v } = serde_json::from_str(text).map_err(damaged)?;
        if v > VERSION {
            let reason = format!(
                "a run was written in version {v}, and this program reads up to {VERSION}: use a newer one"
            );
            return Err(Error::Damaged { reason });
        }
        serde_json::from_str(text).map_err(damaged)
    }

    /// Whether a lease of this epoch may write.
    pub(super) fn is_held(&self, epoch: u64) -> bool {
        self.epoch == epoch && self.status == RunStatus::Running
    }

    pub(super) fn summary(&self, run: &RunId) -> JobSummary {
        let instant = |micros: i64| {
            let millis = micros.div_euclid(1000);
            Timestamp::from_millisecond(millis).unwrap_or(Timestamp::UNIX_EPOCH)
        };
        JobSummary {
            id: run.clone(),
            kind: self.kind,
            owner: self.owner.clone(),
            status: self.status,
            created_at: instant(self.created),
            finished_at: self.finished.map(instant),
            last_seq: self.last,
            expired_seq: self.expired,
            attempt: self.attempt,
            lost_workers: self.lost,
            cancel: self.cancel.clone(),
        }
    }
}
