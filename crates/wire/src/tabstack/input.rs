//! The body and answer of `POST /v1/automate/{requestID}/input`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contract::ParsedRequest;
use crate::input::{FieldValue, FormAnswer};
use crate::strict::{self, Fields, RequestRefusal};

/// Reads an answer: either values or a refusal to give any, never both and never neither. A field without a `value` is left empty;
/// one with anything else in place of it is refused.
///
/// # Errors
/// Naming what is wrong.
pub fn parse_answer(body: &[u8]) -> Result<ParsedRequest<FormAnswer>, RequestRefusal> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(RequestRefusal::body(
            "the body is empty; send {\"fields\": [...]} or {\"cancelled\": true}",
        ));
    }
    let mut from = strict::object(body)?;
    let cancelled = from.flag("cancelled")?.unwrap_or(false);
    let fields = from.objects("fields", 200)?;
    let request = match (cancelled, fields) {
        (true, None) => FormAnswer::Cancelled,
        (true, Some(fields)) if fields.is_empty() => FormAnswer::Cancelled,
        (true, Some(_)) => {
            return Err(RequestRefusal::field(
                "cancelled",
                "send either fields or cancelled, not both",
            ));
        }
        (false, None) => {
            from.ignored()?;
            return Err(RequestRefusal::body(
                "send {\"fields\": [...]} or {\"cancelled\": true}",
            ));
        }
        (false, Some(fields)) => {
            let values = fields.into_iter().map(|field| field_value(field, &mut from));
            FormAnswer::Fields(values.collect::<Result<_, _>>()?)
        }
    };
    let ignored = from.ignored()?;
    Ok(ParsedRequest { request, ignored })
}

fn field_value(mut field: Fields, answer: &mut Fields) -> Result<FieldValue, RequestRefusal> {
    let ref_ = field.words("ref", 200)?;
    let value = field.text("value", 20_000)?;
    match &value {
        Some(_) => answer.ignore_rest_of(&field)?,
        None => field.refuse_others()?,
    }
    let value = value.unwrap_or_default();
    Ok(FieldValue { ref_, value })
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
