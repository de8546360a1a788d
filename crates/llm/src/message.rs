//! Messages of a conversation, independent of any provider.

use serde_json::{Map, Value};

/// One entry of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// Instructions that stand above the conversation.
    System(String),
    /// What the user or the program says.
    User(Vec<MessageContent>),
    /// What the model answered.
    Assistant(Assistant),
    /// What a tool call gave back.
    Observation(Observation),
}

impl Message {
    /// A user message of text alone.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User(vec![MessageContent::Text(text.into())])
    }
}

/// A piece of a user message.
#[derive(Debug, Clone, PartialEq)]
pub enum MessageContent {
    /// Text.
    Text(String),
    /// An image.
    Image {
        /// Its media type, such as `image/png`.
        media_type: String,
        /// Its bytes in base64.
        data: String,
    },
}

impl MessageContent {
    /// An image from its bytes.
    pub fn image(media_type: impl Into<String>, bytes: &[u8]) -> Self {
        use base64::Engine;
        let data = base64::engine::general_purpose::STANDARD.encode(bytes);
        Self::Image {
            media_type: media_type.into(),
            data,
        }
    }
}

/// An answer of the model, as it goes back into the conversation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assistant {
    /// Its text.
    pub text: String,
    /// Its calls, the malformed ones included.
    pub calls: Vec<Called>,
    /// Provider data to send back unchanged.
    pub extras: Vec<Value>,
}

/// A call as the conversation remembers it.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// Its id.
    pub id: String,
    /// The tool's name as the model wrote it; `unknown` where it wrote none.
    pub name: String,
    /// Its arguments; empty for a malformed call, whose text stands in its observation.
    pub arguments: Map<String, Value>,
    /// Provider data to send back unchanged.
    pub extras: Option<Value>,
}

/// What a call gave back, as the model reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The call's id.
    pub call_id: String,
    /// The tool's name.
    pub name: String,
    /// The result or the error, as text.
    pub text: String,
    /// True when the call failed or never ran.
    pub is_error: bool,
}
