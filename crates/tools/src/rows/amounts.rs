//! Ratings and durations that the texts of rows state.

use crate::rows::numbers::amount;

locale::patterns! {
    /// A rating of a number of stars or points, with a sign or word for it.
    static RATING = r"(?i)(?:[★⭐⌀Ø]\s*|\b(?:rating|rated|bewertung|bewertet mit|note|ocena(?: \p{L}+)?|średnia)\s*:?\s*[★⭐⌀Ø]?\s*)(?P<n>\d{1,2}(?:[.,]\d{1,2})?)\b|\b(?P<behind>\d{1,2}(?:[.,]\d{1,2})?)\s*(?:[★⭐]|(?:stars?|sternen?|gwiazd\p{L}*)\b|(?:out of|von|na|z)\s+(?:5|10)\b)|\b(?P<of>\d{1,2}[.,]\d{1,2})\s*/\s*(?:5|10)\b";
    /// What stands before the time between two departures: "every 30 min", "alle 2 Std.", "co 20 minut".
    static INTERVAL = r"(?i)\b(?:every|alle|co|takt:?)\s+$";
    /// The number of a processor, and what stands before it: "Core Ultra 9 185H".
    static MODEL = r"^\d{3}H$";
    static MAKE = r"(?i)(?:\d\s|[\p{L}\d]-)$";
    /// Hours, with minutes where there are some, or minutes alone.
    static DURATION = r"(?i)\b(?P<compact>\d{1,2})h(?P<rest>[0-5]\d)\b|\b(?P<hour>\d{1,2})\s?(?:h|std\.?|godz\.?)\s(?P<past_hour>[0-5]\d)(?:\s*$|\s*[^\p{L}\d\s]|\s+\d)|\b(?P<clock>\d{1,2}):(?P<past>[0-5]\d)\s*(?:h|hrs?|hours?|std|stunden?|godz|godzin[a-zà-ɏ]*)\b|\b(?:ends?|ending|closes|closing|expires|endet|schließt|kończy\s+się)\s+(?:in\s+|za\s+)?(?:(?P<left>\d{1,3})(?-i:m)|(?P<days_left>\d{1,3})(?-i:d))\b(?:\s*$|\s*[^\p{L}\d\s]|\s+\p{L}{2})|\b(?:(?P<days>\d{1,3})\s*(?:d|days?|tage?n?|dni|dzień)\b[\s,]*(?:and|und|i)?\s*)?(?P<h>\d{1,3}(?:[.,]\d)?)\s*(?:h|hrs?|hours?|std|stunden?|godz|godzin[a-zà-ɏ]*)\b\.?(?:[\s,]*(?:and|und|i)?\s*(?P<m>\d{1,2})\s*(?:m|mins?|minutes?|minuten?|minut[a-zà-ɏ]*|′|')\b)?|\b(?P<only>\d{1,4})\s*(?:mins?|minutes?|minuten?|minut[a-zà-ɏ]*|′|')";
}

const MINUTES_OF_DAY: f64 = 24.0 * 60.0;

/// The rating that a text states: "★ 7,8/10", "⌀ 4,7", "4.5 out of 5".
pub(crate) fn rating(text: &str) -> Option<f64> {
    let found = RATING.captures(text)?;
    let mut numbers = ["n", "behind", "of"].into_iter();
    let number = numbers.find_map(|name| found.name(name))?;
    number.as_str().replace(',', ".").parse().ok()
}

/// The minutes that a text states: "1 hr 52 min", "3:10 Std.", "40 godz.", "90 Min.".
pub(crate) fn duration(text: &str) -> Option<f64> {
    let is_interval = |found: &regex::Captures<'_>| {
        let before = found.get(0).and_then(|whole| text.get(..whole.start()));
        before.is_some_and(|before| INTERVAL.is_match(before))
    };
    let is_model = |found: &regex::Captures<'_>| {
        let before = found.get(0).and_then(|whole| text.get(..whole.start()));
        MODEL.is_match(&found[0]) && before.is_some_and(|before| MAKE.is_match(before))
    };
    let found = DURATION
        .captures_iter(text)
        .find(|found| !is_interval(found) && !is_model(found))?;
    let number = |name: &str| found.name(name).and_then(|number| amount(number.as_str()));
    let first = |names: &[&str]| names.iter().find_map(|name| number(name)).unwrap_or(0.0);
    Some(
        first(&["days", "days_left"]) * MINUTES_OF_DAY
            + first(&["h", "clock", "compact", "hour"]) * 60.0
            + first(&["m", "only", "past", "rest", "past_hour", "left"]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_behind_hours_is_minutes_only_with_a_unit() {
        for (text, minutes) in [
            ("1 hr 52 min", 112.0),
            ("3 hrs 5 May 2025", 180.0),
            ("Core Ultra 9 185H, up to 10 h", 600.0),
            ("100H playtime", 6_000.0),
            ("1h30", 90.0),
            ("1 h 30 1.1 mi", 90.0),
            ("1 Std. 30", 90.0),
            ("2 h 15 May", 120.0),
            ("3:10 Std.", 190.0),
            ("90 Min.", 90.0),
            ("Ends in 1d 3h", 1620.0),
            ("Ends in 12m", 12.0),
            ("ends in 4d", 5760.0),
            ("Shown in 3D · 166 min", 166.0),
            ("Strand in 200m Entfernung · Flugzeit 2 h 20 min", 140.0),
            ("2 days and 4 hours", 3120.0),
            ("every 30 min, 1 h 14 £5.80", 74.0),
        ] {
            assert_eq!(duration(text), Some(minutes), "{text}");
        }
    }
}
