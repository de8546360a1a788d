//! Everything a scrape run may say: six events in one `data:` line each, and the steps between.

mod message;
mod request;
mod response;
mod reward;
mod samples;
mod spelling;
mod step;

pub use message::call_message;
/// The earlier name of [`ExtractionMode`].
pub use request::ExtractionMode as Mode;
pub use request::{Complexity, ExtractionMode, OutputFormat, ScrapeRequest};
pub use response::{ScrapeResponse, ScrapeStatus};
pub use reward::{Reward, Tally, reward};
pub use step::{
    CallOutcome, PlannedCall, Preview, RegistryCall, RuntimeCall, Status, Step, StepDetail, UnknownStep,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Code;
use crate::event::{Audience, Event, Family, Stamp};
use crate::ids::RunId;
use crate::stamp::iso_with_offset;

/// Everything a scrape run may say, keyed by its wire name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ScrapeEvent {
    /// The run begins.
    Init(Init),
    /// A page's turn comes.
    UrlStart(UrlStart),
    /// Progress.
    Step {
        /// What is being done.
        data: Step,
    },
    /// A page is finished.
    UrlComplete(UrlComplete),
    /// The result; nothing follows.
    Complete {
        /// The result.
        data: Box<ScrapeResponse>,
    },
    /// Something failed; the run goes on unless `complete` says otherwise.
    Error {
        /// What.
        data: ScrapeError,
    },
}

/// `init`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Init {
    /// The run's id.
    pub session_id: RunId,
}

/// `url_start`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UrlStart {
    /// Which page.
    pub url: String,
    /// Its place in the list, from 0.
    pub index: u32,
    /// How many pages there are.
    pub total: u32,
}

/// `url_complete`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UrlComplete {
    /// Which page.
    pub url: String,
    /// Its place in the list, from 0.
    pub index: u32,
    /// How it went: `completed`, `failed`, `skipped` or `cancelled`.
    pub status: Status,
    /// How many items it gave.
    pub items: u32,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ScrapeError>,
}

/// What failed, for machines and for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScrapeError {
    /// Which error.
    pub code: Code,
    /// In words.
    pub message: String,
    /// On which page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether the same request may work later.
    pub retryable: bool,
}

impl ScrapeError {
    /// An error with this code and text; whether it may be tried again follows from the code.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>, url: Option<String>) -> Self {
        Self {
            code,
            message: message.into(),
            url,
            retryable: code.retryable(),
        }
    }
}

impl Event for ScrapeEvent {
    const FAMILY: Family = Family::Scrape;

    fn name(&self) -> &'static str {
        match self {
            Self::Init(_) => "init",
            Self::UrlStart(_) => "url_start",
            Self::Step { .. } => "step",
            Self::UrlComplete(_) => "url_complete",
            Self::Complete { .. } => "complete",
            Self::Error { .. } => "error",
        }
    }

    fn audience(&self) -> Audience {
        match self {
            Self::Init(_)
            | Self::UrlStart(_)
            | Self::Step { .. }
            | Self::UrlComplete(_)
            | Self::Complete { .. }
            | Self::Error { .. } => Audience::Public,
        }
    }

    fn is_terminal(&self) -> bool {
        matches!(self, Self::Complete { .. })
    }

    fn samples() -> Vec<Self> {
        samples::all()
    }

    fn body(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(body)) => body,
            _ => Map::new(),
        }
    }

    fn stamp(&self, body: &mut Map<String, Value>, stamp: Stamp<'_>) {
        let Some(Value::Object(data)) = body.get_mut("data") else {
            return;
        };
        match self {
            Self::Step { .. } => {
                data.insert("step_number".into(), stamp.seq.into());
                data.insert("timestamp".into(), iso_with_offset(stamp.at).into());
            }
            Self::Error { .. } => {
                data.insert("timestamp".into(), iso_with_offset(stamp.at).into());
            }
            Self::Init(_) | Self::UrlStart(_) | Self::UrlComplete(_) | Self::Complete { .. } => {}
        }
    }

    fn parse(name: &str, mut body: Map<String, Value>) -> Result<Self, serde_json::Error> {
        body.insert("type".into(), name.into());
        serde_json::from_value(Value::Object(body))
    }
}
