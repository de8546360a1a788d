//! Ollama's own chat: one JSON object a line, every tool call whole.

mod render;

use serde_json::Value;

use super::decoder::WireDecoder;
use super::dialect::Dialect;
use super::read;
use crate::delta::{Delta, Fragment, Part, Place};
use crate::sse::Framing;
use crate::unfinished::Unfinished;

pub(super) static DIALECT: Dialect = Dialect {
    name: "ollama",
    aliases: &[],
    provider: "ollama",
    path: |_| "/api/chat".into(),
    query: None,
    embeddings: Some("/api/embed"),
    key_header: None,
    version_header: None,
    framing: Framing::Lines,
    has_json_schema: true,
    body: render::body,
    decoder: || Box::<OllamaDecoder>::default(),
};

/// Reads the lines of `/api/chat`.
#[derive(Debug, Default)]
pub struct OllamaDecoder {
    calls: u32,
}

impl WireDecoder for OllamaDecoder {
    fn value(&mut self, value: &Value) -> Result<Delta, Unfinished> {
        if let Some(error) = read::error_in(value) {
            return Err(error);
        }
        let mut delta = Delta::default();
        if let Some(message) = value.get("message") {
            delta.add_reasoning(message.get("thinking"));
            delta.add_text(message.get("content"));
            for entry in read::items(message.get("tool_calls")) {
                self.call(entry, &mut delta);
            }
        }
        delta.add_finish(value.get("done_reason"));
        delta.parts.extend(read::usage(value).map(Part::Usage));
        if value.get("done") == Some(&Value::Bool(true)) {
            delta.push(Part::End);
        }
        Ok(delta)
    }
}

impl OllamaDecoder {
    /// Each entry is a call of its own; the index some builds write repeats and says nothing.
    fn call(&mut self, entry: &Value, delta: &mut Delta) {
        let function = entry
            .get("function")
            .filter(|function| function.is_object())
            .unwrap_or(entry);
        let name = read::word(function.get("name"));
        let arguments = read::arguments(function.get("arguments"));
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
