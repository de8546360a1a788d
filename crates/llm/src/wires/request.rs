//! Writing a request in the dialect of a wire: URL, headers and body.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::{Wire, anthropic, gemini, ollama, openai_chat, openai_responses};
use crate::endpoint::ModelEndpoint;
use crate::model::{Choice, ModelRequest};
use crate::tool::{ToolSet, ToolSpec};
use crate::transport::{ModelTimeouts, TransportRequest, secret_header};

impl Wire {
    /// Writes the request in this dialect.
    pub fn render(
        self,
        request: &ModelRequest,
        endpoint: &ModelEndpoint,
        limits: ModelTimeouts,
    ) -> TransportRequest {
        let request = &with_known_choice(request, endpoint);
        let path = match self {
            Self::OpenAiChat => "/chat/completions",
            Self::OpenAiResponses => "/responses",
            Self::Anthropic => "/messages",
            Self::Gemini => {
                let model = endpoint.model.strip_prefix("models/").unwrap_or(&endpoint.model);
                &format!("/models/{model}:streamGenerateContent")
            }
            Self::Ollama => "/api/chat",
        };
        let body = match self {
            Self::OpenAiChat => openai_chat::render::body(request, endpoint),
            Self::OpenAiResponses => openai_responses::render::body(request, endpoint),
            Self::Anthropic => anthropic::render::body(request, endpoint),
            Self::Gemini => gemini::render::body(request, endpoint),
            Self::Ollama => ollama::render::body(request, endpoint),
        };
        let query = (self == Self::Gemini).then_some("alt=sse");
        TransportRequest {
            url: endpoint.url(path, query),
            headers: self.headers(endpoint),
            body: Bytes::from(Value::Object(body).to_string()),
            limits,
        }
    }

    /// The headers of a request in this dialect, the key's among them.
    pub(crate) fn headers(self, endpoint: &ModelEndpoint) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let accept = if self == Self::Ollama {
            "application/x-ndjson"
        } else {
            "text/event-stream"
        };
        headers.insert(http::header::ACCEPT, HeaderValue::from_static(accept));
        if self == Self::Anthropic {
            headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
        }
        let Some(key) = &endpoint.key else { return headers };
        let own = match self {
            Self::Anthropic => Some("x-api-key"),
            Self::Gemini => Some("x-goog-api-key"),
            Self::OpenAiChat | Self::OpenAiResponses | Self::Ollama => None,
        };
        let (name, value) = match endpoint.quirks.key_header.as_deref().or(own) {
            Some(name) => (name, key.reveal().to_owned()),
            None => ("authorization", format!("Bearer {}", key.reveal())),
        };
        if let (Ok(name), Some(value)) = (name.parse::<HeaderName>(), secret_header(&value)) {
            headers.insert(name, value);
        }
        headers
    }
}

/// Replaces a choice of tool that the provider does not know: one named tool is then offered alone.
fn with_known_choice(request: &ModelRequest, endpoint: &ModelEndpoint) -> ModelRequest {
    let mut request = request.clone();
    if let Choice::Only(name) = &request.choice
        && !endpoint.quirks.named_choice
    {
        let only: Vec<ToolSpec> = request
            .tools
            .iter()
            .filter(|tool| tool.name == *name)
            .map(|tool| (**tool).clone())
            .collect();
        request.tools = ToolSet::new(only);
        request.choice = Choice::Required;
    }
    if request.choice == Choice::Required && !endpoint.quirks.required_choice {
        request.choice = Choice::Auto;
    }
    request
}
