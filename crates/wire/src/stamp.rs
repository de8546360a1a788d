//! An event with its place and time, and the entry that the log keeps of it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::event::{Audience, Event, Stamp};

/// An event that the recorder has received: the only place where an event gets a number and a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamped<E> {
    /// Place in the run's log, dense from 1.
    pub seq: u64,
    /// When it was recorded.
    pub at: Timestamp,
    /// Id of the loop turn it belongs to (automate only; `"planning"` before the first turn).
    pub iteration: Option<String>,
    /// What was said.
    pub event: E,
}

/// An event as the log keeps it and as every reader gets it, whatever its family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Place in the run's log, dense from 1.
    pub seq: u64,
    /// When it was recorded, to the millisecond.
    pub at: Timestamp,
    /// The event's wire name.
    pub name: String,
    /// Who may see it.
    pub audience: Audience,
    /// Whether it ends the log.
    pub terminal: bool,
    /// The stamped JSON object of the `data:` line, on one line.
    pub data: String,
}

/// Why an entry could not be read back as an event.
#[derive(Debug, thiserror::Error)]
#[error("event {seq} ({name}) does not fit its family: {source}")]
pub struct UnreadableEntry {
    /// Which entry.
    pub seq: u64,
    /// Its name.
    pub name: String,
    /// What was wrong.
    pub source: serde_json::Error,
}

impl<E: Event> Stamped<E> {
    /// The stamped JSON object of the `data:` line.
    pub fn body(&self) -> Map<String, Value> {
        let mut body = self.event.body();
        let stamp = Stamp {
            seq: self.seq,
            at: self.at,
            iteration: self.iteration.as_deref(),
        };
        self.event.stamp(&mut body, stamp);
        body
    }

    /// The entry for the log.
    pub fn entry(&self) -> LogEntry {
        LogEntry {
            seq: self.seq,
            at: to_millis(self.at),
            name: self.event.name().to_owned(),
            audience: self.event.audience(),
            terminal: self.event.is_terminal(),
            data: Value::Object(self.body()).to_string(),
        }
    }

    /// Reads an entry back; what a successor does with its predecessor's log.
    ///
    /// # Errors
    /// When the entry belongs to another family or to a version that this one cannot read.
    pub fn from_entry(entry: &LogEntry) -> Result<Self, UnreadableEntry> {
        let unreadable = |source| UnreadableEntry {
            seq: entry.seq,
            name: entry.name.clone(),
            source,
        };
        let body: Map<String, Value> = serde_json::from_str(&entry.data).map_err(unreadable)?;
        let iteration = body.get("iterationId").and_then(Value::as_str).map(str::to_owned);
        let event = E::parse(&entry.name, body).map_err(unreadable)?;
        Ok(Self {
            seq: entry.seq,
            at: entry.at,
            iteration,
            event,
        })
    }
}

/// The same instant without its microseconds, so that what the log gives back equals what was put in.
#[must_use]
pub fn to_millis(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

/// `2026-01-01T00:00:00.000Z`: an instant as automate errors and run summaries write it.
#[must_use]
pub fn iso(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// `2026-01-01T00:00:00.000000+00:00`: an instant as the scrape family writes it.
#[must_use]
pub fn iso_with_offset(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

/// Serde for instants written by [`iso`]; any RFC 3339 instant is read.
pub mod iso_millis {
    use super::{Timestamp, iso};
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes the instant.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&iso(*at))
    }

    /// Reads the instant.
    ///
    /// # Errors
    /// When the text is no RFC 3339 instant.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        Timestamp::deserialize(from)
    }

    /// The same for an optional instant.
    pub mod option {
        use super::{Deserialize, Deserializer, Serializer, Timestamp, iso};

        /// Writes the instant.
        ///
        /// # Errors
        /// Those of the serializer.
        pub fn serialize<S: Serializer>(at: &Option<Timestamp>, to: S) -> Result<S::Ok, S::Error> {
            match at {
                Some(at) => to.serialize_some(&iso(*at)),
                None => to.serialize_none(),
            }
        }

        /// Reads the instant.
        ///
        /// # Errors
        /// When the text is no RFC 3339 instant.
        pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
            Option::<Timestamp>::deserialize(from)
        }
    }
}
