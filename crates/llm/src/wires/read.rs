//! Lenient reading of a provider's JSON: blank means absent, numbers come in several forms.

use serde_json::Value;

use crate::delta::{CallArguments, Delta, FinishReason, Fragment, Part, Place};
use crate::unfinished::Unfinished;
use crate::usage::Usage;

/// Parts are added only where the value holds something.
impl Delta {
    pub(super) fn add_text(&mut self, value: Option<&Value>) {
        self.parts.extend(text(value).map(Part::Text));
    }

    pub(super) fn add_reasoning(&mut self, value: Option<&Value>) {
        self.parts.extend(text(value).map(Part::Reasoning));
    }

    pub(super) fn add_refusal(&mut self, value: Option<&Value>) {
        self.parts.extend(text(value).map(Part::Refusal));
    }

    pub(super) fn add_usage(&mut self, value: Option<&Value>) {
        self.parts.extend(value.and_then(usage).map(Part::Usage));
    }

    pub(super) fn add_finish(&mut self, value: Option<&Value>) {
        let reason = value.and_then(Value::as_str).and_then(FinishReason::read);
        self.parts.extend(reason.map(Part::Finish));
    }

    /// Adds arguments to the call of a block.
    pub(super) fn add_arguments(&mut self, block: u32, arguments: Option<CallArguments>) {
        self.push(Part::Call(Fragment {
            arguments,
            ..Fragment::at(Place::Block(block))
        }));
    }
}

/// The items of a list; none where it is no list.
pub(super) fn items(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

/// The text of the field `type`, empty where it is missing.
pub(super) fn kind(value: &Value) -> &str {
    value.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Arguments as text or decoded; other JSON is kept as text and rejected when the call is read.
pub(super) fn arguments(value: Option<&Value>) -> Option<CallArguments> {
    Some(match value? {
        Value::Null => return None,
        Value::String(text) => CallArguments::Fragment(text.clone()),
        Value::Object(object) => CallArguments::Object(Box::new(object.clone())),
        other => CallArguments::Fragment(other.to_string()),
    })
}

/// Text that says something: no null, no blanks, not the word null. Numbers count as text.
pub(crate) fn word(value: Option<&Value>) -> Option<String> {
    let text = match value? {
        Value::String(text) => text.trim(),
        Value::Number(number) => return Some(number.to_string()),
        _ => return None,
    };
    (!text.is_empty() && text != "null").then(|| text.to_owned())
}

/// Text that is not empty, blanks included.
pub(crate) fn text(value: Option<&Value>) -> Option<String> {
    value?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// An index: an integer, an integral float or their text.
pub(crate) fn index(value: Option<&Value>) -> Option<i64> {
    match value? {
        Value::Number(number) => number.as_i64().or_else(|| integral(number.as_f64()?)),
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| integral(text.parse().ok()?))
        }
        _ => None,
    }
}

fn integral(number: f64) -> Option<i64> {
    let fits = number.fract() == 0.0 && number.abs() < 1e15;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the number is integral and below 2^53"
    )]
    fits.then_some(number as i64)
}

/// A count of tokens; negative ones and nonsense count as absent.
pub(crate) fn count(value: Option<&Value>) -> Option<u64> {
    index(value).and_then(|number| u64::try_from(number).ok())
}

/// An error object inside an answer: `{"error": ...}`, `{"object":"error"}` or `{"type":"error"}`.
pub(crate) fn error_in(value: &Value) -> Option<Unfinished> {
    let marked = ["object", "type"]
        .iter()
        .any(|key| value.get(key).and_then(Value::as_str) == Some("error"));
    let inner = value.get("error").filter(|inner| match inner {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        _ => true,
    });
    (marked || inner.is_some()).then(|| Unfinished::upstream(&error_text(Some(value), "")))
}

/// The provider's message about an error, from whichever field holds it.
pub(crate) fn error_text(value: Option<&Value>, otherwise: &str) -> String {
    let Some(value) = value else {
        return otherwise.to_owned();
    };
    let inner = value.get("error").unwrap_or(value);
    for place in [inner, value] {
        for key in [
            "message",
            "msg",
            "detail",
            "error_message",
            "status",
            "type",
            "code",
        ] {
            match place.get(key) {
                Some(Value::String(text)) if !text.is_empty() => return text.clone(),
                Some(other @ (Value::Object(_) | Value::Array(_))) => return other.to_string(),
                _ => {}
            }
        }
    }
    inner.as_str().map_or_else(
        || {
            if otherwise.is_empty() {
                inner.to_string()
            } else {
                otherwise.to_owned()
            }
        },
        str::to_owned,
    )
}

/// Usage from the names the wires use; `None` when no number is there.
pub(crate) fn usage(value: &Value) -> Option<Usage> {
    let first = |paths: &[&str]| paths.iter().find_map(|path| count(value.pointer(path)));
    let input = first(&[
        "/prompt_tokens",
        "/input_tokens",
        "/promptTokenCount",
        "/prompt_eval_count",
    ]);
    let output = first(&[
        "/completion_tokens",
        "/output_tokens",
        "/candidatesTokenCount",
        "/eval_count",
    ]);
    let cached = first(&[
        "/prompt_tokens_details/cached_tokens",
        "/input_tokens_details/cached_tokens",
        "/cache_read_input_tokens",
        "/cachedContentTokenCount",
        "/prompt_cache_hit_tokens",
    ]);
    // Anthropic counts cached and written tokens beside `input_tokens`, Gemini thoughts beside the candidates. Gateways that
    // give Anthropic's numbers beside `prompt_tokens` have them in it.
    let is_inclusive = first(&["/prompt_tokens"]).is_some();
    let beside = match is_inclusive {
        true => 0,
        false => first(&["/cache_read_input_tokens"])
            .unwrap_or(0)
            .saturating_add(first(&["/cache_creation_input_tokens"]).unwrap_or(0)),
    };
    let thoughts = first(&["/thoughtsTokenCount"]).unwrap_or(0);
    if input.is_none() && output.is_none() {
        return None;
    }
    Some(Usage {
        input: input.unwrap_or(0).saturating_add(beside),
        output: output.unwrap_or(0).saturating_add(thoughts),
        cached: cached.unwrap_or(0),
        estimated: false,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cached_tokens_count_once_whether_they_stand_in_the_input_or_beside_it() {
        let inclusive = json!({"prompt_tokens": 1000, "completion_tokens": 5, "cache_read_input_tokens": 700,
            "cache_creation_input_tokens": 200});
        let beside = json!({"input_tokens": 100, "output_tokens": 5, "cache_read_input_tokens": 700,
            "cache_creation_input_tokens": 200});
        for value in [inclusive, beside] {
            let expected = Usage {
                input: 1000,
                output: 5,
                cached: 700,
                estimated: false,
            };
            assert_eq!(usage(&value), Some(expected), "{value}");
        }
    }
}
