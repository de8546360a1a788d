//! The body and answer of `POST /v1/automate/{requestID}/input`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::input::{FieldValue, FormAnswer};
use crate::strict::{self, RequestRefusal};

/// Reads an answer: either values or a refusal to give any, never both and never neither.
///
/// # Errors
/// Naming what is wrong.
pub fn parse_answer(body: &[u8]) -> Result<FormAnswer, RequestRefusal> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(RequestRefusal::body(
            "the body is empty; send {\"fields\": [...]} or {\"cancelled\": true}",
        ));
    }
    let mut from = strict::object(body)?;
    let cancelled = from.flag("cancelled")?.unwrap_or(false);
    let fields = from.objects("fields", 200)?;
    match (cancelled, fields) {
        (true, None) => Ok(FormAnswer::Cancelled),
        (true, Some(fields)) if fields.is_empty() => Ok(FormAnswer::Cancelled),
        (true, Some(_)) => Err(RequestRefusal::field(
            "cancelled",
            "send either fields or cancelled, not both",
        )),
        (false, None) => Err(RequestRefusal::body(
            "send {\"fields\": [...]} or {\"cancelled\": true}",
        )),
        (false, Some(fields)) => {
            let values = fields.into_iter().map(|mut it| {
                let ref_ = it.words("ref", 200)?;
                let value = it.text("value", 20_000)?.unwrap_or_default();
                Ok(FieldValue { ref_, value })
            });
            values
                .collect::<Result<_, RequestRefusal>>()
                .map(FormAnswer::Fields)
        }
    }
}

/// The answer to an answer: it was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// `"accepted"`.
    pub status: String,
}

impl Default for Accepted {
    fn default() -> Self {
        Self {
            status: "accepted".into(),
        }
    }
}
