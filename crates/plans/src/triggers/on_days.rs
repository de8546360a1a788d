//! Single days of an instruction: "on 17 June", "am 31. Mai 2026", "10 or 12 October".
//!
//! Comparisons with days ("before 17 June") are read before, in [`super::measures`].

use std::ops::Range;

use page::Page;
use tools::rows::condition::{Operator, RowCondition};
use tools::words::concepts::{self, MONTHS};

locale::patterns! {
    /// One day or several of one month, or a day in figures.
    static DAYS = r"(?ix)(?:\b(?:on|am|an|den|dem|dnia|dniu|vom|of|for|für|na|w|z)\s+(?:the\s+|dem\s+|den\s+|dniu\s+|dnia\s+)*)?
        \b(?:(?P<first>[12]?\d|3[01])(?:st|nd|rd|th|\.)?(?:\s*(?:,|/|\bor\b|\band\b|\boder\b|\bund\b|\blub\b|\balbo\b|\bi\b)\s*(?P<second>[12]?\d|3[01])(?:st|nd|rd|th|\.)?)?\s+(?:of\s+)?(?P<m>[a-zà-ɏ]{3,})\b(?:,?\s+(?P<y>(?:19|20)\d\d)\b)?
        |(?P<month>[a-z]{3,})\s+(?P<day>[12]?\d|3[01])(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>(?:19|20)\d\d)\b)?
        |(?P<figures>\d{4}-\d{2}-\d{2}|[0-3]?\d\.[01]?\d\.(?:19|20)\d\d))";
    /// What a field for a day is called.
    static OF_DAY = r"(?i)date|datum|\bdata\b|check-?in|anreise|arrival|przyjazd|calendar|kalend";
}

/// The first single days of a text: where they stand, and each as the days from and to which it goes.
pub(super) fn days(text: &str) -> Option<(Range<usize>, Vec<Vec<RowCondition>>)> {
    DAYS.captures_iter(text).find_map(|found| {
        let whole = found.get(0)?;
        let part = |name: &str| found.name(name).map(|part| part.as_str());
        let english = |word: &str| {
            let english = concepts::with_english_months(word).to_lowercase();
            MONTHS.contains(&english.as_str()).then_some(english)
        };
        let year = |name: &str| part(name).map_or(String::new(), |year| format!(" {year}"));
        let bound = |operator, day: String| RowCondition {
            field: "date".to_owned(),
            operator,
            value: day.into(),
        };
        let listed = match (part("figures"), part("first"), part("month")) {
            (Some(figures), ..) => vec![figures.to_owned()],
            (_, Some(first), _) => {
                let month = english(part("m")?)?;
                let day = |day: &str| format!("{day} {month}{}", year("y"));
                let numbers = part("second")
                    .and_then(|second| Some((first.parse::<u8>().ok()?, second.parse::<u8>().ok()?)));
                // Two days in a row are one time.
                if let (Some((from, to)), Some(second)) = (numbers, part("second"))
                    && to == from + 1
                {
                    let both = vec![
                        bound(Operator::AtLeast, day(first)),
                        bound(Operator::AtMost, day(second)),
                    ];
                    return Some((whole.range(), vec![both]));
                }
                std::iter::once(first).chain(part("second")).map(day).collect()
            }
            (.., Some(month)) => vec![format!("{} {}{}", part("day")?, english(month)?, year("year"))],
            _ => return None,
        };
        let is_day = |day: String| {
            vec![
                bound(Operator::AtLeast, day.clone()),
                bound(Operator::AtMost, day),
            ]
        };
        Some((whole.range(), listed.into_iter().map(is_day).collect()))
    })
}

/// Whether a page has a field for a day: then a day of an instruction may be one to fill in.
pub(super) fn has_field(page: &Page) -> bool {
    let said = |field: &page::dom::Node<'_>| {
        let mut names = ["type", "name", "id", "placeholder", "aria-label"].into_iter();
        names.any(|name| field.attr(name).is_some_and(|value| OF_DAY.is_match(value)))
    };
    page.dom().by_tag("input").any(|field| said(&field))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let days = days(text).map(|(_, days)| days).unwrap_or_default();
        let all = days.iter().map(|day| {
            let bounds: Vec<String> = day.iter().map(ToString::to_string).collect();
            bounds.join(", ")
        });
        all.collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn single_days_are_read_and_other_numbers_are_not() {
        assert_eq!(read("hearings on 17 June"), "date >= 17 june, date <= 17 june");
        assert_eq!(
            read("Kurse am 31. Mai 2026"),
            "date >= 31 may 2026, date <= 31 may 2026"
        );
        assert_eq!(
            read("films on 10 or 12 October"),
            "date >= 10 october, date <= 10 october | date >= 12 october, date <= 12 october"
        );
        assert_eq!(
            read("10. oder 11. Oktober"),
            "date >= 10 october, date <= 11 october"
        );
        assert_eq!(read("zajęcia 3 maja"), "date >= 3 may, date <= 3 may");
        assert_eq!(
            read("on June 17th, 2026"),
            "date >= 17 june 2026, date <= 17 june 2026"
        );
        assert_eq!(read("am 03.06.2026"), "date >= 03.06.2026, date <= 03.06.2026");
        assert_eq!(read("for 6 people"), "");
        assert_eq!(read("top 10 films"), "");
    }
}
