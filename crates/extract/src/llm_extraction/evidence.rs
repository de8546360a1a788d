//! Evidence for the values of a model: the words of the page that support each.
//!
//! Every value needs words of the page behind it: the quote that the model gives, or, where it copies the value itself,
//! the line that holds it. What the page does not hold is dropped, however likely it sounds.

use jiff::civil::DateTime;
use page::quote::QuoteMatcher;
use serde_json::Value;

use crate::normalize;
use crate::rules::product::{availability, rating};
use crate::rules::published::DateLocale;
use crate::rules::visible_page::words;
use locale::dates::{self, DateHints, DatePrecision, ParsedDate};
use locale::price;

/// Longest quote that is kept, in characters.
const QUOTE: usize = 300;
/// Share of the words of a composed text that the page must have.
const SHARE: f32 = 0.75;
/// The best rating there is.
const MOST_STARS: f64 = 10.0;
/// Longest line that is searched for a date or an amount, in bytes.
const LINE: usize = 300;

/// Days of half a year.
const HALF_YEAR: i64 = 182;

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

/// Whether a word of the name of a field is one of these.
fn has_word(field: &str, words: &[&str]) -> bool {
    field.split('_').any(|word| words.contains(&word))
}

/// Whether a field holds a day: `start_date`, but not `candidate`.
pub(super) fn is_date(field: &str) -> bool {
    field == "day"
        || has_word(
            field,
            &[
                "date",
                "dates",
                "deadline",
                "birthdate",
                "birthday",
                "updated",
                "datetime",
                "startdate",
                "enddate",
            ],
        )
}

/// How days are read of a page and of answers about it.
#[derive(Clone, Copy)]
pub(super) struct DayReader<'d> {
    /// How the page writes days.
    pub(super) locale: &'d DateLocale,
    /// The time at which the page was read.
    pub(super) now: DateTime,
}

impl DayReader<'_> {
    /// The day that a text names for a field. Without a year, a day of publication is the latest one that has been; another is one of
    /// this year, and that of something to come one of the next year, where it would be over for half a year.
    pub(super) fn read(&self, field: &str, text: &str) -> Option<ParsedDate> {
        let hints = DateHints {
            past: has_word(field, &["published", "modified", "posted", "updated", "created"]),
            ..self.locale.hints()
        };
        let found = dates::parse(text, self.now, &hints)?;
        let is_over = found.precision == DatePrecision::Near
            && found.date.saturating_add(jiff::Span::new().days(HALF_YEAR)) < self.now.date();
        let is_to_come = has_word(field, &["deadline", "start", "end"]);
        Some(match is_over && is_to_come {
            true => ParsedDate {
                date: found.date.saturating_add(jiff::Span::new().years(1)),
                ..found
            },
            false => found,
        })
    }
}

/// The words of the page that support a value; none when there are none.
pub(super) fn support(
    ground: &QuoteMatcher,
    field: &str,
    value: &Value,
    quote: Option<&str>,
    days: DayReader<'_>,
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
            FieldKind::Date => day(ground, field, text, quote, days),
            FieldKind::Composed => composed(ground, field, text, quote),
            FieldKind::Copied => copied(ground, text, quote),
        },
        Value::Array(list) => {
            let mut found = list.iter().map(|entry| match entry {
                Value::String(text) => composed(ground, field, text, None),
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

/// A text that may be put together from words of the page: those of the line of its quote, or most of them anywhere.
fn composed(ground: &QuoteMatcher, field: &str, text: &str, quote: Option<String>) -> Option<String> {
    if let Some(quote) = copied(ground, text, quote.clone()) {
        return Some(quote);
    }
    if let Some(quote) = quote.as_ref().filter(|quote| means_same(field, text, quote)) {
        return Some(quote.clone());
    }
    let words_of_text: Vec<String> = words(text)
        .into_iter()
        .filter(|word| word.chars().count() > 3)
        .collect();
    if words_of_text.is_empty() {
        return None;
    }
    let share = |quoted_words: &str| {
        let quoted_words = words(quoted_words);
        let hits = words_of_text
            .iter()
            .filter(|word| quoted_words.contains(word))
            .count();
        hits as f32 / words_of_text.len() as f32
    };
    if let Some(quote) = quote {
        // The quote is on the page; the text has to speak of what stands there.
        let is_of_line = share(ground.line(&quote).unwrap_or(&quote)) >= SHARE / 2.0;
        return (is_of_line || share(ground.text()) >= SHARE).then_some(quote);
    }
    if share(ground.text()) < SHARE {
        return None;
    }
    let lines = ground.text().lines().map(|text| (share(text), text));
    let (_, best) = lines.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(shortened(best.trim()))
}

/// Whether a quote states the value of a field of few known values in other words: "GBP" as "£5", "InStock" as "In stock".
fn means_same(field: &str, text: &str, quote: &str) -> bool {
    match field {
        "currency" => {
            // A sign that several countries share is of the one whose code begins so.
            let country = text.get(..2).map(str::to_ascii_lowercase);
            let sign = price::read(quote, &price::PriceHints::default()).currency;
            sign.and_then(|sign| price::iso(sign, country.as_deref())) == Some(text)
        }
        "availability" => {
            let stated = availability::stated(text);
            stated.is_some() && stated == availability::stated(quote)
        }
        _ => false,
    }
}

/// An amount: the same number has to be written in the quote or, without one, anywhere on the page. A rating or a count of
/// reviews could be any number, so their line has to speak of opinions.
fn amount(ground: &QuoteMatcher, field: &str, value: &Value, quote: Option<String>) -> Option<String> {
    let stated = number(field, value)?;
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

/// The number that a value states. Only what is paid or counted has to be above zero: a temperature may be below it.
fn number(field: &str, value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) if !matches!(field_kind(field), FieldKind::Amount) => number.as_f64(),
        other => normalize::value("price", other.clone(), true)?.as_f64(),
    }
}

/// The numbers of a text with a minus before them, as they are.
fn amounts_below_zero(text: &str) -> impl Iterator<Item = f64> + use<'_> {
    BELOW_ZERO.captures_iter(text).filter_map(|found| {
        let amount = price::parse(found.get(1)?.as_str(), &price::PriceHints::default())?.amount;
        Some(-amount.parse::<f64>().ok()?)
    })
}

locale::patterns! {
    /// A number with a minus that is no dash between two numbers or words.
    static BELOW_ZERO = r"(?:^|[^\p{L}\p{N}\s–-]|[^\p{N}\s–-]\s|\s\s)[-−–](\d[\d.,]*)";
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
    found.extend(amounts_below_zero(text));
    found.into_iter()
}

/// A day: written on the page as it is, or named by the quote, or by a line of the page.
fn day(
    ground: &QuoteMatcher,
    field: &str,
    text: &str,
    quote: Option<String>,
    days: DayReader<'_>,
) -> Option<String> {
    if ground.holds(text) {
        return quote.or_else(|| line(ground, text));
    }
    let stated = days.read(field, text)?.date;
    let names = |text: &str| days.read(field, text).is_some_and(|moment| moment.date == stated);
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PAGE: &str = "Nova lamp\nBy Ann O'Nym, 3 March 2024\nOnly $1,299.00 today\nStatt 1.499,00 €\nA lamp of brass that \
                        lights a whole room without any glare.\nRated 4.5 of 5";

    fn supported(field: &str, value: Value, quote: Option<&str>) -> Option<String> {
        supported_by(PAGE, field, value, quote)
    }

    fn supported_by(page: &str, field: &str, value: Value, quote: Option<&str>) -> Option<String> {
        let days = DayReader {
            locale: &DateLocale::default(),
            now: jiff::civil::date(2025, 1, 1).at(0, 0, 0, 0),
        };
        support(&QuoteMatcher::of(page), field, &value, quote, days)
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
    #[test]
    fn a_field_is_a_day_by_a_whole_word_of_its_name() {
        for field in [
            "date",
            "date_published",
            "start_date",
            "application_deadline",
            "last_updated",
        ] {
            assert!(is_date(field), "{field}");
        }
        for field in [
            "candidate",
            "candidate_name",
            "mandate",
            "updates",
            "price_per_day",
        ] {
            assert!(!is_date(field), "{field}");
        }
    }

    #[test]
    fn days_are_read_as_the_page_writes_them_and_of_what_is_to_come_ahead() {
        let read = |url: &str, field: &str, text: &str| {
            let page = page::Page::new("<html lang=en-gb><p>a</p>", url::Url::parse(url).ok());
            let locale = crate::rules::published::locale(&page);
            let days = DayReader {
                locale: &locale,
                now: jiff::civil::date(2025, 12, 1).at(0, 0, 0, 0),
            };
            days.read(field, text).map(|found| found.date.to_string())
        };
        let url = "https://a.example.co.uk/";
        for (field, text, want) in [
            ("date_published", "03/04/2024", "2024-04-03"),
            ("application_deadline", "5 March", "2026-03-05"),
            ("start_date", "20 December", "2025-12-20"),
            ("date_published", "20 December", "2024-12-20"),
            ("date_published", "5 March", "2025-03-05"),
            ("start_date", "5 March 2025", "2025-03-05"),
        ] {
            assert_eq!(read(url, field, text).as_deref(), Some(want), "{field} {text}");
        }
    }

    #[test]
    fn a_quote_supports_what_it_means_and_no_short_text_beside_it() {
        let page = "Quern lamp\n$5 a month\n£7 elsewhere\nIn stock\nFull-time work";
        for (field, value, quote) in [
            ("currency", "USD", "$5 a month"),
            ("currency", "CAD", "$5 a month"),
            ("currency", "GBP", "£7 elsewhere"),
            ("availability", "InStock", "In stock"),
            ("job_type", "FULL_TIME", "Full-time work"),
        ] {
            let got = supported_by(page, field, json!(value), Some(quote));
            assert_eq!(got.as_deref(), Some(quote), "{field}: {value}");
        }
        for (field, value, quote) in [
            ("currency", "GBP", "$5 a month"),
            ("currency", "EUR", "In stock"),
            ("job_type", "FT", "$5 a month"),
            ("availability", "OutOfStock", "In stock"),
        ] {
            assert_eq!(
                supported_by(page, field, json!(value), Some(quote)),
                None,
                "{field}: {value}"
            );
        }
    }

    #[test]
    fn numbers_below_zero_need_a_minus_on_the_page() {
        let page = "Night: -5 °C\nChange −2.4 %\nLongitude -3.19\nOpen 9-17\n2019 -2024";
        for (field, value, line) in [
            ("temperature", -5.0, "Night: -5 °C"),
            ("change", -2.4, "Change −2.4 %"),
            ("longitude", -3.19, "Longitude -3.19"),
        ] {
            assert_eq!(
                supported_by(page, field, json!(value), None).as_deref(),
                Some(line),
                "{field}"
            );
        }
        for (field, value) in [("temperature", -17.0), ("temperature", -2024.0), ("price", -5.0)] {
            assert_eq!(
                supported_by(page, field, json!(value), None),
                None,
                "{field} {value}"
            );
        }
    }
}
