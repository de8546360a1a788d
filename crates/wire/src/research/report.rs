//! What comes out of a research run: the report and how it came about.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::num::Num;
use crate::vocabulary::vocabulary;

/// `complete`: the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResearchComplete {
    /// For people.
    pub message: String,
    /// Markdown with citations.
    pub report: String,
    /// How it came about.
    pub metadata: ReportMetadata,
}

/// How a report came about. What a mode does not do is left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportMetadata {
    /// What was asked.
    pub prompt: String,
    /// How thoroughly.
    pub mode: ResearchMode,
    /// How hard the question is.
    pub query_complexity: QueryComplexity,
    /// What the report had to achieve.
    pub research_objective: String,
    /// How.
    pub research_plan: String,
    /// The questions it had to answer.
    pub research_questions: Vec<String>,
    /// Search queries, one list per loop.
    pub executed_queries: Vec<Vec<String>>,
    /// Pages read.
    pub total_pages_analyzed: u32,
    /// The sources, by first citation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cited_pages: Option<Vec<CitedPage>>,
    /// What was missing after each loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_evaluations: Option<Vec<GapEvaluation>>,
    /// What the judge said of each attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgments: Option<Vec<Judgment>>,
    /// What it cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<ResearchMetrics>,
    /// The plan of the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outline: Option<ReportOutline>,
    /// How the pages were found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url_sources: Option<UrlSources>,
    /// How the citations stood the check against their sources. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citations: Option<CitationCounts>,
    /// What a reader of the report should know: a budget that was spent, sources that contradict one another, no
    /// model. An addition of ours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What came of the question, where that is no answer. An addition of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<ReportOutcome>,
}

/// What came of a question, where that is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportOutcome {
    /// The sources do not answer the question, and nothing is cited.
    NotAnswered,
}

/// Citations that the writer gave and what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CitationCounts {
    /// Citations checked against the text of their source.
    pub checked: u32,
    /// Those whose source supports the sentence.
    pub supported: u32,
    /// Those that were taken out.
    pub dropped: u32,
}

/// A source of the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CitedPage {
    /// As the report cites it.
    pub id: String,
    /// Its address.
    pub url: String,
    /// Sentences of the report it supports.
    pub claims: Vec<String>,
    /// Queries that found it.
    pub source_queries: Vec<String>,
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_text: Option<String>,
    /// How much it says about the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance: Option<Rating>,
    /// How far it can be trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reliability: Option<Rating>,
    /// Links away from a search result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The page that linked to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_url: Option<String>,
    /// How it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url_source: Option<UrlSource>,
}

/// What was missing after a loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GapEvaluation {
    /// How much of the ground is covered.
    pub research_coverage: Coverage,
    /// What is missing.
    pub gap_description: String,
    /// Each question in turn.
    pub question_assessments: Vec<QuestionAssessment>,
    /// Whether another loop is worth it.
    pub should_continue_research: bool,
    /// Questions that came up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_research_questions: Option<Vec<String>>,
    /// What to search for next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_queries: Option<Vec<String>>,
}

/// How far a question is answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionAssessment {
    /// The question.
    pub question: String,
    /// How far.
    pub status: AnswerStatus,
    /// What is known.
    pub findings: String,
}

/// What the judge said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Judgment {
    /// Whether the report may go out.
    pub approved: bool,
    /// What the judge saw.
    pub observation: String,
    /// How good it is.
    pub score: Num,
    /// What to mend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

/// The plan of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportOutline {
    /// The answer in a sentence or two.
    pub direct_answer: String,
    /// What to remember.
    pub key_takeaways: Vec<String>,
    /// Headings.
    pub outline: String,
    /// Sources to cite.
    pub relevant_source_ids: Vec<String>,
}

/// How pages were found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UrlSources {
    /// Named in the question.
    pub user_provided: u32,
    /// Found by search.
    pub search_results: u32,
    /// Linked from other pages.
    pub extracted_links: u32,
}

/// What a run cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResearchMetrics {
    /// Milliseconds.
    pub total_duration: Num,
    /// Loops.
    pub iterations: u32,
    /// Pages fetched.
    pub fetches: u32,
    /// Of these, from the cache.
    pub cached_fetches: u32,
    /// Pages that a robots.txt kept us from.
    pub robots_blocked: u32,
    /// Searches by provider.
    pub searches: BTreeMap<String, u32>,
    /// Of these, from the cache.
    pub cached_searches: BTreeMap<String, u32>,
    /// By phase.
    pub phases: BTreeMap<String, PhaseMetrics>,
    /// By model.
    pub tokens: BTreeMap<String, TokenMetrics>,
    /// What worked.
    pub success_rates: SuccessRates,
}

/// What a phase cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PhaseMetrics {
    /// Milliseconds.
    pub duration: Num,
}

/// What a model cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenMetrics {
    /// Tokens sent.
    pub input: u64,
    /// Tokens received.
    pub output: u64,
}

/// Shares of what worked, 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuccessRates {
    /// Of fetches.
    pub fetches: Num,
    /// Of searches.
    pub searches: Num,
    /// Of page readings.
    pub analyzes: Num,
}

/// How thoroughly to research.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ResearchMode {
    /// One loop, no page analysis.
    Fast,
    /// Three loops.
    Balanced,
    /// Five loops and a judge.
    Deep,
    /// Five loops and a judge, wider.
    Max,
    /// Ten loops and a judge.
    Ultra,
}

vocabulary!(ResearchMode);

/// How hard a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum QueryComplexity {
    /// One fact.
    Simple,
    /// A few facts.
    Moderate,
    /// Many facts to weigh.
    Complex,
}

/// How much of the ground is covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Coverage {
    /// Little.
    Light,
    /// Some.
    Moderate,
    /// Most.
    Solid,
    /// All that is asked.
    Comprehensive,
}

/// A judgement in three degrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rating {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

/// How a page was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UrlSource {
    /// The question names it.
    UserInput,
    /// A search found it.
    SearchResult,
    /// Another page links to it.
    ExtractedLink,
}

/// How far a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnswerStatus {
    /// Wholly.
    Answered,
    /// In part.
    Partial,
    /// Not at all.
    Unanswered,
}
