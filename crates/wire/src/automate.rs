//! Everything an automate run may say: 33 events, keyed by their wire names.

mod agent;
mod browser;
mod form;
mod model;
mod outcome;
mod samples;
mod task;

pub use agent::*;
pub use browser::*;
pub use form::*;
pub use model::*;
pub use outcome::*;
pub use task::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::event::{Audience, Event, Family, Stamp, content_of, from_content};
use crate::stamp::iso;

/// The iteration id of everything that is said before the first turn of the loop.
pub const PLANNING: &str = "planning";

/// Everything an automate run may say, keyed by its wire name. Events are bare: the recorder adds
/// `timestamp` and `iterationId`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", content = "data")]
pub enum AutomateEvent {
    /// Under which trace the run is known.
    #[serde(rename = "task:trace_context")]
    TaskTraceContext(TaskTraceContext),
    /// The run is set up; the browser starts next.
    #[serde(rename = "task:setup")]
    TaskSetup(TaskSetup),
    /// The plan is made and the first page is open.
    #[serde(rename = "task:started")]
    TaskStarted(TaskStarted),
    /// A verdict on an answer.
    #[serde(rename = "task:validated")]
    TaskValidated(TaskValidated),
    /// An answer was not accepted, or the validator failed.
    #[serde(rename = "task:validation_error")]
    TaskValidationError(TaskValidationError),
    /// The agent gave up, or was stopped for repeating itself.
    #[serde(rename = "task:aborted")]
    TaskAborted(TaskAborted),
    /// The task has an outcome; once, before `complete`.
    #[serde(rename = "task:completed")]
    TaskCompleted(TaskCompleted),
    /// Counters at the end.
    #[serde(rename = "task:metrics")]
    TaskMetrics(TaskMetrics),
    /// Counters after a turn.
    #[serde(rename = "task:metrics_incremental")]
    TaskMetricsIncremental(TaskMetrics),
    /// A model is about to be called.
    #[serde(rename = "agent:processing")]
    AgentProcessing(AgentProcessing),
    /// News for the reader that has no event of its own.
    #[serde(rename = "agent:status")]
    AgentStatus(AgentStatus),
    /// The loop began another turn.
    #[serde(rename = "agent:step")]
    AgentStep(AgentStep),
    /// The model's reasoning before its action.
    #[serde(rename = "agent:reasoned")]
    AgentReasoned(AgentReasoned),
    /// What the agent decided to do.
    #[serde(rename = "agent:action")]
    AgentAction(AgentAction),
    /// The agent waited.
    #[serde(rename = "agent:waiting")]
    AgentWaiting(AgentWaiting),
    /// The agent read something from the page.
    #[serde(rename = "agent:extracted")]
    AgentExtracted(AgentExtracted),
    /// A page was opened.
    #[serde(rename = "browser:navigated")]
    BrowserNavigated(BrowserNavigated),
    /// An action on the tab began.
    #[serde(rename = "browser:action_started")]
    BrowserActionStarted(AgentAction),
    /// An action on the tab ended.
    #[serde(rename = "browser:action_completed")]
    BrowserActionCompleted(BrowserActionCompleted),
    /// A screenshot was taken.
    #[serde(rename = "browser:screenshot_captured")]
    BrowserScreenshotCaptured(BrowserScreenshotCaptured),
    /// The screenshot itself.
    #[serde(rename = "browser:screenshot_captured_image")]
    BrowserScreenshotCapturedImage(BrowserScreenshotCapturedImage),
    /// The browser was lost and another one took over.
    #[serde(rename = "browser:reconnected")]
    BrowserReconnected(BrowserReconnected),
    /// A remote browser answered.
    #[serde(rename = "cdp:endpoint_connected")]
    CdpEndpointConnected(CdpEndpointConnected),
    /// A remote browser did not answer; the next one is tried.
    #[serde(rename = "cdp:endpoint_cycle")]
    CdpEndpointCycle(CdpEndpointCycle),
    /// The run needs values from a person and waits for them.
    #[serde(rename = "interactive:form_data:request")]
    FormDataRequest(FormDataRequest),
    /// The page did not take the values; the run asks again.
    #[serde(rename = "interactive:form_data:error")]
    FormDataError(FormDataError),
    /// A model was called.
    #[serde(rename = "ai:generation")]
    AiGeneration(AiGeneration),
    /// A model call failed.
    #[serde(rename = "ai:generation:error")]
    AiGenerationError(AiGenerationError),
    /// How much a snapshot shrank before the model saw it.
    #[serde(rename = "system:debug_compression")]
    DebugCompression(DebugCompression),
    /// The conversation as the model sees it.
    #[serde(rename = "system:debug_message")]
    DebugMessage(DebugMessage),
    /// The final result, also of a failure.
    #[serde(rename = "complete")]
    Complete(Complete),
    /// Nothing follows a finished run.
    #[serde(rename = "done")]
    Done(Done),
    /// Nothing follows: the run broke before it could have a result.
    #[serde(rename = "error")]
    Error(RunError),
}

impl Event for AutomateEvent {
    const FAMILY: Family = Family::Automate;

    fn name(&self) -> &'static str {
        match self {
            Self::TaskTraceContext(_) => "task:trace_context",
            Self::TaskSetup(_) => "task:setup",
            Self::TaskStarted(_) => "task:started",
            Self::TaskValidated(_) => "task:validated",
            Self::TaskValidationError(_) => "task:validation_error",
            Self::TaskAborted(_) => "task:aborted",
            Self::TaskCompleted(_) => "task:completed",
            Self::TaskMetrics(_) => "task:metrics",
            Self::TaskMetricsIncremental(_) => "task:metrics_incremental",
            Self::AgentProcessing(_) => "agent:processing",
            Self::AgentStatus(_) => "agent:status",
            Self::AgentStep(_) => "agent:step",
            Self::AgentReasoned(_) => "agent:reasoned",
            Self::AgentAction(_) => "agent:action",
            Self::AgentWaiting(_) => "agent:waiting",
            Self::AgentExtracted(_) => "agent:extracted",
            Self::BrowserNavigated(_) => "browser:navigated",
            Self::BrowserActionStarted(_) => "browser:action_started",
            Self::BrowserActionCompleted(_) => "browser:action_completed",
            Self::BrowserScreenshotCaptured(_) => "browser:screenshot_captured",
            Self::BrowserScreenshotCapturedImage(_) => "browser:screenshot_captured_image",
            Self::BrowserReconnected(_) => "browser:reconnected",
            Self::CdpEndpointConnected(_) => "cdp:endpoint_connected",
            Self::CdpEndpointCycle(_) => "cdp:endpoint_cycle",
            Self::FormDataRequest(_) => "interactive:form_data:request",
            Self::FormDataError(_) => "interactive:form_data:error",
            Self::AiGeneration(_) => "ai:generation",
            Self::AiGenerationError(_) => "ai:generation:error",
            Self::DebugCompression(_) => "system:debug_compression",
            Self::DebugMessage(_) => "system:debug_message",
            Self::Complete(_) => "complete",
            Self::Done(_) => "done",
            Self::Error(_) => "error",
        }
    }

    fn audience(&self) -> Audience {
        match self {
            Self::TaskTraceContext(_)
            | Self::TaskSetup(_)
            | Self::TaskStarted(_)
            | Self::TaskValidated(_)
            | Self::TaskValidationError(_)
            | Self::TaskAborted(_)
            | Self::TaskCompleted(_)
            | Self::AgentProcessing(_)
            | Self::AgentStatus(_)
            | Self::AgentStep(_)
            | Self::AgentReasoned(_)
            | Self::AgentAction(_)
            | Self::AgentWaiting(_)
            | Self::AgentExtracted(_)
            | Self::BrowserNavigated(_)
            | Self::BrowserActionStarted(_)
            | Self::BrowserActionCompleted(_)
            | Self::BrowserScreenshotCaptured(_)
            | Self::BrowserReconnected(_)
            | Self::CdpEndpointConnected(_)
            | Self::CdpEndpointCycle(_)
            | Self::FormDataRequest(_)
            | Self::FormDataError(_)
            | Self::Complete(_)
            | Self::Done(_)
            | Self::Error(_) => Audience::Public,
            Self::TaskMetrics(_)
            | Self::TaskMetricsIncremental(_)
            | Self::AiGeneration(_)
            | Self::AiGenerationError(_) => Audience::Verbose,
            Self::BrowserScreenshotCapturedImage(_) | Self::DebugCompression(_) | Self::DebugMessage(_) => {
                Audience::Debug
            }
        }
    }

    fn is_terminal(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Error(_))
    }

    fn samples() -> Vec<Self> {
        samples::all()
    }

    fn body(&self) -> Map<String, Value> {
        content_of(self)
    }

    fn stamp(&self, body: &mut Map<String, Value>, stamp: Stamp<'_>) {
        match self {
            Self::TaskTraceContext(_) | Self::Complete(_) | Self::Done(_) => {}
            Self::Error(_) => {
                if let Some(Value::Object(error)) = body.get_mut("error") {
                    error.insert("timestamp".into(), iso(stamp.at).into());
                }
            }
            _ => {
                body.insert("iterationId".into(), stamp.iteration.unwrap_or(PLANNING).into());
                body.insert("timestamp".into(), stamp.at.as_millisecond().into());
            }
        }
    }

    fn parse(name: &str, body: Map<String, Value>) -> Result<Self, serde_json::Error> {
        from_content(name, body)
    }
}
