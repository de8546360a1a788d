//! Wires: the five dialects that providers speak, how requests are written and how payloads become deltas.

pub mod anthropic;
mod decoder;
pub mod gemini;
pub mod ollama;
pub mod openai_chat;
pub mod openai_responses;
mod read;
mod render;
mod request;

pub use decoder::WireDecoder;
pub(crate) use read::error_text;

use crate::sse::Framing;

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
    pub fn decoder(self) -> Box<dyn WireDecoder> {
        match self {
            Self::OpenAiChat => Box::new(openai_chat::ChatDecoder),
            Self::OpenAiResponses => Box::<openai_responses::ResponsesDecoder>::default(),
            Self::Anthropic => Box::<anthropic::AnthropicDecoder>::default(),
            Self::Gemini => Box::<gemini::GeminiDecoder>::default(),
            Self::Ollama => Box::<ollama::OllamaDecoder>::default(),
        }
    }
}
