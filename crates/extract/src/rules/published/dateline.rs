//! The day with which a report begins, behind its place: "PORT ELLERY, May 5, 2026 –".

use std::ops::RangeInclusive;

use regex::Captures;

locale::patterns! {
    /// The comma behind a place, a day, and the dash before the report. How long the name of the month is, code counts: a
    /// pattern that repeats letters a bounded number of times takes many times longer to compile.
    static DAY = r"^,\s+((?:(\p{L}+)\.?\s+[0-9]{1,2},|[0-9]{1,2}\.?\s+(\p{L}+)\.?)\s+[0-9]{4})\s*[–—-]";
    /// What stands before the comma.
    static PLACE = r"^\p{Lu}[\p{L} .'’()/,-]+$";
}

/// Letters of the name of a month.
const MONTH: RangeInclusive<usize> = 3..=10;
/// Characters of the place.
const PLACE_LENGTH: RangeInclusive<usize> = 3..=51;

/// The day that stands behind a place at the beginning of a text.
pub(super) fn day(text: &str) -> Option<&str> {
    if !text.starts_with(char::is_uppercase) {
        return None;
    }
    let characters = text.char_indices().enumerate().take(PLACE_LENGTH.end() + 1);
    let commas = characters
        .filter(|(before, (_, character))| *character == ',' && PLACE_LENGTH.contains(before))
        .map(|(_, (at, _))| at);
    commas.into_iter().find_map(|comma| {
        let (place, rest) = text.split_at_checked(comma)?;
        let found = DAY.captures(rest).filter(names_month)?;
        let day = found.get(1)?.as_str();
        PLACE.is_match(place).then_some(day)
    })
}

/// Whether the name of the month is of a usual length.
fn names_month(found: &Captures<'_>) -> bool {
    let month = found.get(2).or_else(|| found.get(3));
    month.is_some_and(|month| MONTH.contains(&month.as_str().chars().count()))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn a_day_stands_behind_a_place_and_before_a_dash() {
        assert_eq!(day("PORT ELLERY, May 5, 2026 – The harbour"), Some("May 5, 2026"));
        assert_eq!(
            day("St. Gallen (SG), Schweiz, 5. März 2026 — Der"),
            Some("5. März 2026")
        );
        assert_eq!(day("Rome, Ohio, Sept. 12, 2026 - A"), Some("Sept. 12, 2026"));
    }

    #[test]
    fn other_beginnings_are_no_dateline() {
        let long = format!("A{}, May 5, 2026 – The", "b".repeat(51));
        for text in [
            "Oh, May 5, 2026 – was",
            "port ellery, May 5, 2026 – The",
            "Port 7, May 5, 2026 – The",
            "Port Ellery, May 5, 2026 The",
            "Port Ellery, in May 5, 2026 – The",
            "Port Ellery, My 5, 2026 – The",
            &long,
        ] {
            assert_eq!(day(text), None, "{text}");
        }
    }
}
