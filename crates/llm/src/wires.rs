//! Wires: the five dialects that providers speak, how requests are written and how payloads become deltas.

pub mod anthropic;
mod decoder;
mod dialect;
pub mod gemini;
pub mod ollama;
pub mod openai_chat;
pub mod openai_responses;
mod read;
mod render;
mod request;

pub use decoder::WireDecoder;
pub(crate) use read::error_text;

use self::dialect::Dialect;
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
        let name = name.trim().to_ascii_lowercase().replace('-', "_");
        Self::ALL.into_iter().find(|wire| {
            let dialect = wire.dialect();
            dialect.name == name || dialect.aliases.contains(&name.as_str())
        })
    }

    /// Its name in configuration and on the command line.
    pub fn name(self) -> &'static str {
        self.dialect().name
    }

    /// How its bodies frame payloads.
    pub fn framing(self) -> Framing {
        self.dialect().framing
    }

    /// A decoder at the start of an answer.
    pub fn decoder(self) -> Box<dyn WireDecoder> {
        (self.dialect().decoder)()
    }

    /// What the dialect's file states about it.
    pub(crate) fn dialect(self) -> &'static Dialect {
        match self {
            Self::OpenAiChat => &openai_chat::DIALECT,
            Self::OpenAiResponses => &openai_responses::DIALECT,
            Self::Anthropic => &anthropic::DIALECT,
            Self::Gemini => &gemini::DIALECT,
            Self::Ollama => &ollama::DIALECT,
        }
    }
}
