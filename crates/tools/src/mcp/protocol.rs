//! JSON-RPC messages, versions and errors of the Model Context Protocol.

use serde_json::{Value, json};

/// The protocol version that is requested.
pub(super) const VERSION: &str = "2025-06-18";
/// The protocol versions that are understood.
pub(super) const SUPPORTED: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// Longest message of a server, in bytes.
pub(super) const MAX_MESSAGE_BYTES: usize = 16 << 20;

/// Longest text of an error, in bytes.
pub(super) const MAX_ERROR_TEXT: usize = 600;

/// An error of a server. No text holds a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum McpError {
    /// No request reaches it, or none is answered in time.
    #[error("{0}")]
    Unreachable(String),
    /// It does not run, refuses to work, or ended.
    #[error("{0}")]
    Unavailable(String),
    /// It refused a request.
    #[error("it refused {method}: {message}")]
    Refused {
        /// The method.
        method: String,
        /// Its message, shortened.
        message: String,
    },
    /// It speaks other versions of the protocol: these.
    #[error("it speaks other versions of the protocol: {}", .0.join(", "))]
    OtherVersions(Vec<String>),
    /// It violates the protocol.
    #[error("{0}")]
    Protocol(String),
}

impl McpError {
    /// The same error, its text changed.
    pub(super) fn map(self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::Unreachable(text) => Self::Unreachable(change(&text)),
            Self::Unavailable(text) => Self::Unavailable(change(&text)),
            Self::Protocol(text) => Self::Protocol(change(&text)),
            Self::Refused { method, message } => Self::Refused {
                method,
                message: change(&message),
            },
            Self::OtherVersions(versions) => {
                Self::OtherVersions(versions.iter().map(|it| change(it)).collect())
            }
        }
    }
}

/// A server's text for an error: without control characters, and bounded. [`MAX_ERROR_TEXT`] cuts it once more, after keys in
/// it were replaced, so that no part of one is left at the end.
pub(super) fn shown(text: &str) -> String {
    let longest = 8 * MAX_ERROR_TEXT;
    text.chars().filter(|it| !it.is_control()).take(longest).collect()
}

/// What the client says of itself.
pub(super) fn client_info() -> Value {
    json!({"name": "huntsman", "version": env!("CARGO_PKG_VERSION")})
}

/// A notification without parameters.
pub(super) fn notification(method: &str) -> Value {
    json!({"jsonrpc": "2.0", "method": method})
}

/// A request.
pub(super) fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// The result in a JSON-RPC response.
pub(super) fn result(method: &str, mut response: Value) -> Result<Value, McpError> {
    if let Some(error) = response.get("error").filter(|it| !it.is_null()) {
        let message = error
            .get("message")
            .and_then(Value::as_str)
            .unwrap_or("it gave no reason");
        return Err(McpError::Refused {
            method: method.to_owned(),
            message: shown(message),
        });
    }
    match response.get_mut("result").map(Value::take) {
        Some(result @ Value::Object(_)) => Ok(result),
        _ => Err(McpError::Protocol(format!(
            "its answer to {method} holds no result"
        ))),
    }
}

/// The response to a request of a server: `ping` is responseed, everything else is refused.
pub(super) fn reply(message: &Value) -> Option<Value> {
    let method = message.get("method").and_then(Value::as_str)?;
    let id = message.get("id").filter(|it| !it.is_null())?;
    Some(match method {
        "ping" => json!({"jsonrpc": "2.0", "id": id, "result": {}}),
        _ => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "this client offers nothing"}})
        }
    })
}
