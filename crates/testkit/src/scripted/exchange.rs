//! One request to a scripted provider.

use llm::wires::Wire;
use serde_json::Value;

/// One request as the provider saw it.
#[derive(Debug, Clone)]
pub struct ProviderRequest {
    /// The wire it came in, by its path.
    pub wire: Wire,
    /// Its path and query.
    pub path: String,
    /// Its headers.
    pub headers: http::HeaderMap,
    /// Its body.
    pub body: Value,
}
