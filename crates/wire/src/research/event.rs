//! `ResearchEvent`: the events of a research run, keyed by their wire names.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::phases::*;
use super::report::*;
use crate::event::{Audience, Event, Family, Stamp, content_of, event_family, from_content, samples};

event_family! {
    /// An event of a research run. Every payload has a `message` for people; the recorder adds `timestamp`.
    #[expect(missing_docs, reason = "each payload documents its event")]
    pub enum ResearchEvent {
        "start" Public Start(ResearchStart),
        "prefetching:start" Public PrefetchingStart(PrefetchingStart),
        "prefetching:end" Public PrefetchingEnd(PrefetchingEnd),
        "planning:start" Public PlanningStart(PlanningStart),
        "planning:end" Public PlanningEnd(PlanningEnd),
        "iteration:start" Public IterationStart(IterationStart),
        "iteration:end" Public IterationEnd(IterationEnd),
        "searching:start" Public SearchingStart(SearchingStart),
        "searching:end" Public SearchingEnd(SearchingEnd),
        "analyzing:start" Public AnalyzingStart(AnalyzingStart),
        "analyzing:end" Public AnalyzingEnd(AnalyzingEnd),
        "following:start" Public FollowingStart(FollowingStart),
        "following:end" Public FollowingEnd(FollowingEnd),
        "evaluating:start" Public EvaluatingStart(EvaluatingStart),
        "evaluating:end" Public EvaluatingEnd(EvaluatingEnd),
        "outlining:start" Public OutliningStart(OutliningStart),
        "outlining:end" Public OutliningEnd(OutliningEnd),
        "writing:start" Public WritingStart(WritingStart),
        "writing:end" Public WritingEnd(WritingEnd),
        "judging:start" Public JudgingStart(JudgingStart),
        "judging:end" Public JudgingEnd(JudgingEnd),
        "complete" Public Complete(Box<ResearchComplete>),
        "error" Public Error(ResearchError),
        /// An answer from outside that a worker has paid for, kept in the log for its successor. It is no part of the
        /// contract, and no reader gets it.
        #[schemars(skip)]
        "kept" Internal Kept(ResearchMemo),
    }
}

impl Event for ResearchEvent {
    const FAMILY: Family = Family::Research;

    fn name(&self) -> &'static str {
        self.wire_name()
    }

    fn audience(&self) -> Audience {
        self.least_audience()
    }

    fn is_terminal(&self) -> bool {
        matches!(self, Self::Complete(_) | Self::Error(_))
    }

    fn samples() -> Vec<Self> {
        samples(include_str!("samples.json"))
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
