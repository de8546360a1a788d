//! A run as it is asked for, as it stands and as it is listed.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{IntoStaticStr, VariantArray};

use crate::error::ErrorBody;
use crate::event::{Audience, Family};
use crate::fetch_options::FetchOptions;
use crate::ids::RunId;
use crate::profile::ProfileChoice;
use crate::scrape::ScrapeRequest;
use crate::site::{BatchRequest, CrawlRequest};
use crate::stamp::iso_millis;
use crate::tabstack::{AutomateRequest, ResearchRequest};
use crate::vocabulary::vocabulary;

/// What kind of run.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RunKind {
    /// Pages are read into items.
    Scrape,
    /// A task is done in a browser.
    Automate,
    /// A question is answered with a cited report.
    Research,
    /// A ready-made plan is run.
    Plan,
    /// The pages of a site are found and read.
    Crawl,
    /// The pages of a long list are read.
    Batch,
}

impl RunKind {
    /// The events such a run emits.
    #[must_use]
    pub fn family(self) -> Family {
        match self {
            Self::Scrape | Self::Plan | Self::Crawl | Self::Batch => Family::Scrape,
            Self::Automate => Family::Automate,
            Self::Research => Family::Research,
        }
    }
}

vocabulary!(RunKind, RunStatus);

/// What is asked for, whole enough that any worker can run it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "request", rename_all = "snake_case")]
pub enum JobRequest {
    /// `POST /api/scrape`.
    Scrape(ScrapeRequest),
    /// `POST /v1/automate`.
    Automate(AutomateRequest),
    /// `POST /v1/research`.
    Research(ResearchRequest),
    /// `POST /v1/plans/run`.
    Plan(PlanRequest),
    /// `POST /v1/crawl`.
    Crawl(CrawlRequest),
    /// `POST /v1/batch`.
    Batch(BatchRequest),
}

impl JobRequest {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> RunKind {
        match self {
            Self::Scrape(_) => RunKind::Scrape,
            Self::Automate(_) => RunKind::Automate,
            Self::Research(_) => RunKind::Research,
            Self::Plan(_) => RunKind::Plan,
            Self::Crawl(_) => RunKind::Crawl,
            Self::Batch(_) => RunKind::Batch,
        }
    }

    /// How its pages are opened.
    #[must_use]
    pub fn fetch(&self) -> &FetchOptions {
        match self {
            Self::Scrape(request) => &request.fetch,
            Self::Automate(request) => &request.fetch,
            Self::Research(request) => &request.fetch,
            Self::Plan(request) => &request.fetch,
            Self::Crawl(request) => &request.page.fetch,
            Self::Batch(request) => &request.page.fetch,
        }
    }

    /// The profile that its pages are opened with.
    #[must_use]
    pub fn profile(&self) -> &ProfileChoice {
        match self {
            Self::Scrape(request) => &request.profile,
            Self::Automate(request) => &request.profile,
            Self::Research(request) => &request.profile,
            Self::Plan(request) => &request.profile,
            Self::Crawl(request) => &request.page.profile,
            Self::Batch(request) => &request.page.profile,
        }
    }
}

/// A plan and the page it starts on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanRequest {
    /// The plan, in the DSL, or its list of steps.
    #[schemars(extend("type" = ["object", "array"]))]
    pub plan: Value,
    /// Where it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(
        url,
        length(max = 8192),
        pattern(r"^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\s\\]+([/?#]|$)")
    )]
    pub url: Option<String>,
    /// The profile that pages are opened with.
    #[serde(flatten)]
    pub profile: ProfileChoice,
    /// How pages are opened.
    #[serde(default, skip_serializing_if = "FetchOptions::is_empty")]
    #[schemars(with = "Option<FetchOptions>")]
    pub fetch: FetchOptions,
}

/// A job with everything that travels beside the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// What is asked for.
    #[serde(flatten)]
    pub job: JobRequest,
    /// Whose run it is: a name for the caller's key, never the key itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub owner: String,
    /// Which events are recorded for readers.
    #[serde(default)]
    pub audience: Audience,
    /// Whether the run goes on when its client is gone (`Prefer: respond-async`).
    #[serde(default)]
    pub detached: bool,
    /// The trace that the caller's request belongs to: 32 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// What the run continues in that trace: a `traceparent` of W3C Trace Context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_parent: Option<String>,
    /// What the run may spend on models, where its owner has a limit.
    #[serde(default, skip_serializing_if = "RunBudget::is_unlimited")]
    pub budget: RunBudget,
}

/// What one run may spend on models.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunBudget {
    /// Tokens, read and written together.
    pub tokens: Option<u64>,
    /// Millionths of a US dollar.
    pub micro_dollars: Option<u64>,
}

impl RunBudget {
    fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }
}

impl RunSpec {
    /// A job of nobody in particular, attached, public.
    #[must_use]
    pub fn new(job: JobRequest) -> Self {
        Self {
            job,
            owner: String::new(),
            audience: Audience::Public,
            detached: false,
            trace: None,
            trace_parent: None,
            budget: RunBudget::default(),
        }
    }
}

/// How a run stands.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, IntoStaticStr, VariantArray, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RunStatus {
    /// It waits for a worker.
    Queued,
    /// A worker has it.
    Running,
    /// It ended well.
    Completed,
    /// It ended badly.
    Failed,
    /// It was stopped.
    Cancelled,
}

impl RunStatus {
    /// Whether nothing more will happen.
    #[must_use]
    pub fn is_final(self) -> bool {
        match self {
            Self::Queued | Self::Running => false,
            Self::Completed | Self::Failed | Self::Cancelled => true,
        }
    }
}

/// What a run cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RunUsage {
    /// Model calls.
    pub model_calls: u64,
    /// Tokens sent to models.
    pub input_tokens: u64,
    /// Tokens received from models.
    pub output_tokens: u64,
    /// Pages opened.
    pub pages: u64,
    /// Tools run.
    pub tool_calls: u64,
    /// Bytes fetched.
    pub bytes: u64,
    /// Millionths of a US dollar that models cost by the price table; 0 where they have no price.
    pub micro_dollars: u64,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunSummary {
    /// Its id.
    pub id: RunId,
    /// Its kind.
    pub kind: RunKind,
    /// How it stands.
    pub status: RunStatus,
    /// When it was asked for.
    #[serde(with = "iso_millis")]
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "iso_millis::option")]
    #[schemars(with = "Option<String>")]
    pub finished_at: Option<Timestamp>,
    /// Place of the last event in its log; 0 when it is empty.
    pub last_seq: u64,
}

/// One run, with what was asked and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunDetail {
    /// The summary.
    #[serde(flatten)]
    pub summary: RunSummary,
    /// What was asked.
    pub request: Value,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
    /// What it cost.
    pub usage: RunUsage,
}

/// A page of a list, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunList {
    /// The runs.
    pub runs: Vec<RunSummary>,
    /// Where the next page begins; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}
