//! The details of a step: what is done, how it went, and how JSON spells both.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Code;
use crate::num::Num;

/// How a step, a call or a page stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
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

/// What a step is about: the typed form of `action` and `extracted_data`. The keys of each variant are its JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StepDetail {
    /// `plugins`: which plugins of the request stand for tools.
    Plugins {
        /// Those that the request names.
        requested: Vec<String>,
        /// Those of them that stand for tools.
        enabled: Vec<String>,
        /// Those of them that stand for none.
        unknown: Vec<String>,
    },
    /// `planner`: what will be done with the request.
    Plan {
        /// The pages to visit.
        urls: Vec<String>,
        /// The columns asked for, where they were named.
        columns: Vec<String>,
    },
    /// `navigator`: a page is opened.
    Navigate {
        /// The engine that opened it.
        engine: String,
        /// Where the tab arrived; absent while it is on its way.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        final_url: Option<String>,
        /// HTTP status.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        http_status: Option<u16>,
        /// Title of the page.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
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
        /// Fields filled over all items.
        fields: Vec<String>,
        /// Items found; absent while reading.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        items: Option<u32>,
        /// 0 to 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<Num>,
    },
    /// `recover`: the plan failed and another one is tried.
    Recover {
        /// What was wrong.
        reason: String,
        /// What is tried.
        attempt: String,
    },
    /// `verifier`: the result is judged.
    Verify {
        /// What is not good enough.
        issues: Vec<String>,
        /// Whether it is good enough; absent while judging.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        passed: Option<bool>,
    },
    /// `output`: the result is written in the format asked for.
    Output {
        /// Which format.
        format: String,
        /// Rows written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rows: Option<u32>,
        /// Size of the text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
    },
    /// `complete`: a page is finished; carries what its steps earned.
    PageDone {
        /// Items it gave.
        items: u32,
        /// Sum of the page's rewards.
        page_reward: Num,
        /// What the page gave, as it will stand in the result; a successor takes it from here.
        #[serde(default, skip_serializing_if = "Option::is_none")]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "FlatCall", from = "FlatCall")]
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

impl StepDetail {
    /// The step's `action`.
    #[must_use]
    pub fn action(&self) -> &'static str {
        match self {
            Self::Plugins { .. } => "plugins",
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

/// A [`RuntimeCall`] as JSON spells it: without nesting.
#[derive(Serialize, Deserialize)]
struct FlatCall {
    tool: String,
    #[serde(default)]
    params: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    success: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result_preview: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result_truncated: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result_bytes: Option<u64>,
    /// Null beside a success; absent while the call runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error_code: Option<Code>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    duration_ms: Option<Num>,
}

impl From<RuntimeCall> for FlatCall {
    fn from(call: RuntimeCall) -> Self {
        let mut flat = Self {
            tool: call.tool,
            params: call.params,
            success: None,
            result_preview: None,
            result_truncated: None,
            result_bytes: None,
            error: None,
            error_code: None,
            duration_ms: None,
        };
        match call.outcome {
            None => {}
            Some(CallOutcome::Success { preview, duration_ms }) => {
                flat.success = Some(true);
                flat.error = Some(None);
                flat.result_preview = Some(preview.text);
                flat.result_truncated = Some(preview.truncated);
                flat.result_bytes = Some(preview.bytes);
                flat.duration_ms = Some(to_num(duration_ms));
            }
            Some(CallOutcome::Failure {
                error,
                code,
                duration_ms,
            }) => {
                flat.success = Some(false);
                flat.error = Some(Some(error));
                flat.error_code = code;
                flat.duration_ms = Some(to_num(duration_ms));
            }
        }
        flat
    }
}

impl From<FlatCall> for RuntimeCall {
    fn from(flat: FlatCall) -> Self {
        let duration_ms = flat.duration_ms.map_or(0, to_whole);
        let outcome = flat.success.map(|success| {
            if success {
                let text = flat.result_preview.unwrap_or_default();
                CallOutcome::Success {
                    preview: Preview {
                        truncated: flat.result_truncated.unwrap_or(false),
                        bytes: flat.result_bytes.unwrap_or(text.len() as u64),
                        text,
                    },
                    duration_ms,
                }
            } else {
                CallOutcome::Failure {
                    error: flat.error.flatten().unwrap_or_default(),
                    code: flat.error_code,
                    duration_ms,
                }
            }
        });
        Self {
            tool: flat.tool,
            params: flat.params,
            outcome,
        }
    }
}

/// Milliseconds as written: whole for us, with a fraction from others.
#[expect(clippy::cast_precision_loss, reason = "no duration comes near 2^53 ms")]
pub(super) fn to_num(milliseconds: u64) -> Num {
    Num::new(milliseconds as f64)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, which is right here"
)]
pub(super) fn to_whole(milliseconds: Num) -> u64 {
    milliseconds.get().round() as u64
}
