//! From a failure status of a provider to an error.

use std::time::Duration;

use http::HeaderMap;
use serde_json::Value;

use crate::endpoint::ModelEndpoint;
use crate::error::Error;
use crate::unfinished::shorten;

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
    let cause = Cause::of(&format!("{} {}", kind(parsed.as_ref()), message.to_lowercase()));
    match status {
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
            retry_after: retry_after(headers),
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
}

impl Cause {
    fn of(text: &str) -> Self {
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
        Self {
            about_model: says(MODEL_CODES) || (text.contains("model") && says(MODEL_PHRASES)),
            context_too_long: says(CONTEXT_PHRASES),
            bad_key: says(KEY_PHRASES),
            no_credit: says(CREDIT_PHRASES),
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
    "unknown model",
    "not supported",
    "invalid model",
];
const CONTEXT_PHRASES: &[&str] = &[
    "exceed_context_size",
    "context_length",
    "context length",
    "context window",
    "prompt is too long",
    "too many tokens",
    "maximum context",
    "too large",
];
const KEY_PHRASES: &[&str] = &[
    "api key not valid",
    "invalid api key",
    "api_key_invalid",
    "incorrect api key",
];
const CREDIT_PHRASES: &[&str] = &["insufficient_quota", "insufficient quota", "billing"];

fn kind(value: Option<&Value>) -> String {
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

/// How long to wait, in the exact header if there is one, else in the standard one (seconds only).
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| {
        headers
            .get(name)?
            .to_str()
            .ok()?
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|number| *number >= 0.0 && number.is_finite())
    };
    let millis = number("retry-after-ms").map(|millis| millis / 1000.0);
    millis
        .or_else(|| number("retry-after"))
        .map(|seconds| Duration::from_secs_f64(seconds.min(86_400.0)))
}
