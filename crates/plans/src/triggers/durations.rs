//! Lengths of time of two parts as one amount: "1 h 30 min" is 90 minutes, and a song of "3:30" takes 3.5 minutes.

use super::phrases::outside_quotes;

/// Comparisons of how long something is.
const LONGER: &str = r"(?:shorter\s+than|longer\s+than|kürzer\s+als|länger\s+als|krótsz\p{Latin}+\s+niż|dłuższ\p{Latin}+\s+niż|krócej\s+niż|dłużej\s+niż)";

locale::patterns! {
    /// Hours and the minutes behind them.
    static HOURS = r"(?ix)\b(?P<h>\d{1,3})\s*(?:
        (?:h|hrs?|hours?|std|stunden?|godz|godzin\p{Latin}*)\b\.?\s*(?:(?:and|und|i)\s+)?(?P<m>[0-5]?\d)\s*(?:min|mins|minutes?|minuten|minut\p{Latin}*|m)\b
        |h(?P<joined>[0-5]\d)\b
        |:(?P<clock>[0-5]\d)\s*(?:h|hrs?|hours?|std|stunden?|godz|godzin\p{Latin}*)\b)";
    /// Minutes and seconds, or hours and minutes, of what is compared by its length.
    static COMPARED = format!(r"(?i)(?P<than>{LONGER})\s+(?P<first>\d{{1,2}}):(?P<second>[0-5]\d)(?P<end>$|[^\d:])");
    /// What takes minutes.
    static OF_MINUTES = r"(?i)\b(?:songs?|tracks?|tunes?|clips?|lied(?:er)?|stücke?|titel|piosen\p{Latin}+|utwor\p{Latin}+|teledysk\p{Latin}*)\b";
    /// The same, where nothing says which of both they are.
    static UNCLEAR = format!(r"(?i){LONGER}\s+\d{{1,2}}:[0-5]\d\b(?:\s*(?:uhr|[ap]\.?m\b))?");
}

/// A text with its lengths of time of two parts as one amount of minutes. Quoted texts stay.
pub(super) fn in_minutes(text: &str) -> String {
    let hours = |found: &regex::Captures<'_>| {
        let number = |names: &[&str]| -> u32 {
            let mut groups = names.iter().filter_map(|name| found.name(name));
            groups
                .next()
                .and_then(|group| group.as_str().parse().ok())
                .unwrap_or_default()
        };
        format!(
            "{} minutes",
            number(&["h"]) * 60 + number(&["m", "joined", "clock"])
        )
    };
    let text = outside_quotes(text, &HOURS, hours);
    if !OF_MINUTES.is_match(&text) {
        return text;
    }
    outside_quotes(&text, &COMPARED, |found| {
        let number = |name: &str| {
            found
                .name(name)
                .and_then(|group| group.as_str().parse::<f64>().ok())
        };
        let minutes = number("first").unwrap_or_default() + number("second").unwrap_or_default() / 60.0;
        let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
        // Two decimals are finer than a second.
        let minutes = (minutes * 100.0).round() / 100.0;
        format!("{} {minutes} minutes{}", part("than"), part("end"))
    })
}

/// Takes a comparison with a length of time out of a text that says neither hours nor minutes: "longer than 1:30".
pub(super) fn take_unclear(text: &mut String) -> Option<String> {
    let found = UNCLEAR.find(text)?;
    let (place, said) = (found.range(), found.as_str().to_owned());
    text.replace_range(place, " ");
    Some(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_two_parts_are_one_amount() {
        for (written, read) in [
            ("flights under 1 h 30 min", "flights under 90 minutes"),
            ("flights taking 1h30 at most", "flights taking 90 minutes at most"),
            ("unter 2 Std. 15 Minuten", "unter 135 minutes"),
            ("krótsze niż 1 godzina i 20 minut", "krótsze niż 80 minutes"),
            ("films under 2:15 h", "films under 135 minutes"),
            ("songs shorter than 3:30", "songs shorter than 3.5 minutes"),
            ("open from 3:30", "open from 3:30"),
            ("for 2 hours, 30 minutes away", "for 2 hours, 30 minutes away"),
            ("within 2 hours and 3 rooms", "within 2 hours and 3 rooms"),
        ] {
            assert_eq!(in_minutes(written), read);
        }
    }

    #[test]
    fn a_length_without_units_is_told() {
        let mut text = "walks longer than 1:30".to_owned();
        assert_eq!(take_unclear(&mut text).as_deref(), Some("longer than 1:30"));
        assert_eq!(take_unclear(&mut "walks after 1:30".to_owned()), None);
    }
}
