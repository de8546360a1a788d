//! The result of a scrape run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::error::ScrapeError;
use super::request::OutputFormat;
use crate::ids::RunId;
use crate::num::Num;
use crate::site::CrawlSummary;

/// How a scrape run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScrapeStatus {
    /// Every page gave what was asked.
    Completed,
    /// Some pages failed.
    Partial,
    /// No page gave anything.
    Failed,
    /// It was stopped.
    Cancelled,
}

/// The result of a scrape run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScrapeResponse {
    /// The run's id.
    pub session_id: RunId,
    /// How it ended.
    pub status: ScrapeStatus,
    /// Steps emitted.
    pub total_steps: u32,
    /// Sum of their rewards.
    pub total_reward: Num,
    /// What was found, by page.
    pub extracted_data: Map<String, Value>,
    /// The same in the format asked for.
    pub output: String,
    /// That format.
    pub output_format: OutputFormat,
    /// How long it took.
    pub duration_seconds: Num,
    /// Pages visited.
    pub urls_processed: u32,
    /// What failed.
    pub errors: Vec<ScrapeError>,
    /// What is doubtful about `output`, such as columns that no row has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Plugins in use.
    #[serde(default)]
    pub enabled_plugins: Vec<String>,
    /// Plugins asked for.
    #[serde(default)]
    pub requested_plugins: Vec<String>,
    /// Roles asked for.
    #[serde(default)]
    pub selected_agents: Vec<String>,
    /// Whether what was learned about the sites is kept for the next run, and what was known was used.
    #[serde(default)]
    pub memory_enabled: bool,
    /// Names of files the run wrote.
    #[serde(default)]
    pub sandbox_artifacts: Vec<String>,
    /// What a crawl or a batch did. The results of its pages are in its events, not here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crawl: Option<CrawlSummary>,
}

impl ScrapeResponse {
    /// The result of a run that broke before it could have one.
    #[must_use]
    pub fn failed(session_id: RunId, error: ScrapeError) -> Self {
        Self {
            session_id,
            status: ScrapeStatus::Failed,
            total_steps: 0,
            total_reward: Num::hundredths(0),
            extracted_data: Map::new(),
            output: String::new(),
            output_format: OutputFormat::default(),
            duration_seconds: Num::hundredths(0),
            urls_processed: 0,
            errors: vec![error],
            warnings: Vec::new(),
            enabled_plugins: Vec::new(),
            requested_plugins: Vec::new(),
            selected_agents: Vec::new(),
            memory_enabled: false,
            sandbox_artifacts: Vec::new(),
            crawl: None,
        }
    }
}
