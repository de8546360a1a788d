//! Calls of models, and the events about them.

use llm::ask::AnswerProgress;
use llm::budget::Spending;
use llm::model::ModelRequest;
use llm::structured::{StructuredAnswer, StructuredRequest};
use llm::turn::ModelAnswer;
use llm::{FinishReason, RoleModel};
use serde_json::{Map, Value, json};
use wire::Audience;
use wire::automate::{
    AgentProcessing, AiGeneration, AiGenerationError, AutomateEvent, DebugMessage,
    GenerationFinishReason as Finish, ModelCallCost, ModelMessage, TokenUsage,
};

use super::event_emitter::EventEmitter;
use super::generation_events::{self, Pictures};
use crate::cancel::Cancelled;
use crate::run_error::RunError;

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
    let (mut retried, before) = (Vec::new(), model.meter.total());
    let asked = model.ask_with_progress(request, |progress| {
        if let AnswerProgress::Retrying(error) = progress {
            retried.push(described(error));
        }
    });
    let answered = emitter.run().until_cancelled(asked).await?;
    keep_cost(emitter, model, &before).await?;
    for error in retried {
        failure(emitter, request, generation_events::offered_tools(request), error).await?;
    }
    match &answered {
        Ok(turn) if emitter.is_wanted(Audience::Verbose) => {
            let calls = turn.whole_calls().map(|it| {
                let arguments = Value::Object(Map::clone(it.arguments()));
                json!({"name": it.name(), "arguments": arguments})
            });
            let object = json!({"text": turn.text, "toolCalls": calls.collect::<Vec<_>>()});
            let generation = AiGeneration {
                schema: generation_events::offered_tools(request),
                usage: usage(turn.usage.input, turn.usage.output),
                finish_reason: turn.finish.as_ref().map_or(Finish::Other, finish),
                object: Some(object),
                provider_metadata: generation_events::provider_metadata(model.model.provider(), turn),
                warnings: generation_events::warnings(turn),
                ..generation(emitter, request)
            };
            emitter.emit(AutomateEvent::AiGeneration(generation)).await?;
        }
        Ok(_) => {}
        Err(error) => {
            failed(emitter, request, generation_events::offered_tools(request), error).await?;
        }
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
    let before = model.meter.total();
    let answered = emitter
        .run()
        .until_cancelled(model.ask_for(request, wanted))
        .await?;
    let cost = keep_cost(emitter, model, &before).await?;
    let schema = wanted.schema.source().clone();
    match &answered {
        Ok(answer) if emitter.is_wanted(Audience::Verbose) => {
            let generation = AiGeneration {
                schema,
                usage: usage(cost.input_tokens, cost.output_tokens),
                object: Some(answer.value.clone()),
                ..generation(emitter, request)
            };
            emitter.emit(AutomateEvent::AiGeneration(generation)).await?;
        }
        Ok(_) => {}
        Err(error) => failed(emitter, request, schema, error).await?,
    }
    answered.map_err(ModelCallError::Failed)
}

/// Keeps in the log what the calls since `before` cost, and returns that. No reader gets the event, so it is neither masked
/// nor counted.
async fn keep_cost(
    emitter: &EventEmitter<'_>,
    model: &RoleModel,
    before: &Spending,
) -> Result<ModelCallCost, Cancelled> {
    let after = model.meter.total();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and spending only grows"
    )]
    let micro_dollars = (after.micro_dollars - before.micro_dollars).round() as u64;
    let cost = ModelCallCost {
        input_tokens: after.usage.input.saturating_sub(before.usage.input),
        output_tokens: after.usage.output.saturating_sub(before.usage.output),
        micro_dollars,
    };
    emitter.run().emit(AutomateEvent::ModelCall(cost)).await?;
    Ok(cost)
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

/// An event about an answer to this request, with what every such event tells.
fn generation(emitter: &EventEmitter<'_>, request: &ModelRequest) -> AiGeneration {
    AiGeneration {
        prompt: generation_events::prompt(request),
        schema: Value::Null,
        usage: TokenUsage::default(),
        finish_reason: Finish::Stop,
        messages: Some(generation_events::turn_messages(request, pictures(emitter))),
        object: None,
        provider_metadata: None,
        temperature: request.temperature.map(wire::num::Num::new),
        warnings: None,
    }
}

/// Pictures are for those who read debug events, like the pictures of pages.
fn pictures(emitter: &EventEmitter<'_>) -> Pictures {
    match emitter.is_wanted(Audience::Debug) {
        true => Pictures::Whole,
        false => Pictures::Named,
    }
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
        prompt: generation_events::prompt(request),
        schema,
        messages: Some(values(generation_events::turn_messages(
            request,
            pictures(emitter),
        ))),
    };
    emitter.emit(AutomateEvent::AiGenerationError(failure)).await
}

async fn debug(emitter: &EventEmitter<'_>, request: &ModelRequest) -> Result<(), Cancelled> {
    if !emitter.is_wanted(Audience::Debug) {
        return Ok(());
    }
    let messages = values(generation_events::all_messages(request, Pictures::Whole));
    emitter
        .emit(AutomateEvent::DebugMessage(DebugMessage { messages }))
        .await
}

fn values(messages: Vec<ModelMessage>) -> Vec<Value> {
    let value = |message| serde_json::to_value(message).ok();
    messages.into_iter().filter_map(value).collect()
}
