//! `AutomateEvent`: the events of an automate run, keyed by their wire names.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::agent::*;
use super::browser::*;
use super::form::*;
use super::model::*;
use super::outcome::*;
use super::takeover::*;
use super::task::*;
use crate::event::{Audience, Event, Family, Stamp, content_of, event_family, from_content, samples};
use crate::stamp::iso;

/// The iteration id of every event before the first turn of the loop.
pub const PLANNING: &str = "planning";

event_family! {
    /// An event of an automate run. Events are bare: the recorder adds `timestamp` and `iterationId`.
    pub enum AutomateEvent {
        /// Under which trace the run is known.
        "task:trace_context" Public TaskTraceContext(TaskTraceContext),
        /// The run is set up; the browser starts next.
        "task:setup" Public TaskSetup(TaskSetup),
        /// The plan is made and the first page is open.
        "task:started" Public TaskStarted(TaskStarted),
        /// A verdict on an answer.
        "task:validated" Public TaskValidated(TaskValidated),
        /// An answer was not accepted, or the validator failed.
        "task:validation_error" Public TaskValidationError(TaskValidationError),
        /// The agent gave up, or was stopped for repeating itself.
        "task:aborted" Public TaskAborted(TaskAborted),
        /// The task has an outcome; once, before `complete`.
        "task:completed" Public TaskCompleted(TaskCompleted),
        /// Counters at the end.
        "task:metrics" Verbose TaskMetrics(TaskMetrics),
        /// Counters after a turn.
        "task:metrics_incremental" Verbose TaskMetricsIncremental(TaskMetrics),
        /// A model is about to be called.
        "agent:processing" Public AgentProcessing(AgentProcessing),
        /// News for the reader that has no event of its own.
        "agent:status" Public AgentStatus(AgentStatus),
        /// The loop began another turn.
        "agent:step" Public AgentStep(AgentStep),
        /// The model's reasoning before its action.
        "agent:reasoned" Public AgentReasoned(AgentReasoned),
        /// What the agent decided to do.
        "agent:action" Public AgentAction(AgentAction),
        /// The agent waited.
        "agent:waiting" Public AgentWaiting(AgentWaiting),
        /// The agent read something from the page.
        "agent:extracted" Public AgentExtracted(AgentExtracted),
        /// A page was opened.
        "browser:navigated" Public BrowserNavigated(BrowserNavigated),
        /// An action on the tab began.
        "browser:action_started" Public BrowserActionStarted(AgentAction),
        /// An action on the tab ended.
        "browser:action_completed" Public BrowserActionCompleted(BrowserActionCompleted),
        /// A screenshot was taken.
        "browser:screenshot_captured" Public BrowserScreenshotCaptured(BrowserScreenshotCaptured),
        /// The screenshot itself.
        "browser:screenshot_captured_image" Debug BrowserScreenshotCapturedImage(BrowserScreenshotCapturedImage),
        /// The browser was lost and another one took over.
        "browser:reconnected" Public BrowserReconnected(BrowserReconnected),
        /// A remote browser answered.
        "cdp:endpoint_connected" Public CdpEndpointConnected(CdpEndpointConnected),
        /// A remote browser did not answer; the next one is tried.
        "cdp:endpoint_cycle" Public CdpEndpointCycle(CdpEndpointCycle),
        /// The run needs values from a person and waits for them.
        "interactive:form_data:request" Public FormDataRequest(FormDataRequest),
        /// The page did not take the values; the run asks again.
        "interactive:form_data:error" Public FormDataError(FormDataError),
        /// A person has the browser; the agent waits.
        "interactive:paused" Public RunPaused(RunPaused),
        /// The agent has the browser again.
        "interactive:resumed" Public RunResumed(RunResumed),
        /// A model was called.
        "ai:generation" Verbose AiGeneration(AiGeneration),
        /// A model call failed.
        "ai:generation:error" Verbose AiGenerationError(AiGenerationError),
        /// What a call of a model cost, for the console. It is no part of the contract, and no reader gets it.
        #[schemars(skip)]
        "model:call" Internal ModelCall(ModelCallCost),
        /// How much a snapshot shrank before the model saw it.
        "system:debug_compression" Debug DebugCompression(DebugCompression),
        /// The conversation as the model sees it.
        "system:debug_message" Debug DebugMessage(DebugMessage),
        /// The final result, also of a failure.
        "complete" Public Complete(AutomateComplete),
        /// Nothing follows a finished run.
        "done" Public Done(AutomateDone),
        /// Nothing follows: the run broke before it could have a result.
        "error" Public Error(AutomateError),
    }
}

impl Event for AutomateEvent {
    const FAMILY: Family = Family::Automate;

    fn name(&self) -> &'static str {
        self.wire_name()
    }

    fn audience(&self) -> Audience {
        self.least_audience()
    }

    fn is_terminal(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Error(_))
    }

    fn samples() -> Vec<Self> {
        samples(include_str!("samples.json"))
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
