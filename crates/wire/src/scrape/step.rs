//! `ScrapeStep`: one step of a scrape run, and the sum of what the steps earn.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::detail::{StepDetail, StepStatus, to_num, to_whole};
use super::reward::{Reward, reward};
use crate::num::Num;

/// One step. Its `action` and `reward` follow from the detail; the recorder adds `step_number` and `timestamp`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "StepJson", try_from = "StepJson")]
pub struct ScrapeStep {
    /// What is done.
    pub detail: StepDetail,
    /// How it stands.
    pub status: StepStatus,
    /// One line for people. Programs read the detail.
    pub message: String,
    /// On which page.
    pub url: Option<String>,
    /// The same in the `running` and in the closing step of one call.
    pub call_id: Option<String>,
    /// How long it took; on closing steps.
    pub duration_ms: Option<u64>,
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

impl ScrapeStep {
    /// A step that began.
    #[must_use]
    pub fn running(detail: StepDetail, message: impl Into<String>) -> Self {
        Self {
            detail,
            status: StepStatus::Running,
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
            status: StepStatus::Completed,
            ..Self::running(detail, message)
        }
    }

    /// A step that ended badly.
    #[must_use]
    pub fn failed(detail: StepDetail, message: impl Into<String>) -> Self {
        Self {
            status: StepStatus::Failed,
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

/// Counts a run's steps and sums what they earned, for `total_steps` and `total_reward`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RewardTotal {
    steps: u32,
    sum: Reward,
}

impl RewardTotal {
    /// Counts one step.
    pub fn add(&mut self, step: &ScrapeStep) {
        self.steps = self.steps.saturating_add(1);
        self.sum += step.reward();
    }

    /// Adds what another tally counted.
    pub fn join(&mut self, other: &Self) {
        self.steps = self.steps.saturating_add(other.steps);
        self.sum += other.sum;
    }

    /// Steps so far.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Reward so far.
    #[must_use]
    pub fn reward(&self) -> Num {
        self.sum.into()
    }
}

/// A [`ScrapeStep`] as JSON spells it: `action`, `reward` and `extracted_data` instead of the typed detail.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ScrapeStep")]
struct StepJson {
    action: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    status: StepStatus,
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

impl From<ScrapeStep> for StepJson {
    fn from(step: ScrapeStep) -> Self {
        let reward = step.reward().into();
        let action = step.detail.action().to_owned();
        let extracted_data = match serde_json::to_value(&step.detail) {
            Ok(Value::Object(details)) => Some(details),
            _ => None,
        };
        let ScrapeStep {
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

impl TryFrom<StepJson> for ScrapeStep {
    type Error = UnknownStep;

    fn try_from(json: StepJson) -> Result<Self, UnknownStep> {
        let StepJson {
            action,
            url,
            status,
            message,
            reward: _,
            extracted_data,
            duration_ms,
            call_id,
        } = json;
        let details = Value::Object(extracted_data.unwrap_or_default());
        let detail = match serde_json::from_value::<StepDetail>(details) {
            Ok(detail) => detail,
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

impl JsonSchema for ScrapeStep {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        StepJson::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        StepJson::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scrape::{CallOutcome, Preview, RuntimeCall};

    fn call(outcome: Option<CallOutcome>) -> StepDetail {
        StepDetail::RuntimeCall(RuntimeCall {
            tool: "html.select".into(),
            params: Default::default(),
            outcome,
        })
    }

    fn good() -> Option<CallOutcome> {
        Some(CallOutcome::Success {
            preview: Preview::of(&serde_json::json!({})),
            duration_ms: 3,
        })
    }

    fn bad() -> Option<CallOutcome> {
        Some(CallOutcome::Failure {
            error: "no match".into(),
            code: None,
            duration_ms: 3,
        })
    }

    #[test]
    fn a_sum_of_rewards_has_no_float_noise() {
        let mut tally = RewardTotal::default();
        for detail in [
            call(good()),
            StepDetail::Decision { tool_calls: vec![] },
            call(bad()),
        ] {
            let failed = detail == call(bad());
            tally.add(&if failed {
                ScrapeStep::failed(detail, "")
            } else {
                ScrapeStep::completed(detail, "")
            });
        }
        assert_eq!(serde_json::to_string(&tally.reward()).unwrap(), "0.13");
        assert_eq!(tally.steps(), 3);
    }
}
