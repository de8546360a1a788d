//! `huntsman parse price|date`: reads prices and dates.

use std::borrow::Cow;
use std::io::BufRead as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use jiff::Zoned;
use jiff::civil::DateTime;
use locale::{dates, price};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(after_help = "Example: huntsman parse price \"1.299,00 €\"")]
pub(crate) struct Parse {
    /// What the text is.
    kind: ParsedKind,

    /// The text.
    #[arg(required_unless_present = "jsonl")]
    text: Option<String>,

    /// One `{"id","text"}` per input line, with optional hints, gives one answer per output line.
    #[arg(long, conflicts_with = "text")]
    jsonl: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ParsedKind {
    /// An amount with its currency.
    Price,
    /// A day.
    Date,
}

/// One text with its hints.
#[derive(Debug, Default, Deserialize)]
struct ParseLine<'a> {
    #[serde(default)]
    id: Value,
    #[serde(default, borrow)]
    text: Option<Cow<'a, str>>,
    /// Another name for `text`, for prices.
    #[serde(default, borrow)]
    price: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    currency_hint: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    decimal_separator: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    digit_group_separator: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    now: Option<Cow<'a, str>>,
}

impl Parse {
    /// Reads the text or the lines and prints what they state.
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        let mut output = Output::new();
        if let Some(text) = self.text {
            let line = ParseLine {
                text: Some(text.into()),
                ..ParseLine::default()
            };
            output.json_line(&self.kind.read(&line).map_err(Failure::usage)?)?;
            output.done()?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut code = ExitCode::SUCCESS;
        for (number, line) in (1_u64..).zip(std::io::stdin().lock().lines()) {
            let line = line.context("cannot read the input")?;
            if line.trim().is_empty() {
                continue;
            }
            let parsed = serde_json::from_str::<ParseLine<'_>>(&line).map_err(|error| error.to_string());
            match parsed.and_then(|line| Ok((line.id.clone(), self.kind.read(&line)?))) {
                Ok((id, mut answer)) => {
                    if let Value::Object(answer) = &mut answer {
                        answer.shift_insert(0, "id".into(), id);
                    }
                    output.json_line(&answer)?;
                }
                Err(reason) => {
                    code = ExitCode::FAILURE;
                    let message = format!("line {number}: {reason}");
                    output.json_line(&json!({"error": {"code": "INVALID_REQUEST", "message": message}}))?;
                }
            }
        }
        output.done()?;
        Ok(code)
    }
}

impl ParsedKind {
    fn read(self, line: &ParseLine<'_>) -> Result<Value, String> {
        let text = line.text.as_deref().or(line.price.as_deref()).unwrap_or_default();
        match self {
            Self::Price => {
                let sign = |text: &Option<Cow<'_, str>>| text.as_deref().and_then(|text| text.chars().next());
                let hints = price::PriceHints {
                    currency_hint: line.currency_hint.as_deref(),
                    decimal_separator: sign(&line.decimal_separator),
                    digit_group_separator: sign(&line.digit_group_separator),
                };
                let read = price::read(text, &hints);
                Ok(json!({"amount": read.price.map(|price| price.amount), "currency": read.currency}))
            }
            Self::Date => {
                let now: DateTime = match line.now.as_deref() {
                    None => Zoned::now().datetime(),
                    Some(now) => now
                        .parse()
                        .map_err(|_| format!("now: {now:?} is no ISO 8601 date and time"))?,
                };
                let moment = dates::parse(text, now, &dates::DateHints::default());
                Ok(json!({"date": moment.map(|moment| moment.to_string())}))
            }
        }
    }
}
