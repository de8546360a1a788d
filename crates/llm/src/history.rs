//! A conversation in which every call has exactly one result.

use crate::message::{Assistant, Called, Message, MessageContent, Observation};
use crate::turn::ModelAnswer;

/// A conversation. Every call gets exactly one result, also one that was refused or cancelled.
#[derive(Debug, Clone, Default)]
pub struct History {
    messages: Vec<Message>,
    /// Calls of the last turn whose result is still to come.
    open: Vec<(String, String)>,
}

/// A result that does not fit the conversation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotOpen {
    /// No call with that id waits for a result.
    #[error("no call with the id {0} waits for a result; each call gets exactly one")]
    Unknown(String),
}

impl History {
    /// A conversation under these instructions.
    pub fn new(system: impl Into<String>) -> Self {
        let system = system.into();
        let messages = if system.is_empty() {
            Vec::new()
        } else {
            vec![Message::System(system)]
        };
        Self {
            messages,
            open: Vec::new(),
        }
    }

    /// Adds a user message. Calls still open are closed as cancelled first.
    pub fn say(&mut self, content: Vec<MessageContent>) {
        self.close("the call was cancelled before it gave a result");
        self.messages.push(Message::User(content));
    }

    /// Adds an answer of the model. Its malformed calls get their results at once.
    pub fn take(&mut self, turn: &ModelAnswer) {
        self.close("the call was cancelled before it gave a result");
        let mut assistant = Assistant {
            text: turn.text.clone(),
            extras: turn.extras.clone(),
            ..Assistant::default()
        };
        let mut refused = Vec::new();
        for call in &turn.calls {
            let called = match call {
                Ok(call) => {
                    self.open.push((call.id().to_owned(), call.name().to_owned()));
                    Called {
                        id: call.id().to_owned(),
                        name: call.name().to_owned(),
                        arguments: call.arguments().clone(),
                        extras: call.extras().cloned(),
                    }
                }
                Err(call) => {
                    let name = call.name.clone().unwrap_or_else(|| "unknown".to_owned());
                    refused.push(Message::Observation(Observation {
                        call_id: call.id.clone(),
                        name: name.clone(),
                        text: format!("The call did not run: {call}"),
                        is_error: true,
                    }));
                    Called {
                        id: call.id.clone(),
                        name,
                        arguments: serde_json::Map::new(),
                        extras: call.extras.clone(),
                    }
                }
            };
            assistant.calls.push(called);
        }
        self.messages.push(Message::Assistant(assistant));
        self.messages.extend(refused);
    }

    /// Adds the result of an open call.
    ///
    /// # Errors
    /// When no such call is open: it has its result already or was never made.
    pub fn answer(&mut self, call_id: &str, text: impl Into<String>, is_error: bool) -> Result<(), NotOpen> {
        let at = self
            .open
            .iter()
            .position(|(id, _)| id == call_id)
            .ok_or_else(|| NotOpen::Unknown(call_id.to_owned()))?;
        let (call_id, name) = self.open.remove(at);
        self.messages.push(Message::Observation(Observation {
            call_id,
            name,
            text: text.into(),
            is_error,
        }));
        Ok(())
    }

    /// Adds a result to every open call that says why it did not run.
    pub fn close(&mut self, why: &str) {
        for (call_id, name) in std::mem::take(&mut self.open) {
            self.messages.push(Message::Observation(Observation {
                call_id,
                name,
                text: why.to_owned(),
                is_error: true,
            }));
        }
    }

    /// Ids of the calls that wait for a result.
    pub fn open_calls(&self) -> impl Iterator<Item = &str> {
        self.open.iter().map(|(id, _)| id.as_str())
    }

    /// The conversation, ready to be sent: calls still open are closed as cancelled.
    pub fn messages(&mut self) -> &[Message] {
        self.close("the call was cancelled before it gave a result");
        &self.messages
    }
}

/// All call ids a conversation holds.
pub fn call_ids(messages: &[Message]) -> impl Iterator<Item = String> {
    messages.iter().flat_map(|message| match message {
        Message::Assistant(assistant) => assistant.calls.iter().map(|call| call.id.clone()).collect(),
        _ => Vec::new(),
    })
}
