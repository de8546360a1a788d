//! One step of a scrape run: what is done, how it went, and the details as the wire spells them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::reward::{Reward, reward};
use super::spelling::Spelled;
use crate::error::Code;
use crate::num::Num;

/// How a step, a call or a page stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It began.
    Running,
    /// It ended well. Older clients and logs say `complete`.
    #[serde(alias = "complete")]
    Completed,
    /// It ended badly.
    Failed,
    /// It was not needed.
    Skipped,
    /// It was stopped.
    Cancelled,
}

/// One step. Its `action` and `reward` follow from the detail; the recorder adds `step_number` and `timestamp`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "Spelled", try_from = "Spelled")]
pub struct Step {
    /// What is done.
    pub detail: StepDetail,
    /// How it stands.
    pub status: Status,
    /// One line for people. Programs read the detail.
    pub message: String,
    /// On which page.
    pub url: Option<String>,
    /// The same in the `running` and in the closing step of one call.
    pub call_id: Option<String>,
    /// How long it took; on closing steps.
    pub duration_ms: Option<u64>,
}

/// What a step is about: the typed form of `action` and `extracted_data`.
#[derive(Debug, Clone, PartialEq)]
pub enum StepDetail {
    /// `planner`: what will be done with the request.
    Plan {
        /// The pages to visit.
        urls: Vec<String>,
        /// The columns asked for, where they were named.
        columns: Vec<String>,
    },
    /// `navigator`: a page is opened.
    Navigate {
        /// Where the tab arrived; absent while it is on its way.
        final_url: Option<String>,
        /// HTTP status.
        http_status: Option<u16>,
        /// Title of the page.
        title: Option<String>,
        /// The engine that opened it.
        engine: String,
    },
    /// `agent_decision`: the calls that the model, or the manifests' triggers, chose.
    Decision {
        /// In the order of execution.
        tool_calls: Vec<PlannedCall>,
    },
    /// `tool_call` with a registry entry: name, description, parameters, result.
    RegistryCall(RegistryCall),
    /// `tool_call` as the executor reports it: tool, success, preview of the result.
    RuntimeCall(RuntimeCall),
    /// `extract`: the page is read into items.
    Extract {
        /// Extraction mode.
        mode: String,
        /// Items found; absent while reading.
        items: Option<u32>,
        /// Fields filled over all items.
        fields: Vec<String>,
        /// 0 to 1.
        confidence: Option<Num>,
    },
    /// `recover`: the plan failed and something else is tried.
    Recover {
        /// What was wrong.
        reason: String,
        /// What is tried.
        attempt: String,
    },
    /// `verifier`: the result is judged.
    Verify {
        /// Whether it is good enough; absent while judging.
        passed: Option<bool>,
        /// What is not.
        issues: Vec<String>,
    },
    /// `output`: the result is written in the format asked for.
    Output {
        /// Which format.
        format: String,
        /// Rows written.
        rows: Option<u32>,
        /// Size of the text.
        bytes: Option<u64>,
    },
    /// `complete`: a page is finished; carries what its steps earned.
    PageDone {
        /// Items it gave.
        items: u32,
        /// Sum of the page's rewards.
        page_reward: Num,
        /// What the page gave, as it will stand in the result; a successor takes it from here.
        result: Option<Value>,
    },
}

/// One call of a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedCall {
    /// The tool's name.
    pub tool: String,
    /// Its arguments.
    pub params: Map<String, Value>,
    /// Why it was chosen.
    pub reasoning: String,
}

/// A call described by its registry entry.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RegistryCall {
    /// `namespace.action`.
    pub tool_name: String,
    /// What the tool does.
    pub tool_description: String,
    /// Its arguments.
    pub parameters: Map<String, Value>,
    /// What it gave back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Map<String, Value>>,
}

/// A call as the executor reports it.
#[derive(Debug, Clone, PartialEq)]
pub struct RuntimeCall {
    /// The tool's name.
    pub tool: String,
    /// Its arguments.
    pub params: Map<String, Value>,
    /// How it ended; absent while it runs.
    pub outcome: Option<CallOutcome>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub enum CallOutcome {
    /// It gave something back.
    Success {
        /// What.
        preview: Preview,
        /// How long it took.
        duration_ms: u64,
    },
    /// It did not.
    Failure {
        /// In words; what to try is part of it.
        error: String,
        /// Which error, where it has a code.
        code: Option<Code>,
        /// How long it took.
        duration_ms: u64,
    },
}

/// A result cut to a length that is fit for a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    /// JSON, cut at a character border.
    pub text: String,
    /// Whether it was cut.
    pub truncated: bool,
    /// Size of the whole, in bytes.
    pub bytes: u64,
}

impl Preview {
    /// The longest text that a preview holds, in characters.
    pub const LIMIT: usize = 600;

    /// Previews a result.
    #[must_use]
    pub fn of(result: &Value) -> Self {
        let whole = result.to_string();
        let bytes = whole.len() as u64;
        match whole.char_indices().nth(Self::LIMIT) {
            Some((cut, _)) => Self {
                text: whole.get(..cut).unwrap_or_default().to_owned(),
                truncated: true,
                bytes,
            },
            None => Self {
                text: whole,
                truncated: false,
                bytes,
            },
        }
    }
}

/// A step whose `action` or details are none of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("step {action:?}: {reason}")]
pub struct UnknownStep {
    /// The action it names.
    pub action: String,
    /// What does not fit.
    pub reason: String,
}

impl Step {
    /// A step that began.
    #[must_use]
    pub fn running(detail: StepDetail, message: impl Into<String>) -> Self {
        Self {
            detail,
            status: Status::Running,
            message: message.into(),
            url: None,
            call_id: None,
            duration_ms: None,
        }
    }

    /// A step that ended well.
    #[must_use]
    pub fn completed(detail: StepDetail, message: impl Into<String>) -> Self {
        Self {
            status: Status::Completed,
            ..Self::running(detail, message)
        }
    }

    /// A step that ended badly.
    #[must_use]
    pub fn failed(detail: StepDetail, message: impl Into<String>) -> Self {
        Self {
            status: Status::Failed,
            ..Self::running(detail, message)
        }
    }

    /// The same step, on this page.
    #[must_use]
    pub fn on(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// The same step as a part of this call.
    #[must_use]
    pub fn of_call(mut self, call_id: impl Into<String>) -> Self {
        self.call_id = Some(call_id.into());
        self
    }

    /// The same step with the time it took.
    #[must_use]
    pub fn took(mut self, duration: std::time::Duration) -> Self {
        self.duration_ms = Some(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX));
        self
    }

    /// What the step earns.
    #[must_use]
    pub fn reward(&self) -> Reward {
        reward(&self.detail, self.status)
    }
}

impl StepDetail {
    /// The step's `action`.
    #[must_use]
    pub fn action(&self) -> &'static str {
        match self {
            Self::Plan { .. } => "planner",
            Self::Navigate { .. } => "navigator",
            Self::Decision { .. } => "agent_decision",
            Self::RegistryCall(_) | Self::RuntimeCall(_) => "tool_call",
            Self::Extract { .. } => "extract",
            Self::Recover { .. } => "recover",
            Self::Verify { .. } => "verifier",
            Self::Output { .. } => "output",
            Self::PageDone { .. } => "complete",
        }
    }
}
