//! `RunOutcome`: status, result, error and usage of a run, reduced from its events.

use jiff::Timestamp;
use serde_json::Value;
use store::jobs::JobSummary;
use wire::automate::{AutomateError, AutomateEvent, FailureCode};
use wire::error::ErrorBody;
use wire::research::{ResearchError, ResearchErrorDetail, ResearchEvent};
use wire::run::{RunStatus, RunUsage};
use wire::scrape::{
    CallOutcome, RuntimeCall, ScrapeError, ScrapeEvent, ScrapeResponse, ScrapeStatus, StepDetail,
};
use wire::{Code, Event, Family, LogEntry, Stamped};

/// The outcome of a run so far.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RunOutcome {
    pub(crate) status: RunStatus,
    pub(crate) result: Option<Value>,
    pub(crate) error: Option<ErrorBody>,
    pub(crate) usage: RunUsage,
}

impl Default for RunOutcome {
    fn default() -> Self {
        Self {
            status: RunStatus::Completed,
            result: None,
            error: None,
            usage: RunUsage::default(),
        }
    }
}

/// A family of events that determines the outcome of its runs.
pub(crate) trait OutcomeReducer: Event {
    /// Adds what this event says to the outcome.
    fn reduce(&self, outcome: &mut RunOutcome);
}

impl OutcomeReducer for ScrapeEvent {
    fn reduce(&self, outcome: &mut RunOutcome) {
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
                        .map(|error| ErrorBody::new(error.code, error.message.clone())),
                };
                outcome.result = serde_json::to_value(data).ok();
            }
            Self::Step { data } => reduce_step(&data.detail, outcome),
            Self::Init(_) | Self::UrlStart(_) | Self::UrlComplete(_) | Self::Error { .. } => {}
        }
    }
}

fn reduce_step(detail: &StepDetail, outcome: &mut RunOutcome) {
    match detail {
        StepDetail::Navigate { final_url, .. } => outcome.usage.pages += u64::from(final_url.is_some()),
        StepDetail::RuntimeCall(call) => match ModelCost::of(call) {
            Some(cost) => {
                outcome.usage.model_calls += cost.calls;
                outcome.usage.input_tokens += cost.input_tokens;
                outcome.usage.output_tokens += cost.output_tokens;
            }
            None => outcome.usage.tool_calls += u64::from(call.outcome.is_some() && !is_model_call(call)),
        },
        StepDetail::Plugins { .. }
        | StepDetail::Plan { .. }
        | StepDetail::Decision { .. }
        | StepDetail::RegistryCall(_)
        | StepDetail::Extract { .. }
        | StepDetail::Recover { .. }
        | StepDetail::Verify { .. }
        | StepDetail::Output { .. }
        | StepDetail::PageDone { .. } => {}
    }
}

/// Whether a call of the scrape family is one to a model.
pub(crate) fn is_model_call(call: &RuntimeCall) -> bool {
    call.tool.starts_with("llm.")
}

/// What a finished call to a model used, as its preview states it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ModelCost {
    pub(crate) calls: u64,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
}

impl ModelCost {
    /// The cost of a call; none when it is no call to a model or still runs.
    pub(crate) fn of(call: &RuntimeCall) -> Option<Self> {
        if !is_model_call(call) {
            return None;
        }
        match call.outcome.as_ref()? {
            CallOutcome::Success { preview, .. } => {
                let usage: Value = serde_json::from_str(&preview.text).unwrap_or_default();
                let number = |name: &str| usage[name].as_u64().unwrap_or_default();
                Some(Self {
                    calls: number("turns").max(1),
                    input_tokens: number("input_tokens"),
                    output_tokens: number("output_tokens"),
                })
            }
            CallOutcome::Failure { .. } => Some(Self {
                calls: 1,
                ..Self::default()
            }),
        }
    }
}

impl RunOutcome {
    /// The final event of a run that failed or was aborted; an aborted run counts as cancelled.
    fn fail(&mut self, code: Code, message: &str, event: &impl Event) {
        self.status = if code == Code::TaskAborted {
            RunStatus::Cancelled
        } else {
            RunStatus::Failed
        };
        self.error = Some(ErrorBody::new(code, message));
        self.result = Some(Value::Object(event.body()));
    }

    fn complete(&mut self, event: &impl Event) {
        self.status = RunStatus::Completed;
        self.error = None;
        self.result = Some(Value::Object(event.body()));
    }
}

/// Reads the code of an error event; one of another version is a failed task.
fn code_of(text: &str) -> Code {
    serde_json::from_value(text.into()).unwrap_or(Code::TaskFailed)
}

impl OutcomeReducer for AutomateEvent {
    fn reduce(&self, outcome: &mut RunOutcome) {
        match self {
            Self::Complete(complete) => match &complete.error {
                _ if complete.success => outcome.complete(self),
                Some(failure) => {
                    let code = match failure.code {
                        FailureCode::TaskAborted => Code::TaskAborted,
                        FailureCode::MaxIterations => Code::MaxIterations,
                        FailureCode::MaxErrors => Code::MaxErrors,
                        FailureCode::TaskFailed => Code::TaskFailed,
                    };
                    outcome.fail(code, &failure.message, self);
                }
                None => outcome.fail(Code::TaskFailed, "the run failed", self),
            },
            Self::Error(failed) => outcome.fail(code_of(&failed.error.code), &failed.error.message, self),
            Self::BrowserNavigated(_) => outcome.usage.pages += 1,
            Self::AgentAction(_) => outcome.usage.tool_calls += 1,
            Self::TaskTraceContext(_)
            | Self::TaskSetup(_)
            | Self::TaskStarted(_)
            | Self::TaskValidated(_)
            | Self::TaskValidationError(_)
            | Self::TaskAborted(_)
            | Self::TaskCompleted(_)
            | Self::TaskMetrics(_)
            | Self::TaskMetricsIncremental(_)
            | Self::AgentProcessing(_)
            | Self::AgentStatus(_)
            | Self::AgentStep(_)
            | Self::AgentReasoned(_)
            | Self::AgentWaiting(_)
            | Self::AgentExtracted(_)
            | Self::BrowserActionStarted(_)
            | Self::BrowserActionCompleted(_)
            | Self::BrowserScreenshotCaptured(_)
            | Self::BrowserScreenshotCapturedImage(_)
            | Self::BrowserReconnected(_)
            | Self::CdpEndpointConnected(_)
            | Self::CdpEndpointCycle(_)
            | Self::FormDataRequest(_)
            | Self::RunPaused(_)
            | Self::RunResumed(_)
            | Self::FormDataError(_)
            | Self::AiGeneration(_)
            | Self::AiGenerationError(_)
            | Self::ModelCall(_)
            | Self::DebugCompression(_)
            | Self::DebugMessage(_)
            | Self::Done(_) => {}
        }
    }
}

impl OutcomeReducer for ResearchEvent {
    fn reduce(&self, outcome: &mut RunOutcome) {
        match self {
            Self::Complete(_) => outcome.complete(self),
            Self::Error(failed) => outcome.fail(code_of(&failed.error.name), &failed.error.message, self),
            Self::Start(_)
            | Self::PrefetchingStart(_)
            | Self::PrefetchingEnd(_)
            | Self::PlanningStart(_)
            | Self::PlanningEnd(_)
            | Self::IterationStart(_)
            | Self::IterationEnd(_)
            | Self::SearchingStart(_)
            | Self::SearchingEnd(_)
            | Self::AnalyzingStart(_)
            | Self::AnalyzingEnd(_)
            | Self::FollowingStart(_)
            | Self::FollowingEnd(_)
            | Self::EvaluatingStart(_)
            | Self::EvaluatingEnd(_)
            | Self::OutliningStart(_)
            | Self::OutliningEnd(_)
            | Self::WritingStart(_)
            | Self::WritingEnd(_)
            | Self::JudgingStart(_)
            | Self::JudgingEnd(_)
            | Self::Kept(_) => {}
        }
    }
}

/// The terminal event of a run whose agent broke, in the spelling of its family.
pub(crate) fn forced_end(job: &JobSummary, seq: u64, error: &ErrorBody) -> LogEntry {
    let reason = error.message.as_str();
    match job.kind.family() {
        Family::Scrape => {
            let error = ScrapeError::new(error.code, reason, None);
            let data = Box::new(ScrapeResponse::failed(job.id.clone(), error));
            terminal_entry(seq, ScrapeEvent::Complete { data })
        }
        Family::Automate => {
            let error = AutomateError::new(error.code, reason);
            terminal_entry(seq, AutomateEvent::Error(error))
        }
        Family::Research => {
            let detail = ResearchErrorDetail {
                name: error.code.as_str().to_owned(),
                message: reason.to_owned(),
                stack: None,
            };
            let error = ResearchError {
                message: reason.to_owned(),
                error: detail,
                activity: None,
                iteration: None,
            };
            terminal_entry(seq, ResearchEvent::Error(error))
        }
    }
}

fn terminal_entry<E: Event>(seq: u64, event: E) -> LogEntry {
    Stamped {
        seq,
        at: Timestamp::now(),
        iteration: None,
        event,
    }
    .entry()
}
