//! Reading and parsing the variables of settings.

use std::time::Duration;

use url::Url;

use crate::budget::{ModelPrices, TokenBudget};
use crate::context::ContextWindows;
use crate::error::Error;
use crate::retry::Retry;
use crate::transport::ModelTimeouts;

fn bad_setting(variable: &str, reason: impl ToString) -> Error {
    Error::BadSetting {
        variable: variable.into(),
        reason: reason.to_string(),
    }
}

/// Variables of the environment or a configuration file.
pub(super) struct Variables<F>(pub(super) F);

impl<F: Fn(&str) -> Option<String>> Variables<F> {
    /// The trimmed text of a variable, unless it is blank.
    pub(super) fn get(&self, variable: &str) -> Option<String> {
        let text = (self.0)(variable)?;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// The parsed value of a variable; `expected` is the error text where `parse` fails.
    fn parsed<T>(
        &self,
        variable: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        self.get(variable)
            .map(|text| parse(&text).ok_or_else(|| bad_setting(variable, expected)))
            .transpose()
    }

    pub(super) fn switch(&self, variable: &str) -> Result<Option<bool>, Error> {
        self.parsed(variable, "it is `on` or `off`", |text| {
            match text.to_lowercase().as_str() {
                "on" | "true" | "1" | "yes" => Some(true),
                "off" | "false" | "0" | "no" => Some(false),
                _ => None,
            }
        })
    }

    pub(super) fn timeouts(&self) -> Result<ModelTimeouts, Error> {
        let mut limits = ModelTimeouts::default();
        for (variable, limit) in [
            ("HUNTSMAN_LLM_CONNECT_SECONDS", &mut limits.connect),
            ("HUNTSMAN_LLM_FIRST_TOKEN_SECONDS", &mut limits.first_token),
            ("HUNTSMAN_LLM_SILENCE_SECONDS", &mut limits.silence),
            ("HUNTSMAN_LLM_TOTAL_SECONDS", &mut limits.total),
        ] {
            let parse = |text: &str| {
                let seconds = text.parse::<f64>().ok()?;
                (seconds > 0.0 && seconds <= 86_400.0).then(|| Duration::from_secs_f64(seconds))
            };
            if let Some(seconds) = self.parsed(variable, "it is a number of seconds above 0", parse)? {
                *limit = seconds;
            }
        }
        Ok(limits)
    }

    pub(super) fn retry(&self) -> Result<Retry, Error> {
        let parse = |text: &str| text.parse().ok().filter(|attempts| (1..=20).contains(attempts));
        let mut retry = Retry::default();
        if let Some(attempts) = self.parsed("HUNTSMAN_LLM_ATTEMPTS", "it is a number from 1 to 20", parse)? {
            retry.attempts = attempts;
        }
        Ok(retry)
    }

    pub(super) fn budget(&self) -> Result<TokenBudget, Error> {
        Ok(TokenBudget {
            tokens: self.number("HUNTSMAN_LLM_BUDGET_TOKENS", 1.0)?,
            micro_dollars: self.number("HUNTSMAN_LLM_BUDGET_DOLLARS", 1e6)?,
        })
    }

    /// A number above 0, times `factor`, rounded.
    fn number(&self, variable: &str, factor: f64) -> Result<Option<u64>, Error> {
        const LIMIT: f64 = 1e15;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the range is checked before"
        )]
        let parse = |text: &str| {
            let number = text.parse::<f64>().ok()? * factor;
            (1.0..LIMIT).contains(&number).then(|| number.round() as u64)
        };
        self.parsed(variable, "it is a number above 0", parse)
    }

    /// Context windows as a number or as JSON.
    pub(super) fn context(&self) -> Result<ContextWindows, Error> {
        const VARIABLE: &str = "HUNTSMAN_LLM_CONTEXT_TOKENS";
        let text = self.get(VARIABLE);
        text.map_or_else(
            || Ok(ContextWindows::default()),
            |text| ContextWindows::parse(&text).map_err(|reason| bad_setting(VARIABLE, reason)),
        )
    }

    /// Prices as JSON or as a file of it.
    pub(super) fn prices(&self) -> Result<ModelPrices, Error> {
        const VARIABLE: &str = "HUNTSMAN_LLM_PRICES";
        let Some(text) = self.get(VARIABLE) else {
            return Ok(ModelPrices::default());
        };
        let text = match text.starts_with('{') {
            true => text,
            false => std::fs::read_to_string(text).map_err(|error| bad_setting(VARIABLE, error))?,
        };
        serde_json::from_str(&text)
            .map(ModelPrices)
            .map_err(|error| bad_setting(VARIABLE, error))
    }
}

pub(super) fn base_url(text: &str) -> Result<Url, Error> {
    let bad = |reason: &str| bad_setting("HUNTSMAN_LLM_BASE_URL", reason);
    // Ollama's own variable may be a bare host and port.
    let text = match text.contains("://") {
        true => text.to_owned(),
        false => format!("http://{text}"),
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
