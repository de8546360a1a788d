//! Which dialects providers speak, and how their payloads become deltas.

pub mod anthropic;
pub mod gemini;
pub mod ollama;
pub mod openai_chat;
pub mod openai_responses;
mod read;
mod render;

pub(crate) use read::error_text;

use serde_json::Value;

use crate::delta::{Delta, Part};
use crate::sse::{Framing, Payload};
use crate::unfinished::Unfinished;

/// A dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wire {
    /// OpenAI chat completions, and the many that speak it.
    OpenAiChat,
    /// OpenAI responses.
    OpenAiResponses,
    /// Anthropic messages.
    Anthropic,
    /// Google Gemini `streamGenerateContent`.
    Gemini,
    /// Ollama's own `/api/chat`.
    Ollama,
}

impl Wire {
    /// All dialects.
    pub const ALL: [Self; 5] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
        Self::Ollama,
    ];

    /// The dialect of that name.
    pub fn named(name: &str) -> Option<Self> {
        Some(
            match name.trim().to_ascii_lowercase().replace('-', "_").as_str() {
                "openai_chat" => Self::OpenAiChat,
                "openai_responses" => Self::OpenAiResponses,
                "anthropic" | "anthropic_messages" => Self::Anthropic,
                "gemini" => Self::Gemini,
                "ollama" => Self::Ollama,
                _ => return None,
            },
        )
    }

    /// Its name in configuration and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai_chat",
            Self::OpenAiResponses => "openai_responses",
            Self::Anthropic => "anthropic_messages",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    /// How its bodies frame payloads.
    pub fn framing(self) -> Framing {
        match self {
            Self::Ollama => Framing::Lines,
            Self::OpenAiChat | Self::OpenAiResponses | Self::Anthropic | Self::Gemini => Framing::Events,
        }
    }

    /// A decoder at the start of an answer.
    pub fn decoder(self) -> Box<dyn Decode> {
        match self {
            Self::OpenAiChat => Box::new(openai_chat::Chunks),
            Self::OpenAiResponses => Box::<openai_responses::Events>::default(),
            Self::Anthropic => Box::<anthropic::Events>::default(),
            Self::Gemini => Box::<gemini::Chunks>::default(),
            Self::Ollama => Box::<ollama::Lines>::default(),
        }
    }
}

/// From the payloads of one answer to deltas. Holds what a wire's later payloads say about earlier ones.
pub trait Decode: Send {
    /// Reads the next payload, already parsed.
    ///
    /// # Errors
    /// When the payload is an error report or not what the wire promises.
    fn value(&mut self, value: &Value) -> Result<Delta, Unfinished>;

    /// True when closing the connection now is how this wire ends an answer.
    fn ends_by_closing(&self) -> bool {
        false
    }

    /// Reads the next payload as it came.
    ///
    /// # Errors
    /// As [`Decode::value`], and when the payload is no JSON.
    fn payload(&mut self, payload: &Payload) -> Result<Delta, Unfinished> {
        let data = payload.data.trim();
        if data == "[DONE]" {
            return Ok(Delta::of(Part::End));
        }
        let parsed: Result<Value, _> = serde_json::from_str(data);
        if payload.event.as_deref() == Some("error") {
            return Err(Unfinished::upstream(&read::error_text(
                parsed.ok().as_ref(),
                data,
            )));
        }
        let value = parsed.map_err(|_| Unfinished::malformed(data))?;
        if !value.is_object() {
            return Err(Unfinished::malformed(data));
        }
        self.value(&value)
    }
}
