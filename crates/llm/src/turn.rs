//! The finished answer of a model, its tool calls whole or rejected.

use serde_json::{Map, Value};

use crate::delta::FinishReason;
use crate::usage::Usage;

/// A whole answer. Everything in it arrived completely or is named as malformed.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelAnswer {
    /// The text of the answer, without calls that were written as text.
    pub text: String,
    /// The reasoning the wire showed.
    pub reasoning: String,
    /// The tool calls in the order they were opened, whole or refused.
    pub calls: Vec<Result<ToolCall, MalformedCall>>,
    /// The last reason the provider gave for stopping.
    pub finish: Option<FinishReason>,
    /// Tokens spent.
    pub usage: Usage,
    /// Irregularities of the stream that leave the answer usable.
    pub warnings: Vec<AnswerWarning>,
    /// Provider data to send back unchanged with this turn.
    pub extras: Vec<Value>,
}

impl ModelAnswer {
    /// The calls that may run.
    pub fn whole_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.calls.iter().filter_map(|call| call.as_ref().ok())
    }

    /// The calls that were refused.
    pub fn rejected_calls(&self) -> impl Iterator<Item = &MalformedCall> {
        self.calls.iter().filter_map(|call| call.as_ref().err())
    }

    /// True when the model ran out of tokens.
    pub fn is_cut(&self) -> bool {
        self.finish == Some(FinishReason::Length)
    }
}

/// A whole tool call: an offered name and arguments that are a JSON object.
///
/// Only the assembler builds one, so holding it is the proof that nothing of it is missing.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    id: String,
    name: String,
    arguments: Map<String, Value>,
    repair: Option<Repair>,
    extras: Option<Value>,
    times: CallTimes,
}

/// Numbers of the chunks after which a call could be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CallTimes {
    pub(crate) ready_after: Option<u32>,
    pub(crate) eager_after: Option<u32>,
}

impl ToolCall {
    pub(crate) fn new(
        id: String,
        name: String,
        arguments: Map<String, Value>,
        repair: Option<Repair>,
        extras: Option<Value>,
        times: CallTimes,
    ) -> Self {
        Self {
            id,
            name,
            arguments,
            repair,
            extras,
            times,
        }
    }

    /// The provider's id, or one of ours where it gave none. Unique in the conversation.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Name of an offered tool.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments, not yet checked against the tool's schema.
    pub fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    /// The repair of the arguments, if there was one.
    pub fn repair(&self) -> Option<Repair> {
        self.repair
    }

    /// Provider data that must be sent back unchanged with this call.
    pub fn extras(&self) -> Option<&Value> {
        self.extras.as_ref()
    }

    /// Number of the chunk after which a safe executor may start the call.
    pub fn ready_after(&self) -> Option<u32> {
        self.times.ready_after
    }

    /// Number of the chunk with which the arguments became a whole object; absent for repaired calls.
    pub fn eager_after(&self) -> Option<u32> {
        self.times.eager_after
    }
}

/// How arguments that were not plain JSON became an object. Nothing here invents a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repair {
    /// No arguments at all mean an empty object.
    EmptyArgs,
    /// The object was wrapped into a JSON string.
    DoubleEncoded,
    /// A `{}` stood beside the real arguments.
    Placeholder,
    /// The provider repeated everything so far.
    Snapshot,
    /// The same object came several times.
    Duplicate,
    /// Different objects came in one call: each is a call of its own.
    Split,
    /// A template's closing mark or a stray bracket followed the object.
    TrailingGarbage,
    /// The object stood in a Markdown fence.
    CodeFence,
    /// Raw line ends or other control characters stood inside strings.
    ControlChars,
    /// Closing brackets outside of any string were missing at a normal end.
    ClosedBraces,
}

impl Repair {
    /// A stable name for programs and logs.
    pub fn tag(self) -> &'static str {
        match self {
            Self::EmptyArgs => "empty_args",
            Self::DoubleEncoded => "double_encoded",
            Self::Placeholder => "placeholder",
            Self::Snapshot => "snapshot",
            Self::Duplicate => "duplicate",
            Self::Split => "split",
            Self::TrailingGarbage => "trailing_garbage",
            Self::CodeFence => "code_fence",
            Self::ControlChars => "control_chars",
            Self::ClosedBraces => "closed_braces",
        }
    }

    /// True where the repaired call may differ from what the model meant: such a call runs only if its tool
    /// reads or is idempotent.
    pub fn needs_harmless_tool(self) -> bool {
        matches!(self, Self::ClosedBraces | Self::Split)
    }
}

/// A call that never became whole. It goes back to the model as the call's result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{why}. Received: {}. Send the whole call again.", quoted(.received))]
pub struct MalformedCall {
    /// The provider's id or one of ours: the refusal needs an address in the history.
    pub id: String,
    /// The tool's name, if one came.
    pub name: Option<String>,
    /// The arguments as they came, shortened for the model's eyes.
    pub received: String,
    /// What is wrong.
    pub why: Malformed,
    /// Provider data that must be sent back unchanged with this call.
    pub extras: Option<Value>,
}

fn quoted(received: &str) -> String {
    if received.is_empty() {
        "nothing".to_owned()
    } else {
        format!("`{received}`")
    }
}

/// What is wrong with a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// No name came.
    #[error("the call has no tool name")]
    MissingName,
    /// The name is none of the offered ones.
    #[error("no such tool is offered; use one of: {offered}")]
    UnknownTool {
        /// The offered names, shortened.
        offered: String,
    },
    /// The arguments are JSON, but no object.
    #[error("the arguments must be a JSON object")]
    NotAnObject,
    /// The arguments are not JSON.
    #[error("the arguments are not valid JSON")]
    InvalidJson,
    /// The model ran out of tokens within the arguments.
    #[error("the answer was cut before the arguments were whole; write less or split the work")]
    Truncated,
    /// The call was repaired in a way that is too risky for a tool that acts.
    #[error("the arguments had to be mended ({}) and this tool acts on the world", .0.tag())]
    UnsafeRepair(Repair),
    /// The call was repaired and repairs are off.
    #[error("the arguments had to be mended ({}) and repairs are switched off", .0.tag())]
    RepairOff(Repair),
    /// More calls than one turn may hold.
    #[error("more than {limit} calls in one turn; make fewer calls at once")]
    TooManyCalls {
        /// The limit.
        limit: usize,
    },
}

impl Malformed {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MissingName => "missing_name",
            Self::UnknownTool { .. } => "unknown_tool",
            Self::NotAnObject => "arguments_not_object",
            Self::InvalidJson => "invalid_json_arguments",
            Self::Truncated => "truncated_arguments",
            Self::UnsafeRepair(_) => "unsafe_repair",
            Self::RepairOff(_) => "repair_off",
            Self::TooManyCalls { .. } => "too_many_calls",
        }
    }
}

/// An irregularity of a stream whose answer is usable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerWarning {
    /// The connection closed without the wire's end mark, but nothing was missing.
    NoEndMark,
    /// A call was repaired.
    Repaired {
        /// The call's id.
        id: String,
        /// How.
        repair: Repair,
    },
    /// Calls were read out of the text.
    CallsInText {
        /// How many.
        count: usize,
    },
}
