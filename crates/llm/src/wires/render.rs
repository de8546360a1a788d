//! What every wire's request has in common: names that providers accept, headers, and the way out.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::Wire;
use crate::endpoint::Endpoint;
use crate::model::{Choice, Request};
use crate::tool::{ToolSet, ToolSpec, safe_name};
use crate::transport::{Limits, Outgoing, secret_header};

impl Wire {
    /// Writes the request in this dialect.
    pub fn render(self, request: &Request, endpoint: &Endpoint, limits: Limits) -> Outgoing {
        let request = &offered_alone(request, endpoint);
        let (path, query, body) = match self {
            Self::OpenAiChat => (
                "/chat/completions".to_owned(),
                None,
                super::openai_chat::render::body(request, endpoint),
            ),
            Self::OpenAiResponses => (
                "/responses".to_owned(),
                None,
                super::openai_responses::render::body(request, endpoint),
            ),
            Self::Anthropic => (
                "/messages".to_owned(),
                None,
                super::anthropic::render::body(request, endpoint),
            ),
            Self::Gemini => {
                let model = endpoint.model.strip_prefix("models/").unwrap_or(&endpoint.model);
                let path = format!("/models/{model}:streamGenerateContent");
                (
                    path,
                    Some("alt=sse"),
                    super::gemini::render::body(request, endpoint),
                )
            }
            Self::Ollama => (
                "/api/chat".to_owned(),
                None,
                super::ollama::render::body(request, endpoint),
            ),
        };
        Outgoing {
            url: endpoint.url(&path, query),
            headers: self.headers(endpoint),
            body: Bytes::from(Value::Object(body).to_string()),
            limits,
        }
    }

    /// The headers of a request in this dialect, the key's among them.
    pub(crate) fn headers(self, endpoint: &Endpoint) -> HeaderMap {
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

/// A provider that cannot be told to call one named tool is offered that tool alone.
fn offered_alone(request: &Request, endpoint: &Endpoint) -> Request {
    let mut request = request.clone();
    if let Choice::Only(name) = &request.choice
        && !endpoint.quirks.named_choice
    {
        let only: Vec<ToolSpec> = request
            .tools
            .iter()
            .filter(|it| it.name == *name)
            .map(|it| (**it).clone())
            .collect();
        request.tools = ToolSet::new(only);
        request.choice = Choice::Required;
    }
    if request.choice == Choice::Required && !endpoint.quirks.required_choice {
        request.choice = Choice::Auto;
    }
    request
}

/// Whether the request may carry tools at all.
pub(super) fn has_tools(request: &Request, endpoint: &Endpoint) -> bool {
    !request.tools.is_empty() && endpoint.quirks.tools
}

/// A function tool in OpenAI's words, without the envelope.
pub(super) fn function(tool: &ToolSpec) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("name".into(), safe_name(&tool.name).into_owned().into());
    fields.insert("description".into(), tool.description.clone().into());
    fields.insert("parameters".into(), parameters(tool));
    fields
}

/// A tool's parameters; providers want an object schema even where there is nothing to pass.
pub(super) fn parameters(tool: &ToolSpec) -> Value {
    let mut schema = tool.parameters.as_object().cloned().unwrap_or_default();
    schema.entry("type").or_insert_with(|| "object".into());
    schema
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    Value::Object(schema)
}

/// Adds a field where there is a value.
pub(super) fn put<T: Into<Value>>(body: &mut Map<String, Value>, name: &str, value: Option<T>) {
    if let Some(value) = value {
        body.insert(name.into(), value.into());
    }
}

/// Does the schema fit OpenAI's strict mode: every object closed and every property required?
pub(super) fn is_strict(schema: &Value) -> bool {
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
                    let required = fields.get("required").and_then(Value::as_array);
                    let all = properties.keys().all(|name| {
                        required.is_some_and(|list| list.iter().any(|it| it.as_str() == Some(name)))
                    });
                    if !all || fields.get("additionalProperties") != Some(&Value::Bool(false)) {
                        return false;
                    }
                }
                open.extend(fields.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    true
}
