//! OpenAI responses: events about numbered output items.

mod render;

use std::collections::HashMap;

use serde_json::Value;

use super::decoder::WireDecoder;
use super::dialect::Dialect;
use super::read;
use crate::delta::{CallArguments, Delta, FinishReason, Fragment, Part, Place};
use crate::sse::Framing;
use crate::unfinished::Unfinished;

pub(super) static DIALECT: Dialect = Dialect {
    name: "openai_responses",
    aliases: &[],
    provider: "openai",
    path: |_| "/responses".into(),
    query: None,
    embeddings: Some("/embeddings"),
    key_header: None,
    version_header: None,
    framing: Framing::Events,
    has_json_schema: true,
    body: render::body,
    decoder: || Box::<ResponsesDecoder>::default(),
};

/// Reads the events of a response stream. A call is reported up to four times (added, deltas, done, item done, and once
/// more in the finished response); it is one call all the same.
#[derive(Debug, Default)]
pub struct ResponsesDecoder {
    by_output: HashMap<i64, u32>,
    by_item: HashMap<String, u32>,
    by_call: HashMap<String, u32>,
    last: Option<u32>,
    blocks: u32,
    /// The call id of each block, once it is known.
    call_ids: HashMap<u32, String>,
    /// Items whose text was streamed, so that a final copy is not added again.
    streamed_text: bool,
    sent_extras: Vec<Value>,
}

impl WireDecoder for ResponsesDecoder {
    fn value(&mut self, value: &Value) -> Result<Delta, Unfinished> {
        let kind = read::kind(value);
        if kind != "response.completed"
            && let Some(error) = read::error_in(value)
        {
            return Err(error);
        }
        let mut delta = Delta::default();
        match kind {
            "response.output_text.delta" => {
                if let Some(text) = read::text(value.get("delta")) {
                    self.streamed_text = true;
                    delta.push(Part::Text(text));
                }
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                delta.add_reasoning(value.get("delta"));
            }
            "response.refusal.delta" => delta.add_refusal(value.get("delta")),
            "response.output_item.added" => self.item(value, false, &mut delta),
            "response.output_item.done" => self.item(value, true, &mut delta),
            "response.function_call_arguments.delta" => {
                let block = self.block_of(value, value.get("call_id"));
                let arguments = read::arguments(value.get("delta"));
                delta.add_arguments(block, arguments);
            }
            "response.function_call_arguments.done" => {
                let block = self.block_of(value, value.get("call_id"));
                let arguments = whole(value.get("arguments"));
                let name = read::word(value.get("name"));
                delta.push(Part::Call(Fragment {
                    name,
                    arguments,
                    ..Fragment::at(Place::Block(block))
                }));
                delta.push(Part::Seal(block));
            }
            "response.completed"
            | "response.done"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled" => {
                self.end(kind, value.get("response").unwrap_or(value), &mut delta)?;
            }
            "" if value.get("object").and_then(Value::as_str) == Some("response") => {
                self.end("response.completed", value, &mut delta)?;
            }
            _ => {}
        }
        Ok(delta)
    }
}

impl ResponsesDecoder {
    /// The block an event speaks of, by output index, item id or call id; a new one if none is known.
    fn block_of(&mut self, event: &Value, call_id: Option<&Value>) -> u32 {
        let output = read::index(event.get("output_index"));
        let item = read::word(event.get("item_id").or_else(|| event.pointer("/item/id")));
        let call = read::word(call_id);
        let known = call
            .as_ref()
            .and_then(|id| self.by_call.get(id))
            .or_else(|| output.and_then(|at| self.by_output.get(&at)))
            .or_else(|| item.as_ref().and_then(|id| self.by_item.get(id)))
            .copied()
            .or_else(|| {
                let says_nothing = output.is_none() && item.is_none() && call.is_none();
                if says_nothing { self.last } else { None }
            });
        // Some proxies number all items alike: another call id is another call.
        let another = |block: &u32| {
            call.as_ref()
                .is_some_and(|id| self.call_ids.get(block).is_some_and(|known_id| known_id != id))
        };
        let known = known.filter(|block| !another(block));
        let block = known.unwrap_or_else(|| {
            self.blocks += 1;
            self.blocks - 1
        });
        if let Some(output) = output {
            self.by_output.insert(output, block);
        }
        if let Some(item) = item {
            self.by_item.insert(item, block);
        }
        if let Some(call) = call {
            self.call_ids.insert(block, call.clone());
            self.by_call.insert(call, block);
        }
        self.last = Some(block);
        block
    }

    fn item(&mut self, event: &Value, done: bool, delta: &mut Delta) {
        let Some(item) = event.get("item") else { return };
        match read::kind(item) {
            "function_call" => self.call(event, item, done, delta),
            "reasoning" if done => self.keep(item, delta),
            _ => {}
        }
    }

    fn keep(&mut self, item: &Value, delta: &mut Delta) {
        if !self
            .sent_extras
            .iter()
            .any(|kept| kept.get("id") == item.get("id"))
        {
            self.sent_extras.push(item.clone());
            delta.push(Part::Extra(Box::new(item.clone())));
        }
    }

    fn call(&mut self, event: &Value, item: &Value, done: bool, delta: &mut Delta) {
        // A known call id under another output index is a call of its own only if the item ids differ, too.
        let block = self.block_of(event, item.get("call_id"));
        let id = read::word(item.get("call_id")).or_else(|| read::word(item.get("id")));
        let name = read::word(item.get("name"));
        let arguments = if done {
            whole(item.get("arguments"))
        } else {
            read::arguments(item.get("arguments"))
        };
        delta.push(Part::Call(Fragment {
            id,
            name,
            arguments,
            ..Fragment::at(Place::Block(block))
        }));
        if done {
            delta.push(Part::Seal(block));
        }
    }

    fn end(&mut self, kind: &str, response: &Value, delta: &mut Delta) -> Result<(), Unfinished> {
        if let Some(error) = response.get("error").filter(|error| !error.is_null()) {
            return Err(Unfinished::upstream(&read::error_text(Some(error), "")));
        }
        if matches!(kind, "response.failed" | "response.cancelled") {
            return Err(Unfinished::upstream(kind));
        }
        let status = response.get("status").and_then(Value::as_str).unwrap_or_default();
        if status == "failed" || status == "cancelled" {
            return Err(Unfinished::upstream(status));
        }
        let incomplete = kind == "response.incomplete" || status == "incomplete";
        for item in read::items(response.get("output")) {
            self.final_item(item, incomplete, delta);
        }
        delta.add_usage(response.get("usage"));
        let reason = match response
            .pointer("/incomplete_details/reason")
            .and_then(Value::as_str)
        {
            Some(reason) if incomplete => FinishReason::read(reason).unwrap_or(FinishReason::Length),
            _ if incomplete => FinishReason::Length,
            _ => FinishReason::Stop,
        };
        delta.push(Part::Finish(reason));
        delta.push(Part::End);
        Ok(())
    }

    /// An item of the finished response: adds only what earlier events did not carry.
    fn final_item(&mut self, item: &Value, incomplete: bool, delta: &mut Delta) {
        match read::kind(item) {
            "function_call" => {
                let half = incomplete && item.get("status").and_then(Value::as_str) == Some("incomplete");
                let event = serde_json::json!({"item": {"id": item.get("id")}});
                self.call(&event, item, !half, delta);
            }
            "reasoning" => self.keep(item, delta),
            "message" if !self.streamed_text => {
                for piece in read::items(item.get("content")) {
                    delta.add_text(piece.get("text"));
                    delta.add_refusal(piece.get("refusal"));
                }
            }
            _ => {}
        }
    }
}

fn whole(value: Option<&Value>) -> Option<CallArguments> {
    match read::arguments(value)? {
        CallArguments::Fragment(text) => Some(CallArguments::Whole(text)),
        other => Some(other),
    }
}
