//! Ollama's own chat: one JSON object a line, every tool call whole.

pub(super) mod render;

use serde_json::Value;

use super::{Decode, read};
use crate::delta::{Delta, FinishReason, Fragment, Part, Place};
use crate::unfinished::Unfinished;

/// Reads the lines of `/api/chat`.
#[derive(Debug, Default)]
pub struct Lines {
    calls: u32,
}

impl Decode for Lines {
    fn value(&mut self, value: &Value) -> Result<Delta, Unfinished> {
        if let Some(error) = read::error_in(value) {
            return Err(error);
        }
        let mut delta = Delta::default();
        if let Some(message) = value.get("message") {
            delta
                .parts
                .extend(read::text(message.get("thinking")).map(Part::Reasoning));
            delta
                .parts
                .extend(read::text(message.get("content")).map(Part::Text));
            for entry in message
                .get("tool_calls")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                self.call(entry, &mut delta);
            }
        }
        let reason = value
            .get("done_reason")
            .and_then(Value::as_str)
            .and_then(FinishReason::read);
        delta.parts.extend(reason.map(Part::Finish));
        delta.parts.extend(read::usage(value).map(Part::Usage));
        if value.get("done") == Some(&Value::Bool(true)) {
            delta.push(Part::End);
        }
        Ok(delta)
    }
}

impl Lines {
    /// Each entry is a call of its own; the index some builds write repeats and says nothing.
    fn call(&mut self, entry: &Value, delta: &mut Delta) {
        let function = entry.get("function").filter(|it| it.is_object()).unwrap_or(entry);
        let name = read::word(function.get("name"));
        let arguments = super::openai_chat::arguments(function.get("arguments"));
        let id = read::word(entry.get("id")).or_else(|| read::word(function.get("id")));
        if name.is_none() && arguments.is_none() && id.is_none() {
            return;
        }
        let block = self.calls;
        self.calls += 1;
        delta.push(Part::Call(Fragment {
            id,
            name,
            arguments,
            ..Fragment::at(Place::Block(block))
        }));
        delta.push(Part::Seal(block));
    }
}
