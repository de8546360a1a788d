//! Anthropic messages: numbered content blocks that start, grow and stop.

mod render;

use std::collections::HashMap;

use serde_json::{Value, json};

use super::decoder::WireDecoder;
use super::dialect::Dialect;
use super::read;
use crate::delta::{CallArguments, Delta, Fragment, Part, Place};
use crate::sse::Framing;
use crate::unfinished::{Unfinished, shorten};

pub(super) static DIALECT: Dialect = Dialect {
    name: "anthropic_messages",
    aliases: &["anthropic"],
    provider: "anthropic",
    path: |_| "/messages".into(),
    query: None,
    embeddings: None,
    key_header: Some("x-api-key"),
    version_header: Some(("anthropic-version", "2023-06-01")),
    framing: Framing::Events,
    has_json_schema: false,
    body: render::body,
    decoder: || Box::<AnthropicDecoder>::default(),
};

/// Reads the events of a message stream, and a whole message as one event.
#[derive(Debug, Default)]
pub struct AnthropicDecoder {
    /// What is open under each index of the wire.
    open: HashMap<i64, ContentBlock>,
    last_index: Option<i64>,
    blocks: u32,
}

#[derive(Debug)]
enum ContentBlock {
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

impl WireDecoder for AnthropicDecoder {
    fn value(&mut self, value: &Value) -> Result<Delta, Unfinished> {
        if let Some(error) = read::error_in(value) {
            return Err(error);
        }
        let mut delta = Delta::default();
        match read::kind(value) {
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
                delta.add_usage(value.get("usage"));
            }
            "message_stop" => delta.push(Part::End),
            _ => {}
        }
        Ok(delta)
    }
}

impl AnthropicDecoder {
    /// The head of a stream, or a message that came whole.
    fn message(&mut self, message: &Value, delta: &mut Delta) {
        delta.add_usage(message.get("usage"));
        for block in read::items(message.get("content")) {
            self.start(None, block, delta);
            self.stop(self.last_index, delta);
        }
        finish(message, delta);
    }

    fn start(&mut self, index: Option<i64>, block: &Value, delta: &mut Delta) {
        let index = index.unwrap_or_else(|| self.last_index.map_or(0, |last| last + 1));
        self.last_index = Some(index);
        let opened = match read::kind(block) {
            "tool_use" => {
                let id = read::word(block.get("id"));
                let again = match self.open.get(&index) {
                    Some(ContentBlock::Tool { block, id: known }) if id.is_some() && *known == id => {
                        Some(*block)
                    }
                    _ => None,
                };
                let number = again.unwrap_or(self.blocks);
                if again.is_none() {
                    self.blocks += 1;
                }
                let input = match block.get("input") {
                    // Every tool block starts with an empty object that means nothing.
                    Some(Value::Object(object)) if object.is_empty() => None,
                    other => read::arguments(other),
                };
                delta.push(Part::Call(Fragment {
                    id: id.clone(),
                    name: read::word(block.get("name")),
                    arguments: input,
                    ..Fragment::at(Place::Block(number))
                }));
                ContentBlock::Tool { block: number, id }
            }
            "text" => {
                delta.add_text(block.get("text"));
                ContentBlock::Text
            }
            "thinking" => {
                let text = read::text(block.get("thinking")).unwrap_or_default();
                if !text.is_empty() {
                    delta.push(Part::Reasoning(text.clone()));
                }
                ContentBlock::Thinking {
                    text,
                    signature: read::text(block.get("signature")).unwrap_or_default(),
                }
            }
            "redacted_thinking" => {
                delta.push(Part::Extra(Box::new(block.clone())));
                ContentBlock::Other
            }
            _ => ContentBlock::Other,
        };
        self.open.insert(index, opened);
    }

    fn grow(&mut self, value: &Value, delta: &mut Delta) -> Result<(), Unfinished> {
        let index = read::index(value.get("index")).or(self.last_index);
        let added = value.get("delta").unwrap_or(&Value::Null);
        let block = index.and_then(|index| self.open.get_mut(&index));
        match read::kind(added) {
            "text_delta" => delta.add_text(added.get("text")),
            "thinking_delta" => {
                if let Some(more) = read::text(added.get("thinking")) {
                    if let Some(ContentBlock::Thinking { text, .. }) = block {
                        text.push_str(&more);
                    }
                    delta.push(Part::Reasoning(more));
                }
            }
            "signature_delta" => {
                if let (Some(ContentBlock::Thinking { signature, .. }), Some(more)) =
                    (block, read::text(added.get("signature")))
                {
                    signature.push_str(&more);
                }
            }
            "input_json_delta" => {
                let Some(piece) = read::arguments(added.get("partial_json")) else {
                    return Ok(());
                };
                match block {
                    Some(ContentBlock::Tool { block, .. }) => delta.add_arguments(*block, Some(piece)),
                    Some(ContentBlock::Other) => {}
                    Some(ContentBlock::Text | ContentBlock::Thinking { .. }) | None => {
                        let CallArguments::Fragment(text) = piece else {
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
            Some(ContentBlock::Tool { block, .. }) => delta.push(Part::Seal(*block)),
            Some(ContentBlock::Thinking { text, signature }) if !signature.is_empty() => {
                delta.push(Part::Extra(Box::new(
                    json!({"type": "thinking", "thinking": text, "signature": signature}),
                )));
            }
            _ => {}
        }
    }
}

fn finish(place: &Value, delta: &mut Delta) {
    delta.add_finish(place.get("stop_reason"));
}
