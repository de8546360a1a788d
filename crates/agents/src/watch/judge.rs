//! Questions to a model about what is watched: whether a condition in words holds, and what differs between two answers.

use llm::message::Message;
use llm::model::ModelRequest;
use llm::structured::StructuredRequest;
use llm::{JsonSchema, Role};
use minijinja::{Environment, context};
use page::Quoted;
use serde_json::{Value, json};
use wire::Code;
use wire::error::ErrorBody;
use wire::monitors::ContentChange;

use super::contents::WatchedContent;
use crate::error_codes;
use crate::services::AgentServices;

/// Most bytes of a content, and of a change, that a model is shown.
const SHOWN: usize = 24_000;
const SHOWN_CHANGE: usize = 8_000;
/// Longest answer, in tokens.
const ANSWER: u32 = 2_000;
/// Most changes of an answer, and most characters of one.
const MAX_CHANGES: usize = 20;
const MAX_TEXT: usize = 400;

/// Says whether a model is configured, before a monitor is made that needs one.
///
/// # Errors
/// When none is, with what to set.
pub fn check_model(services: &AgentServices) -> Result<(), ErrorBody> {
    let Some(models) = &services.models else {
        let missing = llm::Error::NotConfigured("HUNTSMAN_LLM_PROVIDER and HUNTSMAN_LLM_MODEL".into());
        return Err(error_codes::model_error(&missing));
    };
    let seat = models.seat(Role::Extractor, services.meter());
    seat.map(|_| ()).map_err(|error| error_codes::model_error(&error))
}

/// Whether a condition in words holds after a change.
///
/// # Errors
/// When no model answers.
pub async fn holds(
    services: &AgentServices,
    condition: &str,
    content: &WatchedContent,
    change: &ContentChange,
) -> Result<bool, ErrorBody> {
    let change = serde_json::to_string_pretty(change).unwrap_or_default();
    let (change, content) = (quoted(&change, SHOWN_CHANGE), quoted(&content.as_text(), SHOWN));
    let prompt = rendered(
        include_str!("prompts/holds.md"),
        context! { condition, change, content },
    )?;
    let schema = json!({
        "type": "object",
        "properties": {"holds": {"type": "boolean"}, "reason": {"type": "string", "maxLength": MAX_TEXT}},
        "required": ["holds", "reason"],
        "additionalProperties": false,
    });
    let answer = ask(services, "condition", prompt, schema).await?;
    Ok(answer["holds"] == true)
}

/// What an answer says that the one before did not, in sentences.
///
/// # Errors
/// When no model answers.
pub async fn differences(
    services: &AgentServices,
    question: &str,
    before: &WatchedContent,
    after: &WatchedContent,
) -> Result<Vec<String>, ErrorBody> {
    let (before, after) = (quoted(&before.as_text(), SHOWN), quoted(&after.as_text(), SHOWN));
    let prompt = rendered(
        include_str!("prompts/differences.md"),
        context! { question, before, after },
    )?;
    let schema = json!({
        "type": "object",
        "properties": {"changes": {
            "type": "array",
            "maxItems": MAX_CHANGES,
            "items": {"type": "string", "minLength": 1, "maxLength": MAX_TEXT},
        }},
        "required": ["changes"],
        "additionalProperties": false,
    });
    let answer = ask(services, "differences", prompt, schema).await?;
    let changes = answer["changes"].as_array().into_iter().flatten();
    let changes = changes.filter_map(Value::as_str).map(str::trim);
    Ok(changes
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect())
}

fn quoted(text: &str, budget: usize) -> String {
    let label = format!("{:08x}", fastrand::u32(..));
    Quoted::new(&label, text, budget).to_string()
}

fn internal(error: impl std::fmt::Display) -> ErrorBody {
    ErrorBody::new(Code::Internal, error.to_string())
}

fn rendered(template: &str, values: minijinja::Value) -> Result<String, ErrorBody> {
    Environment::new().render_str(template, values).map_err(internal)
}

async fn ask(
    services: &AgentServices,
    name: &str,
    prompt: String,
    schema: Value,
) -> Result<Value, ErrorBody> {
    check_model(services)?;
    let seat = services
        .models
        .as_ref()
        .map(|models| models.seat(Role::Extractor, services.meter()));
    let seat = seat.ok_or_else(|| internal("no model is configured"))?;
    let seat = seat.map_err(|error| error_codes::model_error(&error))?;
    let schema = JsonSchema::new(schema).map_err(internal)?;
    let request = ModelRequest {
        max_tokens: Some(ANSWER),
        ..ModelRequest::new(vec![Message::user(prompt)])
    };
    let answer = seat
        .ask_for(&request, &StructuredRequest::new(name, schema))
        .await;
    answer
        .map(|answer| answer.value)
        .map_err(|error| error_codes::model_error(&error))
}
