//! `huntsman parse price|date`: reads prices and dates.

mod ambiguity;

use std::borrow::Cow;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use jiff::Zoned;
use jiff::civil::DateTime;
use locale::{dates, price};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::failure::{Failure, exit_code};
use crate::input;
use crate::output::Output;

/// Longest line of the input, in bytes.
const LONGEST_LINE: u64 = 16 << 20;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  huntsman parse price \"1.299,00 €\"\n  huntsman parse date \"3/4/2025\" --locale en-US"
)]
pub(crate) struct Parse {
    /// What the text is.
    kind: ParsedKind,

    /// The text; without it, or with -, every line of stdin is one.
    #[arg(allow_hyphen_values = true)]
    text: Option<String>,

    /// Language and country that the text is written for, such as de or en-US.
    #[arg(long, value_name = "TAG")]
    locale: Option<String>,

    /// Moment that relative dates are seen from, in ISO 8601; the present when absent.
    #[arg(long, value_name = "MOMENT")]
    now: Option<String>,

    /// One `{"id","text"}` per input line, with optional hints, gives one answer per output line.
    #[arg(long, conflicts_with = "text")]
    jsonl: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ParsedKind {
    /// An amount with its currency.
    Price,
    /// A day.
    Date,
}

/// One text with its hints.
#[derive(Debug, Clone, Default, Deserialize)]
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
    #[serde(default, borrow)]
    locale: Option<Cow<'a, str>>,
}

impl Parse {
    /// Reads the text or the lines and prints what they state.
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        if self.now.is_some() && self.kind == ParsedKind::Price {
            return Err(Failure::usage(
                "--now goes with `parse date`; a price has no moment",
            ));
        }
        // What is wrong with the flags is told before any input is read.
        self.kind.read(&self.line("")).map_err(Failure::usage)?;
        if let Some(tag) = &self.locale {
            check_language(tag).map_err(|reason| Failure::usage(format!("--locale: {reason}")))?;
        }
        if self.jsonl {
            return self.json_lines();
        }
        let mut output = Output::new();
        let mut is_read = true;
        match self.text.as_deref().filter(|text| *text != "-") {
            Some(text) => is_read &= self.print(text, &mut output)?,
            None => {
                for line in lines() {
                    let line = line?;
                    if !line.trim().is_empty() {
                        is_read &= self.print(&line, &mut output)?;
                    }
                }
            }
        }
        output.done()?;
        Ok(exit_code(is_read))
    }

    /// The text with the hints of the flags.
    fn line<'a>(&'a self, text: &'a str) -> ParseLine<'a> {
        ParseLine {
            text: Some(text.into()),
            locale: self.locale.as_deref().map(Cow::from),
            now: self.now.as_deref().map(Cow::from),
            ..ParseLine::default()
        }
    }

    /// The same line with the hints of the flags where it has none of its own.
    fn with_flags<'a>(&'a self, line: ParseLine<'a>) -> ParseLine<'a> {
        ParseLine {
            locale: line.locale.or(self.locale.as_deref().map(Cow::from)),
            now: line.now.or(self.now.as_deref().map(Cow::from)),
            ..line
        }
    }

    /// Prints what a text states; false when it states nothing, which is said on stderr.
    fn print(&self, text: &str, output: &mut Output) -> Result<bool, Failure> {
        let answer = self.kind.read(&self.line(text)).map_err(Failure::usage)?;
        output.json_line(&answer)?;
        let is_read = !answer["amount"].is_null() || !answer["date"].is_null();
        if !is_read {
            output.flush()?;
            let shown = crate::output::one_line(text, 80);
            if self.is_price_below_zero(text) {
                note!("the amount of {shown:?} is below zero; a price is not");
            } else {
                note!(
                    "{shown:?} states no {}; give it alone, without the text around it",
                    self.kind.name()
                );
            }
        }
        Ok(is_read)
    }

    /// Whether a text would state a price without the minus that it begins with, also behind a currency sign: "-12,50 €", "$-5".
    fn is_price_below_zero(&self, text: &str) -> bool {
        let unsigned = text.replacen(['-', '−', '–'], "", 1);
        let head = text
            .split(|c: char| c.is_ascii_digit())
            .next()
            .unwrap_or_default();
        let answer = self.kind.read(&self.line(&unsigned));
        let is_price = self.kind == ParsedKind::Price;
        is_price && head.contains(['-', '−', '–']) && answer.is_ok_and(|answer| !answer["amount"].is_null())
    }

    fn json_lines(&self) -> Result<ExitCode, Failure> {
        let mut output = Output::new();
        let mut code = ExitCode::SUCCESS;
        for (number, line) in (1_u64..).zip(lines()) {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let answer = self.answer(&line).unwrap_or_else(|reason| {
                code = ExitCode::FAILURE;
                let id = serde_json::from_str::<Value>(&line).map_or(Value::Null, |line| line["id"].clone());
                let message = format!("line {number}: {reason}");
                json!({"id": id, "error": {"code": "INVALID_REQUEST", "message": message}})
            });
            output.json_line(&answer)?;
        }
        output.done()?;
        Ok(code)
    }

    /// The answer to a line of `--jsonl`.
    fn answer(&self, line: &str) -> Result<Value, String> {
        let line: ParseLine<'_> = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if let Some(tag) = line.locale.as_deref().filter(|tag| !tag.is_empty()) {
            check_language(tag).map_err(|reason| format!("locale: {reason}"))?;
        }
        let id = line.id.clone();
        let mut answer = self.kind.read(&self.with_flags(line))?;
        if let Value::Object(answer) = &mut answer {
            answer.shift_insert(0, "id".into(), id);
        }
        Ok(answer)
    }
}

/// Refuses what has not the form of a language tag.
fn check_language(tag: &str) -> Result<(), String> {
    match ambiguity::is_language(tag) {
        true => Ok(()),
        false => Err(format!(
            "{tag:?} is no language tag; give one such as de or en-US"
        )),
    }
}

/// The lines of stdin. One of more than [`LONGEST_LINE`] bytes ends them.
fn lines() -> impl Iterator<Item = Result<String, Failure>> {
    let mut stdin = std::io::stdin().lock();
    let (mut bytes, mut is_over) = (Vec::new(), false);
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        match input::next_line(&mut stdin, LONGEST_LINE, &mut bytes) {
            Ok(false) => None,
            Ok(true) => {
                let text = String::from_utf8(std::mem::take(&mut bytes));
                let text = text.map_err(|_| Failure::usage("the input is no text in UTF-8"));
                Some(text.map(|text| text.trim_end_matches(['\n', '\r']).to_owned()))
            }
            Err(error) => {
                is_over = true;
                Some(Err(error))
            }
        }
    })
}

impl ParsedKind {
    fn name(self) -> &'static str {
        match self {
            Self::Price => "price",
            Self::Date => "date",
        }
    }

    /// What the text states; where it can be read in two ways, also the other one, as `ambiguous` and `alternatives`.
    fn read(self, line: &ParseLine<'_>) -> Result<Value, String> {
        let text = line.text.as_deref().or(line.price.as_deref()).unwrap_or_default();
        match self {
            Self::Price => {
                let sign = |text: &Option<Cow<'_, str>>| text.as_deref().and_then(|text| text.chars().next());
                let tag = line.locale.as_deref();
                let of_locale = tag.and_then(locale::decimal_separator);
                let hints = price::PriceHints {
                    currency_hint: line.currency_hint.as_deref(),
                    decimal_separator: sign(&line.decimal_separator).or(of_locale),
                    digit_group_separator: sign(&line.digit_group_separator),
                };
                let read = price::read(text, &hints);
                let is_told = hints.decimal_separator.is_some() || hints.digit_group_separator.is_some();
                let other = read
                    .price
                    .as_ref()
                    .filter(|_| !is_told)
                    .and_then(|price| ambiguity::other_amount(text, price));
                let answer =
                    json!({"amount": read.price.map(|price| price.amount), "currency": read.currency});
                Ok(with_alternative(answer, other))
            }
            Self::Date => {
                let now: DateTime = match line.now.as_deref() {
                    None => Zoned::now().datetime(),
                    Some(now) => now.parse().map_err(|_| {
                        format!("now: {now:?} is no ISO 8601 date and time, such as 2025-01-31T12:00:00")
                    })?,
                };
                let hints = dates::DateHints {
                    language: line.locale.as_deref(),
                    ..dates::DateHints::default()
                };
                let moment = dates::parse(text, now, &hints).map(|moment| moment.to_string());
                let is_told = line.locale.is_some();
                let other = moment
                    .as_ref()
                    .filter(|_| !is_told)
                    .and_then(|read| ambiguity::other_date(text, now, read));
                Ok(with_alternative(json!({"date": moment}), other))
            }
        }
    }
}

fn with_alternative(mut answer: Value, other: Option<String>) -> Value {
    if let Some(other) = other {
        answer["ambiguous"] = true.into();
        answer["alternatives"] = json!([other]);
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_line_is_answered_under_its_id_and_its_locale_is_checked() {
        let parse = Parse {
            kind: ParsedKind::Price,
            text: None,
            locale: None,
            now: None,
            jsonl: true,
        };
        let answer = parse.answer(r#"{"id": 7, "text": "1.299 €", "locale": "de"}"#);
        assert_eq!(answer.unwrap()["id"], 7);
        let refused = parse.answer(r#"{"id": 8, "text": "5 €", "locale": "not a tag"}"#);
        assert!(
            refused
                .unwrap_err()
                .starts_with("locale: \"not a tag\" is no language tag")
        );
        assert!(parse.answer(r#"{"id": 9, "text": 5}"#).is_err());
    }
}
