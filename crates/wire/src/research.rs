//! Everything a research run may say: 23 events, keyed by their wire names.

mod phases;
mod report;
mod samples;

pub use phases::*;
pub use report::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::event::{Audience, Event, Family, Stamp, content_of, from_content};

/// Everything a research run may say, keyed by its wire name. Every payload has a `message` for people;
/// the recorder adds `timestamp`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", content = "data")]
#[expect(missing_docs, reason = "each payload documents its event")]
pub enum ResearchEvent {
    #[serde(rename = "start")]
    Start(Start),
    #[serde(rename = "prefetching:start")]
    PrefetchingStart(PrefetchingStart),
    #[serde(rename = "prefetching:end")]
    PrefetchingEnd(PrefetchingEnd),
    #[serde(rename = "planning:start")]
    PlanningStart(PlanningStart),
    #[serde(rename = "planning:end")]
    PlanningEnd(PlanningEnd),
    #[serde(rename = "iteration:start")]
    IterationStart(IterationStart),
    #[serde(rename = "iteration:end")]
    IterationEnd(IterationEnd),
    #[serde(rename = "searching:start")]
    SearchingStart(SearchingStart),
    #[serde(rename = "searching:end")]
    SearchingEnd(SearchingEnd),
    #[serde(rename = "analyzing:start")]
    AnalyzingStart(AnalyzingStart),
    #[serde(rename = "analyzing:end")]
    AnalyzingEnd(AnalyzingEnd),
    #[serde(rename = "following:start")]
    FollowingStart(FollowingStart),
    #[serde(rename = "following:end")]
    FollowingEnd(FollowingEnd),
    #[serde(rename = "evaluating:start")]
    EvaluatingStart(EvaluatingStart),
    #[serde(rename = "evaluating:end")]
    EvaluatingEnd(EvaluatingEnd),
    #[serde(rename = "outlining:start")]
    OutliningStart(OutliningStart),
    #[serde(rename = "outlining:end")]
    OutliningEnd(OutliningEnd),
    #[serde(rename = "writing:start")]
    WritingStart(WritingStart),
    #[serde(rename = "writing:end")]
    WritingEnd(WritingEnd),
    #[serde(rename = "judging:start")]
    JudgingStart(JudgingStart),
    #[serde(rename = "judging:end")]
    JudgingEnd(JudgingEnd),
    #[serde(rename = "complete")]
    Complete(Box<Complete>),
    #[serde(rename = "error")]
    Error(ResearchError),
    /// What a worker has paid for and its successor shall not pay for again. It is kept in the log, is no part of the
    /// contract, and no reader ever gets it.
    #[serde(rename = "kept")]
    #[schemars(skip)]
    Kept(Kept),
}

impl Event for ResearchEvent {
    const FAMILY: Family = Family::Research;

    fn name(&self) -> &'static str {
        match self {
            Self::Start(_) => "start",
            Self::PrefetchingStart(_) => "prefetching:start",
            Self::PrefetchingEnd(_) => "prefetching:end",
            Self::PlanningStart(_) => "planning:start",
            Self::PlanningEnd(_) => "planning:end",
            Self::IterationStart(_) => "iteration:start",
            Self::IterationEnd(_) => "iteration:end",
            Self::SearchingStart(_) => "searching:start",
            Self::SearchingEnd(_) => "searching:end",
            Self::AnalyzingStart(_) => "analyzing:start",
            Self::AnalyzingEnd(_) => "analyzing:end",
            Self::FollowingStart(_) => "following:start",
            Self::FollowingEnd(_) => "following:end",
            Self::EvaluatingStart(_) => "evaluating:start",
            Self::EvaluatingEnd(_) => "evaluating:end",
            Self::OutliningStart(_) => "outlining:start",
            Self::OutliningEnd(_) => "outlining:end",
            Self::WritingStart(_) => "writing:start",
            Self::WritingEnd(_) => "writing:end",
            Self::JudgingStart(_) => "judging:start",
            Self::JudgingEnd(_) => "judging:end",
            Self::Complete(_) => "complete",
            Self::Error(_) => "error",
            Self::Kept(_) => "kept",
        }
    }

    fn audience(&self) -> Audience {
        match self {
            Self::Start(_)
            | Self::PrefetchingStart(_)
            | Self::PrefetchingEnd(_)
            | Self::PlanningStart(_)
            | Self::PlanningEnd(_)
            | Self::IterationStart(_)
            | Self::IterationEnd(_)
            | Self::SearchingStart(_)
            | Self::SearchingEnd(_)
            | Self::AnalyzingStart(_)
            | Self::AnalyzingEnd(_)
            | Self::FollowingStart(_)
            | Self::FollowingEnd(_)
            | Self::EvaluatingStart(_)
            | Self::EvaluatingEnd(_)
            | Self::OutliningStart(_)
            | Self::OutliningEnd(_)
            | Self::WritingStart(_)
            | Self::WritingEnd(_)
            | Self::JudgingStart(_)
            | Self::JudgingEnd(_)
            | Self::Complete(_)
            | Self::Error(_) => Audience::Public,
            Self::Kept(_) => Audience::Internal,
        }
    }

    fn is_terminal(&self) -> bool {
        matches!(self, Self::Complete(_) | Self::Error(_))
    }

    fn samples() -> Vec<Self> {
        samples::all()
    }

    fn body(&self) -> Map<String, Value> {
        content_of(self)
    }

    fn stamp(&self, body: &mut Map<String, Value>, stamp: Stamp<'_>) {
        body.insert("timestamp".into(), stamp.at.as_millisecond().into());
    }

    fn parse(name: &str, body: Map<String, Value>) -> Result<Self, serde_json::Error> {
        from_content(name, body)
    }
}
