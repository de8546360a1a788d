//! Days in figures as days with the name of their month: "ab 10.11.2025" is "ab 10 november 2025".
//!
//! A day in figures begins as times of day and amounts do: "10.11" is eleven minutes past ten, too.

use tools::words::concepts::MONTHS;

use super::phrases::outside_quotes;

locale::patterns! {
    /// A day with its year, in the order of day, month and year.
    static DAY = r"\b(?P<day>0?[1-9]|[12]\d|3[01])\.\s?(?P<month>0?[1-9]|1[0-2])\.\s?(?P<year>(?:19|20)\d\d)\b";
    /// The first of two days without its year, which the last one may have.
    static SPAN = r"(?i)\b(?P<day>0?[1-9]|[12]\d|3[01])\.(?P<month>0?[1-9]|1[0-2])\.(?P<behind>\s*(?:bis(?:\s+zum)?|do|-|–)\s*(?:[12]?\d|3[01]|0\d)(?:\.\s?(?:0?[1-9]|1[0-2])\.|\s+\p{L}{3,}))";
    /// A day behind a word of days, with the last two figures of its year or none of it. A point ends it: "do 10.11" may be a time.
    static SHORT_DAY = r"(?ix)\b(?P<before>(?:ab|bis|am|vom|zum|dem|den|der|seit|nach|vor|zwischen|und|oder|spätestens|od|do|po|przed|z|na|dnia|dniu|między|a|i|lub|najpóźniej)\s+)
        (?P<day>0?[1-9]|[12]\d|3[01])\.(?P<month>0?[1-9]|1[0-2])\.(?P<year>[2-3]\d\b)?(?P<behind>$|[^\d.:])";
}

/// A text whose days in figures name their months. Quoted texts stay.
pub(super) fn with_months(text: &str) -> String {
    let written = |found: &regex::Captures<'_>| {
        let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
        let month: usize = part("month").parse().unwrap_or_default();
        let Some(month) = month.checked_sub(1).and_then(|at| MONTHS.get(at)) else {
            return found.get(0).map_or("", |whole| whole.as_str()).to_owned();
        };
        let year = match part("year") {
            "" => String::new(),
            year if year.len() == 2 => format!(" 20{year}"),
            year => format!(" {year}"),
        };
        let day = part("day").trim_start_matches('0');
        format!("{}{day} {month}{year}{}", part("before"), part("behind"))
    };
    let text = outside_quotes(text, &DAY, written);
    // The last day, which follows a word for "until" now.
    let first_of_two = |found: &regex::Captures<'_>| written(found).replace(['-', '–'], " bis ");
    let text = outside_quotes(&text, &SPAN, first_of_two);
    outside_quotes(&text, &SHORT_DAY, written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_figures_name_their_months_and_times_and_amounts_stay() {
        for (written, read) in [
            ("ab 10.11.2025", "ab 10 november 2025"),
            ("oferty po 03.05.2026 roku", "oferty po 3 may 2026 roku"),
            ("vom 25.04. bis 03.05.", "vom 25 april bis 3 may"),
            ("vom 10. bis 12.05., nur in Ulm", "vom 10. bis 12 may, nur in Ulm"),
            ("Termine 25.04.–03.05.", "Termine 25 april bis 3 may"),
            ("25.04. bis 03.05.2026, Ulm", "25 april bis 3 may 2026, Ulm"),
            ("seit dem 3.2.26", "seit dem 3 february 2026"),
            ("bis 18.30.", "bis 18.30."),
            ("ab 10.11 Uhr", "ab 10.11 Uhr"),
            ("bis 10.05", "bis 10.05"),
            ("unter 3.05.", "unter 3.05."),
            ("Version 3.12.1", "Version 3.12.1"),
            ("bis 1.10.500 Euro", "bis 1.10.500 Euro"),
            ("called \"10.11.2025\"", "called \"10.11.2025\""),
        ] {
            assert_eq!(with_months(written), read);
        }
    }
}
