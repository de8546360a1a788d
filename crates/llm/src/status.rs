//! What a provider means by a failure status.

use std::time::Duration;

use http::HeaderMap;
use serde_json::Value;

use crate::endpoint::Endpoint;
use crate::error::Error;
use crate::unfinished::shorten;

/// The error for a status that is no success. The provider's words are kept, a key in them is not.
pub(crate) fn refusal(
    endpoint: &Endpoint,
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
    let kind = kind(parsed.as_ref());
    let lower = format!("{} {}", kind, message.to_lowercase());
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let about_model = says(&["model_not_found", "unknown_model", "model_not_available"])
        || (lower.contains("model")
            && says(&[
                "not found",
                "does not exist",
                "no such",
                "not exist",
                "not a valid model",
                "unknown model",
                "not supported",
                "invalid model",
            ]));
    match status {
        401 | 403 => Error::Unauthorized {
            provider,
            status,
            variable: endpoint.key_variable.clone(),
        },
        402 => Error::NoCredit { provider, message },
        404 if about_model => Error::UnknownModel {
            provider,
            model: endpoint.model.clone(),
            message,
        },
        404 | 405 => Error::NoSuchEndpoint {
            provider,
            path: path.to_owned(),
            message,
        },
        400 | 413 | 422
            if says(&[
                "exceed_context_size",
                "context_length",
                "context length",
                "context window",
                "prompt is too long",
                "too many tokens",
                "maximum context",
                "too large",
            ]) =>
        {
            Error::ContextTooLong { message }
        }
        400 if says(&[
            "api key not valid",
            "invalid api key",
            "api_key_invalid",
            "incorrect api key",
        ]) =>
        {
            Error::Unauthorized {
                provider,
                status,
                variable: endpoint.key_variable.clone(),
            }
        }
        400 | 422 if about_model => Error::UnknownModel {
            provider,
            model: endpoint.model.clone(),
            message,
        },
        429 if says(&["insufficient_quota", "insufficient quota", "billing"]) => {
            Error::NoCredit { provider, message }
        }
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

fn without_key(text: &str, endpoint: &Endpoint) -> String {
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
            .filter(|it| *it >= 0.0 && it.is_finite())
    };
    let millis = number("retry-after-ms").map(|it| it / 1000.0);
    millis
        .or_else(|| number("retry-after"))
        .map(|seconds| Duration::from_secs_f64(seconds.min(86_400.0)))
}
