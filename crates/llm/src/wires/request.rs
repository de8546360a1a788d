//! Writing a request in the dialect of a wire: URL, headers and body.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::Wire;
use crate::endpoint::ModelEndpoint;
use crate::model::{Choice, ModelRequest};
use crate::sse::Framing;
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
        let dialect = self.dialect();
        let body = (dialect.body)(request, endpoint);
        TransportRequest {
            url: endpoint.url(&(dialect.path)(endpoint), dialect.query),
            headers: self.headers(endpoint),
            body: Bytes::from(Value::Object(body).to_string()),
            limits,
        }
    }

    /// The headers of a request in this dialect, the key's among them.
    pub(crate) fn headers(self, endpoint: &ModelEndpoint) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let dialect = self.dialect();
        let accept = match dialect.framing {
            Framing::Lines => "application/x-ndjson",
            Framing::Events => "text/event-stream",
        };
        headers.insert(http::header::ACCEPT, HeaderValue::from_static(accept));
        if let Some((name, value)) = dialect.version_header {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let Some(key) = &endpoint.key else { return headers };
        let (name, value) = match endpoint.quirks.key_header.as_deref().or(dialect.key_header) {
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
