//! `RequestRefusal`: why a request is refused, naming the field.

use serde_json::Value;

use crate::error::Code;

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text())]
pub struct RequestRefusal {
    /// Which error.
    pub code: Code,
    /// The field that is wrong, as the body spells it (`fields[0].ref`); absent when the body as a whole is.
    pub field: Option<String>,
    /// What is wrong with it.
    pub message: String,
}

impl RequestRefusal {
    /// A field is wrong.
    #[must_use]
    pub fn field(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: Code::InvalidRequest,
            field: Some(name.into()),
            message: message.into(),
        }
    }

    /// The body is wrong.
    #[must_use]
    pub fn body(message: impl Into<String>) -> Self {
        Self {
            code: Code::InvalidRequest,
            field: None,
            message: message.into(),
        }
    }

    /// The text for the client.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.field {
            Some(field) => format!("{field}: {}", self.message),
            None => self.message.clone(),
        }
    }
}

/// The JSON type of a value, with its article.
pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A key fit for an error text: short and without control characters.
pub(super) fn shorten(key: &str) -> String {
    key.chars().filter(|it| !it.is_control()).take(60).collect()
}
