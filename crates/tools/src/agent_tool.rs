//! AgentTool: a tool as an agent calls it that drives a browser, on elements of the snapshot it was shown.

mod arguments;
mod context;
mod outcome;

use async_trait::async_trait;
use browser::{Point, Ref};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::time::Duration;

pub(crate) use arguments::missing;
pub use arguments::read_arguments;
pub use context::{ActionContext, PersonValues, ValueReceivers, model_text};
pub(crate) use context::{facts, form_target};
pub use outcome::{ActionError, ActionOutcome};

/// A tool as an agent calls it.
///
/// Promises: nothing is done before the policy was asked; what the model reads of the outcome holds no value of a
/// person, and quotes what a page says.
pub trait AgentTool: Send + Sync + 'static {
    /// What the model gives, read by the parameters of the manifest's `agent` section.
    type Arguments: DeserializeOwned + Send + Sync + 'static;

    /// What events and the history show of a call.
    ///
    /// # Errors
    /// A sentence for the model when the arguments do not make a call.
    fn summary(&self, arguments: &Self::Arguments) -> Result<CallSummary, String>;

    /// What the loop has to do, for a call that the tab alone cannot do.
    fn loop_request(&self, arguments: &Self::Arguments) -> Option<LoopRequest> {
        let _ = arguments;
        None
    }

    /// Does the call in the tab.
    fn execute(
        &self,
        arguments: Self::Arguments,
        context: &mut ActionContext<'_>,
    ) -> impl Future<Output = Result<ActionOutcome, ActionError>> + Send {
        let _ = (arguments, context);
        async { Err(ActionError::Impossible("this cannot be done here".to_owned())) }
    }
}

/// What a call does that is not done by the tab alone.
#[derive(Debug, Clone, PartialEq)]
pub enum LoopRequest {
    /// Ends the run with this answer, once it was judged.
    Finish(String),
    /// Ends the run without an answer, for this reason.
    GiveUp(String),
    /// Waits.
    Pause(Duration),
    /// Has a model read this from the whole page.
    Extract(String),
    /// Searches the web.
    SearchWeb(String),
    /// Shows the model a picture of the page.
    Screenshot,
    /// Asks a person for the values of fields.
    AskPerson {
        /// What they are for.
        description: String,
        /// The fields.
        fields: Vec<Ref>,
    },
}

/// What events and the history show of a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallSummary {
    /// The element it is about.
    pub target: Option<Ref>,
    /// Its value; a value of the person as its key.
    pub value: Option<String>,
}

impl CallSummary {
    /// A call about an element.
    pub fn of(target: impl Into<Option<Ref>>) -> Self {
        Self {
            target: target.into(),
            value: None,
        }
    }

    /// The same with a value.
    #[must_use]
    pub fn with(mut self, value: impl Into<Option<String>>) -> Self {
        self.value = value.into();
        self
    }
}

/// A call of a tool by a model, understood.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentCall {
    /// The tool's name as the model knows it.
    pub tool: String,
    /// What events and the history show of it.
    pub summary: CallSummary,
    /// What the loop has to do; none when the tab does it.
    pub request: Option<LoopRequest>,
    /// Whether its start and end are reported as actions of the browser.
    pub acts_in_tab: bool,
    /// Whether the same call on an unchanged page is no sign of being stuck.
    pub may_repeat: bool,
    /// Whether the page that the model was shown is still as it was afterwards.
    pub keeps_page: bool,
    pub(crate) arguments: Map<String, Value>,
}

/// The part of an entry that does an agent's calls, whatever its types.
#[async_trait]
pub(crate) trait AgentWork: Send + Sync {
    /// The summary of a call and what the loop has to do for it.
    fn read(&self, arguments: &Map<String, Value>) -> Result<(CallSummary, Option<LoopRequest>), String>;

    /// Does a call that was read.
    async fn execute(
        &self,
        arguments: &Map<String, Value>,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError>;
}

pub(crate) struct AgentCode<T>(pub(crate) T);

fn typed<A: DeserializeOwned>(arguments: &Map<String, Value>) -> Result<A, String> {
    serde_json::from_value(Value::Object(arguments.clone())).map_err(|error| error.to_string())
}

#[async_trait]
impl<T: AgentTool> AgentWork for AgentCode<T> {
    fn read(&self, arguments: &Map<String, Value>) -> Result<(CallSummary, Option<LoopRequest>), String> {
        let arguments = typed(arguments)?;
        Ok((self.0.summary(&arguments)?, self.0.loop_request(&arguments)))
    }

    async fn execute(
        &self,
        arguments: &Map<String, Value>,
        context: &mut ActionContext<'_>,
    ) -> Result<ActionOutcome, ActionError> {
        let arguments = typed(arguments).map_err(ActionError::Impossible)?;
        self.0.execute(arguments, context).await
    }
}

/// A place, or a distance, when either of its numbers is given.
pub(crate) fn point(x: Option<f64>, y: Option<f64>) -> Option<Point> {
    let bounded = |number: Option<f64>| number.unwrap_or(0.0).clamp(-100_000.0, 100_000.0);
    (x.is_some() || y.is_some()).then(|| Point {
        x: bounded(x),
        y: bounded(y),
    })
}

/// A place as events show it.
pub(crate) fn shown_point(at: Point) -> String {
    format!("{}, {}", shown_number(at.x), shown_number(at.y))
}

/// A number of seconds or pixels without needless digits.
pub(crate) fn shown_number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The number of a tab, from 0 to a million.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is between 0 and a million"
)]
pub(crate) fn tab_number(number: f64) -> u32 {
    number.clamp(0.0, 1e6) as u32
}
