//! What came of a run, read off its own events: the log is the only witness.

use jiff::Timestamp;
use serde_json::Value;
use store::jobs::Job;
use wire::automate::{AutomateEvent, RunError};
use wire::error::ErrorBody;
use wire::research::{ErrorDetail, ResearchError, ResearchEvent};
use wire::run::{RunStatus, Usage};
use wire::scrape::{
    CallOutcome, RuntimeCall, ScrapeError, ScrapeEvent, ScrapeResponse, ScrapeStatus, StepDetail,
};
use wire::{Code, Entry, Event, Family, Stamped};

/// What came of a run so far.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) status: RunStatus,
    pub(crate) result: Option<Value>,
    pub(crate) error: Option<ErrorBody>,
    pub(crate) usage: Usage,
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            status: RunStatus::Completed,
            result: None,
            error: None,
            usage: Usage::default(),
        }
    }
}

/// Events that tell what came of their run.
pub(crate) trait Speaks: Event {
    /// Adds what this event tells.
    fn tell(&self, outcome: &mut Outcome);
}

impl Speaks for ScrapeEvent {
    fn tell(&self, outcome: &mut Outcome) {
        match self {
            Self::Complete { data } => {
                outcome.status = match data.status {
                    ScrapeStatus::Completed | ScrapeStatus::Partial => RunStatus::Completed,
                    ScrapeStatus::Failed => RunStatus::Failed,
                    ScrapeStatus::Cancelled => RunStatus::Cancelled,
                };
                outcome.error = match data.status {
                    ScrapeStatus::Completed | ScrapeStatus::Partial => None,
                    ScrapeStatus::Failed | ScrapeStatus::Cancelled => data
                        .errors
                        .first()
                        .map(|it| ErrorBody::new(it.code, it.message.clone())),
                };
                outcome.result = serde_json::to_value(data).ok();
            }
            Self::Step { data } => match &data.detail {
                StepDetail::Navigate {
                    final_url: Some(_), ..
                } => outcome.usage.pages += 1,
                StepDetail::RuntimeCall(call) if call.tool.starts_with("llm.") => count_model(call, outcome),
                StepDetail::RuntimeCall(call) if call.outcome.is_some() => outcome.usage.tool_calls += 1,
                _ => {}
            },
            Self::Init(_) | Self::UrlStart(_) | Self::UrlComplete(_) | Self::Error { .. } => {}
        }
    }
}

/// A question to a model that came back: what it cost stands in its preview.
fn count_model(call: &RuntimeCall, outcome: &mut Outcome) {
    match &call.outcome {
        Some(CallOutcome::Success { preview, .. }) => {
            let told: Value = serde_json::from_str(&preview.text).unwrap_or_default();
            let number = |name: &str| told[name].as_u64().unwrap_or_default();
            outcome.usage.model_calls += number("turns").max(1);
            outcome.usage.input_tokens += number("input_tokens");
            outcome.usage.output_tokens += number("output_tokens");
        }
        Some(CallOutcome::Failure { .. }) => outcome.usage.model_calls += 1,
        None => {}
    }
}

/// The two Tabstack families spell success and error alike, so both are read off their JSON.
fn tell_of(body: &Value, outcome: &mut Outcome, failed: bool) {
    let error = &body["error"];
    let code = ["code", "name"]
        .iter()
        .find_map(|it| error[*it].as_str())
        .unwrap_or_default();
    outcome.status = match Some(code) {
        Some(code) if code == Code::TaskAborted.as_str() => RunStatus::Cancelled,
        _ if failed => RunStatus::Failed,
        _ => RunStatus::Completed,
    };
    outcome.error = failed.then(|| {
        let code = serde_json::from_value(code.into()).unwrap_or(Code::TaskFailed);
        ErrorBody::new(code, error["message"].as_str().unwrap_or("the run failed"))
    });
    outcome.result = Some(body.clone());
}

impl Speaks for AutomateEvent {
    fn tell(&self, outcome: &mut Outcome) {
        let body = Value::Object(self.body());
        match self.name() {
            "complete" => tell_of(&body, outcome, body["success"] != Value::Bool(true)),
            "error" => tell_of(&body, outcome, true),
            "browser:navigated" => outcome.usage.pages += 1,
            "agent:action" => outcome.usage.tool_calls += 1,
            _ => {}
        }
    }
}

impl Speaks for ResearchEvent {
    fn tell(&self, outcome: &mut Outcome) {
        let body = Value::Object(self.body());
        match self.name() {
            "complete" => tell_of(&body, outcome, false),
            "error" => tell_of(&body, outcome, true),
            _ => {}
        }
    }
}

/// The last event of a run that broke, in the spelling of its family.
pub(crate) fn forced_end(job: &Job, seq: u64, reason: &str) -> Entry {
    match job.kind.family() {
        Family::Scrape => {
            let error = ScrapeError::new(Code::TaskExecutionFailed, reason, None);
            let data = Box::new(ScrapeResponse::failed(job.id.clone(), error));
            last(seq, ScrapeEvent::Complete { data })
        }
        Family::Automate => last(
            seq,
            AutomateEvent::Error(RunError::new(Code::TaskExecutionFailed, reason)),
        ),
        Family::Research => {
            let name = Code::TaskExecutionFailed.as_str().to_owned();
            let error = ErrorDetail {
                name,
                message: reason.to_owned(),
                stack: None,
            };
            let error = ResearchError {
                message: reason.to_owned(),
                error,
                activity: None,
                iteration: None,
            };
            last(seq, ResearchEvent::Error(error))
        }
    }
}

fn last<E: Event>(seq: u64, event: E) -> Entry {
    Stamped {
        seq,
        at: Timestamp::now(),
        iteration: None,
        event,
    }
    .entry()
}
