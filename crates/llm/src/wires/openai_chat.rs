//! OpenAI chat completions: chunks with `choices[].delta`.

pub(super) mod render;

use serde_json::Value;

use super::{Decode, read};
use crate::delta::{Arguments, Delta, FinishReason, Fragment, Part, Place};
use crate::unfinished::Unfinished;

/// Reads `chat.completion.chunk` payloads, and a whole `chat.completion` as one chunk.
#[derive(Debug)]
pub struct Chunks;

impl Decode for Chunks {
    fn value(&mut self, value: &Value) -> Result<Delta, Unfinished> {
        if let Some(error) = read::error_in(value) {
            return Err(error);
        }
        let mut delta = Delta::default();
        let choices = value.get("choices").and_then(Value::as_array);
        if choices.is_none() && (value.get("detail").is_some() || value.get("message").is_some()) {
            return Err(Unfinished::upstream(&read::error_text(Some(value), "")));
        }
        let first = choices.and_then(|list| {
            list.iter()
                .find(|choice| read::index(choice.get("index")).unwrap_or(0) == 0)
        });
        if let Some(choice) = first {
            if let Some(error) = read::error_in(choice) {
                return Err(error);
            }
            let (body, streamed) = match choice.get("delta").filter(|it| it.is_object()) {
                Some(body) => (Some(body), true),
                None => (choice.get("message").filter(|it| it.is_object()), false),
            };
            if let Some(body) = body {
                content(body, &mut delta);
                calls(body, &mut delta);
            }
            let finish = choice
                .get("finish_reason")
                .and_then(Value::as_str)
                .and_then(FinishReason::read);
            delta.parts.extend(finish.map(Part::Finish));
            if let Some(usage) = choice.get("usage").and_then(read::usage) {
                delta.push(Part::Usage(usage));
            }
            if !streamed && body.is_some() {
                // A whole completion instead of a stream: nothing follows.
                delta
                    .parts
                    .extend(value.get("usage").and_then(read::usage).map(Part::Usage));
                delta.push(Part::End);
            }
        }
        let usage = value
            .get("usage")
            .or_else(|| value.pointer("/x_groq/usage"))
            .and_then(read::usage);
        delta.parts.extend(usage.map(Part::Usage));
        Ok(delta)
    }
}

fn content(body: &Value, delta: &mut Delta) {
    let reasoning = read::text(body.get("reasoning_content")).or_else(|| read::text(body.get("reasoning")));
    delta.parts.extend(reasoning.map(Part::Reasoning));
    match body.get("content") {
        Some(Value::String(text)) if !text.is_empty() => delta.push(Part::Text(text.clone())),
        Some(Value::Array(pieces)) => {
            for piece in pieces {
                delta.parts.extend(read::text(piece.get("text")).map(Part::Text));
                let thoughts = piece
                    .get("thinking")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten();
                delta.parts.extend(
                    thoughts
                        .filter_map(|it| read::text(it.get("text")))
                        .map(Part::Reasoning),
                );
            }
        }
        _ => {}
    }
    delta
        .parts
        .extend(read::text(body.get("refusal")).map(Part::Refusal));
}

fn calls(body: &Value, delta: &mut Delta) {
    match body.get("tool_calls") {
        Some(Value::Array(entries)) => {
            for (position, entry) in entries.iter().enumerate() {
                delta.push(Part::Call(fragment(entry, position)));
            }
        }
        Some(entry @ Value::Object(_)) => delta.push(Part::Call(fragment(entry, 0))),
        _ => {}
    }
    // The form before parallel calls existed.
    if let Some(entry) = body.get("function_call").filter(|it| it.is_object()) {
        delta.push(Part::Call(fragment(entry, 0)));
    }
}

fn fragment(entry: &Value, position: usize) -> Fragment {
    let function = entry.get("function").filter(|it| it.is_object()).unwrap_or(entry);
    Fragment {
        id: read::word(entry.get("id")),
        name: read::word(function.get("name")),
        arguments: arguments(function.get("arguments")),
        extras: entry
            .get("extra_content")
            .filter(|it| !it.is_null())
            .cloned()
            .map(Box::new),
        ..Fragment::at(Place::Loose {
            index: read::index(entry.get("index")),
            position,
        })
    }
}

/// Arguments as text or decoded; other JSON is kept as text and found wanting when the call is read.
pub(super) fn arguments(value: Option<&Value>) -> Option<Arguments> {
    Some(match value? {
        Value::Null => return None,
        Value::String(text) => Arguments::Fragment(text.clone()),
        Value::Object(object) => Arguments::Object(Box::new(object.clone())),
        other => Arguments::Fragment(other.to_string()),
    })
}
