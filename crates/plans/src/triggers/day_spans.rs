//! Days of an instruction from one to another: "from 25 April to 3 May", "vom 3. bis 9. Mai 2026".

use std::ops::Range;

use tools::rows::condition::{Operator, RowCondition};
use tools::words::concepts::{self, MONTHS};

/// A day of a month, with its year or without, in groups that begin with a name.
fn day(name: &str) -> String {
    format!(
        r"(?:(?P<{name}>[12]?\d|3[01])(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<{name}_month>[a-zà-ɏ]{{3,}})|(?P<{name}_named>[a-z]{{3,}})\s+(?P<{name}_behind>[12]?\d|3[01])(?:st|nd|rd|th)?\b)(?:,?\s+(?P<{name}_year>(?:19|20)\d\d)\b)?"
    )
}

locale::patterns! {
    /// Two days of one month.
    static DAYS_BETWEEN = r"(?ix)\b(?:(?:between|from|vom|von|zwischen(?:\s+dem)?|od|między|pomiędzy|in|on)\s+)?(?:(?:the|dem)\s+)?
        (?P<a>[12]?\d|3[01])(?:st|nd|rd|th|\.)?\s*(?:to|and|until|till|through|bis(?:\s+zum)?|und(?:\s+dem)?|do|a|i|-|–)\s*(?:the\s+)?(?P<b>[12]?\d|3[01])(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<m>[a-zà-ɏ]{3,})\b(?:\s+(?P<y>(?:19|20)\d\d)\b)?";
    /// Two days that both name their month.
    static SPAN = format!(r"(?ix)\b(?:(?:(?P<between>between|zwischen|między|pomiędzy)|from|vom|von|od|in|on)\s+)?(?:(?:the|dem)\s+)?{}
        \s*(?:(?P<and>and|und(?:\s+dem)?|a|i)\b|to\b|until\b|till\b|through\b|bis(?:\s+zum)?\b|do\b|-|–)\s*(?:the\s+)?{}(?:\s*(?:r\.|roku\b))?", day("first"), day("last"));
}

/// The month that a word names, from nought.
fn month(word: &str) -> Option<usize> {
    let english = concepts::with_english_months(word).to_lowercase();
    MONTHS.iter().position(|month| *month == english)
}

fn bound(operator: Operator, day: String) -> RowCondition {
    RowCondition {
        field: "date".to_owned(),
        operator,
        value: day.into(),
    }
}

/// The first span of days that both name their month: where it stands, and the lists of conditions of which one has to hold. A span
/// over the end of a year that is not said are the days from its first one on and those up to its last one.
///
/// Two days of which both say their year are no span where they may be those of a stay.
pub(super) fn span(text: &str, may_be_stay: bool) -> Option<(Range<usize>, Vec<Vec<RowCondition>>)> {
    SPAN.captures_iter(text).find_map(|found| {
        let part = |name: &str, rest: &str| found.name(&format!("{name}{rest}")).map(|part| part.as_str());
        let day = |name: &str| {
            let day: u8 = part(name, "").or_else(|| part(name, "_behind"))?.parse().ok()?;
            let month = month(part(name, "_month").or_else(|| part(name, "_named"))?)?;
            Some((month, day))
        };
        let year = |name: &str| part(name, "_year").and_then(|year| year.parse::<i16>().ok());
        // "On 3 May and 5 June" are two days.
        if found.name("and").is_some() && found.name("between").is_none() {
            return None;
        }
        let (first, last) = (day("first")?, day("last")?);
        // December comes before January of the next year.
        let over = i16::from(first > last);
        if may_be_stay && year("first").is_some() && year("last").is_some() {
            return None;
        }
        let (first_year, last_year) = match (year("first"), year("last")) {
            (Some(first), Some(last)) => (Some(first), Some(last)),
            (Some(first), None) => (Some(first), Some(first + over)),
            (None, Some(last)) => (Some(last - over), Some(last)),
            (None, None) => (None, None),
        };
        if first_year.is_some() && (first_year, first) > (last_year, last) {
            return None;
        }
        let written = |(month, day): (usize, u8), year: Option<i16>| {
            let year = year.map_or(String::new(), |year| format!(" {year}"));
            Some(format!("{day} {}{year}", MONTHS.get(month)?))
        };
        let from = bound(Operator::AtLeast, written(first, first_year)?);
        let to = bound(Operator::AtMost, written(last, last_year)?);
        let spans = match first_year.is_none() && over > 0 {
            true => vec![vec![from], vec![to]],
            false => vec![vec![from, to]],
        };
        Some((found.get(0)?.range(), spans))
    })
}

/// The days of a month from one to another: "od 10 do 20 października".
pub(super) fn of_month(text: &str) -> Option<(Range<usize>, Vec<RowCondition>)> {
    DAYS_BETWEEN.captures_iter(text).find_map(|found| {
        let number = |name: &str| found.name(name)?.as_str().parse::<u8>().ok();
        let (first, last) = (number("a")?, number("b")?);
        let english = concepts::with_english_months(found.name("m")?.as_str()).to_lowercase();
        let year = found
            .name("y")
            .map_or(String::new(), |year| format!(" {}", year.as_str()));
        let day = |day: u8| format!("{day} {english}{year}");
        (MONTHS.contains(&english.as_str()) && first < last).then_some(())?;
        let conditions = vec![
            bound(Operator::AtLeast, day(first)),
            bound(Operator::AtMost, day(last)),
        ];
        Some((found.get(0)?.range(), conditions))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_over_two_months_has_both_its_ends() {
        let read = |text: &str| {
            let spans = span(text, false).map(|(_, spans)| spans).unwrap_or_default();
            let written = |span: &Vec<RowCondition>| {
                let days: Vec<String> = span.iter().map(ToString::to_string).collect();
                days.join(", ")
            };
            spans.iter().map(written).collect::<Vec<_>>().join(" | ")
        };
        for (text, wanted) in [
            ("events from 25 April to 3 May", "date >= 25 april, date <= 3 may"),
            (
                "April 25th to May 3, 2026",
                "date >= 25 april 2026, date <= 3 may 2026",
            ),
            (
                "from 25 April until 3 May 2026",
                "date >= 25 april 2026, date <= 3 may 2026",
            ),
            ("vom 25. April bis zum 3. Mai", "date >= 25 april, date <= 3 may"),
            ("od 25 kwietnia do 3 maja", "date >= 25 april, date <= 3 may"),
            ("between 3 May and 12 May", "date >= 3 may, date <= 12 may"),
            (
                "between 28 December and 3 January",
                "date >= 28 december | date <= 3 january",
            ),
            (
                "28 December to 3 January 2027",
                "date >= 28 december 2026, date <= 3 january 2027",
            ),
            ("on 3 May and 5 June", ""),
            ("from 5 rooms to 3 persons", ""),
            ("from 3 May 2026 to 1 May 2026", ""),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
        assert_eq!(span("from 12 June 2026 to 15 June 2026", true), None);
    }
}
