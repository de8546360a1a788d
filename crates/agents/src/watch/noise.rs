//! Noise: parts of a text that change without a change of what it says: times of the day, ages, counters, tokens in
//! addresses.

use std::borrow::Cow;

use locale::patterns::Captures;
use serde_json::Value;

/// Fewest words of a block that is a sentence and no line of counters.
const SENTENCE: usize = 10;

locale::patterns! {
    /// An address.
    static ADDRESS = r#"(?i)\bhttps?://[^\s<>()\[\]"']+"#;
    /// A time of the day to the second, also as a part of a timestamp.
    static CLOCK = r"(?i)(?:\b|T)\d{1,2}:\d{2}:\d{2}(?:\.\d+)?(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:Z|UTC|GMT|CES?T|[+-]\d{2}:?\d{2})\b)?";
    /// The day in words before such a time, and the day that it is.
    static DAY_OF_CLOCK = r"(?i)\b(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[,.]?\s+)?(?:\d{1,2}\.?\s+\p{L}{3,9}\.?|\p{L}{3,9}\.?\s+\d{1,2})(?:,?\s+\d{4})?(?:,?\s+(?:at\s+)?)\d{1,2}:\d{2}:\d{2}\b|\btoday is:?\s+(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[,.]?\s*)?(?:(?:\d{1,2}\.?\s+\p{L}{3,9}\.?|\p{L}{3,9}\.?\s+\d{1,2})\b(?:,?\s+\d{4})?)?";
    /// A time of the day to the minute, which may as well be when a door opens.
    static HOUR = r"(?i)\b\d{1,2}:\d{2}(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:Z|UTC|GMT|CES?T)\b)?";
    /// What says that a time is that of the page.
    static STAMPED = r"(?i)\b(?:as of|updated|refreshed|generated|fetched|retrieved|(?:current|local|server) time|time now|right now|last (?:seen|check(?:ed)?|sync(?:ed)?)|aktualisiert|mis à jour)\b";
    /// How long ago something was.
    static AGE = r"(?i)\b(?:\d+|an?|one|a few)\s+(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)\s+ago\b|\bjust now\b|\bvor\s+(?:\d+|eine[rm])\s+(?:Sekunden?|Minuten?|Stunden?|Tag(?:en)?|Wochen?|Monat(?:en)?|Jahr(?:en)?)\b|\bil y a\s+(?:\d+|une?)\s+(?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)\b|\bhace\s+(?:\d+|una?)\s+(?:segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?)\b";
    /// An age in one word, where the block says nothing else or the word before says what happened then.
    static DAY = r"(?i)^\W*(?:(?:posted|published|updated|edited|modified|added|seen|active)\b[\s:]*)?(?:yesterday|today|gestern|heute|hier|ayer)\W*$|\b(?:posted|published|updated|edited|modified|added|last seen)[\s:]+(?:yesterday|today)\b";
    /// How many people have done what nobody writes about.
    static COUNTER = r"(?i)\b\d[\d.,\u{a0}\u{202f} ]*[km]?\s+(?:views?|visits?|visitors?|hits|clicks|likes?|shares?|reads|downloads|followers?|subscribers?|(?:people|persons?|users|members|guests|customers|shoppers|readers|others)\s+(?:(?:are|is|have|currently|now)\s+)*(?:online|watching|viewing|viewed|looking|reading|browsing)|online(?:\s+now)?|watching(?:\s+now)?|Aufrufe|vues)\b|\b(?:views?|visits?|hits|likes?|shares?|visitors?(?:\s+online)?|online(?:\s+now)?|Aufrufe|vues)\s*:\s*\d[\d.,]*[km]?";
    /// When the page was made or fetched, which says nothing of what it says.
    static MADE = r"(?i)\b(?:page|site|report)\s+(?:was\s+)?(?:generated|rendered|served|cached|fetched|loaded)\s+(?:on|at|in)\b[^.\n|\d]{0,20}\d(?:[^.\n|]|\.\d){0,60}|\b(?:current|local|server)\s+time\b[^.\n|\d]{0,20}\d[\d:.TZ+-]*";
    /// A random text: at least 16 letters and digits in a row.
    static TOKEN = r"\b[A-Za-z0-9_-]{16,}\b";
    /// Parameters of addresses that say who asks, or when.
    static PARAMETER = r"(?i)^(?:utm_.*|(?:[a-z]+_)?(?:session|sess|sid|token|nonce|csrf|sig|signature|hash|auth|expires?|timestamp|time|ts|rand(?:om)?|cachebuster|cb|_|v|ver|ref|referr?er|gclid|fbclid|msclkid|visitor|uid))$";
    /// Those of them that name a visit, and never what is visited.
    static VISIT = r"(?i)^(?:utm_.*|(?:[a-z]+_)?(?:session|sess|sid|token|nonce|csrf|sig|signature|auth|expires?|timestamp|ts|rand(?:om)?|cachebuster|cb|_|gclid|fbclid|msclkid|visitor))$";
}

/// A text without its noise, for comparing.
pub(super) fn without(text: &str) -> String {
    let text = ADDRESS.replace_all(text, |found: &Captures<'_>| clean_address(&found[0]).into_owned());
    let text = without_ages(&text);
    let text = TOKEN.replace_all(&text, |found: &Captures<'_>| masked(&found[0]));
    locale::collapse_whitespace(&text).trim().to_owned()
}

/// A value without noise.
pub(super) fn cleaned(value: &Value) -> Value {
    match value {
        Value::String(text) => without(text).into(),
        Value::Array(list) => list.iter().map(cleaned).collect(),
        Value::Object(map) => {
            let fields = map.iter();
            Value::Object(
                fields
                    .map(|(name, value)| (name.clone(), cleaned(value)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

/// A text that names an entry of a list, without what changes although it names the same one. Random texts and most parameters
/// of addresses stay: they are the names of what many sites list.
pub(super) fn without_visit(text: &str) -> String {
    let text = ADDRESS.replace_all(text, |found: &Captures<'_>| {
        with_parameters(&found[0], |name, _| !VISIT.is_match(name)).into_owned()
    });
    locale::collapse_whitespace(&without_ages(&text))
        .trim()
        .to_owned()
}

/// A text without times of the day, ages and counters.
fn without_ages(text: &str) -> String {
    let text = MADE.replace_all(text, " ");
    let text = DAY_OF_CLOCK.replace_all(&text, " ");
    let text = CLOCK.replace_all(&text, " ");
    let text = match STAMPED.is_match(&text) {
        true => HOUR.replace_all(&text, " "),
        false => text,
    };
    let text = AGE.replace_all(&text, " ");
    let text = DAY.replace_all(&text, |found: &Captures<'_>| aged(&found[0]));
    match is_sentence(&text) {
        true => text.into_owned(),
        false => COUNTER.replace_all(&text, " ").into_owned(),
    }
}

/// Whether a block is prose: what a sentence says of subscribers is no counter.
fn is_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?']) && text.split_whitespace().count() >= SENTENCE
}

/// A block that is an age in one word, without it.
fn aged(text: &str) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.pop();
    words.join(" ")
}

/// A random text as one mark; a long word, or words with hyphens between them, as they are.
fn masked(text: &str) -> String {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    // In random texts letters and digits alternate, also between two hyphens.
    let turns: usize = text
        .split(['-', '_'])
        .map(|piece| {
            piece
                .as_bytes()
                .windows(2)
                .filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit())
                .count()
        })
        .sum();
    if digits >= 3 && letters >= 3 && turns >= 3 {
        "*".to_owned()
    } else {
        text.to_owned()
    }
}

/// An address without its fragment and without parameters that say who asks, or when.
fn clean_address(text: &str) -> Cow<'_, str> {
    let text = text.split('#').next().unwrap_or(text);
    with_parameters(text, |name, value| {
        !PARAMETER.is_match(name) && masked(value) == value
    })
}

/// An address with those of its parameters that are kept.
fn with_parameters(text: &str, is_kept: impl Fn(&str, &str) -> bool) -> Cow<'_, str> {
    let Some((page, query)) = text.split_once('?') else {
        return Cow::Borrowed(text);
    };
    let (query, fragment) = query.split_at(query.find('#').unwrap_or(query.len()));
    let is_kept = |pair: &&str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        is_kept(name, value)
    };
    let kept: Vec<&str> = query.split('&').filter(is_kept).collect();
    match kept.is_empty() {
        true => Cow::Owned(format!("{page}{fragment}")),
        false => Cow::Owned(format!("{page}?{}{fragment}", kept.join("&"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_ages_counters_and_tokens_are_noise_and_the_rest_is_not() {
        for (one, other) in [
            ("Updated 10:41:07 today", "Updated 23:59 today"),
            ("Posted 5 minutes ago by Ann", "Posted 2 hours ago by Ann"),
            ("Results Posted 3 minutes ago | 7", "Results Posted yesterday | 7"),
            ("1,234 views", "1,250 views"),
            ("17 people watching", "9 people watching"),
            ("Likes: 5", "Likes: 612"),
            (
                "See https://a.example/x?id=7&sid=a1b2c3&utm_source=m for more",
                "See https://a.example/x?id=7&sid=zzz9 for more",
            ),
            (
                "img a8f5f167f44f4964e6c998dee827110c",
                "img 7d793037a0760186574b0282f2f435e7",
            ),
            (
                "order 550e8400-e29b-41d4-a716-446655440000",
                "order 7d793037-a076-4186-9574-b0282f2f435e",
            ),
            ("Page generated in 0.123 s", "Page generated in 0.9 s"),
            ("2026-11-23T08:04:00Z", "2026-11-23T09:04:11Z"),
        ] {
            assert_eq!(without(one), without(other), "{one} and {other}");
        }
        for (one, other) in [
            ("Price: 1,299.00", "Price: 1,199.00"),
            ("Version 2.1", "Version 2.2"),
            ("In stock: 5", "In stock: 0"),
            ("https://a.example/x?id=7", "https://a.example/x?id=8"),
            ("Published 2026-11-23", "Published 2026-11-24"),
            ("3 bedrooms", "4 bedrooms"),
            ("5 reviews", "6 reviews"),
            (
                "A channel needs 1,000 subscribers and some patience before the platform pays.",
                "A channel needs 3,000 subscribers and some patience before the platform pays.",
            ),
            ("Doors open at 19:00", "Doors open at 20:00"),
            ("Today is the day of the fair", "Today is the day of the race"),
            ("The site loaded in spring", "The site loaded in autumn"),
            ("Dinner is served at noon", "Dinner is served at six"),
            ("https://a.example/x?products=7", "https://a.example/x?products=8"),
            (
                "a very-long-hyphenated-heading-2026",
                "a very-long-hyphenated-heading-2027",
            ),
            (
                "see 2013_presentation_of_rules.pdf",
                "see 6013_presentation_of_rules.pdf",
            ),
        ] {
            assert_ne!(without(one), without(other), "{one} and {other}");
        }
    }
}
