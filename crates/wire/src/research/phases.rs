//! The phases of a research run: each says when it starts and what came out of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::report::{Coverage, QueryComplexity, QuestionAssessment, Rating, UrlSource};
use crate::num::Num;

/// `start`: the run begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResearchStart {
    /// For people.
    pub message: String,
}

/// `prefetching:start`: pages that the question itself names are read first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrefetchingStart {
    /// For people.
    pub message: String,
    /// How many.
    pub url_count: u32,
    /// Which.
    pub urls: Vec<String>,
}

/// `prefetching:end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrefetchingEnd {
    /// For people.
    pub message: String,
    /// Pages that were read.
    pub fetched: u32,
    /// Pages that could not be read.
    pub failed: u32,
}

/// `planning:start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanningStart {
    /// For people.
    pub message: String,
    /// Whether pages from the question are at hand.
    pub has_prefetched_context: bool,
}

/// `planning:end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanningEnd {
    /// For people.
    pub message: String,
    /// How hard the question is.
    pub complexity: QueryComplexity,
    /// What the report has to achieve.
    pub objective: String,
    /// How to get there.
    pub plan: String,
    /// The first search queries.
    pub queries: Vec<String>,
    /// The questions the report has to answer.
    pub questions: Vec<String>,
}

/// `iteration:start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IterationStart {
    /// For people.
    pub message: String,
    /// Which loop, from 1.
    pub iteration: u32,
    /// How many loops there may be.
    pub max_iterations: u32,
    /// What this loop searches for.
    pub queries: Vec<String>,
}

/// `iteration:end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IterationEnd {
    /// For people.
    pub message: String,
    /// Which loop, from 1.
    pub iteration: u32,
    /// Whether writing comes next.
    pub is_last: bool,
    /// Why; only on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
}

/// `searching:start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchingStart {
    /// For people.
    pub message: String,
    /// Which loop, from 1.
    pub iteration: u32,
    /// What is searched for.
    pub queries: Vec<String>,
}

/// `searching:end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchingEnd {
    /// For people.
    pub message: String,
    /// Which loop, from 1.
    pub iteration: u32,
    /// Addresses found.
    pub urls_found: u32,
    /// Those not known before.
    pub urls_new: u32,
}

/// `analyzing:start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnalyzingStart {
    /// For people.
    pub message: String,
    /// Which loop, from 1.
    pub iteration: u32,
    /// How many pages will be read.
    pub page_count: u32,
}

/// `analyzing:end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnalyzingEnd {
    /// For people.
    pub message: String,
    /// Which loop, from 1.
    pub iteration: u32,
    /// Pages that were read.
    pub analyzed: u32,
    /// Pages that could not be read.
    pub failed: u32,
    /// Some of those pages.
    pub samples: Vec<PageSample>,
}

/// `following:start`: links inside good pages are read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowingStart {
    /// For people.
    pub message: String,
    /// Which loop, from 1.
    pub iteration: u32,
    /// How many.
    pub link_count: u32,
}

/// `following:end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FollowingEnd {
    /// For people.
    pub message: String,
    /// Which loop, from 1.
    pub iteration: u32,
    /// Links that were read.
    pub followed: u32,
    /// Pages that could not be read.
    pub failed: u32,
    /// Some of those pages.
    pub samples: Vec<PageSample>,
}

/// `evaluating:start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvaluatingStart {
    /// For people.
    pub message: String,
    /// Which loop, from 1.
    pub iteration: u32,
    /// Pages read so far.
    pub pages_analyzed: u32,
    /// Questions to answer.
    pub question_count: u32,
}

/// `evaluating:end`: what is known and what is missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EvaluatingEnd {
    /// For people.
    pub message: String,
    /// Which loop, from 1.
    pub iteration: u32,
    /// How much of the ground is covered.
    pub coverage: Coverage,
    /// What is missing.
    pub gaps: String,
    /// What to search for next.
    pub next_queries: Vec<String>,
    /// Each question in turn.
    pub question_assessments: Vec<QuestionAssessment>,
    /// Whether another loop is worth it.
    pub should_continue: bool,
}

/// `outlining:start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutliningStart {
    /// For people.
    pub message: String,
    /// Pages read.
    pub pages_analyzed: u32,
    /// Those good enough to cite.
    pub quality_page_count: u32,
}

/// `outlining:end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutliningEnd {
    /// For people.
    pub message: String,
    /// Sources chosen for the report.
    pub sources_selected: u32,
}

/// `writing:start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WritingStart {
    /// For people.
    pub message: String,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// How many attempts there may be.
    pub max_attempts: u32,
    /// Whether a judge sent an earlier attempt back.
    pub is_revision: bool,
    /// What the earlier attempt scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_score: Option<Num>,
}

/// `writing:end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WritingEnd {
    /// For people.
    pub message: String,
    /// Which attempt, from 1.
    pub attempt: u32,
}

/// `judging:start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgingStart {
    /// For people.
    pub message: String,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// How many attempts there may be.
    pub max_attempts: u32,
}

/// `judging:end`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JudgingEnd {
    /// For people.
    pub message: String,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// Whether the report may go out.
    pub approved: bool,
    /// How good it is.
    pub score: Num,
    /// What to mend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

/// `error`: the run ends without a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResearchError {
    /// For people.
    pub message: String,
    /// What happened.
    pub error: ResearchErrorDetail,
    /// In which phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub activity: Option<Activity>,
    /// In which loop, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
}

/// An answer from outside, under the name by which the run asks for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ResearchMemo {
    /// What was asked: the same run asks the same thing under the same key.
    pub key: String,
    /// What came back.
    pub value: Value,
}

/// What happened. Texts hold no page content and no secrets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResearchErrorDetail {
    /// One of [`crate::Code`].
    pub name: String,
    /// In words.
    pub message: String,
    /// Where in the code; never sent by us.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack: Option<String>,
}

/// A page that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageSample {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Its host.
    pub domain: String,
    /// How it was found.
    pub url_source: UrlSource,
    /// How much it says about the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance: Option<Rating>,
    /// How far it can be trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reliability: Option<Rating>,
    /// What it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// Why the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// There may be no more.
    MaxIterations,
    /// Enough is known.
    CoverageSufficient,
}

/// The ten phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Activity {
    Prefetching,
    Planning,
    Iteration,
    Searching,
    Analyzing,
    Following,
    Evaluating,
    Outlining,
    Writing,
    Judging,
}
