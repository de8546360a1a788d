//! What passes between the agent and a model, in the shapes that clients of `ai:*` events expect: messages, tools, warnings
//! and what the provider reported. The shapes are those of the AI SDK for TypeScript, which the contract repeats.

use std::collections::BTreeMap;

use llm::MessageContent;
use llm::message::Message;
use llm::model::ModelRequest;
use llm::turn::{AnswerWarning, ModelAnswer};
use serde_json::{Value, json};
use wire::automate::{MessageRole, ModelMessage};

use super::tool_invocation::cut;

/// The longest prompt in an event, in characters.
const SHOWN: usize = 4000;

/// Whether the pictures that a model was shown stand in an event, or a line about each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pictures {
    /// The pictures themselves, for readers who asked for everything.
    Whole,
    /// Media type and size.
    Named,
}

/// The last text that was sent to the model, shortened.
pub(super) fn prompt(request: &ModelRequest) -> String {
    let last = request.messages.iter().rev().map(text).find(|it| !it.is_empty());
    cut(&last.unwrap_or_default(), SHOWN)
}

/// The messages of this turn: the last answer of the model and all that was added since. The messages before stand in the
/// events of earlier turns.
pub(super) fn turn_messages(request: &ModelRequest, pictures: Pictures) -> Vec<ModelMessage> {
    let is_answer = |message: &Message| matches!(message, Message::Assistant(_));
    let from = request.messages.iter().rposition(is_answer).unwrap_or_default();
    let added = request.messages.iter().skip(from);
    added.map(|message| shown(message, pictures)).collect()
}

/// Every message of the request.
pub(super) fn all_messages(request: &ModelRequest, pictures: Pictures) -> Vec<ModelMessage> {
    request
        .messages
        .iter()
        .map(|message| shown(message, pictures))
        .collect()
}

/// The tools that are offered, as the schema of an answer that consists of calls.
pub(super) fn offered_tools(request: &ModelRequest) -> Value {
    let tools = request.tools.iter().map(|tool| {
        json!({"type": "function", "name": tool.name, "description": tool.description,
               "inputSchema": tool.parameters})
    });
    json!({"tools": tools.collect::<Vec<_>>()})
}

/// What a provider reported beside its answer, under the provider's name; none when it reported nothing.
pub(super) fn provider_metadata(provider: &str, answer: &ModelAnswer) -> Option<BTreeMap<String, Value>> {
    let cached = (answer.usage.cached > 0).then_some(answer.usage.cached);
    let cached = cached.map(|tokens| json!({"cachedInputTokens": tokens}))?;
    Some(BTreeMap::from([(provider.to_owned(), cached)]))
}

/// The irregularities of an answer; none when there were none.
pub(super) fn warnings(answer: &ModelAnswer) -> Option<Vec<Value>> {
    let warning = |warning: &AnswerWarning| {
        let message = match warning {
            AnswerWarning::NoEndMark => {
                "the stream ended without its end mark; nothing was missing".to_owned()
            }
            AnswerWarning::Repaired { id, repair } => format!("the call {id} was repaired: {}", repair.tag()),
            AnswerWarning::CallsInText { count } => format!("{count} calls were read out of the text"),
        };
        json!({"type": "other", "message": message})
    };
    let warnings: Vec<Value> = answer.warnings.iter().map(warning).collect();
    (!warnings.is_empty()).then_some(warnings)
}

fn text(message: &Message) -> String {
    match message {
        Message::System(text) => text.clone(),
        Message::User(content) => {
            let texts = content.iter().filter_map(|it| match it {
                MessageContent::Text(text) => Some(text.as_str()),
                MessageContent::Image { .. } => None,
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Message::Assistant(assistant) => assistant.text.clone(),
        Message::Observation(observation) => observation.text.clone(),
    }
}

fn shown(message: &Message, pictures: Pictures) -> ModelMessage {
    let (role, content) = match message {
        Message::System(text) => (MessageRole::System, Value::String(text.clone())),
        Message::User(content) => {
            let parts = content.iter().map(|part| user_part(part, pictures));
            (MessageRole::User, parts.collect())
        }
        Message::Assistant(assistant) => {
            let text = Some(&assistant.text).filter(|text| !text.is_empty());
            let text = text.map(|text| json!({"type": "text", "text": text}));
            let calls = assistant.calls.iter().map(|call| {
                json!({"type": "tool-call", "toolCallId": call.id, "toolName": call.name, "input": call.arguments})
            });
            (MessageRole::Assistant, text.into_iter().chain(calls).collect())
        }
        Message::Observation(result) => {
            let kind = if result.is_error { "error-text" } else { "text" };
            let part = json!({
                "type": "tool-result", "toolCallId": result.call_id, "toolName": result.name,
                "output": {"type": kind, "value": result.text},
            });
            (MessageRole::Tool, Value::Array(vec![part]))
        }
    };
    ModelMessage {
        role,
        content,
        provider_options: None,
    }
}

fn user_part(part: &MessageContent, pictures: Pictures) -> Value {
    match part {
        MessageContent::Text(text) => json!({"type": "text", "text": text}),
        MessageContent::Image { media_type, data } if pictures == Pictures::Whole => {
            json!({"type": "image", "image": data, "mediaType": media_type})
        }
        MessageContent::Image { media_type, data } => {
            let bytes = data.len() / 4 * 3;
            json!({"type": "text", "text": format!("[{media_type} of about {bytes} bytes]")})
        }
    }
}

#[cfg(test)]
mod tests {
    use llm::message::{Assistant, Called, Observation};

    use super::*;

    fn conversation() -> ModelRequest {
        let call = Called {
            id: "c1".into(),
            name: "click".into(),
            arguments: serde_json::Map::from_iter([("ref".to_owned(), json!("E1"))]),
            extras: None,
        };
        let result = |is_error| {
            Message::Observation(Observation {
                call_id: "c1".into(),
                name: "click".into(),
                text: "clicked".into(),
                is_error,
            })
        };
        ModelRequest {
            messages: vec![
                Message::System("act".into()),
                Message::user("the task"),
                Message::Assistant(Assistant {
                    text: "a thought".into(),
                    calls: vec![call],
                    extras: Vec::new(),
                }),
                result(false),
                result(true),
                Message::User(vec![
                    MessageContent::Text("the page".into()),
                    MessageContent::image("image/png", b"abcdef"),
                ]),
            ],
            ..ModelRequest::default()
        }
    }

    fn json_of(messages: &[ModelMessage]) -> Value {
        serde_json::to_value(messages).unwrap()
    }

    #[test]
    fn a_turn_begins_with_the_last_answer_and_results_say_whether_they_are_errors() {
        let shown = json_of(&turn_messages(&conversation(), Pictures::Named));
        let result = |kind: &str| {
            let output = json!({"type": kind, "value": "clicked"});
            let part =
                json!({"type": "tool-result", "toolCallId": "c1", "toolName": "click", "output": output});
            json!({"role": "tool", "content": [part]})
        };
        let call =
            json!({"type": "tool-call", "toolCallId": "c1", "toolName": "click", "input": {"ref": "E1"}});
        let expected = json!([
            {"role": "assistant", "content": [{"type": "text", "text": "a thought"}, call]},
            result("text"),
            result("error-text"),
            {"role": "user", "content": [{"type": "text", "text": "the page"},
                {"type": "text", "text": "[image/png of about 6 bytes]"}]},
        ]);
        assert_eq!(shown, expected);
    }

    #[test]
    fn pictures_are_whole_for_those_who_read_debug_events() {
        let shown = json_of(&all_messages(&conversation(), Pictures::Whole));
        assert_eq!(shown[0], json!({"role": "system", "content": "act"}));
        let image = json!({"type": "image", "image": "YWJjZGVm", "mediaType": "image/png"});
        assert_eq!(shown[5]["content"][1], image);
    }
}
