//! Parsing the values of settings.

use std::time::Duration;

use url::Url;

use crate::budget::Prices;
use crate::error::Error;

pub(super) fn base_url(text: &str) -> Result<Url, Error> {
    let bad = |reason: &str| Error::BadSetting {
        variable: "HUNTSMAN_LLM_BASE_URL".into(),
        reason: reason.into(),
    };
    // Ollama's own variable may be a bare host and port.
    let text = if text.contains("://") {
        text.to_owned()
    } else {
        format!("http://{text}")
    };
    let url = Url::parse(&text).map_err(|error| bad(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(bad("it must begin with http:// or https://"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("it must not carry a password; set HUNTSMAN_LLM_API_KEY"));
    }
    Ok(url)
}

pub(super) fn prices(text: &str) -> Result<Prices, Error> {
    let bad = |reason: String| Error::BadSetting {
        variable: "HUNTSMAN_LLM_PRICES".into(),
        reason,
    };
    let text = match text.starts_with('{') {
        true => text.to_owned(),
        false => std::fs::read_to_string(text).map_err(|error| bad(error.to_string()))?,
    };
    serde_json::from_str(&text)
        .map(Prices)
        .map_err(|error| bad(error.to_string()))
}

pub(super) fn seconds(variable: &str, text: &str) -> Result<Duration, Error> {
    text.parse::<f64>()
        .ok()
        .filter(|seconds| seconds.is_finite() && *seconds > 0.0 && *seconds <= 86_400.0)
        .map(Duration::from_secs_f64)
        .ok_or_else(|| Error::BadSetting {
            variable: variable.into(),
            reason: "it is a number of seconds above 0".into(),
        })
}

pub(super) fn switch(variable: &str, text: Option<String>) -> Result<Option<bool>, Error> {
    match text.map(|text| text.to_lowercase()).as_deref() {
        None => Ok(None),
        Some("on" | "true" | "1" | "yes") => Ok(Some(true)),
        Some("off" | "false" | "0" | "no") => Ok(Some(false)),
        Some(_) => Err(Error::BadSetting {
            variable: variable.into(),
            reason: "it is `on` or `off`".into(),
        }),
    }
}

/// A number above 0, times `factor`, rounded.
pub(super) fn number(variable: &str, text: Option<String>, factor: f64) -> Result<Option<u64>, Error> {
    const MOST: f64 = 1e15;
    let Some(text) = text else { return Ok(None) };
    let number = text.parse::<f64>().ok().map(|number| number * factor);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the filter keeps it in range"
    )]
    let whole = number
        .filter(|number| (1.0..MOST).contains(number))
        .map(|number| number.round() as u64);
    whole.map(Some).ok_or_else(|| Error::BadSetting {
        variable: variable.into(),
        reason: "it is a number above 0".into(),
    })
}
