//! Evidence for the values of a model: the words of the page that support each.
//!
//! Every value needs words of the page behind it: the quote that the model gives, or, where it copies the value itself,
//! the line that holds it. What the page does not hold is dropped, however likely it sounds.

use jiff::civil::DateTime;
use page::quote::QuoteMatcher;
use serde_json::Value;

use crate::normalize;
use crate::rules::product::rating;
use crate::rules::visible_page::words;
use locale::dates::{self, DateHints, ParsedDate};
use locale::price;

/// Longest quote that is kept, in characters.
const QUOTE: usize = 300;
/// Share of the words of a composed text that the page must have.
const SHARE: f32 = 0.75;
/// The best rating there is.
const MOST_STARS: f64 = 10.0;
/// Longest line that is searched for a date or an amount, in bytes.
const LINE: usize = 300;

/// How the value of a field is checked.
enum FieldKind {
    Amount,
    Date,
    /// Words of the model's own choice.
    Composed,
    /// Words of the page.
    Copied,
}

fn field_kind(field: &str) -> FieldKind {
    match field {
        "price" | "old_price" | "rating" | "review_count" => FieldKind::Amount,
        "description" | "summary" | "steps" | "ingredients" | "availability" | "job_type" | "currency" => {
            FieldKind::Composed
        }
        name if is_date(name) => FieldKind::Date,
        _ => FieldKind::Copied,
    }
}

/// Whether a field holds a day.
pub(super) fn is_date(field: &str) -> bool {
    field.contains("date") || field.ends_with("_deadline")
}

/// The words of the page that support a value; none when there are none.
pub(super) fn support(
    ground: &QuoteMatcher,
    field: &str,
    value: &Value,
    quote: Option<&str>,
    now: DateTime,
) -> Option<String> {
    let quote = quote.map(str::trim).filter(|it| !it.is_empty());
    if quote.is_some_and(|quote| !ground.holds(quote)) {
        return None;
    }
    let quote = quote.map(shortened);
    match value {
        Value::Number(_) => amount(ground, field, value, quote),
        Value::String(text) => match field_kind(field) {
            FieldKind::Amount => amount(ground, field, value, quote),
            FieldKind::Date => day(ground, text, quote, now),
            FieldKind::Composed => composed(ground, text, quote),
            FieldKind::Copied => copied(ground, text, quote),
        },
        Value::Array(list) => {
            let mut found = list.iter().map(|entry| match entry {
                Value::String(text) => composed(ground, text, None),
                Value::Number(_) => amount(ground, field, entry, None),
                Value::Object(map) => map
                    .get("name")
                    .and_then(Value::as_str)
                    .and_then(|name| copied(ground, name, None)),
                _ => None,
            });
            let first = found.next()??;
            found
                .all(|support| support.is_some())
                .then(|| quote.unwrap_or(first))
        }
        Value::Object(map) => {
            let of = |name: &str| map.get(name).filter(|inner| !inner.is_null());
            if matches!(field_kind(field), FieldKind::Amount) {
                return amount(ground, field, value, quote);
            }
            copied(ground, of("name").or_else(|| of("text"))?.as_str()?, quote)
        }
        Value::Bool(_) => quote,
        Value::Null => None,
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(QUOTE).collect()
}

fn line(ground: &QuoteMatcher, text: &str) -> Option<String> {
    ground.line(text).map(shortened)
}

/// A text that has to stand on the page as it is; or, word by word, in its quote.
fn copied(ground: &QuoteMatcher, text: &str, quote: Option<String>) -> Option<String> {
    if ground.holds(text) {
        return quote.or_else(|| line(ground, text));
    }
    let quote = quote?;
    let quoted_words = words(&quote);
    let words_of_text = words(text);
    (!words_of_text.is_empty() && words_of_text.iter().all(|word| quoted_words.contains(word)))
        .then_some(quote)
}

/// A text that may be put together from words of the page.
fn composed(ground: &QuoteMatcher, text: &str, quote: Option<String>) -> Option<String> {
    if let Some(quote) = copied(ground, text, quote.clone()) {
        return Some(quote);
    }
    let words_of_text: Vec<String> = words(text)
        .into_iter()
        .filter(|word| word.chars().count() > 3)
        .collect();
    let share = |quoted_words: &str| {
        let quoted_words = words(quoted_words);
        let hits = words_of_text
            .iter()
            .filter(|word| quoted_words.contains(word))
            .count();
        hits as f32 / words_of_text.len().max(1) as f32
    };
    if let Some(quote) = quote {
        // The quote is on the page; the text has to speak of the same thing.
        return (words_of_text.is_empty() || share(ground.text()) >= SHARE / 2.0).then_some(quote);
    }
    if words_of_text.is_empty() || share(ground.text()) < SHARE {
        return None;
    }
    let lines = ground.text().lines().map(|text| (share(text), text));
    let (_, best) = lines.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(shortened(best.trim()))
}

/// An amount: the same number has to be written in the quote or, without one, anywhere on the page. A rating or a count of
/// reviews could be any number, so their line has to speak of opinions.
fn amount(ground: &QuoteMatcher, field: &str, value: &Value, quote: Option<String>) -> Option<String> {
    let stated = number(value)?;
    let opinion = matches!(field, "rating" | "review_count");
    if field == "rating" && stated > MOST_STARS {
        return None;
    }
    let fits = |line: &str| !opinion || rating::mentions_opinions(line);
    match quote {
        Some(quote) => {
            let fits = fits(&quote)
                || ground
                    .line(&quote)
                    .is_some_and(|text| text.len() <= LINE && fits(text));
            (fits && amounts(&quote).any(|written| same(written, stated))).then_some(quote)
        }
        None => {
            let written = value.as_str().filter(|text| ground.holds(text));
            if let Some(line) = written
                .and_then(|text| line(ground, text))
                .filter(|line| fits(line))
            {
                return Some(line);
            }
            let lines = ground.text().lines().filter(|line| line.len() <= LINE);
            let mut lines = lines.filter(|line| line.contains(|c: char| c.is_ascii_digit()));
            lines
                .find(|line| fits(line) && amounts(line).any(|written| same(written, stated)))
                .map(shortened)
        }
    }
}

fn same(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.001
}

fn number(value: &Value) -> Option<f64> {
    normalize::value("price", value.clone(), true)?.as_f64()
}

/// Every amount that a short text could state.
fn amounts(text: &str) -> impl Iterator<Item = f64> + use<> {
    let hints = price::PriceHints::default();
    let mut found: Vec<f64> = price::find_all(text, &hints)
        .into_iter()
        .chain(price::parse(text, &hints))
        .filter_map(|price| price.amount.parse().ok())
        .collect();
    let runs = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')));
    let runs = runs.map(|run| run.trim_matches(['.', ',']));
    let read = runs.filter_map(|run| price::parse(run, &hints)?.amount.parse::<f64>().ok());
    found.extend(read);
    found.into_iter()
}

/// A day: written on the page as it is, or named by the quote, or by a line of the page.
fn day(ground: &QuoteMatcher, text: &str, quote: Option<String>, now: DateTime) -> Option<String> {
    if ground.holds(text) {
        return quote.or_else(|| line(ground, text));
    }
    let stated = date(text, now)?.date;
    let names = |text: &str| date(text, now).is_some_and(|moment| moment.date == stated);
    match quote {
        Some(quote) => names(&quote).then_some(quote),
        None => {
            let day = stated.day().to_string();
            let mut lines = ground
                .text()
                .lines()
                .filter(|line| line.len() <= LINE && line.contains(&day));
            lines.find(|line| names(line)).map(shortened)
        }
    }
}

/// The day that a text names.
pub(super) fn date(text: &str, now: DateTime) -> Option<ParsedDate> {
    dates::parse(
        text,
        now,
        &DateHints {
            past: true,
            ..DateHints::default()
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PAGE: &str = "Nova lamp\nBy Ann O'Nym, 3 March 2024\nOnly $1,299.00 today\nStatt 1.499,00 €\nA lamp of brass that \
                        lights a whole room without any glare.\nRated 4.5 of 5";

    fn supported(field: &str, value: Value, quote: Option<&str>) -> Option<String> {
        let now = jiff::civil::date(2025, 1, 1).at(0, 0, 0, 0);
        support(&QuoteMatcher::of(PAGE), field, &value, quote, now)
    }

    #[test]
    fn what_the_page_says_is_supported_by_its_line() {
        for (field, value, line) in [
            ("title", json!("NOVA lamp"), "Nova lamp"),
            ("author", json!("Ann O’Nym"), "By Ann O'Nym, 3 March 2024"),
            ("price", json!("$1,299.00"), "Only $1,299.00 today"),
            ("price", json!(1299), "Only $1,299.00 today"),
            ("old_price", json!("1.499,00 €"), "Statt 1.499,00 €"),
            (
                "date_published",
                json!("3 March 2024"),
                "By Ann O'Nym, 3 March 2024",
            ),
            ("rating", json!(4.5), "Rated 4.5 of 5"),
        ] {
            assert_eq!(
                supported(field, value.clone(), None).as_deref(),
                Some(line),
                "{field}: {value}"
            );
        }
    }

    #[test]
    fn a_value_may_be_spelled_otherwise_than_its_quote() {
        for (field, value, quote) in [
            ("price", json!("1299.00 USD"), "Only $1,299.00 today"),
            ("date_published", json!("2024-03-03"), "3 March 2024"),
            (
                "description",
                json!("A brass lamp that lights the whole room"),
                "A lamp of brass",
            ),
        ] {
            assert_eq!(
                supported(field, value.clone(), Some(quote)).as_deref(),
                Some(quote),
                "{field}: {value}"
            );
        }
    }

    #[test]
    fn what_the_page_does_not_say_is_not_supported() {
        for (field, value, quote) in [
            ("price", json!("$999.00"), Some("Only $999.00 today")),
            ("price", json!("$999.00"), Some("Only $1,299.00 today")),
            ("price", json!(12), None),
            ("author", json!("Bo Peep"), Some("By Ann O'Nym")),
            ("author", json!("Bo Peep"), None),
            (
                "title",
                json!("Nova lamp"),
                Some("Nova lamp, the best of all lamps"),
            ),
            ("date_published", json!("2024-03-04"), Some("3 March 2024")),
            (
                "description",
                json!("Seventeen purple dragons dance together nightly"),
                None,
            ),
            ("brand", json!(null), None),
            ("review_count", json!(1299), Some("Only $1,299.00 today")),
            ("rating", json!(3), Some("3 March 2024")),
            ("rating", json!(1299), None),
        ] {
            assert_eq!(supported(field, value.clone(), quote), None, "{field}: {value}");
        }
    }
}
