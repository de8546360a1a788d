//! Anthropic messages: numbered content blocks that start, grow and stop.

pub(super) mod render;

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Decode, read};
use crate::delta::{Arguments, Delta, FinishReason, Fragment, Part, Place};
use crate::unfinished::{Unfinished, shorten};

/// Reads the events of a message stream, and a whole message as one event.
#[derive(Debug, Default)]
pub struct Events {
    /// What is open under each index of the wire.
    open: HashMap<i64, Block>,
    last_index: Option<i64>,
    blocks: u32,
}

#[derive(Debug)]
enum Block {
    Tool {
        block: u32,
        id: Option<String>,
    },
    /// A thinking block and what is needed to replay it.
    Thinking {
        text: String,
        signature: String,
    },
    Text,
    Other,
}

impl Decode for Events {
    fn value(&mut self, value: &Value) -> Result<Delta, Unfinished> {
        if let Some(error) = read::error_in(value) {
            return Err(error);
        }
        let mut delta = Delta::default();
        match value.get("type").and_then(Value::as_str).unwrap_or_default() {
            "message_start" => {
                let message = value.get("message").unwrap_or(&Value::Null);
                self.message(message, &mut delta);
            }
            "message" => {
                self.message(value, &mut delta);
                delta.push(Part::End);
            }
            "content_block_start" => {
                let index = read::index(value.get("index"));
                let block = value.get("content_block").unwrap_or(&Value::Null);
                self.start(index, block, &mut delta);
            }
            "content_block_delta" => self.grow(value, &mut delta)?,
            "content_block_stop" => {
                let index = read::index(value.get("index")).or(self.last_index);
                self.stop(index, &mut delta);
            }
            "message_delta" => {
                finish(value.get("delta").unwrap_or(&Value::Null), &mut delta);
                delta
                    .parts
                    .extend(value.get("usage").and_then(read::usage).map(Part::Usage));
            }
            "message_stop" => delta.push(Part::End),
            _ => {}
        }
        Ok(delta)
    }
}

impl Events {
    /// The head of a stream, or a message that came whole.
    fn message(&mut self, message: &Value, delta: &mut Delta) {
        delta
            .parts
            .extend(message.get("usage").and_then(read::usage).map(Part::Usage));
        for block in message
            .get("content")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.start(None, block, delta);
            self.stop(self.last_index, delta);
        }
        finish(message, delta);
    }

    fn start(&mut self, index: Option<i64>, block: &Value, delta: &mut Delta) {
        let index = index.unwrap_or_else(|| self.last_index.map_or(0, |last| last + 1));
        self.last_index = Some(index);
        let opened = match block.get("type").and_then(Value::as_str).unwrap_or_default() {
            "tool_use" => {
                let id = read::word(block.get("id"));
                let again = match self.open.get(&index) {
                    Some(Block::Tool { block, id: known }) if id.is_some() && *known == id => Some(*block),
                    _ => None,
                };
                let number = again.unwrap_or(self.blocks);
                if again.is_none() {
                    self.blocks += 1;
                }
                let input = match block.get("input") {
                    // Every tool block starts with an empty object that means nothing.
                    Some(Value::Object(object)) if object.is_empty() => None,
                    other => super::openai_chat::arguments(other),
                };
                delta.push(Part::Call(Fragment {
                    id: id.clone(),
                    name: read::word(block.get("name")),
                    arguments: input,
                    ..Fragment::at(Place::Block(number))
                }));
                Block::Tool { block: number, id }
            }
            "text" => {
                delta.parts.extend(read::text(block.get("text")).map(Part::Text));
                Block::Text
            }
            "thinking" => {
                let text = read::text(block.get("thinking")).unwrap_or_default();
                if !text.is_empty() {
                    delta.push(Part::Reasoning(text.clone()));
                }
                Block::Thinking {
                    text,
                    signature: read::text(block.get("signature")).unwrap_or_default(),
                }
            }
            "redacted_thinking" => {
                delta.push(Part::Extra(Box::new(block.clone())));
                Block::Other
            }
            _ => Block::Other,
        };
        self.open.insert(index, opened);
    }

    fn grow(&mut self, value: &Value, delta: &mut Delta) -> Result<(), Unfinished> {
        let index = read::index(value.get("index")).or(self.last_index);
        let added = value.get("delta").unwrap_or(&Value::Null);
        let block = index.and_then(|index| self.open.get_mut(&index));
        match added.get("type").and_then(Value::as_str).unwrap_or_default() {
            "text_delta" => delta.parts.extend(read::text(added.get("text")).map(Part::Text)),
            "thinking_delta" => {
                if let Some(more) = read::text(added.get("thinking")) {
                    if let Some(Block::Thinking { text, .. }) = block {
                        text.push_str(&more);
                    }
                    delta.push(Part::Reasoning(more));
                }
            }
            "signature_delta" => {
                if let (Some(Block::Thinking { signature, .. }), Some(more)) =
                    (block, read::text(added.get("signature")))
                {
                    signature.push_str(&more);
                }
            }
            "input_json_delta" => {
                let Some(piece) = super::openai_chat::arguments(added.get("partial_json")) else {
                    return Ok(());
                };
                match block {
                    Some(Block::Tool { block, .. }) => {
                        let place = Place::Block(*block);
                        delta.push(Part::Call(Fragment {
                            arguments: Some(piece),
                            ..Fragment::at(place)
                        }));
                    }
                    Some(Block::Other) => {}
                    Some(Block::Text | Block::Thinking { .. }) | None => {
                        let Arguments::Fragment(text) = piece else {
                            return Ok(());
                        };
                        if !text.is_empty() {
                            return Err(Unfinished::OrphanDelta {
                                received: shorten(&text),
                            });
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn stop(&mut self, index: Option<i64>, delta: &mut Delta) {
        match index.and_then(|index| self.open.get(&index)) {
            Some(Block::Tool { block, .. }) => delta.push(Part::Seal(*block)),
            Some(Block::Thinking { text, signature }) if !signature.is_empty() => {
                delta.push(Part::Extra(Box::new(
                    json!({"type": "thinking", "thinking": text, "signature": signature}),
                )));
            }
            _ => {}
        }
    }
}

fn finish(place: &Value, delta: &mut Delta) {
    let reason = place
        .get("stop_reason")
        .and_then(Value::as_str)
        .and_then(FinishReason::read);
    delta.parts.extend(reason.map(Part::Finish));
}
