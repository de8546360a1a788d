//! From a failure status of a provider to an error.

use std::time::Duration;

use http::HeaderMap;
use serde_json::Value;

use crate::endpoint::ModelEndpoint;
use crate::error::Error;
use crate::unfinished::{Unfinished, shorten};

/// The error for a status that is no success. The provider's message is kept, but no key in it.
pub(crate) fn refusal_error(
    endpoint: &ModelEndpoint,
    status: u16,
    headers: &HeaderMap,
    path: &str,
    body: &[u8],
) -> Error {
    let provider = endpoint.provider.clone();
    let text = String::from_utf8_lossy(body);
    let parsed: Option<Value> = serde_json::from_str(text.trim()).ok();
    let parsed = match parsed {
        Some(Value::Array(mut list)) if !list.is_empty() => Some(list.swap_remove(0)),
        other => other,
    };
    let message = crate::wires::error_text(parsed.as_ref(), &text);
    let message = shorten(&without_key(&message, endpoint));
    let unauthorized = |provider| Error::Unauthorized {
        provider,
        status,
        variable: endpoint.key_variable.clone(),
    };
    let unknown_model = |provider, message| Error::UnknownModel {
        provider,
        model: endpoint.model.clone(),
        message,
    };
    let cause = Cause::of(&RefusalWords {
        status,
        codes: codes(parsed.as_ref()),
        message: message.to_lowercase(),
        parameter: parameter(parsed.as_ref()),
        model: endpoint.model.to_lowercase(),
    });
    match status {
        403 if cause.moderated => Error::Unfinished(Unfinished::ContentFilter {
            reason: message,
            refused: false,
        }),
        403 if cause.about_place => Error::BadRequest {
            provider,
            status,
            message,
        },
        401 | 403 => unauthorized(provider),
        402 => Error::NoCredit { provider, message },
        404 if cause.about_model => unknown_model(provider, message),
        404 | 405 => Error::NoSuchEndpoint {
            provider,
            path: path.to_owned(),
            message,
        },
        400 | 413 | 422 if cause.context_too_long => Error::ContextTooLong { message },
        400 if cause.bad_key => unauthorized(provider),
        400 | 422 if cause.about_model => unknown_model(provider, message),
        429 if cause.no_credit => Error::NoCredit { provider, message },
        429 => Error::RateLimited {
            provider,
            retry_after: retry_after(headers).or_else(|| parsed.as_ref().and_then(retry_delay)),
        },
        408 | 409 | 425 | 500..=599 => Error::Unavailable {
            provider,
            status,
            message,
        },
        _ => Error::BadRequest {
            provider,
            status,
            message,
        },
    }
}

/// What the provider's words say about the cause, where the status alone does not tell.
struct Cause {
    about_model: bool,
    context_too_long: bool,
    bad_key: bool,
    no_credit: bool,
    /// What was asked is refused for its contents.
    moderated: bool,
    /// Requests from this country are refused.
    about_place: bool,
}

/// What a provider said about a refusal, in lower case.
struct RefusalWords {
    status: u16,
    /// The type and codes of the error.
    codes: String,
    message: String,
    /// The parameter of the request that the error belongs to, where the provider names one.
    parameter: Option<String>,
    /// The model asked for.
    model: String,
}

impl RefusalWords {
    fn says(&self, phrases: &[&str]) -> bool {
        let texts = [&self.codes, &self.message];
        texts
            .iter()
            .any(|text| phrases.iter().any(|phrase| text.contains(phrase)))
    }

    /// Whether a parameter of the request is refused, and not the model nor the length of the request.
    fn names_parameter(&self) -> bool {
        let parameter = self
            .parameter
            .as_deref()
            .map(|name| name.split(['.', '[']).next().unwrap_or(name));
        parameter.is_some_and(|name| !WHOLE_REQUEST.contains(&name)) || self.says(PARAMETER_PHRASES)
    }

    /// Whether the model is what is not supported.
    fn refuses_model(&self) -> bool {
        let is_model = |before: &str| {
            let before = before.trim_end();
            let before = before
                .strip_suffix(" is")
                .unwrap_or(before)
                .trim_end_matches(['\'', '"', '`']);
            before.ends_with("model") || (!self.model.is_empty() && before.ends_with(&self.model))
        };
        let mut places = self.message.match_indices("not supported");
        places.any(|(at, _)| self.message.get(..at).is_some_and(is_model))
    }

    /// Whether the request as a whole is too large, and not a number or a picture in it.
    fn is_too_large(&self) -> bool {
        let is_request = self.status == 413 || REQUEST_WORDS.iter().any(|word| self.message.contains(word));
        is_request && self.says(&["too large"])
    }
}

impl Cause {
    fn of(words: &RefusalWords) -> Self {
        let names_parameter = words.names_parameter();
        let names_model = words.says(&["model"]) && words.says(MODEL_PHRASES);
        Self {
            about_model: words.says(MODEL_CODES)
                || (!names_parameter && (names_model || words.refuses_model())),
            context_too_long: words.says(CONTEXT_PHRASES) || (!names_parameter && words.is_too_large()),
            bad_key: words.says(KEY_PHRASES),
            no_credit: words.says(CREDIT_PHRASES),
            moderated: words.says(MODERATION_PHRASES),
            about_place: words.says(PLACE_PHRASES),
        }
    }
}

const MODEL_CODES: &[&str] = &["model_not_found", "unknown_model", "model_not_available"];
/// Phrases about a model where the text names one.
const MODEL_PHRASES: &[&str] = &[
    "not found",
    "does not exist",
    "no such",
    "not exist",
    "not a valid model",
    "not a supported model",
    "unknown model",
    "unsupported model",
    "invalid model",
];
/// Phrases and names of parameters that many models do not take, or only within bounds.
const PARAMETER_PHRASES: &[&str] = &[
    "unsupported parameter",
    "unsupported_parameter",
    "unsupported value",
    "unsupported_value",
    "unknown parameter",
    "unknown_parameter",
    "unrecognized request argument",
    "response_format",
    "json_schema",
    "tool_choice",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
];
/// Parameters about which an error is one about the model or the whole request.
const WHOLE_REQUEST: &[&str] = &["", "model", "messages", "input", "prompt", "contents"];
/// What providers call the request or its text.
const REQUEST_WORDS: &[&str] = &["prompt", "input", "request", "message"];
const CONTEXT_PHRASES: &[&str] = &[
    "exceed_context_size",
    "context_length",
    "context length",
    "context window",
    "prompt is too long",
    "too many tokens",
    "maximum context",
];
const KEY_PHRASES: &[&str] = &[
    "api key not valid",
    "invalid api key",
    "api_key_invalid",
    "incorrect api key",
];
/// Phrases about an account that cannot pay. "Billing details" alone are none of them: Gemini names them in the answer to
/// too many requests in a minute.
const CREDIT_PHRASES: &[&str] = &[
    "insufficient_quota",
    "insufficient quota",
    "insufficient balance",
    "billing_not_active",
    "billing_hard_limit",
    "account is not active",
    "credit balance",
];
const MODERATION_PHRASES: &[&str] = &["moderation", "flagged", "content policy", "content_policy"];
const PLACE_PHRASES: &[&str] = &["country", "territory", "your region", "your location"];

/// The parameter that an error names, in lower case.
fn parameter(value: Option<&Value>) -> Option<String> {
    let inner = value?.get("error").or(value)?;
    Some(inner.get("param")?.as_str()?.to_lowercase())
}

fn codes(value: Option<&Value>) -> String {
    let Some(value) = value else { return String::new() };
    let inner = value.get("error").unwrap_or(value);
    ["type", "code", "status"]
        .iter()
        .filter_map(|key| inner.get(*key).and_then(Value::as_str))
        .map(str::to_lowercase)
        .collect::<Vec<_>>()
        .join(" ")
}

fn without_key(text: &str, endpoint: &ModelEndpoint) -> String {
    match &endpoint.key {
        Some(key) if !key.reveal().is_empty() => text.replace(key.reveal(), "[key]"),
        _ => text.to_owned(),
    }
}

/// The wait that Google's `RetryInfo` names among the details of an error, in seconds: `{"retryDelay": "23.5s"}`.
fn retry_delay(value: &Value) -> Option<Duration> {
    let details = value.pointer("/error/details")?.as_array()?;
    let delay = details
        .iter()
        .find_map(|detail| detail.get("retryDelay")?.as_str())?;
    let seconds: f64 = delay.trim().strip_suffix('s')?.parse().ok()?;
    wait_of(seconds)
}

/// A wait of so many seconds, a day at most; none for what is no number of seconds.
fn wait_of(seconds: f64) -> Option<Duration> {
    (seconds >= 0.0 && seconds.is_finite()).then(|| Duration::from_secs_f64(seconds.min(86_400.0)))
}

/// How long to wait, in the exact header if there is one, else in the standard one (seconds only).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let millis = number("retry-after-ms").and_then(|millis| wait_of(millis / 1000.0));
    millis.or_else(|| number("retry-after").and_then(wait_of))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::endpoint::Quirks;
    use crate::wires::Wire;

    /// The code of the error for a refusal by the provider of the model `small-1`.
    fn code(status: u16, error: &Value) -> &'static str {
        refusal(status, error).code()
    }

    fn refusal(status: u16, error: &Value) -> Error {
        let endpoint = ModelEndpoint {
            provider: "provider".into(),
            wire: Wire::OpenAiChat,
            base_url: "http://ok.test/v1".parse().unwrap(),
            model: "small-1".into(),
            key: None,
            key_variable: "KEY".into(),
            quirks: Quirks::default(),
            context_tokens: 8000,
        };
        let body = json!({ "error": error }).to_string();
        refusal_error(&endpoint, status, &HeaderMap::new(), "/v1", body.as_bytes())
    }

    #[test]
    fn a_refused_parameter_is_neither_an_unknown_model_nor_a_long_request() {
        for (status, message, expected) in [
            (
                400,
                "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
                "LLM_BAD_REQUEST",
            ),
            (
                400,
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                "LLM_BAD_REQUEST",
            ),
            (
                400,
                "Unsupported value: 'temperature' does not support 0.2 with this model.",
                "LLM_BAD_REQUEST",
            ),
            (400, "Tools are not supported by this model", "LLM_BAD_REQUEST"),
            (
                400,
                "max_tokens is too large: 200000. This model supports at most 16384 completion tokens.",
                "LLM_BAD_REQUEST",
            ),
            (400, "The picture is too large", "LLM_BAD_REQUEST"),
            (400, "The model `small-1` is not supported", "LLM_UNKNOWN_MODEL"),
            (400, "The requested model is not supported.", "LLM_UNKNOWN_MODEL"),
            (400, "small-1 is not a supported model", "LLM_UNKNOWN_MODEL"),
            (404, "The model `small-1` does not exist", "LLM_UNKNOWN_MODEL"),
            (413, "Payload Too Large", "LLM_CONTEXT_TOO_LONG"),
            (400, "The request is too large", "LLM_CONTEXT_TOO_LONG"),
            (
                400,
                "This model's maximum context length is 8000 tokens. You requested 9000 tokens; reduce max_tokens.",
                "LLM_CONTEXT_TOO_LONG",
            ),
        ] {
            let error = json!({"message": message, "type": "invalid_request_error"});
            assert_eq!(code(status, &error), expected, "{message}");
        }
    }

    #[test]
    fn the_parameter_that_a_provider_names_tells_what_is_refused() {
        let message = "The model does not exist or a value of it was not found";
        for (parameter, expected) in [
            (json!("reasoning.effort"), "LLM_BAD_REQUEST"),
            (json!("model"), "LLM_UNKNOWN_MODEL"),
            (json!("messages[0].content"), "LLM_UNKNOWN_MODEL"),
            (Value::Null, "LLM_UNKNOWN_MODEL"),
        ] {
            let error = json!({"message": message, "param": parameter});
            assert_eq!(code(400, &error), expected, "{parameter}");
        }
    }
    #[test]
    fn too_many_requests_pass_and_an_account_without_credit_does_not() {
        const QUOTA: &str = "You exceeded your current quota, please check your plan and billing details.";
        let details = json!([
            {"@type": "type.googleapis.com/google.rpc.Help", "links": []},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "23.5s"}
        ]);
        let gemini =
            json!({"code": 429, "message": QUOTA, "status": "RESOURCE_EXHAUSTED", "details": details});
        assert_eq!(
            refusal(429, &gemini),
            Error::RateLimited {
                provider: "provider".into(),
                retry_after: Some(Duration::from_millis(23_500)),
            }
        );
        for error in [
            json!({"message": QUOTA, "type": "insufficient_quota", "code": "insufficient_quota"}),
            json!({"message": "Your account is not active, please check your billing details on our website.",
                "type": "billing_not_active"}),
        ] {
            assert_eq!(code(429, &error), "LLM_NO_CREDIT", "{error}");
        }
    }

    #[test]
    fn a_forbidden_request_is_not_always_a_matter_of_the_key() {
        for (message, expected) in [
            (
                "Your request was flagged: it requires moderation",
                "LLM_CONTENT_FILTER",
            ),
            ("Country, region, or territory not supported", "LLM_BAD_REQUEST"),
            ("Your key may not use this model", "LLM_UNAUTHORIZED"),
            ("forbidden", "LLM_UNAUTHORIZED"),
        ] {
            assert_eq!(code(403, &json!({"message": message})), expected, "{message}");
        }
    }
}
