//! OpenAI chat completions: chunks with `choices[].delta`.

mod render;

use serde_json::Value;

use super::decoder::WireDecoder;
use super::dialect::Dialect;
use super::read;
use crate::delta::{Delta, Fragment, Part, Place};
use crate::sse::Framing;
use crate::unfinished::Unfinished;

pub(super) static DIALECT: Dialect = Dialect {
    name: "openai_chat",
    aliases: &[],
    provider: "openai",
    path: |_| "/chat/completions".into(),
    query: None,
    embeddings: Some("/embeddings"),
    key_header: None,
    version_header: None,
    framing: Framing::Events,
    has_json_schema: true,
    body: render::body,
    decoder: || Box::new(ChatDecoder),
};

/// Reads `chat.completion.chunk` payloads, and a whole `chat.completion` as one chunk.
#[derive(Debug)]
pub struct ChatDecoder;

impl WireDecoder for ChatDecoder {
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
            let (body, streamed) = match choice.get("delta").filter(|delta| delta.is_object()) {
                Some(body) => (Some(body), true),
                None => (choice.get("message").filter(|message| message.is_object()), false),
            };
            if let Some(body) = body {
                content(body, &mut delta);
                calls(body, &mut delta);
            }
            delta.add_finish(choice.get("finish_reason"));
            delta.add_usage(choice.get("usage"));
            if !streamed && body.is_some() {
                // A whole completion instead of a stream: nothing follows.
                delta.add_usage(value.get("usage"));
                delta.push(Part::End);
            }
        }
        delta.add_usage(value.get("usage").or_else(|| value.pointer("/x_groq/usage")));
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
                delta.add_text(piece.get("text"));
                let thoughts = read::items(piece.get("thinking"));
                delta.parts.extend(
                    thoughts
                        .filter_map(|thought| read::text(thought.get("text")))
                        .map(Part::Reasoning),
                );
            }
        }
        _ => {}
    }
    delta.add_refusal(body.get("refusal"));
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
    if let Some(entry) = body.get("function_call").filter(|call| call.is_object()) {
        delta.push(Part::Call(fragment(entry, 0)));
    }
}

fn fragment(entry: &Value, position: usize) -> Fragment {
    let function = entry
        .get("function")
        .filter(|function| function.is_object())
        .unwrap_or(entry);
    Fragment {
        id: read::word(entry.get("id")),
        name: read::word(function.get("name")),
        arguments: read::arguments(function.get("arguments")),
        extras: entry
            .get("extra_content")
            .filter(|extra| !extra.is_null())
            .cloned()
            .map(Box::new),
        ..Fragment::at(Place::Loose {
            index: read::index(entry.get("index")),
            position,
        })
    }
}
