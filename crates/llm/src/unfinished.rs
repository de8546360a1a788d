//! `Unfinished`: why an answer cannot be used.

/// An answer that cannot be used. Nothing in it may be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    /// The provider wrote an error object into the stream.
    #[error("the provider reported an error inside its answer: {message}")]
    Upstream {
        /// The provider's words, shortened.
        message: String,
    },
    /// The provider or the model declined to answer.
    #[error("the answer was withheld by the provider or refused by the model: {reason}")]
    ContentFilter {
        /// The provider's word or the model's sentence.
        reason: String,
        /// True when the model itself refused.
        refused: bool,
    },
    /// The provider says that the model wrote an unreadable call.
    #[error("the provider could not read the model's tool call ({reason}); ask again")]
    MalformedFunctionCall {
        /// The provider's word.
        reason: String,
    },
    /// The connection closed before the answer was whole.
    #[error("the stream ended before the answer was whole; ask again")]
    StreamTruncated,
    /// A piece of arguments came that belongs to no call.
    #[error("a piece of a tool call belongs to no call: {received}")]
    OrphanDelta {
        /// The piece, shortened.
        received: String,
    },
    /// A chunk that is not what the wire promises.
    #[error("a chunk of the answer cannot be read: {received}")]
    MalformedChunk {
        /// The chunk, shortened.
        received: String,
    },
    /// The answer grew beyond what we keep.
    #[error("the answer is larger than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
}

impl Unfinished {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Upstream { .. } => "upstream_error",
            Self::ContentFilter { .. } => "content_filter",
            Self::MalformedFunctionCall { .. } => "malformed_function_call",
            Self::StreamTruncated => "stream_truncated",
            Self::OrphanDelta { .. } => "orphan_delta",
            Self::MalformedChunk { .. } => "malformed_chunk",
            Self::TooLarge { .. } => "answer_too_large",
        }
    }

    pub(crate) fn malformed(received: &str) -> Self {
        Self::MalformedChunk {
            received: shorten(received),
        }
    }

    pub(crate) fn upstream(message: &str) -> Self {
        Self::Upstream {
            message: shorten(message),
        }
    }
}

/// How much of a provider's words is kept in an error.
const MAX_CHARS: usize = 300;

/// At most [`MAX_CHARS`] characters, with a mark when something is left out.
pub(crate) fn shorten(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
