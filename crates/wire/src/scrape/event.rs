//! `ScrapeEvent`: the events of a scrape run, one `data:` line each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::IntoStaticStr;

use super::detail::StepStatus;
use super::error::ScrapeError;
use super::response::ScrapeResponse;
use super::step::ScrapeStep;
use crate::event::{Audience, Event, Family, Stamp, samples};
use crate::ids::RunId;
use crate::stamp::iso_with_offset;

/// An event of a scrape run.
#[derive(Debug, Clone, PartialEq, IntoStaticStr, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ScrapeEvent {
    /// The run begins.
    Init(ScrapeInit),
    /// A page's turn comes.
    UrlStart(UrlStart),
    /// Progress.
    Step {
        /// What is being done.
        data: ScrapeStep,
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
pub struct ScrapeInit {
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
    pub status: StepStatus,
    /// How many items it gave.
    pub items: u32,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ScrapeError>,
}

impl Event for ScrapeEvent {
    const FAMILY: Family = Family::Scrape;

    fn name(&self) -> &'static str {
        self.into()
    }

    fn audience(&self) -> Audience {
        Audience::Public
    }

    fn is_terminal(&self) -> bool {
        matches!(self, Self::Complete { .. })
    }

    fn samples() -> Vec<Self> {
        samples(include_str!("samples.json"))
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
