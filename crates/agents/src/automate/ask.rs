//! Asking models, and telling of it.

use llm::message::Message;
use llm::model::Request;
use llm::structured::{Structured, Wanted};
use llm::turn::Turn;
use llm::{FinishReason, RoleModel};
use serde_json::{Map, Value, json};
use wire::Audience;
use wire::automate::{
    AgentProcessing, AiGeneration, AiGenerationError, AutomateEvent, DebugMessage, FinishReason as Finish,
    ModelMessage, Role, TokenUsage,
};

use super::call::cut;
use super::course::Trouble;
use super::tell::Teller;
use crate::cancel::Cancelled;

/// The longest prompt in an event, in characters.
const SHOWN: usize = 4000;

/// Says that a model is about to be called.
///
/// # Errors
/// When the run is over.
pub(super) async fn announce(
    teller: &Teller<'_>,
    operation: String,
    has_screenshot: bool,
) -> Result<(), Cancelled> {
    let processing = AgentProcessing {
        operation,
        has_screenshot,
    };
    teller.say(AutomateEvent::AgentProcessing(processing)).await
}

/// A whole turn.
///
/// # Errors
/// When the run is over; inside, when the model gave none.
pub(super) async fn turn(
    teller: &Teller<'_>,
    seat: &RoleModel,
    request: &Request,
) -> Result<Result<Turn, llm::Error>, Cancelled> {
    debug(teller, request).await?;
    let answered = teller.run().until_cancelled(seat.ask(request)).await?;
    match &answered {
        Ok(turn) => {
            let calls = turn.whole_calls().map(|it| {
                let arguments = Value::Object(Map::clone(it.arguments()));
                json!({"name": it.name(), "arguments": arguments})
            });
            let object = json!({"text": turn.text, "toolCalls": calls.collect::<Vec<_>>()});
            let usage = usage(turn.usage.input, turn.usage.output);
            let reason = turn.finish.as_ref().map_or(Finish::Other, finish);
            let tools: Vec<&str> = request.tools.iter().map(|it| it.name.as_str()).collect();
            generated(teller, request, json!({"tools": tools}), usage, reason, object).await?;
        }
        Err(error) => failed(teller, request, json!({}), error).await?,
    }
    Ok(answered)
}

/// An answer of a schema.
///
/// # Errors
/// As [`turn`].
pub(super) async fn structured(
    teller: &Teller<'_>,
    seat: &RoleModel,
    request: &Request,
    wanted: &Wanted,
) -> Result<Result<Structured, llm::Error>, Cancelled> {
    debug(teller, request).await?;
    let before = seat.meter.total().usage;
    let answered = teller
        .run()
        .until_cancelled(seat.ask_for(request, wanted))
        .await?;
    let schema = wanted.schema.source().clone();
    match &answered {
        Ok(answer) => {
            let after = seat.meter.total().usage;
            let usage = usage(after.input - before.input, after.output - before.output);
            generated(teller, request, schema, usage, Finish::Stop, answer.value.clone()).await?;
        }
        Err(error) => failed(teller, request, schema, error).await?,
    }
    Ok(answered)
}

/// What went wrong with a model, by name.
pub(super) fn trouble(error: &llm::Error) -> Trouble {
    Trouble {
        code: error.code().to_owned(),
        text: error.to_string(),
        fatal: error.ends_run(),
    }
}

fn usage(input: u64, output: u64) -> TokenUsage {
    TokenUsage {
        input_tokens: Some(input),
        output_tokens: Some(output),
        total_tokens: Some(input + output),
    }
}

fn finish(reason: &FinishReason) -> Finish {
    match reason {
        FinishReason::Stop => Finish::Stop,
        FinishReason::ToolCalls => Finish::ToolCalls,
        FinishReason::Length => Finish::Length,
        FinishReason::ContentFilter(_) => Finish::ContentFilter,
        FinishReason::MalformedCall(_) | FinishReason::Error(_) => Finish::Error,
        FinishReason::Other(_) => Finish::Other,
    }
}

async fn generated(
    teller: &Teller<'_>,
    request: &Request,
    schema: Value,
    usage: TokenUsage,
    finish_reason: Finish,
    object: Value,
) -> Result<(), Cancelled> {
    if !teller.is_heard(Audience::Verbose) {
        return Ok(());
    }
    let messages = request.messages.last().map(|it| vec![shown(it)]);
    let generation = AiGeneration {
        prompt: prompt(request),
        schema,
        usage,
        finish_reason,
        messages,
        object: Some(object),
        provider_metadata: None,
        temperature: request.temperature.map(wire::num::Num::new),
        warnings: None,
    };
    teller.say(AutomateEvent::AiGeneration(generation)).await
}

async fn failed(
    teller: &Teller<'_>,
    request: &Request,
    schema: Value,
    error: &llm::Error,
) -> Result<(), Cancelled> {
    teller.count_failure();
    if !teller.is_heard(Audience::Verbose) {
        return Ok(());
    }
    let failure = AiGenerationError {
        error: format!("{}: {error}", error.code()),
        prompt: prompt(request),
        schema,
        messages: None,
    };
    teller.say(AutomateEvent::AiGenerationError(failure)).await
}

async fn debug(teller: &Teller<'_>, request: &Request) -> Result<(), Cancelled> {
    if !teller.is_heard(Audience::Debug) {
        return Ok(());
    }
    let messages = request.messages.iter().map(shown);
    let messages = messages.filter_map(|it| serde_json::to_value(it).ok()).collect();
    teller
        .say(AutomateEvent::DebugMessage(DebugMessage { messages }))
        .await
}

/// The last thing said to the model.
fn prompt(request: &Request) -> String {
    let last = request.messages.iter().rev().map(text).find(|it| !it.is_empty());
    cut(&last.unwrap_or_default(), SHOWN)
}

fn text(message: &Message) -> String {
    match message {
        Message::System(text) => text.clone(),
        Message::User(content) => {
            let texts = content.iter().filter_map(|it| match it {
                llm::Content::Text(text) => Some(text.as_str()),
                llm::Content::Image { .. } => None,
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Message::Assistant(assistant) => assistant.text.clone(),
        Message::Observation(observation) => observation.text.clone(),
    }
}

fn shown(message: &Message) -> ModelMessage {
    let (role, content) = match message {
        Message::System(_) => (Role::System, Value::String(text(message))),
        Message::User(_) => (Role::User, Value::String(text(message))),
        Message::Assistant(assistant) => {
            let mut parts = Vec::new();
            if !assistant.text.is_empty() {
                parts.push(json!({"type": "text", "text": assistant.text}));
            }
            for call in &assistant.calls {
                let (id, name, input) = (&call.id, &call.name, &call.arguments);
                parts.push(json!({"type": "tool-call", "toolCallId": id, "toolName": name, "input": input}));
            }
            (Role::Assistant, Value::Array(parts))
        }
        Message::Observation(it) => {
            let (id, name, output) = (&it.call_id, &it.name, &it.text);
            let part = json!({"type": "tool-result", "toolCallId": id, "toolName": name, "output": output});
            (Role::Tool, Value::Array(vec![part]))
        }
    };
    ModelMessage {
        role,
        content,
        provider_options: None,
    }
}
