//! One turn of a script.

use llm::{Error, FinishReason, Usage};
use serde_json::Value;

/// One turn of a script, for a provider or a [`crate::ScriptedModel`].
#[derive(Debug, Clone, Default)]
pub struct ScriptedTurn {
    /// The text.
    pub text: String,
    /// The reasoning before it.
    pub reasoning: String,
    /// Tool calls: id, name as it goes over the wire, arguments.
    pub calls: Vec<(String, String, Value)>,
    /// The finish reason; by default `Stop`, or `ToolCalls` after calls.
    pub finish: Option<FinishReason>,
    /// Tokens; by default 10 read and 5 written.
    pub usage: Option<Usage>,
    /// Characters of text and arguments in one chunk; 0 for everything in one.
    pub piece: usize,
    /// For a [`crate::ScriptedModel`]: end with this error instead of an end.
    pub error: Option<Error>,
}

impl ScriptedTurn {
    /// A turn of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            piece: 7,
            ..Self::default()
        }
    }

    /// A turn whose text is JSON.
    pub fn json(value: &Value) -> Self {
        Self::text(value.to_string())
    }

    /// A turn of one call.
    pub fn call(name: impl Into<String>, arguments: Value) -> Self {
        Self {
            piece: 7,
            ..Self::default()
        }
        .and_call(name, arguments)
    }

    /// With a further call.
    #[must_use]
    pub fn and_call(mut self, name: impl Into<String>, arguments: Value) -> Self {
        let id = format!("scripted{}", self.calls.len());
        self.calls.push((id, name.into(), arguments));
        self
    }

    /// Ending for this reason.
    #[must_use]
    pub fn finishing(mut self, reason: FinishReason) -> Self {
        self.finish = Some(reason);
        self
    }

    /// At this cost.
    #[must_use]
    pub fn costing(mut self, input: u64, output: u64) -> Self {
        self.usage = Some(Usage {
            input,
            output,
            ..Usage::default()
        });
        self
    }

    /// An error instead of a turn.
    pub fn error(error: Error) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
        }
    }

    pub(crate) fn pieces<'a>(&self, text: &'a str) -> Vec<&'a str> {
        if self.piece == 0 || text.is_empty() {
            return if text.is_empty() { Vec::new() } else { vec![text] };
        }
        let starts: Vec<usize> = text
            .char_indices()
            .step_by(self.piece)
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect();
        starts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
    }

    pub(crate) fn finish(&self) -> FinishReason {
        self.finish.clone().unwrap_or(if self.calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        })
    }

    pub(crate) fn usage(&self) -> Usage {
        self.usage.unwrap_or(Usage {
            input: 10,
            output: 5,
            ..Usage::default()
        })
    }
}
