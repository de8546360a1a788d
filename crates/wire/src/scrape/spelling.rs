//! How a step stands on the wire: `action`, `reward` and `extracted_data` for a typed detail, and back.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::step::{
    CallOutcome, PlannedCall, Preview, RegistryCall, RuntimeCall, Status, Step, StepDetail, UnknownStep,
};
use crate::error::Code;
use crate::num::Num;

/// A step as the wire spells it.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ScrapeStep")]
pub(super) struct Spelled {
    action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    status: Status,
    message: String,
    reward: Num,
    /// What the step is about; its keys depend on `action`.
    #[serde(default)]
    extracted_data: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    duration_ms: Option<Num>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_id: Option<String>,
}

/// The details as the wire spells them, one variant per spelling.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Details {
    Plan {
        urls: Vec<String>,
        columns: Vec<String>,
    },
    Navigate {
        engine: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        final_url: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        http_status: Option<u16>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    Decision {
        tool_calls: Vec<PlannedCall>,
    },
    RegistryCall(RegistryCall),
    RuntimeCall {
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error_code: Option<Code>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        duration_ms: Option<Num>,
    },
    Extract {
        mode: String,
        fields: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        items: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<Num>,
    },
    Recover {
        reason: String,
        attempt: String,
    },
    Verify {
        issues: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        passed: Option<bool>,
    },
    Output {
        format: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rows: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
    },
    PageDone {
        items: u32,
        page_reward: Num,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        result: Option<Value>,
    },
}

/// Milliseconds as written: whole for us, with a fraction from others.
#[expect(clippy::cast_precision_loss, reason = "no duration comes near 2^53 ms")]
fn to_num(milliseconds: u64) -> Num {
    Num::new(milliseconds as f64)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, which is right here"
)]
fn to_whole(milliseconds: Num) -> u64 {
    milliseconds.get().round() as u64
}

impl From<StepDetail> for Details {
    fn from(detail: StepDetail) -> Self {
        match detail {
            StepDetail::Plan { urls, columns } => Self::Plan { urls, columns },
            StepDetail::Navigate {
                final_url,
                http_status,
                title,
                engine,
            } => Self::Navigate {
                engine,
                final_url,
                http_status,
                title,
            },
            StepDetail::Decision { tool_calls } => Self::Decision { tool_calls },
            StepDetail::RegistryCall(call) => Self::RegistryCall(call),
            StepDetail::RuntimeCall(call) => call.into(),
            StepDetail::Extract {
                mode,
                items,
                fields,
                confidence,
            } => Self::Extract {
                mode,
                fields,
                items,
                confidence,
            },
            StepDetail::Recover { reason, attempt } => Self::Recover { reason, attempt },
            StepDetail::Verify { passed, issues } => Self::Verify { issues, passed },
            StepDetail::Output { format, rows, bytes } => Self::Output { format, rows, bytes },
            StepDetail::PageDone {
                items,
                page_reward,
                result,
            } => Self::PageDone {
                items,
                page_reward,
                result,
            },
        }
    }
}

impl From<RuntimeCall> for Details {
    fn from(
        RuntimeCall {
            tool,
            params,
            outcome,
        }: RuntimeCall,
    ) -> Self {
        let (success, preview, error, error_code, duration_ms) = match outcome {
            None => (None, None, None, None, None),
            Some(CallOutcome::Success { preview, duration_ms }) => {
                (Some(true), Some(preview), None, None, Some(duration_ms))
            }
            Some(CallOutcome::Failure {
                error,
                code,
                duration_ms,
            }) => (Some(false), None, Some(error), code, Some(duration_ms)),
        };
        let (result_preview, result_truncated, result_bytes) = match preview {
            Some(it) => (Some(it.text), Some(it.truncated), Some(it.bytes)),
            None => (None, None, None),
        };
        Self::RuntimeCall {
            tool,
            params,
            success,
            result_preview,
            result_truncated,
            result_bytes,
            error,
            error_code,
            duration_ms: duration_ms.map(to_num),
        }
    }
}

impl From<Details> for StepDetail {
    fn from(details: Details) -> Self {
        match details {
            Details::Plan { urls, columns } => Self::Plan { urls, columns },
            Details::Navigate {
                engine,
                final_url,
                http_status,
                title,
            } => Self::Navigate {
                final_url,
                http_status,
                title,
                engine,
            },
            Details::Decision { tool_calls } => Self::Decision { tool_calls },
            Details::RegistryCall(call) => Self::RegistryCall(call),
            Details::RuntimeCall {
                tool,
                params,
                success,
                result_preview,
                result_truncated,
                result_bytes,
                error,
                error_code,
                duration_ms,
            } => {
                let duration_ms = duration_ms.map_or(0, to_whole);
                let outcome = success.map(|success| {
                    if success {
                        let text = result_preview.unwrap_or_default();
                        let bytes = result_bytes.unwrap_or(text.len() as u64);
                        let truncated = result_truncated.unwrap_or(false);
                        CallOutcome::Success {
                            preview: Preview {
                                text,
                                truncated,
                                bytes,
                            },
                            duration_ms,
                        }
                    } else {
                        CallOutcome::Failure {
                            error: error.unwrap_or_default(),
                            code: error_code,
                            duration_ms,
                        }
                    }
                });
                Self::RuntimeCall(RuntimeCall {
                    tool,
                    params,
                    outcome,
                })
            }
            Details::Extract {
                mode,
                fields,
                items,
                confidence,
            } => Self::Extract {
                mode,
                items,
                fields,
                confidence,
            },
            Details::Recover { reason, attempt } => Self::Recover { reason, attempt },
            Details::Verify { issues, passed } => Self::Verify { passed, issues },
            Details::Output { format, rows, bytes } => Self::Output { format, rows, bytes },
            Details::PageDone {
                items,
                page_reward,
                result,
            } => Self::PageDone {
                items,
                page_reward,
                result,
            },
        }
    }
}

impl From<Step> for Spelled {
    fn from(step: Step) -> Self {
        let reward = step.reward().into();
        let action = step.detail.action().to_owned();
        let extracted_data = match serde_json::to_value(Details::from(step.detail)) {
            Ok(Value::Object(details)) => Some(details),
            _ => None,
        };
        let Step {
            status,
            message,
            url,
            call_id,
            duration_ms,
            ..
        } = step;
        Self {
            action,
            url,
            status,
            message,
            reward,
            extracted_data,
            duration_ms: duration_ms.map(to_num),
            call_id,
        }
    }
}

impl TryFrom<Spelled> for Step {
    type Error = UnknownStep;

    fn try_from(spelled: Spelled) -> Result<Self, UnknownStep> {
        let Spelled {
            action,
            url,
            status,
            message,
            reward: _,
            extracted_data,
            duration_ms,
            call_id,
        } = spelled;
        let details = Value::Object(extracted_data.unwrap_or_default());
        let detail = match serde_json::from_value::<Details>(details) {
            Ok(details) => StepDetail::from(details),
            Err(error) => {
                return Err(UnknownStep {
                    action,
                    reason: error.to_string(),
                });
            }
        };
        if detail.action() != action {
            return Err(UnknownStep {
                reason: format!("the details belong to {:?}", detail.action()),
                action,
            });
        }
        Ok(Self {
            detail,
            status,
            message,
            url,
            call_id,
            duration_ms: duration_ms.map(to_whole),
        })
    }
}

impl JsonSchema for Step {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        Spelled::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Spelled::json_schema(generator)
    }
}
