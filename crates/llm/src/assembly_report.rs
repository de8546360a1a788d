//! Report on a recorded answer: what the assembler makes of it, as JSON.

use base64::Engine;
use serde_json::{Map, Value, json};

use crate::assemble::{Assembler, AssemblerOptions};
use crate::sse::Decoder;
use crate::tool::{ToolEffects, ToolSet, ToolSpec};
use crate::unfinished::Unfinished;
use crate::wires::{Wire, WireDecoder};

/// A recorded answer.
#[derive(Debug, Clone, Copy)]
pub enum AnswerRecording<'a> {
    /// The raw body; its end is the closing of the connection.
    Body(&'a [u8]),
    /// Payloads one by one: decoded JSON, the text `[DONE]`, or `{"_b64": ..}` for one raw network read.
    Chunks(&'a [Value]),
}

/// What to do beyond plain assembling.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReportOptions {
    /// Read calls that the model wrote as text.
    pub text_calls: bool,
    /// Add `repair`, `ready_after` and `eager_after` to each call.
    pub details: bool,
}

/// Runs an answer through decoder and assembler:
/// `{"calls":[{"id","name","args"}],"rejected":[{"name","error"}],"text","finish","error"}`.
///
/// `tools` is `{"name":["parameter",..]}` or a list of function tools. All tools count as reading ones.
///
/// # Errors
/// An unknown wire or an unreadable list of tools, in words for the command line.
pub fn report(
    wire: &str,
    tools: &Value,
    input: AnswerRecording<'_>,
    options: ReportOptions,
) -> Result<Value, String> {
    let wire = Wire::named(wire).ok_or_else(|| {
        let names: Vec<&str> = Wire::ALL.iter().map(|wire| wire.name()).collect();
        format!("unknown wire `{wire}`; use one of: {}", names.join(", "))
    })?;
    let tools = tool_set(tools)?;
    let rules = AssemblerOptions {
        text_calls: options.text_calls,
        max_calls: 4096,
        ..AssemblerOptions::default()
    };
    let mut run = DebugRun {
        assembler: Assembler::new(tools, rules),
        decode: wire.decoder(),
        bytes: Decoder::new(wire.framing()),
    };
    match input {
        AnswerRecording::Body(body) => {
            run.bytes(body);
            run.close_bytes();
        }
        AnswerRecording::Chunks(chunks) => {
            let mut raw = false;
            for chunk in chunks {
                match chunk.get("_b64").and_then(Value::as_str) {
                    Some(read) => {
                        raw = true;
                        let read = base64::engine::general_purpose::STANDARD.decode(read);
                        run.bytes(&read.map_err(|error| format!("a chunk is no base64: {error}"))?);
                    }
                    None => run.value(chunk),
                }
            }
            if raw {
                run.close_bytes();
            }
        }
    }
    if !run.assembler.is_over() && run.decode.ends_by_closing() {
        run.assembler.end();
    }
    Ok(report_json(run.assembler, options))
}

struct DebugRun {
    assembler: Assembler,
    decode: Box<dyn WireDecoder>,
    bytes: Decoder,
}

impl DebugRun {
    fn bytes(&mut self, read: &[u8]) {
        if self.assembler.is_over() {
            return;
        }
        match self.bytes.push(read) {
            Ok(payloads) => self.payloads(&payloads),
            Err(error) => self.assembler.fail(error),
        }
    }

    fn close_bytes(&mut self) {
        if self.assembler.is_over() {
            return;
        }
        match self.bytes.finish() {
            Ok(payloads) => self.payloads(&payloads),
            Err(Unfinished::StreamTruncated) => self.assembler.break_off(),
            Err(error) => self.assembler.fail(error),
        }
    }

    fn payloads(&mut self, payloads: &[crate::sse::StreamPayload]) {
        for payload in payloads {
            if self.assembler.is_over() {
                return;
            }
            match self.decode.payload(payload) {
                Ok(delta) => self.assembler.push(delta),
                Err(error) => self.assembler.fail(error),
            }
        }
    }

    fn value(&mut self, chunk: &Value) {
        let data = match chunk {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.payloads(&[crate::sse::StreamPayload { event: None, data }]);
    }
}

fn report_json(assembler: Assembler, options: ReportOptions) -> Value {
    let text = assembler.text().to_owned();
    match assembler.finish() {
        Ok(turn) => {
            let calls: Vec<Value> = turn
                .whole_calls()
                .map(|call| {
                    let mut fields = Map::new();
                    fields.insert("id".into(), call.id().into());
                    fields.insert("name".into(), call.name().into());
                    fields.insert("args".into(), Value::Object(call.arguments().clone()));
                    if options.details {
                        fields.extend(
                            call.ready_after()
                                .map(|chunk| ("ready_after".into(), chunk.into())),
                        );
                        fields.extend(
                            call.eager_after()
                                .map(|chunk| ("eager_after".into(), chunk.into())),
                        );
                        fields.extend(call.repair().map(|repair| ("repair".into(), repair.tag().into())));
                    }
                    Value::Object(fields)
                })
                .collect();
            let rejected: Vec<Value> = turn
                .rejected_calls()
                .map(|call| json!({"name": call.name, "error": call.why.code()}))
                .collect();
            let finish = turn.finish.as_ref().map(|reason| reason.word().to_owned());
            json!({"calls": calls, "rejected": rejected, "text": turn.text, "finish": finish, "error": null})
        }
        Err(error) => {
            json!({"calls": [], "rejected": [], "text": text, "finish": null, "error": error.code()})
        }
    }
}

fn tool_set(tools: &Value) -> Result<ToolSet, String> {
    match tools {
        Value::Object(by_name) => by_name
            .iter()
            .map(|(name, parameters)| {
                let parameters = parameters
                    .as_array()
                    .ok_or_else(|| format!("the parameters of `{name}` must be a list of names"))?;
                let properties: Map<String, Value> = parameters
                    .iter()
                    .filter_map(Value::as_str)
                    .map(|parameter| (parameter.to_owned(), json!({})))
                    .collect();
                Ok(ToolSpec::new(
                    name,
                    "",
                    json!({"type": "object", "properties": properties}),
                    ToolEffects::Read,
                ))
            })
            .collect::<Result<Vec<_>, String>>()
            .map(ToolSet::new),
        Value::Array(list) => list
            .iter()
            .map(|tool| {
                let function = tool.get("function").unwrap_or(tool);
                let name = function
                    .get("name")
                    .and_then(Value::as_str)
                    .ok_or("a tool has no name")?;
                let description = function
                    .get("description")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let schema = ["parameters", "input_schema", "inputSchema"]
                    .iter()
                    .find_map(|key| function.get(*key));
                let schema = schema
                    .cloned()
                    .unwrap_or_else(|| json!({"type": "object", "properties": {}}));
                Ok(ToolSpec::new(name, description, schema, ToolEffects::Read))
            })
            .collect::<Result<Vec<_>, String>>()
            .map(ToolSet::new),
        _ => Err("tools must be an object of names or a list of function tools".to_owned()),
    }
}
