//! Reads JSON lines of price texts and prints amount and currency of each, for measuring.

use std::borrow::Cow;
use std::io::{BufRead, Write};

use extract::rules::price::{self, Hints};

#[derive(serde::Deserialize)]
struct Line<'l> {
    #[serde(borrow)]
    id: &'l serde_json::value::RawValue,
    #[serde(borrow)]
    text: Option<Cow<'l, str>>,
    #[serde(borrow)]
    currency_hint: Option<Cow<'l, str>>,
    #[serde(borrow)]
    decimal_separator: Option<Cow<'l, str>>,
    #[serde(borrow)]
    digit_group_separator: Option<Cow<'l, str>>,
}

#[derive(serde::Serialize)]
struct Answer<'l> {
    id: &'l serde_json::value::RawValue,
    amount: Option<&'l str>,
    currency: Option<&'l str>,
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        if let Ok(it) = serde_json::from_str::<Line<'_>>(&line) {
            let hints = Hints {
                currency_hint: it.currency_hint.as_deref(),
                decimal_separator: it.decimal_separator.as_deref().and_then(|s| s.chars().next()),
                digit_group_separator: it.digit_group_separator.as_deref().and_then(|s| s.chars().next()),
            };
            let text = it.text.as_deref().unwrap_or_default();
            let read = price::read(text, &hints);
            let answer = Answer {
                id: it.id,
                amount: read.price.as_ref().map(|it| it.amount.as_str()),
                currency: read.currency,
            };
            serde_json::to_writer(&mut out, &answer)?;
            out.write_all(b"\n")?;
        }
        line.clear();
    }
    Ok(())
}
