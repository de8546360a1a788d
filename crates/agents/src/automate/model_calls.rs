//! Calls of models, and the events about them.

use llm::ask::AnswerProgress;
use llm::message::Message;
use llm::model::ModelRequest;
use llm::structured::{StructuredAnswer, StructuredRequest};
use llm::turn::ModelAnswer;
use llm::{FinishReason, RoleModel};
use serde_json::{Map, Value, json};
use wire::Audience;
use wire::automate::{
    AgentProcessing, AiGeneration, AiGenerationError, AutomateEvent, DebugMessage,
    GenerationFinishReason as Finish, MessageRole, ModelMessage, TokenUsage,
};

use super::action::cut;
use super::event_emitter::EventEmitter;
use crate::cancel::Cancelled;
use crate::run_error::RunError;

/// The longest prompt in an event, in characters.
const SHOWN: usize = 4000;

/// Why a call of a model gave nothing.
#[derive(Debug)]
pub(super) enum ModelCallError {
    /// The run was stopped.
    Cancelled(Cancelled),
    /// The model failed.
    Failed(llm::Error),
}

impl From<Cancelled> for ModelCallError {
    fn from(stopped: Cancelled) -> Self {
        Self::Cancelled(stopped)
    }
}

impl From<ModelCallError> for RunError {
    fn from(error: ModelCallError) -> Self {
        match error {
            ModelCallError::Cancelled(stopped) => Self::Cancelled(stopped),
            ModelCallError::Failed(error) => Self::from(error),
        }
    }
}

/// Emits that a model is about to be called.
///
/// # Errors
/// When the run is over.
pub(super) async fn announce(
    emitter: &EventEmitter<'_>,
    operation: String,
    has_screenshot: bool,
) -> Result<(), Cancelled> {
    let processing = AgentProcessing {
        operation,
        has_screenshot,
    };
    emitter.emit(AutomateEvent::AgentProcessing(processing)).await
}

/// A whole turn.
///
/// # Errors
/// When the run is over, or the model gave none.
pub(super) async fn turn(
    emitter: &EventEmitter<'_>,
    model: &RoleModel,
    request: &ModelRequest,
) -> Result<ModelAnswer, ModelCallError> {
    debug(emitter, request).await?;
    let mut retried = Vec::new();
    let asked = model.ask_with_progress(request, |progress| {
        if let AnswerProgress::Retrying(error) = progress {
            retried.push(described(error));
        }
    });
    let answered = emitter.run().until_cancelled(asked).await?;
    for error in retried {
        failure(emitter, request, json!({}), error).await?;
    }
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
            generated(emitter, request, json!({"tools": tools}), usage, reason, object).await?;
        }
        Err(error) => failed(emitter, request, json!({}), error).await?,
    }
    answered.map_err(ModelCallError::Failed)
}

/// An answer of a schema.
///
/// # Errors
/// As [`turn`].
pub(super) async fn structured(
    emitter: &EventEmitter<'_>,
    model: &RoleModel,
    request: &ModelRequest,
    wanted: &StructuredRequest,
) -> Result<StructuredAnswer, ModelCallError> {
    debug(emitter, request).await?;
    let before = model.meter.total().usage;
    let answered = emitter
        .run()
        .until_cancelled(model.ask_for(request, wanted))
        .await?;
    let schema = wanted.schema.source().clone();
    match &answered {
        Ok(answer) => {
            let after = model.meter.total().usage;
            let usage = usage(after.input - before.input, after.output - before.output);
            generated(
                emitter,
                request,
                schema,
                usage,
                Finish::Stop,
                answer.value.clone(),
            )
            .await?;
        }
        Err(error) => failed(emitter, request, schema, error).await?,
    }
    answered.map_err(ModelCallError::Failed)
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
    emitter: &EventEmitter<'_>,
    request: &ModelRequest,
    schema: Value,
    usage: TokenUsage,
    finish_reason: Finish,
    object: Value,
) -> Result<(), Cancelled> {
    if !emitter.is_wanted(Audience::Verbose) {
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
    emitter.emit(AutomateEvent::AiGeneration(generation)).await
}

async fn failed(
    emitter: &EventEmitter<'_>,
    request: &ModelRequest,
    schema: Value,
    error: &llm::Error,
) -> Result<(), Cancelled> {
    emitter.count_failure();
    failure(emitter, request, schema, described(error)).await
}

fn described(error: &llm::Error) -> String {
    format!("{}: {error}", error.code())
}

/// Tells of an answer that failed, also of one that was asked for again.
async fn failure(
    emitter: &EventEmitter<'_>,
    request: &ModelRequest,
    schema: Value,
    error: String,
) -> Result<(), Cancelled> {
    if !emitter.is_wanted(Audience::Verbose) {
        return Ok(());
    }
    let failure = AiGenerationError {
        error,
        prompt: prompt(request),
        schema,
        messages: None,
    };
    emitter.emit(AutomateEvent::AiGenerationError(failure)).await
}

async fn debug(emitter: &EventEmitter<'_>, request: &ModelRequest) -> Result<(), Cancelled> {
    if !emitter.is_wanted(Audience::Debug) {
        return Ok(());
    }
    let messages = request.messages.iter().map(shown);
    let messages = messages.filter_map(|it| serde_json::to_value(it).ok()).collect();
    emitter
        .emit(AutomateEvent::DebugMessage(DebugMessage { messages }))
        .await
}

/// The last thing said to the model.
fn prompt(request: &ModelRequest) -> String {
    let last = request.messages.iter().rev().map(text).find(|it| !it.is_empty());
    cut(&last.unwrap_or_default(), SHOWN)
}

fn text(message: &Message) -> String {
    match message {
        Message::System(text) => text.clone(),
        Message::User(content) => {
            let texts = content.iter().filter_map(|it| match it {
                llm::MessageContent::Text(text) => Some(text.as_str()),
                llm::MessageContent::Image { .. } => None,
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Message::Assistant(assistant) => assistant.text.clone(),
        Message::Observation(observation) => observation.text.clone(),
    }
}

fn shown(message: &Message) -> ModelMessage {
    let (role, content) = match message {
        Message::System(_) => (MessageRole::System, Value::String(text(message))),
        Message::User(_) => (MessageRole::User, Value::String(text(message))),
        Message::Assistant(assistant) => {
            let mut parts = Vec::new();
            if !assistant.text.is_empty() {
                parts.push(json!({"type": "text", "text": assistant.text}));
            }
            for call in &assistant.calls {
                let (id, name, input) = (&call.id, &call.name, &call.arguments);
                parts.push(json!({"type": "tool-call", "toolCallId": id, "toolName": name, "input": input}));
            }
            (MessageRole::Assistant, Value::Array(parts))
        }
        Message::Observation(it) => {
            let (id, name, output) = (&it.call_id, &it.name, &it.text);
            let part = json!({"type": "tool-result", "toolCallId": id, "toolName": name, "output": output});
            (MessageRole::Tool, Value::Array(vec![part]))
        }
    };
    ModelMessage {
        role,
        content,
        provider_options: None,
    }
}
