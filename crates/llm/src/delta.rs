//! Deltas: what one chunk of a provider's answer adds.

use serde_json::{Map, Value};
use smallvec::SmallVec;

use crate::usage::Usage;

/// Everything one chunk added, in the order it was written. Chunks are counted from 0 by the reader.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Delta {
    /// The pieces; empty for a chunk that carried nothing of interest.
    pub parts: SmallVec<[Part; 1]>,
}

impl Delta {
    /// A delta of one part.
    pub fn of(part: Part) -> Self {
        Self {
            parts: SmallVec::from_iter([part]),
        }
    }

    /// A delta that adds text and nothing else.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Part::Text(text.into()))
    }

    /// Adds one more part.
    pub fn push(&mut self, part: Part) {
        self.parts.push(part);
    }
}

/// One piece of a delta.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Text of the answer.
    Text(String),
    /// Text of the model's reasoning, where the wire shows it.
    Reasoning(String),
    /// The model's words for refusing.
    Refusal(String),
    /// A piece of a tool call.
    Call(Fragment),
    /// The wire says that the call at this block is over.
    Seal(u32),
    /// Something the provider wants back unchanged with the next request (signatures, encrypted reasoning).
    Extra(Box<Value>),
    /// Tokens spent so far; a later report replaces an earlier one.
    Usage(Usage),
    /// Why the model says it stopped. Advice, not the end of the stream.
    Finish(FinishReason),
    /// The wire's own mark for the end of the answer.
    End,
}

/// A piece of a tool call as the wire sent it, already rid of empty ids and names.
#[derive(Debug, Clone, PartialEq)]
pub struct Fragment {
    /// Which call the piece belongs to, as far as the wire says.
    pub place: Place,
    /// The call's id, if this piece carries one.
    pub id: Option<String>,
    /// The tool's name or a piece of it.
    pub name: Option<String>,
    /// Arguments or a piece of them.
    pub arguments: Option<CallArguments>,
    /// Provider data to replay with the call, unchanged.
    pub extras: Option<Box<Value>>,
    /// True when the wire promises more arguments that cannot be shown yet; a later piece takes it back.
    pub awaiting: bool,
}

impl Fragment {
    /// A piece at `place` that carries nothing yet.
    pub fn at(place: Place) -> Self {
        Self {
            place,
            id: None,
            name: None,
            arguments: None,
            extras: None,
            awaiting: false,
        }
    }
}

/// How a wire addresses a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// By an optional index and by the position in the chunk's list; ids and names decide the rest.
    Loose {
        /// The index the provider wrote, if it wrote one.
        index: Option<i64>,
        /// Position in the list of this chunk.
        position: usize,
    },
    /// By a number that the wire's decoder keeps unique within the turn.
    Block(u32),
}

/// Arguments as a chunk carries them.
#[derive(Debug, Clone, PartialEq)]
pub enum CallArguments {
    /// The next piece of their JSON text.
    Fragment(String),
    /// Their JSON text once more and complete; it stands for all pieces before it.
    Whole(String),
    /// Already decoded; replaces what came before.
    Object(Box<Map<String, Value>>),
}

/// Why a model says it stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinishReason {
    /// It had nothing more to say.
    Stop,
    /// It waits for the results of its tool calls.
    ToolCalls,
    /// It ran out of tokens: the turn is cut.
    Length,
    /// The provider withheld the answer.
    ContentFilter(String),
    /// The model or its guard wrote a call that the provider could not read.
    MalformedCall(String),
    /// The provider ended the turn because of an error of its own.
    Error(String),
    /// A reason of the provider's own.
    Other(String),
}

impl FinishReason {
    /// Reads any of the five wires' words. Blank means none.
    pub fn read(word: &str) -> Option<Self> {
        let word = word.trim();
        let lower = word.to_ascii_lowercase();
        Some(match lower.as_str() {
            "" | "null" | "finish_reason_unspecified" => return None,
            "stop" | "end_turn" | "stop_sequence" | "completed" | "eos" | "complete" | "end" => Self::Stop,
            "tool_calls" | "tool_use" | "function_call" | "tool_call" => Self::ToolCalls,
            "length"
            | "max_tokens"
            | "incomplete"
            | "max_output_tokens"
            | "model_length"
            | "model_context_window_exceeded"
            | "context_length_exceeded"
            | "max_completion_tokens" => Self::Length,
            "content_filter"
            | "refusal"
            | "safety"
            | "recitation"
            | "blocklist"
            | "prohibited_content"
            | "spii"
            | "image_safety"
            | "image_prohibited_content"
            | "image_recitation"
            | "content_filtered"
            | "sensitive"
            | "guardrail_intervened"
            | "model_armor" => Self::ContentFilter(word.to_owned()),
            "malformed_function_call"
            | "unexpected_tool_call"
            | "malformed_tool_use"
            | "too_many_tool_calls" => Self::MalformedCall(word.to_owned()),
            "error" | "network_error" | "failed" => Self::Error(word.to_owned()),
            _ => Self::Other(word.to_owned()),
        })
    }

    /// True when nothing of the turn may be used.
    pub fn voids_turn(&self) -> bool {
        matches!(
            self,
            Self::ContentFilter(_) | Self::MalformedCall(_) | Self::Error(_)
        )
    }

    /// The word our own reports use.
    pub fn word(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
            Self::ContentFilter(_) => "content_filter",
            Self::MalformedCall(_) => "malformed_function_call",
            Self::Error(_) => "error",
            Self::Other(word) => word,
        }
    }
}
