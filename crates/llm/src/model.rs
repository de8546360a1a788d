//! `Model`: the port of a language model, with its request.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use serde_json::Value;

use crate::context::DEFAULT_CONTEXT_TOKENS;
use crate::delta::Delta;
use crate::error::Error;
use crate::message::Message;
use crate::tool::ToolSet;
use crate::usage::Usage;

/// A language model. Engines: a provider over one of the wires, and scripts for tests.
///
/// Promises: the stream gives the deltas of one answer in order and nothing after an error; a request is sent again
/// only before the first delta; dropping the stream ends the request.
pub trait Model: Send + Sync {
    /// The model's name as configured.
    fn name(&self) -> &str;

    /// The name of its provider; the model's own where there is none.
    fn provider(&self) -> &str {
        self.name()
    }

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Sends a request. Work starts when the stream is first polled.
    fn stream(&self, request: &ModelRequest) -> BoxStream<'static, Result<Delta, Error>>;

    /// Turns texts into vectors, by another model of the same provider where one is named. Most engines unsupported.
    fn embed(&self, texts: &[String], model: Option<&str>) -> BoxFuture<'static, Result<Embedded, Error>> {
        let _ = (texts, model);
        let error = no_embeddings(self.name());
        async move { Err(error) }.boxed()
    }
}

/// Texts as vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// One vector for each text, in the order of the texts, all of one length.
    pub vectors: Vec<Vec<f32>>,
    /// The model that made them, as the provider calls it.
    pub model: String,
    /// Tokens used.
    pub usage: Usage,
}

/// The error for a provider without embeddings, naming those that have them.
pub(crate) fn no_embeddings(who: &str) -> Error {
    Error::BadSetting {
        variable: "HUNTSMAN_LLM_PROVIDER".into(),
        reason: format!(
            "{who} has no embeddings that can be asked for; use a provider that speaks OpenAI's dialect (openai_chat) or ollama, \
             and name its embedding model"
        ),
    }
}

/// What a model or its provider supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// It can be held to a JSON Schema.
    pub json_schema: bool,
    /// It can call tools.
    pub tools: bool,
    /// It reads images.
    pub images: bool,
    /// It can make several calls in one turn.
    pub parallel_calls: bool,
    /// Tokens that it reads and writes in one call.
    pub context_tokens: u32,
}

impl Default for Capabilities {
    fn default() -> Self {
        Self {
            json_schema: true,
            tools: true,
            images: true,
            parallel_calls: true,
            context_tokens: DEFAULT_CONTEXT_TOKENS,
        }
    }
}

/// A request to a model.
#[derive(Debug, Clone, Default)]
pub struct ModelRequest {
    /// The conversation. Every call in it must have its result ([`crate::History`] sees to that).
    pub messages: Vec<Message>,
    /// The tools the model may call.
    pub tools: ToolSet,
    /// Whether it may, must or must not call one.
    pub choice: Choice,
    /// The schema the answer's text must follow, where the provider can hold the model to it.
    pub output: Option<OutputSchema>,
    /// Most tokens of the answer.
    pub max_tokens: Option<u32>,
    /// Randomness, 0 to 2.
    pub temperature: Option<f64>,
    /// Seed, where the provider knows one.
    pub seed: Option<u64>,
    /// Allow several calls in one turn.
    pub parallel_calls: bool,
}

impl ModelRequest {
    /// A request of this conversation, at temperature 0.
    pub fn new(messages: Vec<Message>) -> Self {
        Self {
            messages,
            temperature: Some(0.0),
            parallel_calls: true,
            ..Self::default()
        }
    }
}

/// Whether the model may call tools.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Choice {
    /// As it likes.
    #[default]
    Auto,
    /// Not at all.
    None,
    /// At least one.
    Required,
    /// This one.
    Only(String),
}

/// A schema for the answer itself.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputSchema {
    /// A short name for it: letters, digits, `_`, `-`.
    pub name: String,
    /// The JSON Schema.
    pub schema: Value,
}
